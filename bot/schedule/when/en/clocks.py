"""Numbers in words and times of day, as they are said in English."""

from dataclasses import replace
from typing import Any

from bot.schedule.when.clocks import PART_HOURS, Clock, Half, Part
from bot.schedule.when.days import Period
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Rule, rule

# What may follow a bare number that is an hour: nothing, a sign, or something about time.
END = r"(?=$|[,.()?DSWwPZTMXvVJCqi>+&-]|f|r)"
_ROUND_MINUTES = frozenset({5, 10, 15, 20, 25})


def _tens(found: Found) -> int:
    return int(found.one("y")) + int(found.one("n"))


def _ordinal(found: Found) -> int | None:
    return int(found.one("y")) + int(found.one("o")) if found.one("o") < 10 else None


def _thousands(found: Found) -> int:
    base = (found.one("a") or 1) * 1000
    return int(base + (found.one("c") or 0) * (100 if found.has("h") else 0) + (found.one("b") or 0))


def _hundreds(found: Found) -> int:
    return int((found.one("a") or 1) * 100 + (found.one("b") or 0))


def _paired_year(found: Found) -> int | None:
    century, years = found.one("a"), found.one("b")
    if 13 <= century <= 20 and (years >= 10 or found.has("z")):
        return int(century * 100 + years)
    return None


def _word_time(found: Found) -> Clock | None:
    hour, minute = found.one("h"), found.one("m")
    if hour > 12 or minute > 59 or (minute < 10 and not found.has("z")):
        return None
    return Clock(hour, minute)


def _hour_number(value: Any) -> Clock | None:
    """A bare number as a time: 7, 815, 1030."""
    if value <= 24:
        return Clock(value)
    hour, minute = divmod(value, 100)
    return Clock(hour, minute) if value < 2400 and minute < 60 and hour else None


def _with_half(found: Found) -> Clock | None:
    half: Half = found.one("p")
    value = found.one("x")
    if isinstance(value, Clock):
        return replace(value, half=half, fixed=False) if 1 <= value.hour <= 12 else replace(value, fixed=True)
    if isinstance(value, Figures):
        clock = value.clock() if value.sign == "." else None
    else:
        clock = _hour_number(value)
    return replace(clock, half=half, fixed=False) if clock and 1 <= clock.hour <= 12 else None


def _range_with_half(found: Found) -> Clock | None:
    figures: Figures = found.one("x")
    if figures.sign != "-" or not 1 <= figures.first <= 12 or not 1 <= figures.second <= 12:
        return None
    half: Half = found.one("p")
    if half == "pm" and figures.first > figures.second % 12:  # from 11 to 1 pm
        half = "am"
    return Clock(figures.first, half=half)


def _oclock(found: Found) -> Clock | None:
    value = found.one("x")
    return value if isinstance(value, Clock) else _hour_number(value)


def _bare(found: Found) -> Clock | None:
    return _hour_number(found.one("x"))


def _figures(found: Found) -> Clock | None:
    figures: Figures = found.one("x")
    return figures.clock()


def _split_minutes(found: Found) -> Clock | None:
    """At 12 15."""
    hour, minute = found.one("h"), found.one("m")
    return Clock(hour, minute) if hour <= 24 and len(found.raw("m")) == 2 and minute < 60 else None


def _half_past(found: Found) -> Clock | None:
    hour = _target(found)
    return hour.plus_minutes(30) if hour else None


def _target(found: Found) -> Clock | None:
    value = found.one("x")
    if isinstance(value, Clock):
        return value
    if value in {"noon", "midnight"}:
        return Clock(12, fixed=True) if value == "noon" else Clock(24, fixed=True)
    return Clock(value) if isinstance(value, int) and 1 <= value <= 24 else None


def _minutes_around(found: Found) -> Clock | None:
    hour, minutes = _target(found), found.one("m")
    if hour is None or minutes > 59:
        return None
    if found.has("u") and found.one("u") != "minute":
        return None
    certain = found.has("u") or found.has("y") or found.has("s") or not isinstance(found.one("x"), int)
    if not certain and minutes not in _ROUND_MINUTES:
        return None
    return hour.plus_minutes(-minutes if found.one("d") in {"to", "before", "till", "of"} else minutes)


def _hour_in_part(found: Found) -> Clock | None:
    clock = _hour_number(found.one("x"))
    return clock.in_part(found.one("p")) if clock else None


