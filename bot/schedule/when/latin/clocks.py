"""Numbers in words and times of day, for all languages in Latin letters."""

from dataclasses import replace
from typing import Any

from bot.schedule.when.amounts import Amount
from bot.schedule.when.clocks import PART_HOURS, Clock, Half, Part
from bot.schedule.when.days import Period
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found

_ROUND_MINUTES = frozenset({5, 10, 15, 20, 25})
_NO_SUCH_TIME = Clock(25)


def tens(found: Found) -> int | None:
    ten, one = int(found.one("y")), int(found.one("n"))
    return ten + one if ten % 10 == 0 and one < 10 else None


def ordinal(found: Found) -> int | None:
    return int(found.one("y")) + int(found.one("o")) if found.one("o") < 10 else None


def thousands(found: Found) -> int:
    value = found.one("a")
    base = ((value.decimal if isinstance(value, Figures) else value) or 1) * found.one("k")
    return int(base + (found.one("c") or 0) * (100 if found.has("h") else 0) + (found.one("b") or 0))


def hundreds(found: Found) -> int:
    return int((found.one("a") or 1) * 100 + (found.one("b") or 0))


def paired_year(found: Found) -> int | None:
    century, years = found.one("a"), found.one("b")
    if 13 <= century <= 20 and (years >= 10 or found.has("z")):
        return int(century * 100 + years)
    return None


def word_time(found: Found) -> Clock | None:
    hour, minute = found.one("h"), found.one("m")
    if hour > 12 or minute > 59 or (minute < 10 and not found.has("z")):
        return None
    return Clock(hour, minute)


def word_time_of_24(found: Found) -> Clock | None:
    """At seventeen thirty."""
    hour, minute = found.one("h"), found.one("m")
    return Clock(hour, minute) if 13 <= hour <= 23 and 10 <= minute < 60 else None


def hour_number(value: Any) -> Clock | None:
    """A bare number as a time: 7, 815, 1030."""
    if value <= 24:
        return Clock(value)
    hour, minute = divmod(value, 100)
    return Clock(hour, minute) if value < 2400 and minute < 60 and hour else None


def with_half(found: Found) -> Clock | None:
    half: Half = found.one("p")
    value = found.one("x")
    if isinstance(value, Clock):
        return replace(value, half=half, fixed=False) if 1 <= value.hour <= 12 else replace(value, fixed=True)
    if isinstance(value, Figures):
        clock = value.clock() if value.sign == "." else None
    else:
        clock = hour_number(value)
    return replace(clock, half=half, fixed=False) if clock and 1 <= clock.hour <= 12 else None


def range_with_half(found: Found) -> Clock | None:
    figures: Figures = found.one("x")
    if figures.sign != "-" or not 1 <= figures.first <= 12 or not 1 <= figures.second <= 12:
        return None
    half: Half = found.one("p")
    if half == "pm" and figures.first > figures.second % 12:  # from 11 to 1 pm
        half = "am"
    return Clock(figures.first, half=half)


def oclock(found: Found) -> Clock | None:
    value = found.one("x")
    return value if isinstance(value, Clock) else hour_number(value)


def bare(found: Found) -> Clock | None:
    return hour_number(found.one("x"))


def figures(found: Found) -> Clock | None:
    figures: Figures = found.one("x")
    return figures.clock()


def split_minutes(found: Found) -> Clock | None:
    """At 12 15."""
    hour, minute = found.one("h"), found.one("m")
    return Clock(hour, minute) if hour <= 24 and len(found.raw("m")) == 2 and minute < 60 else None


def half_past(found: Found) -> Clock | None:
    hour = target(found)
    return hour.plus_minutes(30) if hour else None


def target(found: Found) -> Clock | None:
    value = found.one("x")
    if isinstance(value, Clock):
        return value
    if value in {"noon", "midnight"}:
        return Clock(12, fixed=True) if value == "noon" else Clock(24, fixed=True)
    return Clock(value) if isinstance(value, int) and 1 <= value <= 24 else None


def minutes_around(found: Found) -> Clock | None:
    hour, minutes = target(found), found.one("m")
    if hour is None or minutes > 59:
        return None
    if found.has("u") and found.one("u") != "minute":
        return None
    certain = found.has("u") or found.has("y") or found.has("s")
    if not certain and minutes not in _ROUND_MINUTES:
        return None
    return hour.plus_minutes(-minutes if found.one("d") in {"to", "before", "till", "of"} else minutes)


