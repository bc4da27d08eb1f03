from datetime import date

import pytest

from bot.schedule.when import calendars
from bot.schedule.when.holidays import HOLIDAYS


@pytest.mark.parametrize(
    ("holiday", "day"),
    [
        ("easter", date(2027, 3, 28)),
        ("orthodox easter", date(2027, 5, 2)),
        ("rosh hashanah", date(2026, 9, 11)),
        ("passover", date(2027, 4, 21)),
        ("purim", date(2026, 3, 2)),
        ("eid al-fitr", date(2026, 3, 20)),
        ("chinese new year", date(2027, 2, 6)),
        ("mid-autumn festival", date(2026, 9, 25)),
        ("qingming", date(2026, 4, 5)),
        ("diwali", date(2026, 11, 8)),
        ("holi", date(2025, 3, 14)),
        ("thanksgiving", date(2026, 11, 26)),
        ("labor day", date(2026, 9, 7)),
        ("mother's day", date(2027, 5, 9)),
        ("tax day", date(2028, 4, 18)),
    ],
)
def test_movable_feasts_fall_on_their_known_days(holiday: str, day: date) -> None:
    assert HOLIDAYS[holiday](day.year) == (day,)


def test_the_chinese_year_has_its_leap_month() -> None:
    assert calendars.chinese(2033, -11, 1) == date(2033, 12, 22)
    assert calendars.chinese(2026, -11, 1) is None


@pytest.mark.parametrize("year", [1924, 1999, 2024, 2033, 2077, 2100])
def test_every_holiday_has_days_of_the_asked_year_or_none(year: int) -> None:
    for name, dates in HOLIDAYS.items():
        days = dates(year)
        assert all(day.year in {year, year + 1} for day in days), name
        assert len(days) <= 2, name
