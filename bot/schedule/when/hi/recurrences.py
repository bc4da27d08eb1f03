"""What comes again, as it is said in Hindi."""

from dataclasses import replace

from bot.schedule.when.clocks import Point
from bot.schedule.when.combine import on_days
from bot.schedule.when.latin import recurrences
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Limit, Recurrence, several_times
from bot.schedule.when.tokens import Found, Rule, rule


def _ready(found: Found) -> Recurrence:
    said: Recurrence = found.one("j")
    return said


def _every(found: Found) -> Recurrence | None:
    number = 1 if found.one("n") is None else found.one("n")
    return Recurrence(found.one("u"), number) if isinstance(number, int) else None


def _every_half(found: Found) -> Recurrence | None:
    return {"hour": Recurrence("minute", 30), "year": Recurrence("month", 6)}.get(found.one("u"))


def _on_weekdays(found: Found) -> Recurrence | None:
    weekdays = tuple(token.value for token in found.all("w") if token.kind == "W")
    said: Recurrence = found.one("r") or Recurrence(interval=found.one("v2") or 1)
    if said.unit not in {None, "week"}:
        return None
    return replace(said, weekdays=tuple(sorted({*said.weekdays, *weekdays})))


def _nth_weekday(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    n = int(found.one("o"))
    if said.unit not in {"month", "year"} or abs(n) > 5:
        return None
    return replace(said, nth_weekdays=((n, found.one("w")),))


def _month_day(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    n = int(found.one("n"))
    return replace(said, month_days=(*said.month_days, n)) if said.unit == "month" and abs(n) <= 31 else None


def _on_day(found: Found) -> Recurrence | None:
    return on_days(found.one("r") or Recurrence(), found.one("d"))


def _every_part(found: Found) -> Recurrence:
    return Recurrence(part=found.one("p"))


def _days_of(found: Found) -> Recurrence:
    if found.one("c") == "weekend":
        return Recurrence(weekdays=WEEKEND, timex="P1WE")
    return Recurrence(weekdays=WORKDAYS, timex="P1WD")


def _times_a(found: Found) -> Recurrence | None:
    return several_times(int(found.one("n")), found.one("u"))


def _weekday_range(found: Found) -> Recurrence:
    """सोमवार से शुक्रवार."""
    return Recurrence(weekdays=recurrences.span(found.one("a"), found.one("b")))


def _until(found: Found) -> Limit:
    return Limit(until=Point(found.one("d")))


def _starting(found: Found) -> Limit:
    return Limit(start=Point(found.one("d")))


def _count(found: Found) -> Limit:
    return Limit(count=found.one("n"))


EVERY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<j>J)", "R", _ready),
    rule(r"(?P<n>V) (?P<u>U) [i]?", "R", _every),
    rule(r"(?P<v2>V) (?P<w>W)", "R", _on_weekdays),
    rule(r"v? (?P<u>U) i (?P<n>N) K", "R", _times_a),
    rule(r"(?P<a>W) A (?P<b>W) z?", "R", _weekday_range),
    rule(r"v (?P<n>N)? (?P<u>U) [i]?", "R", _every),
    rule(r"v % (?P<u>U)", "R", _every_half),
    rule(r"v (?P<w>W (?: (?:[,&] v?)+ W )*)", "R", _on_weekdays),
    rule(r"v (?P<c>C)", "R", _days_of),
    rule(r"v (?P<p>P)", "R", _every_part),
    rule(r"(?P<r>R) [fi]? (?P<w>W (?: [,&]+ W )*)", "R", _on_weekdays),
    rule(r"(?P<r>R) [fi]? (?P<o>O) (?P<w>W)", "R", _nth_weekday),
    rule(r"(?P<r>R) [fi]? (?P<n>[NO]) [tU]", "R", _month_day),
)

RECURRENCE_RULES: tuple[Rule, ...] = (
    rule(r"v (?P<d>D)", "R", _on_day),
    rule(r"(?P<r>R) [fi]? (?P<d>D) (?! [Az] )", "R", _on_day),
)

LIMIT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<d>D) A (?:e f*)?", "L", _starting),
    rule(r"(?P<d>D) z", "L", _until),
    rule(r"(?P<n>N) K", "L", _count),
)
