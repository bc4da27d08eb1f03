"""What can be said of a day, in any language, and which day it then is.

Each record is one way of naming a day. `resolve` answers with the day, or None where there is no such
day (30 February).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from itertools import islice
from typing import Protocol

from bot.schedule.when.amounts import (
    Amount,
    Unit,
    add_months,
    end_of,
    month_length,
    nth_weekday,
    period,
    shift,
    weekday_after,
)
from bot.schedule.when.reading import Assumption, Grain


@dataclass(frozen=True, slots=True)
class Resolved:
    """A day, with what had to be assumed. `moment` is set where the words fix more than a day."""

    day: date
    grain: Grain = "day"
    assumed: tuple[Assumption, ...] = ()
    others: tuple[date, ...] = ()  # other days that the words may mean
    moment: datetime | None = None


# Whether a day's time, if one was said, is still to come today.
LaterToday = bool


class Day(Protocol):
    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None: ...


def valid_date(year: int, month: int, day: int) -> date | None:
    if 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= month_length(year, month):
        return date(year, month, day)
    return None


@dataclass(frozen=True, slots=True)
class Calendar:
    """A date as far as it was said: the next such one, not before today.

    `current` means this year's or this month's one, even if it is over ("this 12 May").
    `flipped` is the other reading of a date in figures (day and month exchanged).
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    current: bool = False
    flipped: tuple[int, int] | None = None  # month, day
    ahead: int | None = None  # years from this one: "next year on 1 March"

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        today = now.date()
        if self.ahead is not None:
            return replace(self, ahead=None, year=today.year + self.ahead).resolve(now, later_today)
        if self.year is not None:
            day = valid_date(self.year, self.month or 1, self.day or 1)
            grain: Grain = "day" if self.day else "month" if self.month else "year"
            return self._answer(day, grain, ())
        if self.month is not None:
            return self._in_some_year(today)
        return self._answer(*self._in_some_month(today))

    def _in_some_year(self, today: date) -> Resolved | None:
        month = self.month or 1
        if self.day is None:
            year = today.year + (month < today.month and not self.current)
            return self._answer(valid_date(year, month, 1), "month", ("year",))
        if self.current:
            return self._answer(valid_date(today.year, month, self.day), "day", ())
        for year in range(today.year, today.year + 9):
            day = valid_date(year, month, self.day)
            if day is not None and day >= today:
                found = self._answer(day, "day", ("year",))
                return self._with_weekday(found) if found and self.weekday is not None else found
        return None

    def _with_weekday(self, found: Resolved) -> Resolved:
        """Another weekday was said than the date has: the next year in which it fits is offered."""
        if found.day.weekday() == self.weekday:
            return found
        years = range(found.day.year + 1, found.day.year + 12)
        days = (valid_date(year, found.day.month, found.day.day) for year in years)
        fitting = next((day for day in days if day is not None and day.weekday() == self.weekday), None)
        return replace(found, others=(*found.others, fitting)) if fitting is not None else found

    def _in_some_month(self, today: date) -> tuple[date | None, Grain, tuple[Assumption, ...]]:
        wanted = self.day or 1
        first = today.replace(day=1)
        this_month = valid_date(first.year, first.month, wanted)
        if self.current:
            fits = this_month is not None and self.weekday in {None, this_month.weekday()}
            if fits:
                return this_month, "day", ()
        for ahead in range(600):
            start = add_months(first, ahead)
            day = valid_date(start.year, start.month, wanted)
            if day is not None and day >= today and self.weekday in {None, day.weekday()}:
                return day, "day", ("month",)
        return None, "day", ()

    def _answer(self, day: date | None, grain: Grain, assumed: tuple[Assumption, ...]) -> Resolved | None:
        if day is None:
            return None
        others: tuple[date, ...] = ()
        if self.flipped is not None and (other := valid_date(day.year, *self.flipped)) is not None:
            assumed = (*assumed, "day-order")
            others = (
                other if other >= day or self.year else valid_date(day.year + 1, *self.flipped) or other,
            )
        return Resolved(day, grain, assumed, others)


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week (Monday is 0).

    Without `week` the next one; with it the one of the n-th week from this one. `nth` counts such days
    from now ("two Sundays from now", -1 for "this past Wednesday").
    """

    weekday: int
    week: int | None = None
    nth: int = 1
    this: bool = False  # "this Friday": beside a date, the date of this year

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        today = now.date()
        if self.week is not None:
            day = period("week", today, self.week) + timedelta(days=self.weekday)
            nearest = weekday_after(today, self.weekday)
            if self.week == 1 and nearest != day:
                return Resolved(day, "day", ("week",), (nearest,))
            return Resolved(day)
        if self.nth == 1 and later_today and today.weekday() == self.weekday:
            return Resolved(today, "day", ("week",), (today + timedelta(days=7),))
        return Resolved(weekday_after(today, self.weekday, self.nth))


@dataclass(frozen=True, slots=True)
class Shifted:
    """An amount of time after a day, or after now; before it where the amount is negative.

    Hours, minutes and seconds from now are a moment. Days from now are the hour of now on that day.
    `exact` is said of "a day from right now".
    """

    by: Amount
    anchor: Day | None = None
    exact: bool = False

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        vague: tuple[Assumption, ...] = ("amount",) if self.by.vague else ()
        if self.anchor is not None:
            base = self.anchor.resolve(now, later_today)
            return None if base is None else self._from(base, vague)
        try:
            moment = shift(now, self.by)
        except OverflowError:
            return None
        if self.by.is_elapsed or self.exact:
            return Resolved(moment.date(), "second" if moment.second else "minute", vague, (), moment)
        if self.by.days and not self.by.weeks and not self.by.months:
            on_the_hour = moment.replace(minute=0, second=0, microsecond=0)
            return Resolved(moment.date(), "hour", (*vague, "hour"), (), on_the_hour)
        return Resolved(moment.date(), "day", vague)

    def _from(self, base: Resolved, vague: tuple[Assumption, ...]) -> Resolved | None:
        start = base.moment or datetime.combine(base.day, datetime.min.time())
        try:
            moment = shift(start, self.by)
        except OverflowError:
            return None
        exact = moment if self.by.is_elapsed or base.moment is not None else None
        if exact:
            return Resolved(moment.date(), "minute", (*base.assumed, *vague), (), exact)
        others = (shift(datetime.combine(day, datetime.min.time()), self.by).date() for day in base.others)
        return Resolved(moment.date(), "day", (*base.assumed, *vague), tuple(others))


@dataclass(frozen=True, slots=True)
class Period:
    """A period as a whole, by its first day: n days, weeks, months, quarters or years from this one."""

    unit: Unit
    ahead: int = 0

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        grain: Grain = self.unit
        if self.unit in {"hour", "minute", "second"}:
            start = now.replace(microsecond=0, second=0 if self.unit != "second" else now.second)
            start = start.replace(minute=0) if self.unit == "hour" else start
            seconds = {"hour": 3600, "minute": 60, "second": 1}[self.unit] * self.ahead
            moment = start + timedelta(seconds=seconds)
            return Resolved(moment.date(), grain, (), (), moment)
        return Resolved(period(self.unit, now.date(), self.ahead), grain)


@dataclass(frozen=True, slots=True)
class Edge:
    """The first or the last day of a period ("end of next month"); the last second of a day.

    Without `of` the period is the one that today is in.
    """

    unit: Unit
    end: bool
    of: Day | None = None
    before_end: int = 0  # days before the last (or after the first)

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.of.resolve(now, later_today) if self.of else Resolved(now.date())
        if base is None:
            return None
        if self.unit == "day":
            closing = datetime.combine(base.day, datetime.min.time())
            if self.end:
                closing += timedelta(days=1, seconds=-1)
            return Resolved(base.day, "second", base.assumed, (), closing)
        if self.end:
            return Resolved(
                end_of(self.unit, base.day) - timedelta(days=self.before_end), "day", base.assumed
            )
        return Resolved(period(self.unit, base.day, 0) + timedelta(days=self.before_end), "day", base.assumed)


@dataclass(frozen=True, slots=True)
class NthDay:
    """The n-th weekday, or the n-th day where `weekday` is None, of a month or year.

    From the end for a negative n. `within` names the period; None is this month (for days this year).
    """

    n: int
    weekday: int | None
    within: Day | None = None
    unit: Unit = "month"

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.within.resolve(now, later_today) if self.within else Resolved(now.date())
        if base is None:
            return None
        day = self._of(base.day)
        # "the first Friday of July", said at the end of July, is next year's
        if day is not None and day < now.date() and "year" in base.assumed and base.grain == "month":
            day = self._of(add_months(base.day, 12))
        return None if day is None else Resolved(day, "day", base.assumed)

    def _of(self, day: date) -> date | None:
        if self.weekday is not None and self.unit == "month":
            return nth_weekday(day.year, day.month, self.weekday, self.n)
        first, last = period(self.unit, day, 0), end_of(self.unit, day)
        if self.weekday is not None:
            if self.n > 0:
                found = weekday_after(first - timedelta(days=1), self.weekday, self.n)
            else:
                found = weekday_after(last + timedelta(days=1), self.weekday, self.n)
        else:
            found = first + timedelta(days=self.n - 1) if self.n > 0 else last + timedelta(days=self.n + 1)
        return found if first <= found <= last else None


@dataclass(frozen=True, slots=True)
class NthAfter:
    """The n-th such weekday after a day (before it for a negative n)."""

    n: int
    weekday: int
    anchor: Day

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.anchor.resolve(now, later_today)
        return None if base is None else replace(base, day=weekday_after(base.day, self.weekday, self.n))


@dataclass(frozen=True, slots=True)
class Closest:
    """The n-th closest such day to another: a weekday, or a holiday."""

    n: int
    what: "int | Feast"
    anchor: Day

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.anchor.resolve(now, later_today)
        if base is None:
            return None
        if isinstance(self.what, int):
            steps = [
                weekday_after(base.day, self.what, n) for n in (*range(-self.n, 0), *range(1, self.n + 1))
            ]
            days = steps if base.day.weekday() != self.what else [*steps, base.day]
        else:
            years = range(base.day.year - 5 * self.n, base.day.year + 5 * self.n + 1)
            days = [day for year in years for day in self.what.in_year(year)]
        days.sort(key=lambda day: abs((day - base.day).days))
        return Resolved(days[self.n - 1]) if len(days) >= self.n else None


@dataclass(frozen=True, slots=True)
class Workdays:
    """So many days from today, Saturdays and Sundays not counted; before today for a negative number."""

    count: int

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        step = timedelta(days=1 if self.count > 0 else -1)
        day, left = now.date(), abs(self.count)
        while left:
            day += step
            left -= day.weekday() < 5
        return Resolved(day)


@dataclass(frozen=True, slots=True)
class NthWorkday:
    """The n-th day from Monday to Friday of the month that `within` is in; from its end for a negative n."""

    n: int
    within: Day | None = None

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.within.resolve(now, later_today) if self.within else Resolved(now.date())
        if base is None:
            return None
        first, last = period("month", base.day, 0), end_of("month", base.day)
        days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
        working = [day for day in days if day.weekday() < 5]
        if not 1 <= abs(self.n) <= len(working):
            return None
        return Resolved(working[self.n - 1 if self.n > 0 else self.n], "day", base.assumed)


@dataclass(frozen=True, slots=True)
class InWeekOf:
    """The weekday of the week that a day is in ("Wednesday of the week after").

    `sunday_first` is said of "Saturday, three days from now", where people count weeks from Sunday.
    """

    weekday: int
    of: Day
    sunday_first: bool = False

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.of.resolve(now, later_today)
        if base is None:
            return None
        ahead = 1 if self.sunday_first else 0
        sunday_or_monday = period("week", base.day + timedelta(days=ahead), 0) - timedelta(days=ahead)
        day = sunday_or_monday + timedelta(days=(self.weekday + ahead) % 7)
        return Resolved(day, "day", base.assumed)


@dataclass(frozen=True, slots=True)
class Beside:
    """Such a day of the week next to another day: the first after it, or the last before it."""

    weekday: int
    of: Day
    before: bool = False

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        base = self.of.resolve(now, later_today)
        if base is None:
            return None
        return Resolved(weekday_after(base.day, self.weekday, -1 if self.before else 1), "day", base.assumed)


@dataclass(frozen=True, slots=True)
class Feast:
    """A holiday: the next one, or the one of `year`, or of the n-th year from this one.

    `dates` answers with the holiday's days in a year (none where it is not known). `nth` counts them
    from today: 1 the next, -1 the last.
    """

    dates: Callable[[int], tuple[date, ...]]
    year: int | None = None
    ahead: int | None = None
    nth: int = 1
    nearest_to: Amount | None = None  # "Thanksgiving in nine months"

    def resolve(self, now: datetime, later_today: LaterToday) -> Resolved | None:
        today = now.date()
        year = self.year if self.year is not None else None if self.ahead is None else today.year + self.ahead
        if year is not None:
            days = self.in_year(year)
            return Resolved(days[0]) if days else None
        if self.nearest_to is not None:
            return self._nearest(now, self.nearest_to)
        if self.nth < 0:
            years = range(today.year, today.year - 13, -1)
            past = (day for year in years for day in sorted(self.in_year(year), reverse=True) if day < today)
            found = next(islice(past, -self.nth - 1, None), None)
            return None if found is None else Resolved(found)
        ahead = (day for day in self._all(today.year, today.year + 12) if day >= today)
        found = next(islice(ahead, self.nth - 1, None), None)
        if found is None:  # one that there is no more
            return replace(self, nth=-1).resolve(now, later_today)
        return Resolved(found, "day", ("year",))

    def in_year(self, year: int) -> tuple[date, ...]:
        """Its days in a year; none at the ends of our calendar, where other calendars reach beyond it."""
        return self.dates(year) if MINYEAR + 1 < year < MAXYEAR - 1 else ()

    def _all(self, first: int, last: int) -> Iterator[date]:
        for year in range(first, last + 1):
            yield from self.in_year(year)

    def _nearest(self, now: datetime, by: Amount) -> Resolved | None:
        try:
            target = shift(now, by).date()
        except OverflowError:
            return None
        start = target.replace(day=1) if abs(by.months) < 12 else target.replace(month=1, day=1)
        following = next((day for day in self._all(start.year, start.year + 1) if day >= start), None)
        return None if following is None else Resolved(following)
