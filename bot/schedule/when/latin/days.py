"""Days named from today or by their place in a period, for all languages in Latin letters."""

from dataclasses import replace

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import Part
from bot.schedule.when.days import (
    Beside,
    Calendar,
    Closest,
    Day,
    Edge,
    Feast,
    InWeekOf,
    NthAfter,
    NthDay,
    NthWorkday,
    Period,
    Shifted,
    Weekday,
    Workdays,
)
from bot.schedule.when.tokens import Found

_AHEAD = {"this": 0, "next": 1, "coming": 1, "last": -1, "previous": -1, "past": -1}
_NOW = Shifted(amount(0, "second"), exact=True)


def no_time(found: Found) -> str:
    """Twenty-four hours in a day."""
    return ""


def unit_of(found: Found) -> Unit:
    unit: Unit = "quarter" if found.one("u") == 15 else found.one("u")
    return unit


def weekday(found: Found) -> Weekday:
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


def weekend(found: Found) -> Weekday | None:
    if found.one("c") == "workday":
        return None
    which = found.one("q")
    return Weekday(5) if which in {"this", "coming"} else Weekday(5, _AHEAD[which])


def weekday_of_week(found: Found) -> Weekday | None:
    return Weekday(found.one("w"), _AHEAD[found.one("q")]) if found.one("u") == "week" else None


def week_after(found: Found) -> Weekday | None:
    """Monday week: a week after the coming Monday."""
    return Weekday(found.one("w"), nth=2) if found.raw("u") == "week" else None


