"""Numbers in words, times of day and amounts, as they are said in Arabic."""

from dataclasses import replace

from bot.schedule.when.amounts import Amount, amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.latin import amounts as lengths
from bot.schedule.when.latin import clocks as say
from bot.schedule.when.tokens import Found, Rule, rule

_TEN = 10


def _second(found: Found) -> str | int:
    return "second" if found.has("u") else 2


def _teens(found: Found) -> int | None:
    ones = int(found.one("n"))
    return ones + _TEN if ones < _TEN else None


def _tens(found: Found) -> int | None:
    ones = int(found.one("n"))
    return ones + int(found.one("y")) if ones < _TEN else None


def _ordinal_tens(found: Found) -> int | None:
    """الحادي والعشرين, but الثامنة وعشرين is twenty past eight."""
    return _tens(found) if found.raw("y").startswith("ال") else None


def _sum(found: Found) -> int:
    return int(found.one("a")) + int(found.one("b"))


def _hundreds(found: Found) -> int:
    return int(found.one("a")) * int(found.one("k"))


def _hour(found: Found) -> Clock | None:
    value = found.one("x")
    if isinstance(value, Clock):
        return value
    return Clock(value) if isinstance(value, int) and 0 <= value <= 24 else None


def _past(found: Found) -> Clock | None:
    hour, minutes = _hour(found), int(found.one("m"))
    if hour is None or hour.minute or not 0 <= minutes < 60:
        return None
    return replace(hour, minute=minutes)


def _to(found: Found) -> Clock | None:
    hour, minutes = _hour(found), int(found.one("m"))
    return hour.plus_minutes(-minutes) if hour is not None and 0 < minutes < 60 else None


def _after_hour(found: Found) -> Clock | None:
    """عشرين دقيقة بعد الخامسة."""
    hour, minutes = _hour(found), int(found.one("m"))
    if hour is None or found.one("u") != "minute" or not 0 < minutes < 60:
        return None
    return hour.plus_minutes(-minutes if found.has("b") else minutes)


def _in_part(found: Found) -> Clock | None:
    hour = _hour(found)
    return None if hour is None else hour.in_part(found.one("p"))


def _half_more(found: Found) -> Amount | None:
    said: Amount = found.one("c")
    if said.months:
        return said + Amount(months=6) if said.months % 12 == 0 else said + Amount(days=15)
    return said + (amount(0.5, "hour") if said.seconds >= 3600 else amount(0.5, "day"))


def _one(found: Found) -> Amount | None:
    """شهر, شهر واحد."""
    return amount(1, found.one("u")) if found.one("one") in {None, 1} else None


NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"(?<= [Nntyv] ) (?P<u>s)", "U", _second),
    rule(r"s", "o", _second),
    rule(r"(?P<n>[nw]) (?P<t>t)", "n", _teens),
    rule(r"(?P<n>O) (?P<t>t)", "O", _teens),
    rule(r"(?P<n>o) (?P<t>t)", "o", _teens),
    rule(r"(?P<n>[nw]) & (?P<y>y)", "n", _tens),
    rule(r"(?P<n>O) & (?P<y>y)", "O", _ordinal_tens),
    rule(r"(?P<n>o) & (?P<y>y)", "O", _ordinal_tens),
    rule(r"(?P<a>n) (?P<k>k)", "k", _hundreds),
    rule(r"(?P<a>k) & (?P<b>[knyNt])", "k", _sum),
    rule(r"(?P<x>[nty])", "N", lambda found: found.one("x")),
    rule(r"(?P<x>k)", "N", lambda found: found.one("x")),
    rule(r"(?<=[@B<]) (?P<x>w)", "N", lambda found: int(found.one("x")) or 2),
)

# What may follow a bare number that is an hour.
_END = r"(?= $ | [,.()?;&DSWPZTMXvJCi!fUlq@-] )"

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"(?P<m>N) (?P<u>U) (?:A|(?P<b>B)) @? (?P<x>[NoT])", "T", _after_hour),
    rule(r"@ [fi]* (?P<x>[NOoT]) & (?P<m>[N%Y]) (?: U | (?!U) )", "T", _past),
    rule(r"(?P<x>o) & (?P<m>[%Y])", "T", _past),
    rule(r"(?P<x>o) & (?P<m>N) U", "T", _past),
    rule(r"@ [fi]* (?P<x>[NOoT]) < (?P<m>[NY]) U?", "T", _to),
    rule(r"(?P<x>[oT]) < (?P<m>[NY]) U?", "T", _to),
    rule(r"@ [fi]* (?P<x>[NOoT])", "T", _hour),
    rule(r"(?P<x>[NT]) (?P<p>p)", "T", say.with_half),
    rule(r"(?P<x>[NToO]) [if]? (?P<p>P)", "T", _in_part),
    rule(r"(?P<x>[NTo]) ,? (?= S )", "T", _hour),
    rule(r"(?P<x>[NTo]) ,? (?= [qP] )", "T", _hour),
    rule(r"(?<=i) (?P<x>o) (?= $ | [.,i!?] )", "T", _hour),
    rule(r"(?<=[PS]i) (?P<x>[No])" + _END, "T", _hour),
    rule(r"^ (?P<x>o) $", "T", _hour),
    rule(r"(?P<a>T) (?:-|f|z) (?P<b>T)", "T", say.first),
)

AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<n>[Nd]) (?P<u>U) (?:& (?P<half>%))?", "I", lengths.units),
    rule(r"(?P<n>(?P<m>m)) f? (?P<u>U)", "I", lengths.units),
    rule(r"% (?P<u>U)", "I", lengths.half_unit),
    rule(r"Y (?P<u>U)", "I", lengths.quarter_units),
    rule(r"(?<= [ABGv&] ) (?P<u>U) (?P<one>N)?", "I", _one),
    rule(r"(?<= [ABG]i ) (?P<u>U) (?P<one>N)?", "I", _one),
    rule(r"(?P<u>U) (?P<one>N)? (?= & I )", "I", _one),
    rule(r"(?P<c>I) & %", "I", _half_more),
    rule(r"(?P<a>I) ,? & ,? (?P<b>I)", "I", lengths.summed),
)

# Only where nothing else says a time.
PART_RULES: tuple[Rule, ...] = (
    rule(r"i (?P<p>P)", "T", say.part_hour),
    rule(r"(?<=x) (?P<p>P) $", "T", say.part_hour),
    rule(r"^ (?P<p>P) $", "T", say.part_hour),
)
