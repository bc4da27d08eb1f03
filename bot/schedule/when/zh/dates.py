"""Dates of the calendar, as they are written in Chinese."""

from dataclasses import replace

from bot.schedule.when.amounts import Unit
from bot.schedule.when.days import (
    Calendar,
    Day,
    Edge,
    Feast,
    InWeekOf,
    NthDay,
    NthWorkday,
    Period,
    valid_date,
)
from bot.schedule.when.shapes import Figures, FullFigures, full_year
from bot.schedule.when.tokens import Found, Rule, rule
from bot.schedule.when.zh.lunar import LunarDay

# What is numbered: 5号楼, 10号线.
_NUMBERED = frozenset("楼线机店房车门桌馆院厅位选员球公码坑厂井电")
_FIRST_YEAR_ALONE = 1100  # 千年 is a long time
_NO_SUCH_DAY = Calendar(None, 2, 30)


def _year(found: Found) -> int | None:
    """The year that was said: 2015年, 九零年, 明年."""
    if found.has("Y"):
        return found.asked.now.year + int(found.one("Y"))
    if not found.has("y"):
        return None
    year = int(found.one("y"))
    return full_year(f"{year:02}") if year < 100 else year


def _whole_year(found: Found) -> Calendar | None:
    year: int = found.one("y")
    return Calendar(year) if _FIRST_YEAR_ALONE <= year < 2300 else None


def _relative_year(found: Found) -> Calendar:
    return Calendar(_year(found))


def _date(found: Found) -> Day | None:
    month, day = found.one("m"), found.one("d")
    if not 1 <= month <= 12:
        return None
    if day is not None and not 1 <= day <= 31:
        return _NO_SUCH_DAY if day <= 39 else None
    if found.has("n") or _is_mid_autumn(found):
        return LunarDay(_year(found), month, day or 1)
    return Calendar(_year(found), month, day)


def _is_mid_autumn(found: Found) -> bool:
    """八月十五 without a mark of the day is the feast."""
    unmarked = found.one("m") == 8 and found.raw("d") == "十五" and not found.has("mark")
    return unmarked and not found.has("y")


def _lunar(found: Found) -> Day | None:
    month = found.one("r") or found.one("m")
    day = found.one("d") or 1
    return LunarDay(_year(found), month, day) if 1 <= month <= 12 and 1 <= day <= 30 else None


def _lunar_new_year(found: Found) -> Day | None:
    return LunarDay(_year(found), 1, found.one("d"))


def _day(found: Found) -> Calendar | None:
    day: int = found.one("d")
    end = found.whole[-1].end
    one_day = found.raw("d") == "一" and found.text[end - 1] == "日"
    if one_day or found.text[end : end + 1] in _NUMBERED:
        return None
    return Calendar(day=day) if 1 <= day <= 31 else None


def _day_in_month(found: Found) -> Day | None:
    """The 9th of this month, of the next one."""
    day, ahead = found.one("d"), found.one("q")
    if not 1 <= day <= 31:
        return None
    return Calendar(day=day, current=True) if ahead == 0 else NthDay(day, None, Period("month", ahead))


def _figures(found: Found) -> Calendar | None:
    figures: Figures = found.one("x")
    return figures.date(day_first=bool(found.asked.day_first))


def _slashed(found: Found) -> Calendar | None:
    return _figures(found) if found.one("x").sign == "/" else None


def _dated(found: Found) -> Calendar | None:
    """09-01 20:01, 12.25下午三点: a pair of figures before a time of day."""
    figures: Figures = found.one("x")
    return None if figures.sign == "." and figures.clock() and not found.has("t") else _figures(found)


def _full_figures(found: Found) -> Calendar:
    figures: FullFigures = found.one("x")
    day_first = found.asked.day_first
    said = figures.pair.date(day_first=day_first is not False, year=figures.year)
    if said is not None and day_first is not None:
        return replace(said, flipped=None)
    return said or _NO_SUCH_DAY


