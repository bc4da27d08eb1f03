"""Days named from today or by their place in a period, as they are said in English."""

from dataclasses import replace

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import Part
from bot.schedule.when.days import (
    Calendar,
    Closest,
    Day,
    Edge,
    Feast,
    InWeekOf,
    NthAfter,
    NthDay,
    Period,
    Shifted,
    Weekday,
)
from bot.schedule.when.tokens import Found, Rule, rule

_AHEAD = {"this": 0, "next": 1, "coming": 1, "last": -1, "previous": -1, "past": -1}
_NOW = Shifted(amount(0, "second"), exact=True)


def _unit(found: Found) -> Unit:
    unit: Unit = "quarter" if found.one("u") == 15 else found.one("u")
    return unit


def _weekday(found: Found) -> Weekday:
    weekday: int = found.one("w")
    match found.one("q"):
        case "next":
            return Weekday(weekday, 1)
        case "last" | "previous":
            return Weekday(weekday, -1)
        case "past":
            return Weekday(weekday, nth=-1)
        case which:
            return Weekday(weekday, this=which == "this")


def _weekend(found: Found) -> Weekday | None:
    if found.one("c") == "workday":
        return None
    which = found.one("q")
    return Weekday(5) if which in {"this", "coming"} else Weekday(5, _AHEAD[which])


def _weekday_of_week(found: Found) -> Weekday | None:
    return Weekday(found.one("w"), _AHEAD[found.one("q")]) if found.one("u") == "week" else None


def _weekday_in_week(found: Found) -> InWeekOf | None:
    if found.one("u") != "week" or not 1 <= found.one("o") <= 4:
        return None
    return InWeekOf(found.one("w"), Calendar(None, found.one("m"), 7 * found.one("o") - 6))


def _after_next(found: Found) -> Weekday:
    return Weekday(found.one("w"), 1)


def _weekdays_away(found: Found) -> Weekday:
    n = int(found.one("n"))
    return Weekday(found.one("w"), nth=-n if found.has("g") else n)


def _period(found: Found) -> Period:
    return Period(_unit(found), _AHEAD[found.one("q")])


def _part_of_day(found: Found) -> tuple[Day, Part]:
    return Period("day", _AHEAD[found.one("q")]), found.one("p")


def _shifted(found: Found) -> Shifted:
    by: Amount = found.one("c")
    return Shifted(-by if found.has("g") else by, exact="right" in found.raw("l"))


def _shifted_from(found: Found) -> Shifted:
    by: Amount = -found.one("c") if found.has("b") else found.one("c")
    anchor: Day = found.one("d")
    return Shifted(by, exact=True) if anchor == _NOW else Shifted(by, anchor)


def _signed(found: Found) -> Shifted:
    by: Amount = found.one("c")
    return Shifted(-by if found.raw("s") == "-" else by)


def _upcoming(found: Found) -> Shifted | None:
    by: Amount = found.one("c") or amount(found.one("n"), _unit(found))
    ahead = _AHEAD[found.one("q")]
    return Shifted(by if ahead > 0 else -by) if ahead else None


def _from_the_end(found: Found) -> int | None:
    return -int(found.one("o")) if found.one("q") == "last" and found.one("o") > 0 else None


def _last(found: Found) -> int | None:
    return -1 if found.one("q") == "last" else None


def _second(found: Found) -> int:
    return 2


def _nth(found: Found) -> NthDay:
    n, weekday = int(found.one("o")), found.one("w")
    if found.has("m"):
        return NthDay(n, weekday, Calendar(found.one("y"), found.one("m")))
    if found.has("d"):
        within: Day = found.one("d")
        return NthDay(n, weekday, within, "year" if _is_year(within) else "month")
    if found.has("u"):
        unit = _unit(found)
        return NthDay(n, weekday, Period(unit, 0), unit)
    return NthDay(n, weekday, None, "month" if weekday is not None else "year")


def _day_of_year(found: Found) -> NthDay | None:
    return NthDay(int(found.one("o")), None, None, "year") if found.one("u") == "day" else None


def _is_year(within: Day) -> bool:
    if isinstance(within, Period):
        return within.unit == "year"
    return isinstance(within, Calendar) and within.month is None


def _nth_in_year(found: Found) -> NthDay | None:
    year: int = found.one("y")
    return NthDay(int(found.one("o")), found.one("w"), Calendar(year), "year") if 1000 <= year < 2300 else None


def _nth_in_period(found: Found) -> NthDay | None:
    within: Day = found.one("d")
    return NthDay(int(found.one("o")), None, within) if isinstance(within, Period) else None


def _nth_after(found: Found) -> NthAfter:
    n = int(found.one("o") or 1)
    return NthAfter(-n if found.has("b") else n, found.one("w"), found.one("d"))


def _closest(found: Found) -> Closest | None:
    if found.raw("x") not in {"closest", "nearest"}:
        return None
    what: int | Feast = found.one("f") or found.one("w")
    return Closest(found.one("o") or 1, what, found.one("d"))


