"""Dates and days named from today, as they are said in Hindi."""

import re

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.days import Calendar, Day, Edge, NthDay, Period, Shifted, Weekday
from bot.schedule.when.latin import dates, days
from bot.schedule.when.tokens import Found, Rule, rule

_TODAY = Period("day", 0)
_NOW = Shifted(amount(0, "second"), exact=True)
_MOST_WEEKDAYS = 5  # that a month has of one kind
# कल is tomorrow and yesterday: the verb tells.
_PAST = re.compile(
    r"(?:था|थी|थे|थीं|गया|गई|गए|गयी|किया|हुआ|हुई|लिया|दिया|पी|खरीदा|मिले|आया|आई)(?![\u0900-\u0963])"
)
_FUTURE = re.compile(r"(?:गा|गे|गी|हैं|है|हूं)(?![\u0900-\u0963])")


def _is_past(found: Found) -> bool:
    return _PAST.search(found.text) is not None and _FUTURE.search(found.text) is None


def _yesterday_or_tomorrow(found: Found) -> Period:
    ahead = int(found.one("c"))
    return Period("day", -ahead if _is_past(found) else ahead)


def _weekday(found: Found) -> Weekday:
    weekday, ahead = int(found.one("w")), found.one("q")
    if ahead is None:
        return Weekday(weekday)
    return Weekday(weekday, this=True) if ahead == 0 else Weekday(weekday, ahead)


def _weekdays_on(found: Found) -> Weekday:
    return Weekday(found.one("w"), nth=int(found.one("n")))


def _weekday_and_number(found: Found) -> Calendar | None:
    day = int(found.one("d"))
    return Calendar(day=day, weekday=found.one("w"), current=_is_past(found)) if 1 <= day <= 31 else None


def _period(found: Found) -> Period:
    return Period(found.one("u"), found.one("q"))


def _nth(found: Found) -> NthDay | None:
    n, within = int(found.one("o")), found.one("d")
    if found.has("m"):
        within = Calendar(None, found.one("m"))
    if abs(n) > _MOST_WEEKDAYS:
        return None
    unit: Unit = "year" if isinstance(within, Calendar) and within.month is None else "month"
    return NthDay(n, found.one("w"), within, unit)


def _day_of(found: Found) -> Day | None:
    """अगले महीने की 20 तारीख, सितंबर की दस तारीख."""
    n = int(found.one("o"))
    if found.has("m"):
        month = int(found.one("m"))
        return Calendar(None, month, n) if 1 <= n <= 31 else NthDay(n, None, Calendar(None, month))
    within: Day = found.one("d")
    match within:
        case Period("month" | "year" as unit):
            return NthDay(n, None, within, unit)
        case Calendar(_, None, None):
            return NthDay(n, None, within, "year")
        case Calendar(_, int(), None):
            return NthDay(n, None, within)
    return None


def _nth_of_this(found: Found) -> NthDay | None:
    """महीने का आखिरी दिन."""
    unit: Unit = found.one("u")
    return NthDay(int(found.one("o")), None, Period(unit), unit) if unit in {"month", "year"} else None


def _shifted(found: Found) -> Day:
    by: Amount = found.one("c")
    if found.has("b"):
        by = -by
    return Shifted(by) if by.is_elapsed or by.weeks or by.months else Shifted(by, _TODAY)


def _shifted_from(found: Found) -> Day:
    by: Amount = -found.one("c") if found.has("b") else found.one("c")
    anchor: Day = found.one("d")
    return Shifted(by) if anchor == _NOW else Shifted(by, anchor)


def _from_year(found: Found) -> Day | None:
    year = int(found.one("y"))
    return Shifted(found.one("c"), Calendar(year, 1, 1)) if year >= 1000 else None


def _edge(found: Found) -> Day | None:
    end = found.one("e") == "end"
    of: Day | None = found.one("d")
    if of is None and found.has("m"):
        return Edge("month", end, Calendar(None, found.one("m")))
    if of is None:
        unit: Unit = found.one("u")
        return Edge(unit, end) if unit in {"day", "week", "month", "year"} else None
    if isinstance(of, Period) and of.unit != "day":
        return Edge(of.unit, end, of)
    if isinstance(of, Calendar) and of.day is None:
        return Edge("year" if of.month is None else "month", end, of)
    return Edge("day", end, of)


def _weekend(found: Found) -> Weekday | None:
    if found.one("c") != "weekend":
        return None
    ahead = found.one("q")
    return Weekday(5, ahead) if ahead else Weekday(5)