def _spaced(found: Found) -> Calendar | None:
    """2010 01 29."""
    year, month, day = found.one("y"), found.one("m"), found.one("d")
    return Calendar(year, month, day) if 1900 <= year < 2100 and month <= 12 and day <= 31 else None


def _year_alone(found: Found) -> Calendar | None:
    return Calendar(found.one("y")) if 1900 <= found.one("y") < 2100 else None


def _edge_of_month(found: Found) -> Day | None:
    within: Day = found.one("d") if found.has("d") else Period("month", found.one("q") or 0)
    if isinstance(within, Calendar) and (within.day is not None or within.month is None):
        return None
    match found.one("e"):
        case "middle":
            return NthDay(15, None, within)
        case "late":
            return NthDay(21, None, within)
        case "start":
            return Edge("month", end=False, of=within)
        case _:
            return Edge("month", end=True, of=within)


def _edge_of_year(found: Found) -> Day | None:
    year = _year(found)
    within = Calendar(year) if year else Period("year", 0)
    if found.one("e") == "middle":
        return replace(Calendar(month=7, day=1), year=year)
    return Edge("year", found.one("e") == "end", within)


def _edge_of_week(found: Found) -> Day | None:
    if found.one("e") != "start":
        return None
    return Period("week", found.one("q") or 0)


def _nth_weekday(found: Found) -> Day | None:
    n = -1 if found.has("X") else int(found.one("n"))
    within: Day | None = found.one("d")
    days = found.one("w")
    unit: Unit = "year" if isinstance(within, Calendar) and within.month is None else "month"
    return NthDay(n, days[0], within, unit) if len(days) == 1 and 1 <= abs(n) <= 53 else None


def _nth_workday(found: Found) -> Day | None:
    """本月最后一个工作日."""
    if found.one("c") != "workday":
        return None
    return NthWorkday(-1 if found.has("X") else int(found.one("n")), found.one("d"))


def _nth_day(found: Found) -> Day | None:
    n = -1 if found.has("X") else int(found.one("n"))
    within: Day = found.one("d")
    match within:
        case Calendar(_, None, None) | Period("year"):
            return NthDay(n, None, within, "year")
        case Calendar(_, int(), None) | Period("month"):
            return NthDay(n, None, within)
        case Period("week", ahead) if 1 <= n <= 7:
            return InWeekOf(n - 1, Period("week", ahead))
    return None


def _first_days(found: Found) -> Day | None:
    """这个月前两天 begins with the month."""
    within: Day = found.one("d")
    return within if isinstance(within, Calendar | Period) else None


def _nth_week(found: Found) -> Day | None:
    """The n-th week whose Monday is in the month, or in the year."""
    within: Day = found.one("d")
    n = -1 if found.has("X") else int(found.one("n"))
    match within:
        case Calendar(_, _, None):
            return NthDay(n, 0, within, "year" if within.month is None else "month")
        case Period("month"):
            return NthDay(n, 0, within)
    return None


def _quarter(found: Found) -> Day | None:
    number = 1 if not found.has("n") else int(found.one("n"))
    if not 1 <= number <= 4:
        return None
    year = found.one("d").year if found.has("d") else found.asked.now.year
    return Calendar(year, 3 * number - 2, 1) if year else None


def _feast(found: Found) -> Feast:
    feast: Feast = found.one("f")
    year = _year(found)
    return replace(feast, year=year) if year else feast


def _joined_weekday(found: Found) -> Day | None:
    """10月12号，星期一: the date decides; the weekday tells whether this year's is meant, if that is over."""
    day: Day = found.one("d")
    if not isinstance(day, Calendar) or day.day is None or len(found.one("w")) != 1:
        return None
    if day.month is None:
        return replace(day, weekday=found.one("w")[0])
    if day.year is None and (this_year := valid_date(found.asked.now.year, day.month, day.day)) is not None:
        return replace(day, current=this_year.weekday() == found.one("w")[0])
    return day


