"""What comes again, as it is said in Arabic."""

from dataclasses import replace

from bot.schedule.when.amounts import Amount
from bot.schedule.when.clocks import Clock, Point
from bot.schedule.when.combine import on_days
from bot.schedule.when.days import Day, Period
from bot.schedule.when.latin import dates, recurrences
from bot.schedule.when.recurrence import WEEKEND, Limit, Recurrence, several_times
from bot.schedule.when.tokens import Found, Rule, rule

_SUNDAY_TO_THURSDAY = (6, 0, 1, 2, 3)


def _ready(found: Found) -> Recurrence:
    said: Recurrence = found.one("j")
    return said


def _every(found: Found) -> Recurrence | None:
    number = 1 if found.one("n") is None else found.one("n")
    return Recurrence(found.one("u"), number) if isinstance(number, int) else None


def _every_amount(found: Found) -> Recurrence | None:
    by: Amount = found.one("c")
    if by.months and not by.days and not by.seconds:
        years = by.months % 12 == 0
        return Recurrence("year" if years else "month", by.months // 12 if years else by.months)
    if by.weeks and not by.seconds:
        return Recurrence("week", int(by.days) // 7)
    if by.days and not by.seconds:
        return Recurrence("day", int(by.days))
    if by.seconds and not by.days:
        hours = by.seconds % 3600 == 0
        return Recurrence("hour" if hours else "minute", int(by.seconds) // (3600 if hours else 60))
    return None


def _on_weekdays(found: Found) -> Recurrence:
    weekdays = tuple(token.value for token in found.all("w") if token.kind == "W")
    said: Recurrence = found.one("r") or Recurrence()
    return replace(said, weekdays=tuple(sorted({*said.weekdays, *weekdays})))


def _times_a(found: Found) -> Recurrence | None:
    """ثلاث مرات في اليوم: the day is today's word."""
    if found.has("d") and found.one("d") != Period("day", 0):
        return None
    return several_times(int(found.one("k")), found.one("u") or "day")


def _weekday_range(found: Found) -> Recurrence | None:
    """من الاثنين إلى الجمعة."""
    if found.raw("to") not in {"الي", "حتي", "لغايه", "-"}:
        return None
    return Recurrence(weekdays=recurrences.span(found.one("a"), found.one("b")))


def _plural_days(found: Found) -> Recurrence | None:
    return _on_weekdays(found) if found.raw("u").endswith("ايام") else None


def _on_figures(found: Found) -> Recurrence | None:
    day = dates.figures(found)
    return None if day is None else on_days(Recurrence(), day)


def _on_day(found: Found) -> Recurrence | None:
    return on_days(found.one("r") or Recurrence(), found.one("d"))


def _month_day(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r") or Recurrence("month")
    n = int(found.one("n"))
    return replace(said, month_days=(n,)) if said.unit == "month" and 1 <= abs(n) <= 31 else None


def _every_part(found: Found) -> Recurrence:
    return Recurrence(part=found.one("p"))


def _in_part(found: Found) -> Recurrence:
    said: Recurrence = found.one("r")
    return replace(said, part=found.one("p"))


def _days_of(found: Found) -> Recurrence:
    weekend = found.one("c") == "weekend"
    if weekend:
        return Recurrence(weekdays=WEEKEND, timex="P1WE")
    return Recurrence(weekdays=_SUNDAY_TO_THURSDAY, timex="P1WD", assumed=("week",))


def _at_hour(found: Found) -> Recurrence | None:
    """كل ليلة في 9."""
    said: Recurrence = found.one("r")
    hour = int(found.one("x"))
    return said.at(Clock(hour)) if said.part is not None and 1 <= hour <= 24 else None


def _until(found: Found) -> Limit:
    day: Day = found.one("d")
    return Limit(until=Point(day))


def _starting(found: Found) -> Limit:
    return Limit(start=Point(found.one("d")))


def _count(found: Found) -> Limit:
    return Limit(count=found.one("n"))


EVERY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<j>J)", "R", _ready),
    rule(r"v (?P<n>N)? (?P<u>U) (?! [WM] )", "R", _every),
    rule(r"v (?P<c>I)", "R", _every_amount),
    rule(r"v % (?P<u>U)", "R", recurrences.every_half),
    rule(r"(?P<k>N) K [fi]* (?: (?P<u>U) | (?P<d>D) )", "R", _times_a),
    rule(r"(?P<k>E) [fi]* (?: (?P<u>U) | (?P<d>D) )", "R", _times_a),
    rule(r"f (?P<a>W) (?P<to>[fz-]) (?P<b>W)", "R", _weekday_range),
    rule(r"v U? (?P<w>W (?: [,&i]* U? W )* )", "R", _on_weekdays),
    rule(r"v (?P<x>d) (?! [U%] )", "R", _on_figures),
    rule(r"(?P<u>U) (?P<w>W (?: [,&i]* U? W )* )", "R", _plural_days),
    rule(r"v (?P<p>P)", "R", _every_part),
    rule(r"(?P<p>P) f? (?P<r>R)", "R", _in_part),
    rule(r"v? (?P<c>C)", "R", _days_of),
    rule(r"(?P<r>R) [fi]+ U? (?P<w>W (?: [,&i]* U? W )* )", "R", _on_weekdays),
    rule(r"(?:U [if]*)? (?P<n>[NO]) [fi]* (?P<r>R)", "R", _month_day),
    rule(r"(?P<r>R) i (?P<x>[No]) (?![UMp])", "R", _at_hour),
)

RECURRENCE_RULES: tuple[Rule, ...] = (
    rule(r"v (?P<d>D)", "R", _on_day),
    rule(r"(?P<r>R) [fi]* (?P<d>D)", "R", _on_day),
)

LIMIT_RULES: tuple[Rule, ...] = (
    rule(r"z (?P<d>D)", "L", _until),
    rule(r"\[ f? (?P<d>D)", "L", _starting),
    rule(r"(?<=[RTf,]) (?P<n>N) K", "L", _count),
)