DATE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<c>c)", "D", _yesterday_or_tomorrow),
    rule(r"(?P<x>F)", "D", dates.full_figures),
    rule(r"(?P<m>M) \.? - (?P<x>d)", "D", dates.month_and_figures),
    rule(r"(?P<x>d) [/-] (?P<m>M)", "D", dates.month_and_figures),
    rule(r"(?P<y>N) [-/] (?P<m>M) \.? [-/] (?P<d>[NO])", "D", dates.big_year_first),
    rule(r"(?P<y>N) / (?P<d>N) / (?P<m>M)", "D", dates.big_year_first),
    rule(r"(?P<d>[NO]) [f./-]* (?P<m>M) [,./-]* (?P<y>N) (?![U=:])", "D", dates.month_day),
    rule(r"(?P<d>[NO]) [f./-]* (?P<m>M) \.?", "D", dates.month_day),
    rule(r"(?P<m>M) [./-]* (?P<d>[NO]) [,-]* (?P<y>N) (?![U=:])", "D", dates.month_day),
    rule(r"(?P<m>M) f? (?P<d>[NO]) t ,? f* (?P<y>N)", "D", dates.month_day),
    rule(r"(?P<m>M) [.f/-]* (?P<d>[NO]) t? (?![U=/])", "D", dates.month_day),
    rule(r"(?P<x>d) , (?P<y>N) (?![U=])", "D", dates.figures_and_year),
    rule(r"(?<!j) (?P<x>d) (?![Upj%=])", "D", dates.slashed),
    rule(r"(?<=[WD]) ,? (?P<x>d) (?= [fr@] | $ )", "D", dates.figures),
    rule(r"(?<!j) (?P<x>d) (?= r | W | $ )", "D", dates.figures),
    rule(r"(?P<u>U) (?P<y>N) (?!U)", "D", dates.named_year),
    rule(r"(?<=[DTQ]) (?:,|f)? (?P<y>N) (?![U=:A])", "D", dates.four_digits),
    rule(r"(?P<m>M) [f,]? (?P<y>N)", "D", dates.month_alone),
    rule(r"(?P<w>W) ,? (?P<d>[NO]) t (?! [U=] )", "D", _weekday_and_number),
    rule(r"(?<!q) (?P<d>[NO]) t? (?P<w>W) (?! [U=] )", "D", lambda found: _number_and_weekday(found)),
)

DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<q>q) (?P<c>C)", "D", _weekend),
    rule(r"(?P<q>q) (?P<u>U)", "D", _period),
    rule(r"(?P<m>M) f (?P<o>O) (?P<w>W)", "D", _nth),
    rule(r"(?P<d>D) f (?P<o>O) (?P<w>W)", "D", _nth),
    rule(r"(?P<u>U) f (?P<o>O) U", "D", _nth_of_this),
    rule(r"(?P<m>M) [fi] (?P<o>O) U", "D", _day_of),
    rule(r"(?P<d>D) [fi] (?P<o>[NO]) [tU]", "D", _day_of),
    rule(r"q (?P<n>N) (?P<w>W) f? l?", "D", _weekdays_on),
    rule(r"(?P<q>q) (?P<w>W)", "D", _weekday),
    rule(r"(?P<o>O) (?P<w>W)", "D", _nth),
    rule(r"(?P<w>W) U (?= f e )", "W", lambda found: found.one("w")),
    rule(r"(?P<w>W)", "D", days.same),
    rule(r"(?P<f>Q)", "D", days.same),
    rule(r"(?:(?P<d>D)|(?P<m>M)|(?P<u>U)) f (?P<e>e)", "D", _edge),
    rule(r"(?P<d>D) [Af] (?P<c>I) (?:[il] | (?P<b>b))?", "D", _shifted_from),
    rule(r"(?P<y>N) A (?P<c>I) [il]?", "D", _from_year),
    rule(r"(?P<c>I) f? (?: [il] | (?P<b>b) )", "D", _shifted),
    rule(r"(?P<c>I) A x{1,3} i", "D", _shifted),
    rule(r"q? (?P<d>[NO]) t", "D", dates.day_alone),
    rule(r"q? (?P<d>[NO]) r", "D", dates.day_alone),
    rule(r"(?P<m>M) (?= $ | [fi.,] )", "D", dates.month_alone),
)


def _number_and_weekday(found: Found) -> Calendar | None:
    """21 सोमवार; दूसरे रविवार counts Sundays."""
    token = found.all("d")[0]
    return None if token.kind == "O" and token.value <= _MOST_WEEKDAYS else _weekday_and_number(found)
