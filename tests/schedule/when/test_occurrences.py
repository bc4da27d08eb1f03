from bot.schedule.when.occurrences import occurrences
from tests.schedule.when.reading_at import TUESDAY_EVENING, moment, reading


def _next(text: str, count: int = 3) -> list[str]:
    found = occurrences(reading(text), TUESDAY_EVENING, count)
    return [moment.strftime("%Y-%m-%d %H:%M") for moment in found]


def test_a_rhythm_goes_on_after_now() -> None:
    assert _next("every other friday at 9") == ["2026-12-04 09:00", "2026-12-18 09:00", "2027-01-01 09:00"]


def test_days_without_a_time_come_at_the_default_hour() -> None:
    assert _next("every weekday") == ["2026-12-02 09:00", "2026-12-03 09:00", "2026-12-04 09:00"]
    assert _next("tomorrow") == ["2026-12-02 09:00"]


def test_an_interval_counts_from_now() -> None:
    assert _next("every 90 minutes", 2) == ["2026-12-01 21:23", "2026-12-01 22:53"]


def test_the_last_day_is_included_and_exceptions_are_left_out() -> None:
    assert _next("daily at 9 until december 3") == ["2026-12-02 09:00", "2026-12-03 09:00"]
    assert _next("daily at 9 except tomorrow", 1) == ["2026-12-03 09:00"]
    assert _next("daily at 9 except in december", 1) == ["2027-01-01 09:00"]


def test_nothing_comes_of_nothing() -> None:
    assert occurrences(reading("hello"), moment("2026-01-01 00:00"), 3) == []
