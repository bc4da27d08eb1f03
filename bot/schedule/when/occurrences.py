"""The next times of a reading, in the person's local time without zone."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import islice

from dateutil.rrule import rrule, rrulestr

from bot.schedule.when.reading import Reading, join_rule, split_rule

# Days that are looked through for one that is not excluded.
_MAX_SKIPPED = 1000


def occurrences(reading: Reading, now: datetime, count: int, default_hour: int = 9) -> list[datetime]:
    """The next `count` times after `now`; days without a time of day are taken at `default_hour`.

    Nothing is said here of missing and doubled hours: these are times on the wall clock.
    """
    if reading.kind == "none":
        return []
    if reading.kind == "once":
        return [] if reading.at is None else [_moment(reading.at, default_hour)][:count]
    return list(islice(_recurring(reading, now, default_hour), count))


def _recurring(reading: Reading, now: datetime, default_hour: int) -> Iterator[datetime]:
    rule = reading.rrule or ""
    start = _moment(reading.at, default_hour) if reading.at is not None else now.replace(microsecond=0)
    if "BYHOUR" not in rule and not _is_shorter_than_a_day(rule):
        start = start.replace(hour=default_hour, minute=0, second=0)
    elif not _is_shorter_than_a_day(rule):
        start = start.replace(minute=0, second=0) if "BYMINUTE" in rule else start.replace(second=0)
    elif "BYMINUTE" in rule:
        start = start.replace(second=0)
    left_out = set(islice(_rule(reading.exrule, start), _MAX_SKIPPED)) if reading.exrule else set()
    days: set[date | datetime] = {day for day in reading.excluded if not isinstance(day, tuple)}
    if not _is_shorter_than_a_day(reading.exrule or "") and "BYHOUR" not in (reading.exrule or ""):
        days |= {moment.date() for moment in left_out}
    months = {month for month in reading.excluded if isinstance(month, tuple)}
    for skipped, moment in enumerate(_rule(rule, start)):
        if skipped > _MAX_SKIPPED:
            return
        excluded = moment in left_out or moment in days or moment.date() in days
        if moment > now and not excluded and (moment.month, moment.year) not in months:
            yield moment


def _rule(rule: str, start: datetime) -> rrule:
    parts = split_rule(rule)
    if len(parts.get("UNTIL", "")) == 8:  # the whole day
        parts["UNTIL"] += "T235959"
    found = rrulestr(join_rule(parts), dtstart=start)
    if not isinstance(found, rrule):
        raise TypeError(f"not one rule: {rule}")
    return found


def _is_shorter_than_a_day(rule: str) -> bool:
    return any(f"FREQ={freq}" in rule for freq in ("HOURLY", "MINUTELY", "SECONDLY"))


def _moment(at: date | datetime, default_hour: int) -> datetime:
    return at if isinstance(at, datetime) else datetime.combine(at, time()) + timedelta(hours=default_hour)
