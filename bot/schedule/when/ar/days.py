"""Dates and days named from today, as they are said in Arabic."""

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import Part
from bot.schedule.when.days import Calendar, Day, Edge, Feast, NthAfter, NthDay, Period, Shifted, Weekday
from bot.schedule.when.latin import dates, days
from bot.schedule.when.tokens import Found, Rule, rule

_TODAY = Period("day", 0)
_MOST_WEEKDAYS = 5  # that a month has of one kind


def _number_month(found: Found) -> int | None:
    """شهر ثلاثة: the third month; but شهر واحد is one month."""
    month = int(found.one("n"))
    return month if found.one("u") == "month" and 2 <= month <= 12 else None


def _month_name(found: Found) -> int | None:
    return int(found.one("m")) if found.one("u") == "month" else None


def _named_day(found: Found) -> int | None:
    """يوم الجمعة is Friday, أيام الجمعة are all of them."""
    plural = found.raw("u").endswith("ايام")
    return int(found.one("w")) if found.one("u") == "day" and not plural else None


def _middle(found: Found) -> Calendar:
    return Calendar(None, found.one("m"), 15)


def _weekday(found: Found) -> Weekday:
    weekday = int(found.one("w"))
    match found.one("q"):
        case None:
            return Weekday(weekday)
        case 0:
            return Weekday(weekday, this=True)
        case ahead:
            return Weekday(weekday, ahead)


def _late_date(found: Found) -> Calendar | None:
    """الثلاثاء الثالث عشر من شباط; up to five it would count Tuesdays."""
    return dates.month_day(found) if found.one("d") > _MOST_WEEKDAYS else None


def _the_day(found: Found) -> Calendar | None:
    """اليوم الأول من شهر ثلاثة."""
    return dates.month_day(found) if found.one("t") == _TODAY else None


def _weekday_and_number(found: Found) -> Calendar | None:
    day = int(found.one("d"))
    counts = found.has("o") and day <= _MOST_WEEKDAYS
    return Calendar(day=day, weekday=found.one("w"), current=True) if 1 <= day <= 31 and not counts else None


def _nth_of_this(found: Found) -> NthDay | None:
    """آخر يوم في الشهر."""
    unit: Unit = found.one("u")
    return NthDay(int(found.one("o")), None, Period(unit), unit) if unit in {"month", "year"} else None


def _last_day(found: Found) -> Day | None:
    return Period("day", -1) if found.one("o") == -1 and found.one("u") == "day" else None


def _ago(found: Found) -> Day:
    return Shifted(-amount(1, found.one("u")))


def _period(found: Found) -> Period | None:
    return Period(found.one("u"), found.one("q"))


def _part(found: Found) -> tuple[Day, Part]:
    return Period("day", found.one("q")), found.one("p")


def _said_year(found: Found) -> int | None:
    said = found.one("y")
    return said.year if isinstance(said, Calendar) and said.month is None else None


def _nth(found: Found) -> NthDay | None:
    n, within = int(found.one("o")), found.one("d")
    if found.has("m"):
        within = Calendar(_said_year(found), found.one("m"))
    unit: Unit = "year" if isinstance(within, Calendar) and within.month is None else "month"
    return NthDay(n, found.one("w"), within, unit)


def _nth_after(found: Found) -> NthAfter:
    return NthAfter(int(found.one("o")), found.one("w"), found.one("f") or found.one("d"))


def _day_of_month(found: Found) -> Calendar | NthDay | None:
    n = int(found.one("o"))
    if n < 0:
        return NthDay(n, None, Calendar(_said_year(found), found.one("m")))
    return Calendar(_said_year(found), found.one("m"), n) if 1 <= n <= 31 else None


def _day_of_period(found: Found) -> NthDay | None:
    within: Day = found.one("d")
    return (
        NthDay(int(found.one("o")), None, within)
        if within in {Period("month", n) for n in range(-2, 3)}
        else None
    )


def _shifted(found: Found) -> Day:
    by: Amount = found.one("c")
    if found.has("b"):
        by = -by
    return Shifted(by) if by.is_elapsed or not by.days or by.weeks or by.months else Shifted(by, _TODAY)


def _shifted_from(found: Found) -> Day:
    by: Amount = -found.one("c") if found.has("b") else found.one("c")
    return Shifted(by, found.one("d"))


def _edge(found: Found) -> Day | None:
    end = found.one("e") == "end"
    of: Day | None = found.one("d")
    if found.has("u"):
        unit: Unit = found.one("u")
        return Edge(unit, end) if unit in {"day", "week", "month", "year"} else None
    if isinstance(of, Period) and of.unit != "day":
        return Edge(of.unit, end, of)
    if isinstance(of, Calendar) and of.day is None:
        return Edge("year" if of.month is None else "month", end, of)
    return Edge("day", end, of)


def _feast(found: Found) -> Feast:
    feast: Feast = found.one("f")
    return feast


_ALONE = r"(?! [pUjI%&] | P )"

_YEAR = r"(?: [fi]* (?P<y>D) )?"

