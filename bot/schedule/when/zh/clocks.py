"""Times of day, as they are said in Chinese."""

from dataclasses import replace

from bot.schedule.when.clocks import PART_HOURS, Clock, Half, Part
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Rule, rule
from bot.schedule.when.zh.numbers import about

_QUARTER = 15
# Words that are narrower than the part of the day they belong to, by the hour at which they begin.
_OWN_HOURS = {"凌晨": 0, "黎明": 4, "拂晓": 4, "破晓": 4, "午后": 13}
_FIVE = 5  # minutes of a step on the dial: 三点三 is a quarter past three in Cantonese


def _hour(found: Found) -> Clock | None:
    hour: int = found.one("h")
    lower = about(found.raw("h"))
    if lower is not None:
        return Clock(lower)
    return Clock(hour) if hour <= 24 else None


def _plain(found: Found) -> Clock | None:
    return _hour(found)


def _with_minutes(found: Found) -> Clock | None:
    clock, minute = _hour(found), found.one("m")
    if clock is None or minute > 59 or (found.has("s") and found.one("s") > 59):
        return None
    return replace(clock, minute=minute, second=found.one("s") or 0)


def _bare_minutes(found: Found) -> Clock | None:
    """九点二十, 9点05, 九点零九: as many figures as minutes have."""
    written = found.raw("m")
    if len(written) < 2 and written != "十":
        return None
    return _with_minutes(found)


def _dial_minutes(found: Found) -> Clock | None:
    clock, step = _hour(found), found.one("m")
    if clock is None or not clock.is_open or not 1 <= step <= 11 or found.raw("m").isascii():
        return None
    return replace(clock, minute=step * _FIVE)


def _quarters(found: Found) -> Clock | None:
    clock, quarters = _hour(found), found.one("m")
    return replace(clock, minute=quarters * _QUARTER) if clock and 1 <= quarters <= 3 else None


def _half(found: Found) -> Clock | None:
    clock = _hour(found)
    return replace(clock, minute=30) if clock else None


def _to_the_hour(found: Found) -> Clock | None:
    clock: Clock | None = found.one("t") if found.has("t") else _hour(found)
    if found.has("u") and found.raw("u") != "分钟":
        return None
    minutes = found.one("m") * (_QUARTER if found.has("k") else 1)
    return clock.plus_minutes(-minutes) if clock and minutes < 60 else None


def halved(clock: Clock, part: Part) -> Clock:
    """The clock in a part of the day, as Chinese says it: 凌晨两点 and 晚上两点 are both in the night."""
    if not clock.is_open and clock.hour:
        return clock
    late_shift = 1 if part in {"night", "midnight"} else 0
    if clock.hour in {0, 12}:
        if part in {"noon", "afternoon", "morning", "evening"} and clock.hour:
            return replace(clock, half="pm")
        return replace(clock, hour=0, half=None, fixed=True, day_shift=late_shift)
    if part in {"dawn", "morning"}:
        return replace(clock, half="am")
    if part == "noon":
        return replace(clock, half="am" if clock.hour >= 10 else "pm")
    if part in {"night", "midnight"} and clock.hour < 5:
        return replace(clock, half="am", day_shift=late_shift)
    if part == "midnight" and clock.hour == 5:
        return replace(clock, half="am")
    return replace(clock, half="pm")


def _in_part(found: Found) -> Clock:
    return halved(found.one("t"), found.one("p"))


def _after_day_and_part(found: Found) -> Clock | None:
    _, part = found.before
    clock: Clock = found.one("t")
    said = halved(clock, part)
    return said if said != clock else None


def _with_half(found: Found) -> Clock | None:
    half: Half = found.one("p")
    value = found.one("t")
    if isinstance(value, int):
        value = Clock(value) if 1 <= value <= 12 else None
    clock: Clock | None = value.clock() if isinstance(value, Figures) else value
    if clock is None or not 1 <= clock.hour <= 12:
        return clock
    return replace(clock, half=half, fixed=False)


