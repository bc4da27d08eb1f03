"""How long before the time that was said a reminder is wished: 提前十分钟, "an hour before my 4pm meeting".

What the reader took into the time itself ("ten minutes before five") is none of it.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from bot.schedule.rule_earlier import earlier
from bot.schedule.when.reading import Reading
from bot.text.lazy import Pattern

_EN_NUMBER = (
    r"(?:\d+(?:\.\d+)?|half an?|an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty|forty[- ]five)"
)
_EN_UNIT = r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?)"
# The length, and what makes "in …" or … 后 of it.
_LEADS = (
    (
        Pattern(
            rf"\b({_EN_NUMBER}\s+{_EN_UNIT}(?:\s+and\s+a\s+half)?)\s+(?:before(?:hand)?|ahead|prior|earlier"
            r"|in\s+advance)\b",
        ),
        "in {}",
    ),
    (
        Pattern(
            r"(?:提早|提前|早|前)((?:半|[\d一二两三四五六七八九十]+)个?半?(?:分钟|小时|钟头|刻钟|天|周|星期))"
        ),
        "{}后",
    ),
)
_DAY_BEFORE = Pattern(r"\bthe\s+(?:day|night|evening)\s+before\b|(?:提?前|头)(?:一|1)?天")
_DAY = timedelta(days=1)


def before_it(text: str, reading: Reading, now: datetime, read: Callable[[str], Reading]) -> Reading:
    """The reading, moved to where a lead in the text puts it; what would be over is refused as past."""
    if reading.refused == "past":
        return _of_another_time(text, reading, now, read)
    lead = _lead(text.lower(), reading, now, read) if reading.kind != "none" else None
    if reading.kind == "recurring" and lead is not None:
        return _again_earlier(text.lower(), reading, lead)
    if reading.kind != "once" or reading.refused is not None or reading.at is None:
        return reading
    if lead is None or (lead < _DAY and not isinstance(reading.at, datetime)):
        return reading
    moved = [replace(one, at=_earlier(one.at, lead)) for one in (reading, *reading.alternatives)]
    ahead = [one for one in moved if one.at is not None and not _is_over(one.at, now)]
    if not ahead:
        return replace(moved[0], alternatives=(), refused="past")
    first, *others = ahead
    return replace(reading, at=first.at, alternatives=tuple(replace(one, alternatives=()) for one in others))


def _again_earlier(text: str, reading: Reading, lead: timedelta) -> Reading:
    """A recurring reading that much earlier, where a rule can say it and nothing is left out of it."""
    rule = earlier(reading.rrule or "", lead)
    if rule is None or reading.excluded or reading.exrule:
        return reading
    others = (replace(other, rrule=earlier(other.rrule or "", lead)) for other in reading.alternatives)
    return replace(
        reading,
        rrule=rule,
        at=None if _DAY_BEFORE.search(text) else _earlier(reading.at, lead),
        alternatives=tuple(other for other in others if other.rrule is not None),
    )


def _of_another_time(text: str, reading: Reading, now: datetime, read: Callable[[str], Reading]) -> Reading:
    """ "Half an hour earlier" than now is over; than another time in the text it is a lead."""
    start, end = reading.span
    if not any(pattern.search(text[start:end].lower()) for pattern, _ in _LEADS):
        return reading
    other = read(text[:start] + " " * (end - start) + text[end:])
    return before_it(text, other, now, read) if other.kind == "once" and other.refused is None else reading


def _lead(text: str, reading: Reading, now: datetime, read: Callable[[str], Reading]) -> timedelta | None:
    for pattern, shape in _LEADS:
        for found in pattern.finditer(text):
            if _is_in_time(found, reading):
                continue  # the reader has it
            then = read(shape.format(found.group(1))).at
            if then is not None:
                return _length(then, now)
    found_day = _DAY_BEFORE.search(text)
    if found_day is None:
        return None
    # "The day before every Friday" is none to begin at
    return _DAY if reading.kind == "recurring" or not _is_in_time(found_day, reading) else None


def _is_in_time(found: re.Match[str], reading: Reading) -> bool:
    """Whether the words were read as a part of the time; what stands in its gaps was not."""
    start, end = reading.span
    if any(first <= found.start() and found.end() <= last for first, last in reading.gaps):
        return False
    return found.start() < end and start < found.end()


def _length(then: date, now: datetime) -> timedelta:
    if isinstance(then, datetime) and then - now < _DAY:
        return then - now.replace(microsecond=0)
    day = then.date() if isinstance(then, datetime) else then
    return day - now.date()


def _earlier(at: date | None, lead: timedelta) -> date | None:
    return None if at is None else at - lead


def _is_over(at: date, now: datetime) -> bool:
    return at <= now if isinstance(at, datetime) else at < now.date()
