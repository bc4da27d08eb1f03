"""Days named from today, as they are said in Chinese."""

from datetime import timedelta

from bot.schedule.when.amounts import Amount, amount, period
from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Calendar, Day, Feast, Period, Shifted, Weekday
from bot.schedule.when.tokens import Found, Rule, rule
from bot.schedule.when.zh.amounts import unit_of

_TODAY = Period("day", 0)
SATURDAY = 5


def _weekday(found: Found) -> Day | None:
    """周三 of this, the next, the last week; one of this week that is over is the next week's."""
    days = found.one("w")
    weekday: int = days[0]
    if len(days) > 1:
        return None
    ahead = found.one("q")
    if ahead is None:
        return Weekday(weekday)
    if ahead == 0:
        today = found.asked.now.date()
        is_over = period("week", today, 0) + timedelta(days=weekday) < today
        return Weekday(weekday) if is_over else Weekday(weekday, 0)
    return Weekday(weekday, ahead)


def _weekend(found: Found) -> Day | None:
    if found.one("c") != "weekend":
        return None
    ahead = found.one("q")
    return Weekday(SATURDAY, ahead) if ahead else Weekday(SATURDAY)


def _weeks_past(found: Found) -> Period:
    """前两周."""
    return Period("week", -int(found.one("n")))


def _weeks_of(found: Found) -> Period | None:
    by: Amount = found.one("c")
    return Period("week", -int(by.days // 7)) if by.weeks else None


def _period(found: Found) -> Period:
    return Period(unit_of(found.one("u")), found.one("q"))


def _ahead(found: Found) -> Day | None:
    """过三天; 未来三天 bounds what comes again, where something does."""
    bounds = found.raw("ahead") in {"未来", "今后"} and any(token.kind in "vJR" for token in found.tokens)
    return None if bounds else _shifted(found)


def _shifted(found: Found) -> Day:
    """Days, weeks, months and years from now are a day; hours and less a moment."""
    by: Amount = found.one("c")
    if found.has("b"):
        by = -by
    if not by.days and not by.months:
        return Shifted(by, exact=True)
    return Shifted(by) if by.is_elapsed else Shifted(by, _TODAY)


def _shifted_from(found: Found) -> Day | None:
    """圣诞节前五天, 3月5日前两天; 五月前四天 are its first four."""
    by: Amount = found.one("c")
    match found.one("d"):
        case Feast() | Calendar(day=int()) as day:
            return Shifted(-by if found.has("b") else by, day)
    return None


def _shifted_from_weekday(found: Found) -> Day | None:
    """周五前一天, 下周五的前两天."""
    by: Amount = found.one("c")
    day = _weekday(found)
    return Shifted(-by if found.has("b") else by, day) if day is not None and by.days else None


def _day_before(found: Found) -> Day:
    """30号之前提醒我: the last day that is still before it."""
    return Shifted(amount(-1, "day"), found.one("d"))


def _quarter(found: Found) -> Day | None:
    number = int(found.one("n") or 1)
    if found.one("u") != "quarter" or not 1 <= number <= 4:
        return None
    said = found.one("d")
    if said is not None and not isinstance(said, Calendar):
        return None
    year = said.year if said is not None else found.asked.now.year
    month = 3 * number - (0 if found.one("e") == "end" else 2)
    return Calendar(year, month, 1)


def _same_day_in(found: Found) -> Day | None:
    """下周的今天, 明年的今天."""
    if found.one("t") != _TODAY:
        return None
    match found.one("d"):
        case Period("week" | "month" | "year" as unit, ahead):
            return Shifted(amount(ahead, unit), _TODAY)
        case Calendar(int() as year, None, None):
            return Shifted(amount(year - found.asked.now.year, "year"), _TODAY)
    return None


def _same_time_in(found: Found) -> Day | None:
    """下周这个时候: on the same day of it, too."""
    match found.one("d"):
        case Period("week" | "month" | "year" as unit, ahead):
            return Shifted(amount(ahead, unit), exact=True)
    return None


def _now_clock(found: Found) -> Clock:
    return Clock(found.asked.now.hour, found.asked.now.minute, fixed=True)


def _now(found: Found) -> Day | None:
    """宜家 is Cantonese for now, and a furniture shop."""
    return Shifted(amount(0, "second"), exact=True) if found.text.strip() == "宜家" else None


def same_day(found: Found) -> Day:
    day: Day = found.one("d")
    return day


QUARTER_RULES: tuple[Rule, ...] = (
    rule(r"(?P<d>D)? f? o? (?P<n>N) (?P<u>u) (?P<e>e)? (?![lbi])", "D", _quarter),
)
DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<d>[QD]) f? (?:l|(?P<b>b)) (?P<c>I)", "D", _shifted_from),
    rule(
        r"(?<![vVJRW,&1]) (?:(?P<q>q) g? w?)? (?P<w>W) f? (?:l|(?P<b>b)) (?P<c>I) (?! [lb] )",
        "D",
        _shifted_from_weekday,
    ),
    rule(r"(?<!D) b (?P<n>N) g? w", "D", _weeks_past),
    rule(r"(?<!D) b (?P<c>I) (?! [lbi] )", "D", _weeks_of),
    rule(r"(?P<c>I) x? (?:l|(?P<b>b))", "D", _shifted),
    rule(r"(?P<ahead>2) (?P<c>I) [li]?", "D", _ahead),
    rule(r"l (?P<c>I)", "D", _shifted),
    rule(r"(?P<q>q) g? w? (?P<w>W)", "D", _weekday),
    rule(r"(?P<q>q) g? (?P<c>C)", "D", _weekend),
    rule(r"(?P<q>q) N? g? (?P<u>[wMtuy]) (?!e)", "D", _period),
)

NOW_RULES: tuple[Rule, ...] = (rule(r"^ (?P<x>x) (?P<y>x) $", "D", _now),)
LAST_RULES: tuple[Rule, ...] = (
    rule(r"(?P<d>D) b (?= f? !)", "D", _day_before),
    rule(r"(?P<d>D) f? (?P<t>D)", "D", _same_day_in),
    rule(r"(?P<d>D) f? 4", "D", _same_time_in),
    rule(r"(?<=[DR]) f? 4", "T", _now_clock),
    rule(r"(?<!E) (?P<w>W) (?!E)", "D", _weekday),
    rule(r"(?<!E) (?P<c>C) (?!E)", "D", _weekend),
)
RANGE_DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?<!D) b (?P<n>N) g? w", "D", _weeks_past),
    rule(r"(?<!D) b (?P<c>I) (?! [lbi] )", "D", _weeks_of),
    rule(r"A (?P<d>D) 1? (?= $ | [^B-] )", "D", same_day),
    rule(r"A? (?P<d>D) [1f]? [B-]+ (?:D|N#?) f?", "D", same_day),
)
