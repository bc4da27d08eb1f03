import pytest

from tests.schedule.when.reading_at import moment, once, reading


@pytest.mark.pain("31")
@pytest.mark.parametrize("text", ["30 Feb", "feb 30 2027", "2/29/2027", "on the 31st of june at 8"])
def test_an_impossible_date_is_refused_with_a_reason(text: str) -> None:
    found = reading(text)
    assert (found.kind, found.at, found.refused) == ("none", None, "impossible")


def test_a_time_beyond_the_calendar_is_refused() -> None:
    assert reading("in 99999 years").refused == "impossible"
    assert reading("two weeks after 12/31/9999").refused == "impossible"


def test_the_29th_of_february_is_the_next_leap_years() -> None:
    assert once("Feb 29") == "2028-02-29"


@pytest.mark.pain("32")
def test_a_past_time_is_marked_as_past() -> None:
    found = reading("the meeting was yesterday at 5")
    assert (found.at, found.refused) == (moment("2026-11-30 05:00"), "past")


@pytest.mark.parametrize(
    "text",
    [
        "you may not!",
        "we march on",
        "the sun is out",
        "second to none",
        "give me a second",
        "version 3.11.2",
        "it costs $12",
        "mortgages were at 6.45 percent",
        "call me at 555-1234",
        "there are two to four people in the room",
        "A4 A5",
        "have a great week!",
        "good morning Paul",
        "once upon a time",
        "this is the one",
        "5 minutes",
        "there are 24 hours in a day",
        "24/7 support",
        "",
        "   ",
        "💤",
    ],
)
def test_what_holds_no_time_is_not_read(text: str) -> None:
    assert reading(text).kind == "none"