def weeks_after(found: Found) -> Day | None:
    """A week on Monday, two weeks today: so many weeks after the coming one, after that day."""
    by: Amount = found.one("c")
    if by.is_elapsed or by.months or by.vague or not by.days or by.days % 7:
        return None
    if found.has("w"):
        return Weekday(found.one("w"), nth=1 + int(by.days) // 7)
    day: Day = found.one("d")
    return Shifted(by, day) if isinstance(day, Period) and day.unit == "day" else None


def weekday_in_week(found: Found) -> InWeekOf | None:
    if found.one("u") != "week" or not 1 <= found.one("o") <= 4:
        return None
    month: Day = found.one("d")
    if not isinstance(month, Calendar) or month.day is not None:
        return None
    return InWeekOf(found.one("w"), replace(month, day=7 * int(found.one("o")) - 6))


def after_next(found: Found) -> Weekday:
    return Weekday(found.one("w"), 1)


def workdays_away(found: Found) -> Workdays | None:
    if not found.one("c").startswith("workday") or not (found.has("i") or found.has("g") or found.has("l")):
        return None
    n = int(found.one("n"))
    return Workdays(-n if found.has("g") else n) if 0 < n < 1000 else None


def nth_workday(found: Found) -> NthWorkday | None:
    """The last working day of the month, the first one of March."""
    if not found.one("c").startswith("workday") or (found.has("u") and found.one("u") != "month"):
        return None
    within = Calendar(found.one("y"), found.one("m")) if found.has("m") else found.one("d")
    return NthWorkday(int(found.one("o")), within)


def weekend_after_next(found: Found) -> Weekday | None:
    return Weekday(5, 1) if found.one("c") == "weekend" and found.one("q") == "next" else None


def same_time_in(found: Found) -> Shifted | None:
    """This time next week: on the same day of it, too."""
    match found.one("d"):
        case Period("week" | "month" | "quarter" | "year" as unit, ahead):
            return Shifted(amount(ahead, unit), exact=True)
    return None


def period_after_next(found: Found) -> Period | None:
    return Period(unit_of(found), 2) if found.one("q") == "next" else None


def the_weekend(found: Found) -> Weekday | None:
    return Weekday(5) if found.one("c") == "weekend" else None


def day_before(found: Found) -> Shifted | None:
    """The day before Christmas: "the day before" alone is yesterday."""
    if found.raw("n") not in {"the day before", "day before"}:
        return None
    return Shifted(amount(-1, "day"), found.one("d"))


def day_after(found: Found) -> Shifted | None:
    """The day after Christmas: "the day" alone is today."""
    return Shifted(amount(1, "day"), found.one("d")) if found.raw("n") == "the day" else None


def one_from(found: Found) -> Shifted | None:
    """The week before Easter, the day after the 5th of May."""
    unit = unit_of(found)
    if unit in {"hour", "minute", "second"}:
        return None
    return Shifted(amount(-1 if found.has("b") else 1, unit), found.one("d"))


def weekdays_away(found: Found) -> Weekday:
    n = int(found.one("n"))
    return Weekday(found.one("w"), nth=-n if found.has("g") else n)


def period(found: Found) -> Period:
    return Period(unit_of(found), _AHEAD[found.one("q")])


def part_of_day(found: Found) -> tuple[Day, Part]:
    return Period("day", _AHEAD[found.one("q")]), found.one("p")


def shifted(found: Found) -> Shifted:
    by: Amount = found.one("c")
    return Shifted(-by if found.has("g") else by, exact="right" in found.raw("l"))


def beside(found: Found) -> Beside | None:
    """The Monday after 5 March, the Friday before Christmas."""
    match found.one("w"):
        case Weekday(weekday, None, 1) if found.raw("a") in {"after", "before"}:
            return Beside(weekday, found.one("d"), before=found.has("b"))
    return None


def negative(found: Found) -> Shifted | None:
    """-5 minutes from now: the sign stands right at its number."""
    return Shifted(-found.one("c")) if found.glued_at("s", "c") else None


def shifted_from(found: Found) -> Shifted:
    by: Amount = -found.one("c") if found.has("b") else found.one("c")
    anchor: Day = found.one("d")
    return Shifted(by, exact=True) if anchor == _NOW else Shifted(by, anchor)


def signed(found: Found) -> Shifted:
    by: Amount = found.one("c")
    return Shifted(-by if found.raw("s") == "-" else by)


def upcoming(found: Found) -> Shifted | None:
    by: Amount = found.one("c") or amount(found.one("n"), unit_of(found))
    ahead = _AHEAD[found.one("q")]
    return Shifted(by if ahead > 0 else -by) if ahead else None


def from_the_end(found: Found) -> int | None:
    return -int(found.one("o")) if found.one("q") == "last" and found.one("o") > 0 else None


def last(found: Found) -> int | None:
    return -1 if found.one("q") == "last" else None


def second(found: Found) -> int:
    return 2


def nth(found: Found) -> NthDay:
    n, weekday = int(found.one("o")), found.one("w")
    if found.has("m"):
        return NthDay(n, weekday, Calendar(found.one("y"), found.one("m")))
    if found.has("d"):
        within: Day = found.one("d")
        return NthDay(n, weekday, within, "year" if is_year(within) else "month")
    if found.has("u"):
        unit = unit_of(found)
        return NthDay(n, weekday, Period(unit, 0), unit)
    return NthDay(n, weekday, None, "month" if weekday is not None else "year")


def day_of_year(found: Found) -> NthDay | None:
    return NthDay(int(found.one("o")), None, None, "year") if found.one("u") == "day" else None


def is_year(within: Day) -> bool:
    if isinstance(within, Period):
        return within.unit == "year"
    return isinstance(within, Calendar) and within.month is None


def nth_in_year(found: Found) -> NthDay | None:
    year: int = found.one("y")
    return (
        NthDay(int(found.one("o")), found.one("w"), Calendar(year), "year") if 1000 <= year < 2300 else None
    )


def nth_in_period(found: Found) -> NthDay | None:
    within: Day = found.one("d")
    return NthDay(int(found.one("o")), None, within) if isinstance(within, Period) else None


def nth_after(found: Found) -> NthAfter:
    n = int(found.one("o") or 1)
    return NthAfter(-n if found.has("b") else n, found.one("w"), found.one("d"))


def closest(found: Found) -> Closest | None:
    if found.raw("x") not in {"closest", "nearest"}:
        return None
    what: int | Feast = found.one("f") or found.one("w")
    return Closest(found.one("o") or 1, what, found.one("d"))


def edge(found: Found) -> Edge | None:
    end: bool = found.one("e")
    if found.has("u"):
        unit = unit_of(found)
        return None if unit in {"hour", "minute", "second"} else Edge(unit, end)
    of: Day = found.one("d")
    if isinstance(of, Period) and of.unit not in {"hour", "minute", "second"}:
        return Edge(of.unit, end, of)
    if isinstance(of, Calendar) and of.day is None:
        return Edge("year" if of.month is None else "month", end, of)
    return Edge("day", end, of)


def month_edge(found: Found) -> Edge:
    return Edge("month", found.one("e"), Calendar(None, found.one("m")))


_PARTS: dict[Unit, dict[str, int]] = {
    "week": {"early": 0, "middle": 2, "late": 4},
    "month": {"early": 0, "middle": 14, "late": 24},
    "year": {"early": 0, "middle": 181, "late": 304},
}


def part_of_period(found: Found) -> Edge | None:
    """Mid January, early next week: so many days after the beginning."""
    of: Day = Calendar(None, found.one("m")) if found.has("m") else found.one("d")
    if isinstance(of, Calendar):
        unit: Unit = "day" if of.day is not None else "year" if of.month is None else "month"
    else:
        unit = of.unit if isinstance(of, Period) else "day"
    return Edge(unit, False, of, _PARTS[unit][found.one("part")]) if unit in _PARTS else None


def fortnight_after(found: Found) -> Weekday | None:
    """Tuesday fortnight: two weeks after the coming Tuesday."""
    return Weekday(found.one("w"), nth=3) if found.raw("c") == "fortnight" else None


def short_edge(found: Found) -> Edge:
    return Edge(found.one("e"), end=True)


def feast(found: Found) -> Feast:
    feast: Feast = found.one("f")
    return replace(feast, nth=-1) if _AHEAD[found.one("q")] < 0 else feast


def same(found: Found) -> Day:
    day: Day = found.one("f") or Weekday(found.one("w"))
    return day