def hour_in_part(found: Found) -> Clock | None:
    clock, part = hour_number(found.one("x")), found.one("p")
    if clock is None or (part in {"noon", "midnight"} and clock.hour != 12):
        return None
    return clock.in_part(part)


def military(found: Found) -> Clock | None:
    """0800 hours."""
    clock = hour_number(found.one("x")) if found.one("u") == "hour" and len(found.raw("x")) == 4 else None
    return replace(clock, fixed=True) if clock else None


def with_unit(found: Found) -> Clock | None:
    """19:00 hours."""
    clock: Clock = found.one("x")
    return clock if found.one("u") == "hour" else None


def shifted(found: Found) -> Clock | None:
    """An hour before midnight, half an hour after 5 pm."""
    by: Amount = found.one("c")
    clock: Clock = found.one("x")
    minutes = round(by.seconds / 60)
    if by.months or by.days or not 0 < minutes < (720 if clock.is_open else 1440):
        return None
    return clock.plus_minutes(-minutes if found.has("b") else minutes)


def far_shifted(found: Found) -> Clock | None:
    """Thirty hours before 9 am, two days after noon."""
    by: Amount = found.one("c")
    clock: Clock = found.one("x")
    minutes = round(by.days * 1440 + by.seconds / 60)
    if by.months or (minutes >= 1440 and clock.is_open):
        return _NO_SUCH_TIME
    if minutes < 1440:
        return None
    return clock.plus_minutes(-minutes if found.has("b") else minutes)


def between(found: Found) -> Clock | None:
    """The first of two times."""
    values = [found.one("a"), found.one("b")]
    if all(isinstance(value, int) and value > 12 for value in values):
        return None
    first_, last = (value if isinstance(value, Clock) else hour_number(value) for value in values)
    if first_ is None or last is None:
        return None
    return first_.with_half(last.half) if last.half and first_.hour <= last.hour else first_


def beside_tonight(found: Found) -> Clock | None:
    clock = hour_number(found.one("x"))
    return clock.in_part("night") if clock else None


def beside_day(found: Found) -> Clock | None:
    return hour_number(found.one("x")) if isinstance(found.before, Period) else None


def beside_weekday(found: Found) -> Clock | None:
    """Friday 1430: four figures that are no year of ours."""
    return None if 1900 <= found.one("x") < 2100 else padded(found)


def padded(found: Found) -> Clock | None:
    """Friday 0900."""
    clock = hour_number(found.one("x")) if len(found.raw("x")) == 4 else None
    return replace(clock, fixed=True) if clock else None


def now_clock(found: Found) -> Clock:
    """The same time tomorrow."""
    return Clock(found.asked.now.hour, found.asked.now.minute, fixed=True)


def around(found: Found) -> Clock | None:
    """Around eleven; "about eleven" may count something, and so may a number that is no hour."""
    return Clock(found.one("x")) if found.raw_before == "around" and 1 <= found.one("x") <= 12 else None


def near_day(found: Found) -> Clock | None:
    """By seven tomorrow."""
    return Clock(found.one("x")) if 1 <= found.one("x") <= 12 else None


def named_hour(found: Found) -> Clock | None:
    part = found.one("p")
    if part == "noon":
        return Clock(12, fixed=True)
    return Clock(24, fixed=True) if part == "midnight" else None


def meal_hour(found: Found) -> Clock:
    """An hour that is ours: after lunch, before bed."""
    return Clock(found.one("h"), fixed=True, grain="part")


def part_hour(found: Found) -> Clock:
    part: Part = found.one("p")
    return Clock(PART_HOURS[part], fixed=True, grain="part")


def first(found: Found) -> Clock:
    first: Clock = found.one("a")
    last: Clock = found.one("b")
    return first.with_half(last.half) if last.half and first.hour <= last.hour else first


def first_number(found: Found) -> Clock | None:
    last: Clock = found.one("b")
    first = hour_number(found.one("a"))
    if first is None or last.half is None:
        return None
    half: Half = last.half if last.half == "am" or first.hour % 12 <= last.hour % 12 else "am"
    return replace(first, half=half)
