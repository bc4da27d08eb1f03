"""Reading in tests: one moment, and answers short enough for a table."""

from datetime import datetime

from bot.schedule.when.read import read
from bot.schedule.when.reading import Reading


def moment(text: str) -> datetime:
    """A local time, written `2026-12-01 19:53`."""
    return datetime.fromisoformat(text)


TUESDAY_EVENING = moment("2026-12-01 19:53")


def once(text: str, now: datetime = TUESDAY_EVENING, lang: str = "en") -> str:
    """The point that is read: `2026-12-02` for a day, `2026-12-02 08:00` for a time."""
    reading = read(text, now, lang)
    if reading.at is None:
        return reading.kind
    return reading.at.strftime("%Y-%m-%d %H:%M") if isinstance(reading.at, datetime) else str(reading.at)


def rule(text: str, now: datetime = TUESDAY_EVENING, lang: str = "en") -> str:
    return read(text, now, lang).rrule or "none"


def reading(text: str, now: datetime = TUESDAY_EVENING, lang: str = "en") -> Reading:
    return read(text, now, lang)
