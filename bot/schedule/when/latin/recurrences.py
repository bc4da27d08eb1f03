"""What comes again, and what bounds it, for all languages in Latin letters."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from bot.schedule.when.amounts import Amount, Unit, amount
from bot.schedule.when.clocks import PART_HOURS, Clock, Part, Point
from bot.schedule.when.combine import on_days
from bot.schedule.when.days import Calendar, Day, NthDay, Period, Weekday
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Limit, Recurrence, settled, several_times
from bot.schedule.when.shapes import Figures
from bot.schedule.when.tokens import Found, Token

_MOST_DAYS = 366


_SHORTER = frozenset({"hour", "minute", "second"})  # units of what comes several times a day


def every(found: Found) -> Recurrence | None:
    if found.one("v") == 0:  # "any day" is no wish for each of them
        return None
    unit: Unit = "quarter" if found.one("u") == 15 else "second" if found.one("u") == 2 else found.one("u")
    interval = 1 if found.one("n") is None else found.one("n")
    return Recurrence(unit, interval) if isinstance(interval, int) else None


def every_decimal(found: Found) -> Recurrence | None:
    """Every 1.5 hours, every 2.5 days: in whole units of the next smaller kind."""
    figures: Figures = found.one("n")
    smaller: dict[Unit, tuple[Unit, int]] = {"hour": ("minute", 60), "day": ("hour", 24)}
    if figures.decimal is None or found.one("u") not in smaller:
        return None
    unit, times = smaller[found.one("u")]
    interval = figures.decimal * times
    return Recurrence(unit, int(interval)) if interval == int(interval) else None


def every_month_named(found: Found) -> Recurrence:
    return Recurrence(months=(found.one("m"),))


def every_half(found: Found) -> Recurrence | None:
    unit: Unit = found.one("u")
    halves: dict[Unit, Recurrence] = {
        "hour": Recurrence("minute", 30),
        "minute": Recurrence("second", 30),
        "day": Recurrence("hour", 12),
        "year": Recurrence("month", 6),
    }
    return halves.get(unit)


def adverb(found: Found) -> Recurrence:
    unit, interval = found.one("j")
    if interval == 0.5:
        return Recurrence("month", 6, timex="P0.5Y")
    return Recurrence(unit, interval)


def times_a(found: Found) -> Recurrence | None:
    return several_times(found.one("n") or found.one("k"), found.one("u"))


def times_adverb(found: Found) -> Recurrence | None:
    """Twice daily, three times weekly."""
    unit, interval = found.one("j")
    return several_times(found.one("n") or found.one("k"), unit) if interval == 1 else None


def every_last(found: Found) -> Recurrence | None:
    """Every last Sunday: of the month."""
    if found.one("q") != "last":
        return None
    return Recurrence("month", nth_weekdays=((-1, found.one("w")),))


def every_pair(found: Found) -> Recurrence | None:
    """Every 1st and 3rd Wednesday; every month on the second and fourth Tuesday."""
    said: Recurrence = found.one("r") or Recurrence("month")
    which = pairs(found)
    if len(which) < 2 or said.unit not in {"month", "quarter"} or found.one("u") not in {None, "month"}:
        return None
    return replace(said, nth_weekdays=which)


def nth_workdays(found: Found) -> Recurrence | None:
    """The last working day of every month."""
    said: Recurrence = found.one("r")
    if not found.one("c").startswith("workday") or said.unit not in {"month", "quarter"}:
        return None
    return replace(said, weekdays=WORKDAYS, positions=tuple(t.value for t in found.all("o") if t.kind == "O"))


def days_ahead(found: Found) -> Recurrence | None:
    """For the next five days, with a time of day: on each of them."""
    by: Amount = found.one("c")
    timed = any(token.kind == "T" for token in found.tokens)
    if not timed or by.months or by.seconds or not 1 < by.days <= _MOST_DAYS:
        return None
    return Recurrence("day", count=round(by.days))


def but(found: Found) -> str | None:
    """Every day but Sunday."""
    return "except" if found.raw("b") == "but" else None


def workdays(found: Found) -> Recurrence | None:
    which, every = found.one("c"), found.one("v")
    interval = found.one("n") or 1
    if which.startswith("workday"):
        if every is None and which == "workday":
            return None
        return Recurrence(weekdays=WORKDAYS, interval=interval, timex="P1WD")
    if every is None and which == "weekend":
        return None
    if interval != 1:
        return Recurrence(weekdays=WEEKEND, interval=interval, timex=f"P{interval}WE")
    said_every = which == "weekend" and every == 1
    return Recurrence(weekdays=WEEKEND, timex=None if said_every else "P1WE")


def plural_weekday(found: Found) -> Recurrence:
    return Recurrence(weekdays=(found.one("x"),), interval=found.one("n") or 1)


def timed_weekday_range(found: Found) -> Recurrence | None:
    """Monday to Friday at 8: with a time of day it is meant to come again."""
    return weekday_range(found) if any(token.kind == "T" for token in found.tokens) else None


def span(first: int, last: int) -> tuple[int, ...]:
    return tuple((first + n) % 7 for n in range((last - first) % 7 + 1))


def weekday_range(found: Found) -> Recurrence | None:
    first, last = found.one("a"), found.one("b")
    if isinstance(first, Weekday):
        first = first.weekday if first.week is None else None
    if isinstance(last, Weekday):
        last = last.weekday if last.week is None else None
    if not isinstance(first, int) or not isinstance(last, int):
        return None
    said: Recurrence = found.one("r") or Recurrence()
    return replace(said, weekdays=span(first, last))


def every_day_named(found: Found) -> Recurrence | None:
    """Every Friday, every other Friday, every 3rd Friday, every 5 May."""
    day: Day = found.one("d")
    said = Recurrence(interval=found.one("n") or 1)
    if found.one("v") == 0 and not isinstance(day, Weekday):
        return None
    if isinstance(day, NthDay) and day.within is None and day.weekday is not None and day.n > 1:
        monthly = Recurrence("month", nth_weekdays=((day.n, day.weekday),))
        others = (monthly,) if day.n <= 5 else ()
        return Recurrence(weekdays=(day.weekday,), interval=day.n, assumed=("ordinal",), others=others)
    if isinstance(day, NthDay) and isinstance(day.within, Period):
        return nth_in_period(day, said)
    return on_days(said, day)


def nth_in_period(day: NthDay, said: Recurrence) -> Recurrence | None:
    if day.unit != "month":
        return None
    if day.weekday is None:
        return replace(said, unit="month", month_days=(day.n,))
    return replace(said, unit="month", nth_weekdays=((day.n, day.weekday),))


def every_part(found: Found) -> Recurrence | None:
    return Recurrence(part=found.one("p")) if found.one("v") != 0 else None


def every_two_parts(found: Found) -> Recurrence | None:
    """Every morning and evening, at the hours that stand for them."""
    parts: tuple[Part, Part] = (found.one("p"), found.one("q"))
    if found.one("v") == 0 or parts[0] == parts[1]:
        return None
    clocks = tuple(Clock(PART_HOURS[part] % 24, fixed=True) for part in parts)
    return Recurrence("day", clocks=clocks, assumed=("part-hour",))


def at_both(found: Found) -> Recurrence | None:
    """At 8am and 8pm every day, at 8 and 20 every day."""
    said: Recurrence = found.one("r")
    last = found.one("b")
    if isinstance(last, int):
        if last > 24:
            return None
        last = Clock(last)
    return said.at(found.one("a"), last)


def once_every(found: Found) -> Recurrence | None:
    """Once every two weeks, once daily."""
    said: Recurrence = found.one("r")
    return said if found.one("n") == 1 else None


def on_the_last(found: Found) -> Recurrence | None:
    """Monthly on the last day, every month on the last Friday."""
    said: Recurrence = found.one("r")
    if found.one("q") != "last" or said.unit not in {"month", "quarter"}:
        return None
    if found.has("w"):
        return replace(said, nth_weekdays=((-1, found.one("w")),))
    return replace(said, month_days=(-1,)) if found.one("u") == "day" else None


def weekdays_again(found: Found) -> Recurrence | None:
    """Mon and Wed every week; three and more days of the week without another word."""
    days = [token.value for token in found.all("d") if token.kind == "D"]
    plain = [day.weekday for day in days if isinstance(day, Weekday) and day == Weekday(day.weekday)]
    said: Recurrence = found.one("r") or Recurrence()
    if len(plain) != len(days) or said.unit not in {None, "week"} or said.weekdays:
        return None
    return replace(said, weekdays=tuple(plain))


def month_days(found: Found) -> Recurrence | None:
    """Every 4th and 10th of the month; the 4th of every other month; 31st of every year."""
    numbers = tuple(token.value for token in found.all("o") if token.kind in "ON")
    said: Recurrence = found.one("r") or Recurrence("month")
    return on_numbers(said, numbers) if found.one("u") in {None, "month"} else None


def on_numbers(said: Recurrence, numbers: tuple[int, ...]) -> Recurrence | None:
    if not all(1 <= abs(number) <= 366 for number in numbers):
        return None
    if said.unit == "year" and not said.months:
        return replace(said, year_days=numbers)
    if said.unit == "week" and len(numbers) == 1 and 1 <= numbers[0] <= 7:
        return replace(said, weekdays=((numbers[0] - 2) % 7,))  # the first day of a week is Sunday
    if said.unit in {"month", "quarter", None} or said.months:
        return replace(said, month_days=(*said.month_days, *numbers))
    return None


def days_of_month_named(found: Found) -> Recurrence | None:
    """Every 20th and 30th of August."""
    last: Day = found.one("d")
    if not isinstance(last, Calendar) or last.month is None or last.day is None:
        return None
    numbers = tuple(token.value for token in found.all("o") if token.kind == "O")
    return Recurrence(months=(last.month,), month_days=(*numbers, last.day))


def pairs(found: Found) -> tuple[tuple[int, int], ...]:
    weekday: int = found.one("w")
    return tuple((token.value, weekday) for token in found.all("o") if token.kind == "O")


def joined_pairs(found: Found) -> tuple[tuple[int, int], ...]:
    pairs: tuple[tuple[int, int], ...] = found.one("a") + found.one("b")
    return pairs


def pairs_of(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r") or Recurrence("month")
    if found.has("m"):
        return replace(said, nth_weekdays=found.one("p"), months=(found.one("m"),))
    return replace(said, nth_weekdays=found.one("p")) if said.unit in {"month", "year"} else None


def positions(found: Found) -> Recurrence:
    said: Recurrence = found.one("r")
    positions = tuple(token.value for token in found.all("o") if token.kind == "O")
    days = tuple(token.value for token in found.all("w") if token.kind == "W")
    return replace(said, weekdays=days, positions=positions)


def once_a_fortnight(found: Found) -> Recurrence | None:
    return Recurrence("week", 2) if found.one("n") == 1 else None


def month_end(found: Found) -> Recurrence | None:
    """Every month end."""
    return edge_of(found) if found.raw("e") == "end" and not found.one("r").weekdays else None


def edge_of(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    end: bool = found.one("e")
    match said.unit:
        case "month" | "quarter":
            return replace(said, month_days=(-1 if end else 1,))
        case "week":
            return replace(said, weekdays=(6 if end else 0,))
        case "year":
            return replace(said, months=(12 if end else 1,), month_days=(-1 if end else 1,))
    return None


def more_days(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    number: int = found.one("n")
    if not said.month_days or said.clocks or not 1 <= number <= 31:
        return None
    return replace(said, month_days=(*said.month_days, number))


def on_named_day(found: Found) -> Recurrence | None:
    return on_days(found.one("r"), found.one("d"))


def in_week(found: Found) -> Recurrence | None:
    number: int = found.one("n")
    return Recurrence(week_number=number) if 1 <= number <= 53 and found.one("u") == "week" else None


# --- limits: only beside something that comes again ---


def count(found: Found) -> Limit:
    return Limit(count=found.one("n"))


def for_amount(found: Found) -> Limit:
    return Limit(until=found.one("c"))


def until(found: Found) -> Limit:
    return Limit(until=bound(found, "d"))


def until_year(found: Found) -> Limit | None:
    """Until 2030; of what comes several times a day it is half past eight."""
    year: int = found.one("y")
    hourly = any(token.kind == "R" and token.value.unit in _SHORTER for token in found.tokens)
    if year < 1000 or (hourly and year % 100 < 60 and year < 2400 and not found.has("u")):
        return None
    return Limit(until=Point(Calendar(year)))


def starting(found: Found) -> Limit:
    return Limit(start=bound(found, "d"))


def for_one(found: Found) -> Limit:
    """For the next week."""
    return Limit(until=amount(1, found.one("u")))


def from_to(found: Found) -> Limit:
    return Limit(start=bound(found, "d"), until=bound(found, "e"))


def bound(found: Found, name: str) -> Point:
    day: Day | None = found.one(name)
    clock: Clock | None = found.one("t") if name == "d" else None
    return Point(day, clock)


def hours(found: Found) -> Recurrence | None:
    first, last = (_minute(found.one(name)) for name in "ab")
    if first is None or last is None:
        return None
    if isinstance(found.one("a"), int) and last <= first < 13 * 60 and last < 12 * 60:
        last += 12 * 60  # between nine and five
    return Recurrence(between=(first, last)) if first < 24 * 60 and last < 24 * 60 else None


def recurring_hours(found: Found) -> Recurrence | None:
    """From 9 to 5, said of something that comes several times a day."""
    if not any(token.kind == "R" and token.value.unit in _SHORTER for token in found.tokens):
        return None
    return hours(found)


def _minute(value: object) -> int | None:
    """The minute of the day."""
    if isinstance(value, Clock):
        moment = settled(value).on(date.min) if value.hour < 24 else None
        return 0 if moment is None else moment.hour * 60 + moment.minute
    return value * 60 if isinstance(value, int) and 0 <= value <= 24 else None


def another_clock(found: Found) -> Clock | None:
    return Clock(found.one("x")) if found.one("x") <= 24 else None


def exceptions(found: Found) -> Recurrence | None:
    excluded: list[date | datetime | tuple[int, int]] = []
    exrule: str | None = None
    tokens = found.all("rest")
    # "every weekday except Friday at 9": the hour is of what is left, where that has none yet
    own = any(_has_hours(token) for token in found.tokens if token.start < tokens[0].start)
    hours = clocks_of(tokens) if own else []
    for token, following in zip(tokens, (*tokens[1:], None), strict=True):
        if token.kind == "R":
            said: Recurrence = token.value
            exrule = said.at(*hours).read(found.asked).rrule
        elif token.kind == "D" and exrule is None:
            again = _rhythm(token.value)
            if again is not None:
                exrule = again.at(*hours).read(found.asked).rrule
            else:
                excluded += left_out(token.value, following, found)
        elif token.kind == "M":
            excluded += left_out(Calendar(month=token.value), None, found)
    if not (excluded or exrule):
        return None
    clocks = () if own or exrule is None else tuple(clocks_of(tokens))
    return Recurrence(excluded=tuple(excluded), exrule=exrule, clocks=clocks)


def _has_hours(token: Token) -> bool:
    """Whether it is a time of day, or a recurrence that has times or comes several times a day."""
    if token.kind != "R":
        return token.kind == "T"
    said: Recurrence = token.value
    return bool(said.clocks) or said.unit in _SHORTER


def _rhythm(day: Day) -> Recurrence | None:
    """Except Sundays, except the first Monday of the month: a day that comes again."""
    match day:
        case Weekday(weekday, None, 1, False):
            return Recurrence(weekdays=(weekday,))
        case NthDay(n, int() as weekday, Period("month", 0), "month"):
            return Recurrence("month", nth_weekdays=((n, weekday),))
    return None


def clocks_of(tokens: Sequence[Token]) -> list[Clock]:
    return [token.value for token in tokens if token.kind == "T"]


def left_out(day: Day, following: Token | None, found: Found) -> list[date | datetime | tuple[int, int]]:
    after = (
        found.tokens[found.tokens.index(following) + 1] if following and following.kind == "@" else following
    )
    clock = after.value if after is not None and after.kind == "T" else None
    reading = Point(day, clock).read(found.asked)
    if reading is None or reading.at is None:
        return []
    if reading.grain == "month":
        return [(reading.at.month, reading.at.year)]
    return [reading.at]
