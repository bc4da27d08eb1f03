"""Times of day and amounts, as they are said in Hindi."""

from dataclasses import replace

from bot.schedule.when.amounts import Amount, amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.latin import amounts as lengths
from bot.schedule.when.latin import clocks as say
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Rule, rule


def _large(found: Found) -> int:
    return int((found.one("a") or 1) * found.one("k") + (found.one("b") or 0))


def _aside(found: Found) -> str:
    """(मंगल): said once more in brackets."""
    return found.text[found.whole[0].start : found.whole[-1].end]


def _ordinal(found: Found) -> int:
    return int(found.one("n"))


def _hour(found: Found) -> Clock | None:
    value = found.one("x")
    if isinstance(value, Figures):
        return value.clock()
    return value if isinstance(value, Clock) else say.hour_number(value)


def _minutes(found: Found) -> Clock | None:
    hour, minute = _hour(found), int(found.one("m"))
    return replace(hour, minute=minute) if hour is not None and not hour.minute and minute < 60 else None


def _around(found: Found) -> Clock | None:
    """साढ़े सात, सवा सात, पौने सात."""
    hour = _hour(found)
    return hour.plus_minutes(found.one("s")) if hour is not None else None


def _one_and_a_half(found: Found) -> Clock:
    return Clock(int(found.one("h")), 30)


def _in_part(found: Found) -> Clock | None:
    hour = _hour(found)
    return None if hour is None else hour.in_part(found.one("p"))


def _half_amount(found: Found) -> Amount:
    return amount(found.one("h"), found.one("u"))


def _around_amount(found: Found) -> Amount:
    return amount(found.one("n") + found.one("s") / 60, found.one("u"))


NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"\( x \)", "f", _aside),
    rule(r"(?P<a>N)? (?P<k>k) (?P<b>N)?", "N", _large),
    rule(r"(?P<n>N) -? o", "O", _ordinal),
    rule(r"(?P<n>b) (?= f? [WM] | t | U [fi]* [DqM] )", "O", _ordinal),
)

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"(?P<s>s) (?P<x>N) =", "T", _around),
    rule(r"(?P<h>h) =", "T", _one_and_a_half),
    rule(r"(?P<x>N) = (?P<m>N) U", "T", _minutes),
    rule(r"(?P<x>[NTd]) = (?P<p>p)?", "T", _hour),
    rule(r"(?P<x>[NTd]) (?P<p>p)", "T", say.with_half),
    rule(r"(?P<p>P) [fir]* (?P<x>N) - (?P<m>N) (?! U)", "T", lambda found: _in_part_minutes(found)),
    rule(r"(?P<p>P) [fir]* (?P<x>T)", "T", _in_part),
    rule(r"(?P<x>T) (?P<p>P)", "T", _in_part),
    rule(r"(?P<p>P) f? (?P<x>N) (?= $ | [,.f] )", "T", _in_part),
    rule(r"(?P<a>T) (?:A|-|z) (?P<b>T) z?", "T", say.first),
    rule(r"(?P<a>N) (?:A|-) (?P<b>T) z?", "T", say.first_number),
)

AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<h>h) (?P<u>U)", "I", _half_amount),
    rule(r"(?P<s>s) (?P<n>N) (?P<u>U)", "I", _around_amount),
    rule(r"(?P<n>[Nd]) (?P<u>U)", "I", lengths.units),
    rule(r"(?P<n>(?P<m>m)) (?P<u>U)", "I", lengths.units),
    rule(r"% (?P<u>U)", "I", lengths.half_unit),
    rule(r"(?P<a>I) [&,]? (?P<b>I)", "I", lengths.summed),
)

# Only where nothing else says a time.
PART_RULES: tuple[Rule, ...] = (
    rule(r"(?P<p>P) (?= [ri] )", "T", say.part_hour),
    rule(r"^ (?P<p>P) $", "T", say.part_hour),
)


def _in_part_minutes(found: Found) -> Clock | None:
    """शाम पाँच-तीस."""
    hour, minute = int(found.one("x")), int(found.one("m"))
    return Clock(hour, minute).in_part(found.one("p")) if 1 <= hour <= 12 and minute < 60 else None