def _figures(found: Found) -> Clock | None:
    figures: Figures = found.one("x")
    return figures.clock()


def _part_and_number(found: Found) -> Clock | None:
    """早8, 晚上八: at the end, or before a word that is no measure."""
    hour: int = found.one("h")
    return halved(Clock(hour), found.one("p")) if 1 <= hour <= 12 else None


def _part_hour(found: Found) -> Clock:
    part: Part = found.one("p")
    hour = _OWN_HOURS.get(found.raw("p"), PART_HOURS[part])
    return Clock(hour, fixed=True, grain="part")


def _own_hour(found: Found) -> Clock | None:
    return _part_hour(found) if found.raw("p") in _OWN_HOURS else None


def _first(found: Found) -> Clock:
    """The start of a range: the half that the end was said to be in is the start's, too."""
    first: Clock = found.one("a")
    return first


def _first_number(found: Found) -> Clock | None:
    hour: int = found.one("a")
    last: Clock = found.one("b")
    if hour > 24:
        return None
    return Clock(hour, half=last.half if hour <= last.hour else None)


# After an hour: nothing that makes it a number of things or of points.
_END = r"(?![jN]) "

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"(?<![o.]) (?P<h>N) [OH] 2? (?P<m>N) m (?:(?P<s>N) s)?", "T", _with_minutes),
    rule(r"(?<![o.]) (?P<h>N) [OH] f? (?P<m>N) k", "T", _quarters),
    rule(r"(?<![o.]) (?P<h>N) [OH] x? %", "T", _half),
    rule(r"c (?P<m>N) (?:m|(?P<k>k)|(?P<u>u)) (?P<h>N) [OH]", "T", _to_the_hour),
    rule(r"(?P<h>N) [OH] c (?P<m>N) (?:m|(?P<k>k)|(?P<u>u))", "T", _to_the_hour),
    rule(r"(?<![o.]) (?P<h>N) [OH] (?P<m>N) (?![MyGtwuskgOH#jNK%])", "T", _bare_minutes),
    rule(r"(?<![o.]) (?P<h>N) [OH] x? (?P<m>N) (?=$|[,;])", "T", _dial_minutes),
    rule(r"(?<![o.]) (?P<h>N) [OH]" + _END, "T", _plain),
    rule(r"(?P<t>T) m (?![uj])", "T", lambda found: found.one("t")),
    rule(r"(?P<t>[TNd]) (?P<p>p)", "T", _with_half),
    rule(r"(?<=P) (?P<x>d) (?![jug%])", "T", _figures),
    rule(r"(?P<a>N) [B-]+ (?P<b>T)", "T", _first_number),
    rule(r"(?P<p>P) f? (?P<t>T)", "T", _in_part),
    rule(r"(?<=S) (?P<t>T)", "T", _after_day_and_part),
    rule(r"(?<=Sf) (?P<t>T)", "T", _after_day_and_part),
)

# Only where no time of day is said: 午饭后, but not 午饭后半小时.
MEAL_RULES: tuple[Rule, ...] = (
    rule(r"(?P<h>3) (?![IN])", "T", lambda found: Clock(found.one("h"), fixed=True, grain="part")),
)

# Once days are read.
OWN_PART_RULES: tuple[Rule, ...] = (rule(r"(?<=[DR]) (?P<p>P) (?! f?T )", "T", _own_hour),)
# Only where nothing else says a time.
PART_RULES: tuple[Rule, ...] = (
    rule(r"^ f? (?P<p>P) f? (?= $ | .* ! )", "T", _part_hour),
    rule(r"(?<= ! ) (?P<p>P)", "T", _part_hour),
)
RANGE_RULES: tuple[Rule, ...] = (rule(r"A? (?P<a>T) 1? [B-]+ D? (?P<b>T)", "T", _first),)
