"""Lengths of time, as they are said in English: kind `I`."""

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Rule, rule


def _units(found: Found) -> Amount | None:
    value = found.one("n")
    number = value.decimal if isinstance(value, Figures) else 1.0 if value is None else float(value)
    unit: Unit = "second" if found.one("u") == 2 else found.one("u")
    if number is None or number > 100_000:
        return None
    return amount(number + (0.5 if found.has("half") else 0), unit, vague=found.has("m"))


def _glued_units(found: Found) -> Amount | None:
    """5m, 3d: a lone letter is a unit only right at its number."""
    return _units(found) if found.glued else None


def _spaced_hours(found: Found) -> Amount | None:
    return _units(found) if found.one("u") == "hour" else None


def _half_unit(found: Found) -> Amount:
    return amount((found.one("n") or 0) + 0.5, found.one("u"))


def _quarter_units(found: Found) -> Amount:
    return amount((found.one("n") or 1) * 0.25, found.one("u"))


def _quarters(found: Found) -> Amount:
    return amount(found.one("n"), "quarter")


def _fortnights(found: Found) -> Amount:
    return amount(14 * (found.one("n") or 1), "day")


def _hours(found: Found) -> Amount:
    clock: Clock = found.one("h")
    return amount(clock.hour, "hour")


def _sum(found: Found) -> Amount:
    total: Amount = found.one("a") + found.one("b")
    return total


def _same_clock(found: Found) -> Clock:
    clock: Clock = found.one("h")
    return clock


AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<n>N) & a? % (?P<u>U)", "I", _half_unit),
    rule(r"(?P<n>[Na]) (?P<u>U) & a? (?P<half>%)", "I", _units),
    rule(r"a? % (?:a|o a)? (?P<u>U)", "I", _half_unit),
    rule(r"(?P<n>N) -? Y o? a? (?P<u>U)", "I", _quarter_units),
    rule(r"a? Y o a? (?P<u>U)", "I", _quarter_units),
    rule(r"(?P<n>N) Y", "I", _quarters),
    rule(r"(?P<n>[Nd]) -? (?P<u>[Us])", "I", _units),
    rule(r"(?P<n>[Nd]) (?P<u>u)", "I", _glued_units),
    rule(r"(?P<n>[Nd]) (?P<u>u)", "I", _spaced_hours),
    rule(r"a? (?P<n>(?P<m>m)) o? (?P<u>U)", "I", _units),
    rule(r"(?P<n>a) (?P<u>[Us])", "I", _units),
    rule(r"(?P<n>[Na])? H", "I", _fortnights),
    rule(r"(?P<h>5) (?=I)", "I", _hours),
    rule(r"(?<=[iv1+-]) (?P<h>5)", "I", _hours),
    rule(r"(?<=if) (?P<h>5)", "I", _hours),
    rule(r"(?P<h>5) (?=[Gl])", "I", _hours),
    rule(r"(?P<a>I) (?:,&|,|&)? (?P<b>I)", "I", _sum),
    rule(r"(?P<h>5)", "T", _same_clock),
)
