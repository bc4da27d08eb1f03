"""Lengths of time, as they are said in Chinese: kind `I`."""

from typing import Any

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Rule, rule
from bot.schedule.when.zh.numbers import about

UNITS: dict[str, Unit] = {
    "年": "year",
    "月": "month",
    "周": "week",
    "天": "day",
    "日": "day",
    "时": "hour",
    "分": "minute",
    "秒": "second",
}
_QUARTER_MINUTES = 15


def unit_of(value: Any) -> Unit:
    unit: Unit = UNITS.get(value, value)
    return unit


def _number(found: Found) -> float | None:
    value = found.one("n")
    if isinstance(value, Figures):
        return value.decimal
    lower = about(found.raw("n"))
    return float(lower if lower is not None else value)


def _units(found: Found) -> Amount | None:
    number = _number(found)
    if number is None:
        return None
    vague = found.has("few") or about(found.raw("n")) is not None
    return amount(number + (0.5 if found.has("half") else 0), unit_of(found.one("u")), vague=vague)


def _half_unit(found: Found) -> Amount:
    return amount(0.5, unit_of(found.one("u")))


def _quarters(found: Found) -> Amount:
    return amount(found.one("n") * _QUARTER_MINUTES, "minute")


def _sum(found: Found) -> Amount:
    total: Amount = found.one("a") + found.one("b")
    return total


# A number right before these is an amount for sure, the same with 月, 日 and 分 only beside such a word.
_AFTER = r"(?= x? [lbi%] | ,? N g? [tGmsuM] )"

AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?<!o) (?P<n>[Nd]) x? g? (?P<half>%) (?P<u>[yMwtHu])", "I", _units),
    rule(r"(?<!o) (?P<n>[Nd]) x? g (?P<u>[Mwu]) (?P<half>%)?", "I", _units),
    rule(r"(?<![oN]) (?P<n>(?P<few>h)) g? (?P<u>[yMwtmsu])", "I", _units),
    rule(r"(?P<n>N) (?P<few>h) g? (?P<u>[yMwtmsu])", "I", _units),
    rule(r"(?<!o) (?P<n>[Nd]) x? (?P<u>[tyu]) (?P<half>%) (?=[lbi])", "I", _units),
    rule(r"(?<!o) (?P<n>[Nd]) x? (?P<u>[tu]) (?P<half>%)?", "I", _units),
    rule(r"(?<!o) (?P<n>[Nd]) x? (?P<u>[wsm])", "I", _units),
    rule(r"(?<!o) (?P<n>[Nd]) x? (?P<u>[yGMH])" + _AFTER, "I", _units),
    rule(r"(?<=[2IvV]) (?P<n>[Nd]) x? (?P<u>[yGHM])", "I", _units),
    rule(r"% g? (?P<u>[yMtuH])", "I", _half_unit),
    rule(r"(?P<n>N) k [fx]? (?![N])", "I", _quarters),
    rule(r"(?P<a>I) (?:[,&fx]|N(?=I))? (?P<b>I)", "I", _sum),
)
