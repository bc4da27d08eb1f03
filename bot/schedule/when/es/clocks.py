"""Numbers in words, times of day and amounts, as they are said in Spanish."""

from dataclasses import replace

from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Period
from bot.schedule.when.latin import amounts as lengths
from bot.schedule.when.latin import clocks as say
from bot.schedule.when.tokens import Found, Rule, rule

# What may follow a bare number that is an hour.
_END = r"(?=$|[][,.()?;!DSWwPZTMXvVJCQREqi>fol&@zt419Ap])"


def _tens_and_ones(found: Found) -> int | None:
    tens, ones = int(found.one("y")), int(found.one("n"))
    return tens + ones if tens >= 30 and tens % 10 == 0 and ones < 10 else None


def _thousands(found: Found) -> int:
    return int((found.one("a") or 1) * 1000 + (found.one("h") or 0) * 100 + (found.one("b") or 0))


def _hundreds(found: Found) -> int:
    return int(found.one("h") * 100 + (found.one("b") or 0))


def _hour(found: Found) -> Clock | None:
    value = found.one("x")
    if isinstance(value, Clock):
        return value
    return Clock(value) if isinstance(value, int) and 0 <= value <= 24 else None


def _beside_day(found: Found) -> Clock | None:
    """Hoy 8; "el día 8" is a date."""
    return None if found.raw_before.endswith("dia") else _hour(found)


def _hour_and_minutes(found: Found) -> Clock | None:
    hour, minutes = _hour(found), found.one("m")
    if hour is None or not 0 <= minutes < 60 or hour.minute:
        return None
    return hour.plus_minutes(minutes) if hour.is_open else replace(hour, minute=minutes)


def _hour_less_minutes(found: Found) -> Clock | None:
    hour, minutes = _hour(found), found.one("m")
    return hour.plus_minutes(-minutes) if hour is not None and 0 < minutes < 60 else None


def _hour_in_part(found: Found) -> Clock | None:
    hour = _hour(found)
    return hour.in_part("morning" if found.has("morning") else found.one("p")) if hour else None


def _spelled(found: Found) -> Clock | None:
    """Seis cero dos, 6 0 2, seis dos de la tarde."""
    hour, minute = found.one("h"), found.one("m")
    return Clock(hour, minute) if 1 <= hour <= 24 and 0 <= minute < 60 else None


def _tomorrow(found: Found) -> Period:
    return Period("day", 1)


def _morning(found: Found) -> str:
    return "morning"


NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"(?P<y>y) & (?P<n>n)", "y", _tens_and_ones),
    rule(r"(?P<a>[nN])? k (?P<h>h)? (?P<b>[ny])?", "g", _thousands),
    rule(r"(?P<h>n) 0 (?P<m>[n])", "T", _spelled),
    rule(r"(?P<h>n) (?P<m>[ny]) (?= p | o @ [P8] )", "T", _spelled),
    rule(r"(?P<h>h) (?P<b>[ny])?", "N", _hundreds),
    rule(r"(?P<x>[ny])", "N", lambda found: found.one("x")),
    rule(r"(?P<h>N) N (?P<m>N) (?=p)", "T", _spelled),
)

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"[oi?]? @ 8", "P", _morning),
    rule(r"8", "D", _tomorrow),
    rule(r"(?P<x>(?<=@)[Na]) & (?P<m>[N%Y]) (?!U)", "T", _hour_and_minutes),
    rule(r"(?P<x>[Na]) & (?P<m>[%Y])", "T", _hour_and_minutes),
    rule(r"^ (?P<x>[Na]) & (?P<m>N) $", "T", _hour_and_minutes),
    rule(r"(?P<x>(?<=@)[Na]) < (?P<m>[NY])", "T", _hour_less_minutes),
    rule(r"(?P<x>[Na]) < (?P<m>Y)", "T", _hour_less_minutes),
    rule(r"(?P<x>[NTda]) = ? (?P<p>p)", "T", say.with_half),
    rule(r"(?P<x>d) (?P<p>p)", "T", say.range_with_half),
    rule(r"(?P<x>[NTa]) (?:[oi?]@?)? (?:@ | o)? (?P<p>P)", "T", _hour_in_part),
    rule(r"(?P<x>(?<=@)[Na])" + _END, "T", _hour),
    rule(r"(?P<x>(?<=@)N) (?=[xBAGz])", "T", _hour),
    rule(r"(?P<x>(?<=@)5)", "T", _hour),
    rule(r"(?P<x>(?<=@)d) (?![jx%])", "T", say.figures),
    rule(r"^ (?P<x>d) $", "T", say.figures),
    rule(r"(?P<x>(?<=@)[Na]) (?=x)", "T", _hour),
    rule(r"(?P<x>[T]) < (?P<m>[NY])", "T", _hour_less_minutes),
    rule(r"(?P<x>(?<=@)[Na]|T) =", "T", _hour),
    rule(r"(?P<x>(?<=@)[N5T]) u", "T", _hour),
    rule(r"(?P<x>(?<=[SD])N)" + _END, "T", _beside_day),
    rule(r"(?P<m>N) (?P<u>U) > (?:o? @)? (?P<x>[TN])", "T", say.minutes_around),
    rule(r"(?P<p>P)", "T", say.named_hour),
    rule(r"(?P<a>T) (?:-|z|@) (?P<b>T)", "T", say.first),
)

PART_RULES: tuple[Rule, ...] = (rule(r"(?:[oi?]@|@|o) (?P<p>P)", "T", say.part_hour),)

AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<n>[Na])? (?P<u>U) & (?P<half>%)", "I", lengths.units),
    rule(r"% (?P<u>U)", "I", lengths.half_unit),
    rule(r"(?P<n>N) Y o (?P<u>U)", "I", lengths.quarter_units),
    rule(r"a? Y o (?P<u>U)", "I", lengths.quarter_units),
    rule(r"(?P<n>[Nd]) (?P<u>[Us])", "I", lengths.units),
    rule(r"(?P<n>[Nd]) (?P<u>u)", "I", lengths.glued_units),
    rule(r"a? (?P<n>(?P<m>m)) o? (?P<u>U)", "I", lengths.units),
    rule(r"(?P<n>a) (?P<u>[Us])", "I", lengths.units),
    rule(r"(?P<n>[Na])? (?P<h>H)", "I", lengths.fortnights),
    rule(r"(?<=[iv6]) (?P<h>5)", "I", lengths.hours),
    rule(r"(?<=i) (?P<h>T)", "I", lengths.hours_and_minutes),
    rule(r"(?P<a>I) (?:,&|,|&)? (?P<b>I)", "I", lengths.summed),
    rule(r"(?P<h>5)", "T", lengths.same_clock),
    rule(r"(?P<c>I) (?:A|(?P<b>B)) @? (?P<x>T)", "T", say.shifted),
    rule(r"(?<![iv6f?]) (?P<c>I) (?:A|(?P<b>B)) @? (?P<x>T)", "T", say.far_shifted),
)
