from datetime import date

import pytest

from tests.schedule.when.reading_at import moment, once, reading


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("tomorrow", "2026-12-02"),
        ("the day after tomorrow at 7", "2026-12-03 07:00"),
        ("thursday", "2026-12-03"),
        ("this friday", "2026-12-04"),
        ("friday after next", "2026-12-11"),
        ("in an hour and a quarter", "2026-12-01 21:08"),
        ("in two weeks' time", "2026-12-15"),
        ("a week from thursday", "2026-12-10"),
        ("on the 5th", "2026-12-05"),
        ("the 2nd", "2026-12-02"),
        ("friday the 13th", "2027-08-13"),
        ("march 3rd", "2027-03-03"),
        ("3 march 2029 at 14:30", "2029-03-03 14:30"),
        ("Oct. 2", "2027-10-02"),
        ("2027-11-05T14:00:00", "2027-11-05 14:00"),
        ("11/25/2027", "2027-11-25"),
        ("25.11.2027", "2027-11-25"),
        ("nineteen ninety nine", "none"),
        ("may 5 nineteen ninety nine", "1999-05-05"),
        ("last day of february", "2027-02-28"),
        ("the last working day of the month", "2026-12-31"),
        ("third working day of january at 4pm", "2027-01-05 16:00"),
        ("be there by seven tomorrow", "2026-12-02 07:00"),
        ("before nine on friday", "2026-12-04 09:00"),
        ("nudge me around eleven about the ticket", "2026-12-02 11:00"),
        ("around 3 people", "none"),
        ("half eight tomorrow", "2026-12-02 08:30"),
        ("in 3 hours time", "2026-12-01 22:53"),
        ("at quarter to six shout", "2026-12-02 05:45"),
        ("at five: call bob", "2026-12-02 05:00"),
        ("mid January", "2027-01-15"),
        ("in mid-march", "2027-03-15"),
        ("the middle of next month", "2027-01-15"),
        ("early february", "2027-02-01"),
        ("late november 2027", "2027-11-25"),
        ("late next week", "2026-12-11"),
        ("late today", "2026-12-01"),
        ("after lunch", "2026-12-02 13:00"),
        ("an alarm for 6", "2026-12-02 06:00"),
        ("set an alarm for 6 in the morning", "2026-12-02 06:00"),
        ("alarm for 10 minutes", "2026-12-01 20:03"),
        ("march 1 next year", "2027-03-01"),
        ("december 20 next year", "2027-12-20"),
        ("after work on friday", "2026-12-04 18:00"),
        ("at 2pm after lunch", "2026-12-02 14:00"),
        ("an hour before lunch", "none"),
        ("tuesday fortnight", "2026-12-22"),
        ("in an hour and twenty", "2026-12-01 21:13"),
        ("in an hour and twenty people", "2026-12-01 20:53"),
        ("this time next week", "2026-12-08 19:53"),
        ("same time next thursday", "2026-12-10 19:53"),
        ("tomorrow same time", "2026-12-02 19:53"),
        ("this time I will win", "none"),
        ("end of day tomorrow", "2026-12-02 23:59"),
        ("close of business friday", "2026-12-04 23:59"),
        ("weekend after next", "2026-12-12"),
        ("tell me when it's nine", "2026-12-02 09:00"),
        ("the 3rd friday of next month", "2027-01-15"),
        ("last monday of march", "2027-03-29"),
        ("end of month", "2026-12-31"),
        ("two weeks before easter", "2027-03-14"),
        ("the day before christmas", "2026-12-24"),
        ("thanksgiving 2027", "2027-11-25"),
    ],
)
def test_days_are_read_in_their_usual_forms(text: str, at: str) -> None:
    assert once(text) == at


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("at 5pm", "2026-12-02 17:00"),
        ("5 p.m. tomorrow", "2026-12-02 17:00"),
        ("17h tomorrow", "2026-12-02 17:00"),
        ("noon", "2026-12-02 12:00"),
        ("midnight", "2026-12-02 00:00"),
        ("half past six in the evening", "2026-12-02 18:30"),
        ("a quarter past 8pm", "2026-12-01 20:15"),
        ("ten to five pm tomorrow", "2026-12-02 16:50"),
        ("tomorrow at three twenty", "2026-12-02 03:20"),
        ("11ish", "2026-12-02 11:00"),
        ("tonight at 9", "2026-12-01 21:00"),
        ("tonight at 1 am", "2026-12-02 01:00"),
        ("friday night at 12:30am", "2026-12-05 00:30"),
        ("9:01:10 AM", "2026-12-02 09:01"),
        ("from 9 to 11am tomorrow", "2026-12-02 09:00"),
    ],
)
def test_times_of_day_are_read_in_their_usual_forms(text: str, at: str) -> None:
    assert once(text) == at


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("in 2 minutes", "2026-12-01 19:55"),
        ("in 1h30", "2026-12-01 21:23"),
        ("in two and a half hours", "2026-12-01 22:23"),
        ("in a week", "2026-12-08"),
        ("in 3 days at 10am", "2026-12-04 10:00"),
        ("3 months from now", "2027-03-01"),
        ("two days ago", "2026-11-29 19:00"),
        ("next month", "2027-01-01"),
    ],
)
def test_amounts_count_from_now(text: str, at: str) -> None:
    assert once(text) == at


