import pytest

from bot.schedule.when.read import read
from tests.schedule.when.reading_at import TUESDAY_EVENING, moment, once, reading


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


@pytest.mark.parametrize(
    "text",
    [
        "5000000 hours before 9am",
        "2 days before 9am",
        "99999999999999 weeks today",
        "99999999999999 weeks after Monday",
        "99999999999 days before tomorrow",
        "in 99999999999 days at 9am",
        "at 9 in 99999999999 weeks",
        "in 12 billion years at 9",
        "2 months before 9am on 5 May",
        "every 0 minutes",
        "every 5000000 hours",
        "cada 0 minutos",
        "每99999999999天",
        "हर 0 मिनट",
        "كل 0 دقيقة",
        "March 5 12024 at 9am",
        "31 Dec 10000",
        "on May 5 in 9000 years",
        "Christmas 12000",
        "5000000 horas antes de las 9",
        "dentro de 99999999999 días a las 9",
        "99999999999 semanas después de mañana",
        "99999999999天后九点",
        "99999999999天之后早上九点",
        "99999999999 दिन बाद सुबह 9 बजे",
        "بعد 99999999999 يوم الساعة 9",
    ],
)
def test_a_length_or_year_beyond_the_calendar_takes_no_other_time_in_its_place(text: str) -> None:
    found = read(text, TUESDAY_EVENING)
    assert (found.kind, found.at, found.refused) == ("none", None, "impossible")


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow at 9 tell them that the universe is 13000000000 years old",
        "tomorrow at 9, 3000 words are due",
    ],
)
def test_a_large_number_of_something_else_is_not_in_the_way(text: str) -> None:
    assert once(text) == "2026-12-02 09:00"