WEEKDAY_RULES: tuple[Rule, ...] = (
    rule(r"(?<= [Ov] ) (?P<x>w)", "W", dates.same),
    rule(r"(?<=vU) (?P<x>w)", "W", dates.same),
    rule(r"(?<=OU) (?P<x>w)", "W", dates.same),
    rule(r"(?P<x>w) (?= [fi]? U r )", "W", dates.same),
    rule(r"^ (?P<x>w) $", "W", dates.same),
    rule(r"(?P<u>U) (?P<w>W)", "W", _named_day),
    rule(r"(?P<u>U) (?P<m>M)", "M", _month_name),
    rule(r"(?<! [ABGv&] ) (?P<u>U) (?P<n>N) (?! M )", "M", _number_month),
    rule(r"i? f? (?P<u>U) (?P<y>N)", "D", dates.named_year),
)

DATE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>F)", "D", dates.full_figures),
    rule(r"(?P<f>Q) (?P<y>N)", "Q", dates.feast_of_year),
    rule(r"(?P<y>N) [-/]? (?P<m>M) [-/]? (?P<d>[NO])", "D", dates.big_year_first),
    rule(r"(?<!W) (?P<d>[NO]) [fi./-]* (?P<m>M) [,.]? [fi]? (?P<y>N) (?![U:P])", "D", dates.month_day),
    rule(r"(?P<d>N) [fi./-]* (?P<m>M) [,.]? [fi]? (?P<y>N) (?![U:P])", "D", dates.month_day),
    rule(r"(?P<m>M) [,/-]? (?P<d>[NO]) ,? (?P<y>N) (?![U:P])", "D", dates.month_day),
    rule(r"(?P<t>D) (?P<d>O) [fi]* (?P<m>M)", "D", _the_day),
    rule(r"(?<!W) (?P<d>[NO]) [fi./-]* (?P<m>M)", "D", dates.month_day),
    rule(r"(?P<d>N) [fi./-]* (?P<m>M)", "D", dates.month_day),
    rule(r"(?P<d>O) [fi]* (?P<m>M)", "D", _late_date),
    rule(r"(?P<m>M) [,/-]? (?P<d>[NO]) (?![pU/])", "D", dates.month_day),
    rule(r"% (?P<m>M)", "D", _middle),
    rule(r"(?P<x>d) , (?P<y>N) (?![pU])", "D", dates.figures_and_year),
    rule(r"(?<!j) (?P<x>d) (?![UpjN%P]) ", "D", dates.figures),
    rule(r"(?<=[DTMQ]) (?:,|[if]+)? (?P<y>N) (?![Up:])", "D", dates.four_digits),
    rule(r"(?P<m>M) [if]* (?P<y>N)", "D", dates.month_alone),
    rule(r"(?P<w>W) [,if]* (?P<d>N|(?P<o>[Oo])) (?= $ | [.,?;@TfiDSx] )", "D", _weekday_and_number),
)

DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<q>q) (?P<p>P)", "S", _part),
    rule(r"(?P<u>U) (?P<q>r)", "D", _period),
    rule(r"(?P<q>q) (?P<u>U)", "D", _period),
    rule(r"(?P<o>O) U? (?P<w>W) [fi]* (?P<m>M)" + _YEAR, "D", _nth),
    rule(r"(?P<w>W) (?P<o>[Oo]) [fi]* (?P<m>M)" + _YEAR, "D", _nth),
    rule(r"(?P<o>O) U? (?P<w>W) A (?:(?P<f>Q)|(?P<d>D))", "D", _nth_after),
    rule(r"(?P<o>O) U? (?P<w>W) [fi]* (?P<d>D)", "D", _nth),
    rule(r"(?P<o>O) U [fi]* (?P<m>M)" + _YEAR, "D", _day_of_month),
    rule(r"(?P<o>[ON]) U? [fi]* (?P<d>D)", "D", _day_of_period),
    rule(r"(?P<q>q) (?P<w>W)", "D", _weekday),
    rule(r"(?P<w>W) (?P<q>r)", "D", _weekday),
    rule(r"(?P<w>W) (?P<o>[Oo])", "D", _nth),
    rule(r"(?P<e>e) [fi]* (?:(?P<d>D)|(?P<u>U))", "D", _edge),
    rule(r"(?P<e>e) [fi]* q (?P<w>W)", "D", _edge),
    rule(r"(?P<o>O) U [fi]+ (?P<u>U)", "D", _nth_of_this),
    rule(r"(?P<o>O) (?P<u>U) (?= $ | [.,] )", "D", _last_day),
    rule(r"(?<= [fiUx] ) (?P<d>[NO])" + _ALONE + r"(?= $ | [.,?;@TDSfi] )", "D", dates.day_alone),
    rule(r"(?P<c>I) (?:A|(?P<b>B)) (?P<d>D)", "D", _shifted_from),
    rule(r"[iA] [if]* (?P<c>I) l?", "D", _shifted),
    rule(r"(?P<b>[BG]) [if]* (?P<c>I) l?", "D", _shifted),
    rule(r"(?P<c>I) l", "D", _shifted),
    rule(r"^ f (?P<u>U) $", "D", _ago),
    rule(r"(?P<w>W)", "D", days.same),
    rule(r"(?P<f>Q)", "D", _feast),
    rule(r"(?P<m>M) (?= $ | [.,fi@T] )", "D", dates.month_alone),
)