@pytest.mark.pain("28")
def test_eight_oclock_said_in_the_evening_is_tomorrows_morning_and_the_evening_is_offered() -> None:
    found = reading("remind me at 8:00")
    assert found.at == moment("2026-12-02 08:00")
    assert [other.at for other in found.alternatives] == [moment("2026-12-01 20:00")]
    assert "half-day" in found.assumed


@pytest.mark.pain("P110")
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("in half an hour", "2026-12-01 20:23"),
        ("in an hour and a half", "2026-12-01 21:23"),
        ("today at three in the afternoon", "2026-12-01 15:00"),
        ("at quarter to nine tomorrow", "2026-12-02 08:45"),
        ("in 5 minutes", "2026-12-01 19:58"),
        ("after 5 minutes", "2026-12-01 19:58"),
    ],
)
def test_words_for_times_are_right_to_the_minute(text: str, at: str) -> None:
    assert once(text) == at


@pytest.mark.pain("P109")
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("on the 1st day of next month", "2021-02-01"),
        ("1st Friday of next month", "2021-02-05"),
        ("the last day of the month", "2021-01-31"),
    ],
)
def test_places_in_a_month_are_counted_in_that_month(text: str, at: str) -> None:
    assert once(text, moment("2021-01-29 00:00")) == at


@pytest.mark.pain("P111")
def test_a_weekday_or_an_hour_late_in_the_evening_is_the_coming_one() -> None:
    assert once("Thursday 8 AM", moment("2020-07-28 20:00")) == "2020-07-30 08:00"
    assert once("9am", moment("2020-07-28 23:00")) == "2020-07-29 09:00"
    assert once("tuesday at 9pm", moment("2020-07-28 20:00")) == "2020-07-28 21:00"


@pytest.mark.pain("P112")
def test_a_day_without_a_time_stays_a_day() -> None:
    found = reading("remind me on Monday to call mum")
    assert (once("remind me on Monday to call mum"), found.grain) == ("2026-12-07", "day")


@pytest.mark.pain("P114")
def test_next_friday_offers_the_nearer_one() -> None:
    found = reading("next Friday at noon", moment("2012-12-31 00:00"))
    assert found.at == moment("2013-01-11 12:00")
    assert [other.at for other in found.alternatives] == [moment("2013-01-04 12:00")]
    assert once("this Friday", moment("2012-12-31 00:00")) == "2013-01-04"


def test_a_weekday_that_does_not_fit_offers_the_year_in_which_it_does() -> None:
    found = reading("Fri, Jul 18", moment("2013-02-12 04:30"))
    assert [found.at, *(other.at for other in found.alternatives)] == [date(2013, 7, 18), date(2014, 7, 18)]


def test_this_evening_said_in_the_evening_is_still_to_come() -> None:
    assert once("this evening") == "2026-12-01 20:00"
    assert once("this morning") == "2026-12-01 09:00"
    assert reading("this morning").refused == "past"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("tomorrow I have to be at the station at 5pm", "2026-12-02 17:00"),
        ("at 5pm I have to be at the station tomorrow", "2026-12-02 17:00"),
        ("tomorrow's meeting at 9", "2026-12-02 09:00"),
        ("The party is on saturday. Call me at 5", "2026-12-05"),
        ("Start at 5, and in 5 minutes call me", "2026-12-01 19:58"),
    ],
)
def test_a_day_and_its_time_may_stand_apart_in_one_clause(text: str, at: str) -> None:
    assert once(text) == at


@pytest.mark.parametrize(
    ("now", "text", "at"),
    [
        ("2026-12-03 00:30", "tonight at 2 am", "2026-12-03 02:00"),
        ("2026-12-03 00:30", "tonight at 2", "2026-12-03 02:00"),
        ("2026-12-03 00:30", "tonight at 12", "2026-12-04 00:00"),
        ("2026-12-03 03:30", "tonight at 2", "2026-12-04 02:00"),
        ("2026-12-04 00:30", "friday night at 2", "2026-12-05 02:00"),
    ],
)
def test_after_midnight_tonight_is_the_night_that_is_not_over(now: str, text: str, at: str) -> None:
    assert once(text, moment(now)) == at