def _edge(found: Found) -> Edge | None:
    end: bool = found.one("e")
    if found.has("u"):
        unit = _unit(found)
        return None if unit in {"hour", "minute", "second"} else Edge(unit, end)
    of: Day = found.one("d")
    if isinstance(of, Period) and of.unit not in {"hour", "minute", "second"}:
        return Edge(of.unit, end, of)
    if isinstance(of, Calendar) and of.day is None:
        return Edge("year" if of.month is None else "month", end, of)
    return Edge("day", end, of)


def _month_edge(found: Found) -> Edge:
    return Edge("month", found.one("e"), Calendar(None, found.one("m")))


def _short_edge(found: Found) -> Edge:
    return Edge(found.one("e"), end=True)


def _feast(found: Found) -> Feast:
    feast: Feast = found.one("f")
    return replace(feast, nth=-1) if _AHEAD[found.one("q")] < 0 else feast


def _same(found: Found) -> Day:
    day: Day = found.one("f") or Weekday(found.one("w"))
    return day


ORDINAL_RULES: tuple[Rule, ...] = (
    rule(r"(?P<o>O) (?:B t?)? (?P<q>q)", "O", _from_the_end),
    rule(r"(?P<o>s) B t? (?P<q>q)", "O", _from_the_end),
    rule(r"s (?= W | U [oi] | t? x [WQ] | [,&]+ t? O)", "O", _second),
    rule(r"(?P<q>q) (?= W [oi] (?:[tqM]|D|R|v) | U [oi] | o [vR] | K o)", "O", _last),
)

DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<w>W) A t? (?P<q>q) (?P<u>U)", "D", _weekday_of_week),
    rule(r"t? (?P<o>O) (?P<u>U) [oi] (?P<m>M) ,? r? (?P<w>W)", "D", _weekday_in_week),
    rule(r"t? (?P<q>[q>]) (?P<f>Q)", "D", _feast),
    rule(r"(?P<q>[q>]) (?P<c>C)", "D", _weekend),
    rule(r"t? (?P<q>[q>]) (?P<c>I)", "D", _upcoming),
    rule(r"(?P<n>N) (?P<q>q) (?P<u>U)", "D", _upcoming),
    rule(r"t? (?P<q>[q>]) (?P<u>[UY])", "D", _period),
    rule(r"(?P<q>[q>]) (?P<p>P)", "S", _part_of_day),
    rule(r"t? (?P<o>O) (?P<w>W) [oiA] t? (?P<m>M)", "D", _nth),
    rule(r"t? (?P<o>O) (?P<w>W) [oiA] (?:(?P<d>D)|t? (?P<u>U))", "D", _nth),
    rule(r"t? (?P<o>O) (?P<w>W) [oi] (?P<y>[Ng])", "D", _nth_in_year),
    rule(r"t? (?P<o>O) U [oi] t? (?P<m>M)", "D", _nth),
    rule(r"t? (?P<o>[ON]) U [oi] (?:(?P<d>D)|t (?P<u>U))", "D", _nth),
    rule(r"t? (?P<o>[ON]) U [oi] (?P<y>[Ng])", "D", _nth_in_year),
    rule(r"t? (?P<o>[ON]) [oi] (?P<d>D)", "D", _nth_in_period),
    rule(r"t? (?P<o>O) o t (?P<u>U)", "D", _nth),
    rule(r"t? (?P<o>O)? (?P<x>x) (?:(?P<w>W)|(?P<f>Q)) B t? (?P<d>[DQ])", "D", _closest),
    rule(r"(?P<o>O) (?P<w>W) (?:A|(?P<b>B)) (?P<d>[DQ])", "D", _nth_after),
    rule(r"(?P<w>W) A q", "D", _after_next),
    rule(r"(?P<n>[Na]) (?P<w>[WX]) (?:(?P<g>G)|l)", "D", _weekdays_away),
    rule(r"t? (?P<q>[q>]) (?P<w>W)", "D", _weekday),
    rule(r"t? (?P<o>O) (?P<w>W)", "D", _nth),
    rule(r"(?P<w>W)", "D", _same),
    rule(r"t? (?P<f>Q)", "D", _same),
    rule(r"t? (?P<e>E) [oi]? (?:t? (?P<d>D)|t? (?P<u>[UY]))", "D", _edge),
    rule(r"t? (?P<e>E) [oi] (?P<m>M)", "D", _month_edge),
    rule(r"t? (?P<e>e)", "D", _short_edge),
    rule(r"(?P<c>I) (?:A|(?P<b>B)) (?P<d>D)", "D", _shifted_from),
    rule(r"(?P<c>I) (?:(?P<g>G)|(?P<l>l))", "D", _shifted),
    rule(r"i f? t? (?P<c>I)", "D", _shifted),
    rule(r"^ A (?P<c>I)", "D", _shifted),
    rule(r"(?P<s>[+-]) (?P<c>I)", "D", _signed),
    rule(r"^ t? (?P<o>O) (?P<u>U) $", "D", _day_of_year),
)
