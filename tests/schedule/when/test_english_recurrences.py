from datetime import UTC, date, datetime
from itertools import islice

import pytest

from bot.schedule.plan import moments, of_reading
from bot.schedule.when.occurrences import occurrences
from bot.schedule.when.read import read
from bot.schedule.when.reading import Reading
from tests.schedule.when.reading_at import moment, reading, rule

NINE = ";BYHOUR=9;BYMINUTE=0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every weekday at 9", f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR{NINE}"),
        ("mondays and thursdays at 9", f"FREQ=WEEKLY;BYDAY=MO,TH{NINE}"),
        ("every Mon-Wed", "FREQ=WEEKLY;BYDAY=MO,TU,WE"),
        ("monday to friday at 9", f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR{NINE}"),
        ("every day at 9, 13 and 17", "FREQ=DAILY;BYHOUR=9,13,17;BYMINUTE=0"),
        ("twice a day", "FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0"),
        ("three times daily", "FREQ=DAILY;BYHOUR=9,15,21;BYMINUTE=0"),
        ("nightly at 11", "FREQ=DAILY;BYHOUR=23;BYMINUTE=0"),
        ("every last sunday at 9", f"FREQ=MONTHLY;BYDAY=-1SU{NINE}"),
        ("every month on the second and fourth tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU"),
        ("every 1st and 3rd wednesday at 9am", f"FREQ=MONTHLY;BYDAY=1WE,3WE{NINE}"),
        ("the last working day of every month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("for the next five days at 9am", f"FREQ=DAILY{NINE};COUNT=5"),
        ("for the next five minutes", "none"),
        ("every day next week at 9am", f"FREQ=DAILY{NINE};UNTIL=20261213"),
        ("mon/wed/fri 6am", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=6;BYMINUTE=0"),
        ("every day for the next week at 7am", "FREQ=DAILY;BYHOUR=7;BYMINUTE=0;UNTIL=20261208"),
        ("every month end", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("once a fortnight", "FREQ=WEEKLY;INTERVAL=2"),
        ("every day after dinner", "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"),
        ("every 90 minutes", "FREQ=MINUTELY;INTERVAL=90"),
        ("every 90 minutes from 8:30 to 11:30", "FREQ=DAILY;BYHOUR=8,10,11;BYMINUTE=0,30;BYSETPOS=2,3,6"),
        (
            "every weekday every 20 minutes from 9 to 9:40",
            "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0,20,40",
        ),
        ("every minute from 9 to 5", "FREQ=MINUTELY;BYHOUR=9,10,11,12,13,14,15,16,17"),  # too many to list
        ("between 9 and 5 every hour", "FREQ=HOURLY;BYHOUR=9,10,11,12,13,14,15,16,17;BYMINUTE=0"),
        ("every 2 hours from 9am to 5pm", "FREQ=DAILY;BYHOUR=9,11,13,15,17;BYMINUTE=0"),
        ("first monday of each month", "FREQ=MONTHLY;BYDAY=1MO"),
        ("first and third friday of every 3 months", "FREQ=MONTHLY;INTERVAL=3;BYDAY=1FR,3FR"),
        ("the last day of every month at 9", f"FREQ=MONTHLY;BYMONTHDAY=-1{NINE}"),
        ("2nd to the last of each month", "FREQ=MONTHLY;BYMONTHDAY=-2"),
        ("every year on december 21st and 31st", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=21,31"),
        ("every thanksgiving", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"),
        ("every christmas at 9", f"FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25{NINE}"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
        ("every day for 10 times", "FREQ=DAILY;COUNT=10"),
        ("every day until june", "FREQ=DAILY;UNTIL=20270601"),
        ("every hour to stand until 6am", "FREQ=HOURLY;UNTIL=20261202T060000"),
        ("every 30 minutes drink water until 11pm", "FREQ=MINUTELY;INTERVAL=30;UNTIL=20261201T230000"),
        ("every 2 hours drink water for 3 days", "FREQ=HOURLY;INTERVAL=2;UNTIL=20261204"),
        ("every day take pills until friday", "FREQ=DAILY;UNTIL=20261204"),
        ("every day at 9 to stay until 5", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        ("every hour to rest for 5 minutes", "FREQ=HOURLY"),
        ("every month rest for 2 days", "FREQ=MONTHLY"),
        ("every thursday for the next three weeks", "FREQ=WEEKLY;BYDAY=TH;UNTIL=20261222"),
        ("tuesdays at 3:15", "FREQ=WEEKLY;BYDAY=TU;BYHOUR=15;BYMINUTE=15"),
    ],
)
def test_rhythms_become_rules(text: str, expected: str) -> None:
    assert rule(text) == expected


@pytest.mark.pain("31")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every weekday at 9", f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR{NINE}"),
        ("every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("the last day of the month, every month", "FREQ=MONTHLY"),
    ],
)
def test_the_reported_phrases_are_read(text: str, expected: str) -> None:
    assert rule(text).startswith(expected)


@pytest.mark.pain("P107")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo at 3pm every day", "FREQ=DAILY;BYHOUR=15;BYMINUTE=0"),
        ("every monday, tuesday at 2pm", "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=14;BYMINUTE=0"),
        ("every monday and wednesday at noon", "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=12;BYMINUTE=0"),
        ("every 1/30 and 9/30 at noon", "FREQ=YEARLY;BYMONTH=1,9;BYMONTHDAY=30;BYHOUR=12;BYMINUTE=0"),
    ],
)
def test_word_order_and_lists_do_not_matter(text: str, expected: str) -> None:
    assert rule(text) == expected


@pytest.mark.parametrize(
    ("text", "timex"),
    [
        ("every day", "P1D"),
        ("each two days", "P2D"),
        ("every day at 3pm", "T15"),
        ("each monday at 4pm", "XXXX-WXX-1T16"),
        ("every morning", "TMO"),
        ("tuesday afternoons", "XXXX-WXX-2TAF"),
        ("every weekday", "P1WD"),
        ("every weekend", "XXXX-WXX-WE"),
        ("weekends", "P1WE"),
        ("every two weekends", "P2WE"),
        ("semi-annually", "P0.5Y"),
        ("on the 19th of every month", "XXXX-XX-19"),
        ("biweekly", "P2W"),
    ],
)
def test_rhythms_have_a_short_form(text: str, timex: str) -> None:
    assert reading(text).timex == timex


@pytest.mark.pain("P109")
def test_every_third_friday_says_what_it_chose_and_offers_the_other() -> None:
    found = reading("every 3rd Friday at 10")
    assert found.rrule == "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR;BYHOUR=10;BYMINUTE=0"
    assert "ordinal" in found.assumed
    assert found.alternatives[0].rrule == "FREQ=MONTHLY;BYDAY=3FR;BYHOUR=10;BYMINUTE=0"


def _excluded(text: str) -> Reading:
    return reading(text, moment("2026-01-01 00:00"))


def test_what_is_left_out_is_told_beside_the_rule() -> None:
    assert _excluded("daily except in may and june").excluded == ((5, 2026), (6, 2026))
    assert _excluded("daily except tomorrow").excluded == (date(2026, 1, 2),)
    assert _excluded("every 8 hours except tomorrow at 8am").excluded == (moment("2026-01-02 08:00"),)
    assert _excluded("every 8 hours except daily at 12am").exrule == "FREQ=DAILY;BYHOUR=0;BYMINUTE=0"


def test_a_start_is_the_readings_first_day() -> None:
    found = _excluded("mondays and thursdays from jan 5 to march 25th")
    assert (found.at, found.rrule) == (date(2026, 1, 5), "FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20260325")


def test_what_is_bound_to_a_period_begins_with_it_and_not_before_today() -> None:
    assert reading("every day next week at 9am").at == date(2026, 12, 7)
    assert reading("every day this week at 9am").at == date(2026, 12, 1)


def test_all_but_a_day_leaves_it_out() -> None:
    assert reading("every day but sunday").exrule == "FREQ=WEEKLY;BYDAY=SU"


@pytest.mark.parametrize(
    ("text", "first", "last", "times"),
    [
        ("every 30 minutes from 9 to 5", "09:00", "17:00", 17),
        ("every 45 minutes between 9 and 12:30", "09:00", "12:00", 5),
        ("every 20 minutes from 10pm to 1am", "22:00", "01:00", 10),
        ("每30分钟从9点到17点", "09:00", "17:00", 17),
        ("cada 30 minutos de 9 a 17", "09:00", "17:00", 17),
    ],
)
def test_what_comes_every_so_many_minutes_begins_and_ends_with_its_hours(
    text: str, first: str, last: str, times: int
) -> None:
    now = datetime(2026, 12, 2, 5, 13)  # noqa: DTZ001 - on the wall
    found = occurrences(read(text, now), now, times + 1)
    shown = [f"{at:%H:%M}" for at in found]
    assert (shown[0], shown[times - 1], shown[times]) == (first, last, first)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("at 7 on weekdays except friday", "Thu 07:00, Mon 07:00"),
        ("every day at 9 except sundays", "Thu 09:00, Fri 09:00, Sat 09:00, Mon 09:00"),
        ("every day except sundays at 8", "Thu 08:00, Fri 08:00, Sat 08:00, Mon 08:00"),
        ("every day at 9 and 17 except fridays at 17", "Thu 09:00, Thu 17:00, Fri 09:00, Sat 09:00"),
        (
            "every day except the first monday of the month",
            "Thu 09:00, Fri 09:00, Sat 09:00, Sun 09:00, Tue 09:00",
        ),
        ("every 12 hours from 8 to 20 except on fridays", "Thu 08:00, Thu 20:00, Sat 08:00"),
    ],
)
def test_days_that_are_left_out_are_left_out_at_every_hour(text: str, times: str) -> None:
    now = datetime(2026, 12, 2, 21, 53, tzinfo=UTC)
    found = read(text, now.replace(tzinfo=None))
    count = len(times.split(","))
    assert ", ".join(f"{at:%a %H:%M}" for at in occurrences(found, now.replace(tzinfo=None), count)) == times
    kept = islice(moments(of_reading(found, now, "UTC"), now), count)
    assert ", ".join(f"{at:%a %H:%M}" for at in kept) == times


@pytest.mark.parametrize(
    ("text", "lang", "days"),
    [
        ("every saturday night at 1", "en", "SU"),
        ("every monday and friday night at 12", "en", "TU,SA"),
        ("每周日晚上12点", "zh", "MO"),
        ("every saturday night at 11", "en", "SA"),
    ],
)
def test_a_small_hour_of_the_night_is_on_the_day_after(text: str, lang: str, days: str) -> None:
    assert f"BYDAY={days};" in rule(text, lang=lang)


def test_bare_hours_before_the_rule_all_count() -> None:
    assert rule("at 8 and 20 every day") == "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"
    assert rule("remind me at 8 and 9 every day to take pills") == "FREQ=DAILY;BYHOUR=8,9;BYMINUTE=0"