def _beside_tonight(found: Found) -> Clock | None:
    clock = _hour_number(found.one("x"))
    return clock.in_part("night") if clock else None


def _beside_day(found: Found) -> Clock | None:
    return _hour_number(found.one("x")) if isinstance(found.before, Period) else None


def _named_hour(found: Found) -> Clock | None:
    part = found.one("p")
    if part == "noon":
        return Clock(12, fixed=True)
    return Clock(24, fixed=True) if part == "midnight" else None


def _part_hour(found: Found) -> Clock:
    part: Part = found.one("p")
    return Clock(PART_HOURS[part], fixed=True, grain="part")


def _first(found: Found) -> Clock:
    first: Clock = found.one("a")
    last: Clock = found.one("b")
    return first.with_half(last.half) if last.half and first.hour <= last.hour else first


def _first_number(found: Found) -> Clock | None:
    last: Clock = found.one("b")
    first = _hour_number(found.one("a"))
    if first is None or last.half is None:
        return None
    half: Half = last.half if last.half == "am" or first.hour % 12 <= last.hour % 12 else "am"
    return replace(first, half=half)


NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"(?P<y>y) -? (?P<o>[Os])", "O", _ordinal),
    rule(r"(?P<y>y) -? (?P<n>n)", "y", _tens),
    rule(r"(?P<a>[nN]) k (?:(?P<c>n)(?P<h>h))? &? (?P<b>[ny])?", "g", _thousands),
    rule(r"(?P<a>n) h &? (?P<b>[ny])?", "g", _hundreds),
    rule(r"(?P<a>[ny]) -? (?P<z>0 -?)? (?P<b>[ny])", "g", _paired_year),
    rule(r"(?P<h>n) -? (?P<z>0 -?)? (?P<m>[ny])", "T", _word_time),
    rule(r"a h", "N", lambda found: 100),
    rule(r"(?P<x>[ny])", "N", lambda found: found.one("x")),
)

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>[NTd]) (?:[~f] | = | it)* (?P<p>p)", "T", _with_half),
    rule(r"(?P<x>d) (?P<p>p)", "T", _range_with_half),
    rule(r"(?P<x>N) ~", "T", _bare),
    rule(r"(?P<x>N) =", "T", _oclock),
    rule(r"(?P<x>N) (?:i|@)? t? (?P<p>P)", "T", _hour_in_part),
    rule(r"(?P<h>(?<=@)N) (?P<m>N)" + END, "T", _split_minutes),
    rule(r"a? % > (?P<x>[TNP5])", "T", _half_past),
    rule(r"a? (?P<y>(?P<m>Y)) (?P<d>[>ABo]) (?P<x>[TNP5]) (?![xjUO])", "T", _minutes_around),
    rule(r"(?P<s>(?<=@)(?P<m>N)) (?P<d>[>AB]) (?P<x>[TNP5]) (?![xjUO])", "T", _minutes_around),
    rule(r"(?P<m>N) (?P<u>U)? (?P<d>[>AB]) (?P<x>[TNP5]) (?![xjUO])", "T", _minutes_around),
    rule(r"(?P<x>T) (?:=|~)", "T", _oclock),
    rule(r"(?P<x>(?<=@)N)" + END, "T", _bare),
    rule(r"(?P<x>(?<=@f)N)" + END, "T", _bare),
    rule(r"(?P<x>(?<=@)N) (?=x)", "T", _bare),
    rule(r"(?P<x>(?<=@)d)(?![jxU])", "T", _figures),
    rule(r"(?P<x>N) (?=S)", "T", _beside_tonight),
    rule(r"(?P<x>(?<=S)N)" + END, "T", _beside_tonight),
    rule(r"(?P<x>(?<=Sf)N)" + END, "T", _beside_tonight),
    rule(r"(?<=D) (?P<x>N) (?=$|[,.?])", "T", _beside_day),
    rule(r"^ (?P<x>N) $", "T", _bare),
    rule(r"(?<=^f) (?P<x>N) $", "T", _bare),
    rule(r"(?P<p>P)", "T", _named_hour),
    rule(r"(?P<a>T) (?:-|B|z) (?P<b>T)", "T", _first),
    rule(r"(?P<a>(?<=A)N) (?:-|B|z) (?P<b>T)", "T", _first_number),
)

# Only where nothing else says a time.
PART_RULES: tuple[Rule, ...] = (rule(r"i t? (?P<p>P)", "T", _part_hour),)