_YEAR = r"(?:(?P<y>N) y | (?P<Y>Y)) ,? f?"
_MARK = r"[G#]"

DATE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>F)", "D", _full_figures),
    rule(rf"(?:{_YEAR}) (?P<n>n) (?P<m>N) M (?P<d>N) {_MARK}?", "D", _date),
    rule(rf"(?P<n>n) (?:{_YEAR})? (?P<m>N) M (?P<d>[aN]) {_MARK}?", "D", _date),
    rule(rf"(?:{_YEAR})? n? (?P<r>r) (?P<d>[aN])? {_MARK}?", "D", _lunar),
    rule(rf"(?:{_YEAR})? n? (?P<m>N) M (?P<d>a) {_MARK}?", "D", _lunar),
    rule(rf"(?:{_YEAR}) (?P<m>N) M (?P<d>N) (?P<mark>{_MARK})?", "D", _date),
    rule(rf"(?P<m>N) M (?P<d>N) (?:(?P<mark>{_MARK}) | (?![OHmukgtwyM]))", "D", _date),
    rule(rf"(?P<x>d) {_MARK}", "D", _figures),
    rule(r"(?<!o) (?P<x>d) (?= (?P<t> P? T) | P )", "D", _dated),
    rule(r"^ (?P<x>d) (?=$|[B-])", "D", _figures),
    rule(r"(?<=[DTR&A]) (?P<x>d) (?![jug%])", "D", _slashed),
    rule(r"^ (?P<y>N) (?P<m>N) (?P<d>N) $", "D", _spaced),
    rule(r"^ (?P<y>N) $", "D", _year_alone),
    rule(rf"(?:{_YEAR})? (?P<f>Q)", "D", _feast),
    rule(rf"(?<![oV2]) (?P<q>q) g? M f? (?P<d>N) {_MARK}?(?![OHtg])", "D", _day_in_month),
    rule(rf"(?:{_YEAR})? (?P<m>N) M (?! [lbi] (?! N) )", "D", _date),
    rule(r"(?<![oM]) (?P<d>[Na]) (?:\# | G (?![lbi]))", "D", _day),
    rule(r"(?P<y>N) y", "D", _whole_year),
    rule(r"(?P<d>D) (?P<e>e) b?", "D", _edge_of_month),
    rule(r"(?:(?P<y>N) y | (?P<Y>Y) y? | (?<![NgVY])y) (?P<e>e)", "D", _edge_of_year),
    rule(r"(?:(?P<q>q) g?)? (?<!N)(?<!Ng) M (?P<e>e)", "D", _edge_of_month),
    rule(r"(?:(?P<q>q) g?)? (?<!N)(?<!Ng) w (?P<e>e)", "D", _edge_of_week),
    rule(r"(?P<Y>Y)", "D", _relative_year),
)

# After the periods are read.
NTH_RULES: tuple[Rule, ...] = (
    rule(r"(?P<d>D)? f? (?:o (?P<n>N)|(?P<X>X)) g? (?P<w>W) (?!R)", "D", _nth_weekday),
    rule(r"(?P<d>D) f? (?:o (?P<n>N)|(?P<X>X)(?:N?)) g? (?P<c>C)", "D", _nth_workday),
    rule(r"(?P<d>D) f? (?:o (?P<n>N)|(?P<X>X)(?:N?)) g? [tG]", "D", _nth_day),
    rule(r"(?P<d>D) f? (?:o (?P<n>N)|(?P<X>X)(?:N?)) g? w", "D", _nth_week),
    rule(r"(?P<d>D) f? b (?:N g? [tMwG] | I)", "D", _first_days),
    rule(r"(?P<d>D) ,? (?P<w>W)", "D", _joined_weekday),
    rule(r"(?P<w>W) ,? (?P<d>D)", "D", _joined_weekday),
)
