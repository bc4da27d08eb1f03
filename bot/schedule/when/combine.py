"""From folded tokens to readings: what stands together is one time, whatever its order.

Languages fold their words into these kinds; everything else ends a group:

| kind | value |
|---|---|
| `D` | a `Day` |
| `T` | a `Clock` |
| `P` | a `Part` |
| `S` | a `Day` and a `Part` ("tonight") |
| `R` | a `Recurrence` |
| `L` | a `Limit` |
| `Z` | a zone (`ZoneInfo`, an offset, or None where it is not known) |
| `f` | glue: a preposition, an article, a comma |
| `?` | glue that holds only between two different kinds ("for", "and") |
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from bot.schedule.when.amounts import Amount, end_of
from bot.schedule.when.clocks import Clock, Part, Point
from bot.schedule.when.days import Calendar, Day, Edge, Feast, InWeekOf, NthDay, Period, Shifted, Weekday
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.recurrence import Limit, Recurrence
from bot.schedule.when.tokens import BREAK, Token

_WEIGHTS = {"D": 0.8, "T": 0.75, "R": 0.85, "P": 0.5, "S": 0.85, "L": 0.3, "Z": 0.1}
_GLUE = frozenset("f?")
_BOUNDING = frozenset({"week", "month", "quarter", "year"})
_AND = ("and", "y")  # what follows is another thing


@dataclass(slots=True)
class _Group:
    """Tokens that say one time together, as far as they have been merged."""

    start: int
    end: int
    day: Day | None = None
    clock: Clock | None = None
    part: Part | None = None
    recurrence: Recurrence | None = None
    limits: list[Limit] = field(default_factory=list)
    zone: Token | None = None
    doubt: float = 1.0
    gaps: tuple[tuple[int, int], ...] = ()

    def take(self, token: Token) -> bool:
        """Merge a token; False where it contradicts what was said before."""
        taken = _TAKE[token.kind](self, token)
        if taken:
            self.end = token.end
            self.doubt *= 1 - _WEIGHTS[token.kind]
        return taken

    def take_day(self, token: Token) -> bool:
        day: Day = token.value
        if self.recurrence is not None:
            merged = on_days(self.recurrence, day)
            if merged is not None:
                self.recurrence = merged
                return True
            if self.recurrence.start is None and self.day is None:
                self.day = day
                return True
            return False
        if self.day is None:
            self.day = day if self.clock is None or not _is_moment(day) else None
            return self.day is not None
        both = merge_days(self.day, day) or merge_days(day, self.day)
        self.day = both or self.day
        return both is not None

    def take_clock(self, token: Token) -> bool:
        if self.recurrence is not None:
            if self.clock is not None:
                self.recurrence = self.recurrence.at(self.clock.in_part(self.recurrence.part))
            self.clock = token.value
            return True
        if self.clock is not None or (self.day is not None and _is_moment(self.day)):
            return False
        self.clock = token.value
        return True

    def take_part(self, token: Token) -> bool:
        if self.part is not None and self.part != token.value:
            return False
        self.part = token.value
        return True

    def take_day_and_part(self, token: Token) -> bool:
        day, part = token.value
        taken = self.take_day(replace(token, value=day))
        return taken and self.take_part(replace(token, value=part))

    def take_recurrence(self, token: Token) -> bool:
        said: Recurrence = token.value
        if self.recurrence is not None:
            if self.clock is not None and self.recurrence.part not in {None, said.part} and said.part:
                # "every morning at 7 and every evening at 9": each hour is of its own part of the day
                clock = self.clock.in_part(self.recurrence.part)
                self.recurrence = replace(self.recurrence.at(clock), part=None)
                self.clock = None
            both = merge_recurrences(self.recurrence, said)
            self.recurrence = both or self.recurrence
            return both is not None
        if self.day is not None:
            merged = on_days(said, self.day)
            if merged is not None:
                self.day = None
                said = merged
        self.recurrence = said
        return True

    def take_limit(self, token: Token) -> bool:
        self.limits.append(token.value)
        return True

    def take_zone(self, token: Token) -> bool:
        self.zone = token
        first = self.day is None and self.part is None
        return first or self.clock is not None or self.recurrence is not None

    def read(self, asked: Asked) -> Reading | None:
        try:
            reading = self._reading(asked)
        except OverflowError:  # beyond the year 9999, or a limit that is no day
            reading = Reading("none", refused="impossible")
        if reading is None:
            return None
        confidence = round(1 - self.doubt, 3)
        return replace(reading, span=(self.start, self.end), gaps=self.gaps, confidence=confidence)

    def is_time_alone(self) -> bool:
        """Whether it is a time of day that waits for its day."""
        return self.clock is not None and self.day is None and self.recurrence is None and not self.limits

    def wants_time(self) -> bool:
        """Whether it is a day, or a rhythm of days, without a time of day."""
        if self.clock is not None:
            return False
        if self.recurrence is not None:
            return not self.recurrence.clocks and self.recurrence.unit not in {"hour", "minute", "second"}
        return self.day is not None and not _is_moment(self.day) and not isinstance(self.day, Edge)

    def is_bounded_by(self, other: "_Group") -> bool:
        """Whether another group is nothing but the end or the beginning of what comes again here.

        An hour ends only what comes several times a day ("every day to stay until five" is one wish for each
        day), and a length of days what comes daily or more often ("every month to rest for two days").
        """
        if self.recurrence is None or self.limits or other.is_more_than_limits() or not other.limits:
            return False
        several = self.recurrence.unit in {"hour", "minute", "second"}
        for limit in other.limits:
            match limit.until or limit.start:
                case Point(day=day):
                    fits = several or day is not None
                case Amount(days=days) as amount if not amount.is_elapsed:
                    fits = several or (self.recurrence.unit == "day" and days > 1)
                case _:
                    fits = False
            if not fits:
                return False
        return True

    def is_more_than_limits(self) -> bool:
        """Whether it says a time by itself."""
        return any(said is not None for said in (self.day, self.clock, self.part, self.recurrence))

    def join(self, other: "_Group") -> None:
        """Take over a group that stands further on."""
        self.day = self.day or other.day
        self.clock = self.clock or other.clock
        self.part = self.part or other.part
        self.zone = self.zone or other.zone
        self.recurrence = self.recurrence or other.recurrence
        self.limits += other.limits
        self.gaps = (*self.gaps, (self.end, other.start), *other.gaps)
        self.end = other.end
        self.doubt *= other.doubt

    def _reading(self, asked: Asked) -> Reading | None:
        if self.recurrence is not None:
            return self._recurring(self.recurrence, asked)
        if self.day is None and self.clock is None:
            return None
        zone = self.zone.value if self.zone else None
        return Point(self.day, self.clock, self.part, zone, self.zone is not None).read(asked)

    def _recurring(self, said: Recurrence, asked: Asked) -> Reading:
        if self.clock is not None:
            said = said.at(self.clock)
        if self.part is not None and said.part is None:
            said = replace(said, part=self.part)
        if self.day is not None and said.start is None:
            said = _within(said, self.day, asked)
        for limit in sorted(self.limits, key=lambda limit: limit.start is None):
            said = bounded(said, limit, asked)
        return said.read(asked)


_TAKE: dict[str, Callable[[_Group, Token], bool]] = {
    "D": _Group.take_day,
    "T": _Group.take_clock,
    "P": _Group.take_part,
    "S": _Group.take_day_and_part,
    "R": _Group.take_recurrence,
    "L": _Group.take_limit,
    "Z": _Group.take_zone,
}


def readings(tokens: Sequence[Token], asked: Asked) -> list[Reading]:
    """The readings of a text's folded tokens, surest first."""
    groups = _joined(list(_groups(tokens)), tokens)
    found = [reading for group in groups if (reading := group.read(asked)) is not None]
    found.sort(key=lambda reading: (-reading.confidence, reading.span))
    return found


def _groups(tokens: Sequence[Token]) -> Iterator[_Group]:
    group: _Group | None = None
    glue = 0
    for token in tokens:
        if token.kind in _GLUE:
            glue += 1
            if glue > 4 and group is not None:
                yield group
                group = None
            continue
        if token.kind not in _TAKE:
            if group is not None:
                yield group
            group, glue = None, 0
            continue
        if group is None or not group.take(token):
            if group is not None:
                yield group
            group = _Group(token.start, token.end)
            if not group.take(token):
                group = None
        glue = 0
    if group is not None:
        yield group


def _is_moment(day: Day) -> bool:
    """Whether the words fix the time of day already ("in five minutes")."""
    return isinstance(day, Shifted) and (day.by.is_elapsed or day.exact)


# Words between a day and its time of day: "tomorrow I have to be at the station at 5".
_MAX_WORDS_BETWEEN = 8


def _joined(groups: list[_Group], tokens: Sequence[Token]) -> list[_Group]:
    """Groups where a day and its time of day were said apart, put together."""
    joined = groups[:1]
    for group in groups[1:]:
        last = joined[-1]
        fits = (
            (last.wants_time() and group.is_time_alone())
            or (last.is_time_alone() and group.wants_time())
            or last.is_bounded_by(group)
        )
        if fits and _is_one_clause([t for t in tokens if last.end <= t.start and t.end <= group.start]):
            last.join(group)
        else:
            joined.append(group)
    return joined


def _is_one_clause(between: Sequence[Token]) -> bool:
    words = [token for token in between if token.kind not in _GLUE]
    apart = any(token.kind == BREAK or token.value in _AND for token in between)
    return not apart and 0 < len(words) <= _MAX_WORDS_BETWEEN


def merge_days(one: Day, other: Day) -> Day | None:
    """The day that both name; None where they are two different ones."""
    match one, other:
        case Weekday(weekday, week, 1, this), Calendar() if other.day is not None:
            if other.weekday is None:
                return replace(other, weekday=weekday, current=other.current or this or week is not None)
        case Weekday(weekday, None, 1), Period("week", ahead):
            return Weekday(weekday, ahead)
        case Weekday(weekday, _, 1), Shifted():
            return InWeekOf(weekday, other, sunday_first=True)
        case Calendar(), Calendar():
            return _merge_calendars(one, other)
        case Calendar(year=None), Period() | Shifted():
            return _in_period(one, other)
        case Feast(year=None), _:
            return _feast_of(one, other)
        case Edge("day", _, None), _:
            return replace(one, of=other)  # the end of the day, tomorrow
        case _ if one == other:
            return one
    return None


def _in_period(one: Calendar, other: Period | Shifted) -> Day | None:
    """On 1 March of next year, on the 5th of next month, on 5 May in three years."""
    match one, other:
        case Calendar(month=int()), Period("year", ahead):
            return replace(one, ahead=ahead)
        case Calendar(month=int()), Shifted(Amount(months, 0, 0), None | Period("day", 0)) if (
            months and months % 12 == 0
        ):
            return replace(one, ahead=months // 12)
        case Calendar(month=None, day=int() as day), Period("month"):
            return NthDay(day, None, other)
    return None


def _feast_of(feast: Feast, when: Day) -> Day | None:
    match when:
        case Calendar(int() as year, None, None):
            return replace(feast, year=year)
        case Shifted(by, None | Period("day", 0)):
            return replace(feast, nearest_to=by)
        case Period("year", ahead):
            return replace(feast, ahead=ahead)
    return None


def _merge_calendars(one: Calendar, other: Calendar) -> Calendar | None:
    for name in ("year", "month", "day"):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine is not None and theirs is not None and mine != theirs:
            return None
    return replace(
        one,
        year=one.year or other.year,
        month=one.month or other.month,
        day=one.day or other.day,
        weekday=one.weekday if one.weekday is not None else other.weekday,
        current=one.current or other.current,
    )


def on_days(said: Recurrence, day: Day) -> Recurrence | None:
    """A recurrence on the day that was said beside it ("every other week on Monday")."""
    match day:
        case Weekday(weekday, None, 1):
            return replace(said, weekdays=(*said.weekdays, weekday))
        case Calendar(None, None, int() as number, None):
            if said.unit == "year":
                return replace(said, year_days=(*said.year_days, number))
            if said.unit in {None, "month", "quarter"} or said.month_days:
                return replace(said, month_days=(*said.month_days, number))
        case Calendar(None, int() as month, number) if said.unit in {None, "year"} or said.months:
            months = said.months if month in said.months else (*said.months, month)
            known = number is None or number in said.month_days
            days = said.month_days if known or number is None else (*said.month_days, number)
            return replace(said, months=months, month_days=days)
        case Feast(year=None, ahead=None, nth=1) if said.unit in {None, "year"}:
            return _each_feast(said, day)
        case NthDay(n, int() as weekday, within, "month") if said.unit in {None, "month", "year"}:
            pairs = (*said.nth_weekdays, (n, weekday))
            if isinstance(within, Calendar) and within.month is not None and within.year is None:
                return replace(said, nth_weekdays=pairs, months=(within.month,))
            return None if within is not None else replace(said, nth_weekdays=pairs)
    return None


def _each_feast(said: Recurrence, feast: Feast) -> Recurrence | None:
    """A holiday that comes on the same date, or the same weekday of its month; None for movable ones."""
    days = [day for year in range(2021, 2033) for day in feast.in_year(year)]
    if len(days) < 3 or len({day.month for day in days}) > 1:
        return None
    if len({day.day for day in days}) == 1:
        return replace(said, months=(days[0].month,), month_days=(days[0].day,))
    places = {(1 + (day.day - 1) // 7, day.weekday()) for day in days}
    if len(places) > 1:
        return None
    return replace(said, months=(days[0].month,), nth_weekdays=tuple(places))


def merge_recurrences(one: Recurrence, other: Recurrence) -> Recurrence | None:
    """Both together ("weekly on Mondays"); None where each says another rhythm."""
    if one.unit and other.unit and (one.unit != other.unit or 1 not in {one.interval, other.interval}):
        return None
    return Recurrence(
        unit=one.unit or other.unit,
        interval=one.interval if one.interval != 1 else other.interval,
        weekdays=tuple(dict.fromkeys((*one.weekdays, *other.weekdays))),
        nth_weekdays=(*one.nth_weekdays, *other.nth_weekdays),
        month_days=(*one.month_days, *other.month_days),
        months=(*one.months, *other.months),
        year_days=(*one.year_days, *other.year_days),
        week_number=one.week_number if one.week_number is not None else other.week_number,
        positions=one.positions or other.positions,
        clocks=(*one.clocks, *other.clocks),
        part=one.part or other.part,
        between=one.between or other.between,
        count=one.count or other.count,
        until=one.until or other.until,
        start=one.start or other.start,
        excluded=(*one.excluded, *other.excluded),
        exrule=one.exrule or other.exrule,
        timex=one.timex or other.timex,
        assumed=(*one.assumed, *other.assumed),
        others=(*one.others, *other.others),
    )


def bounded(said: Recurrence, limit: Limit, asked: Asked) -> Recurrence:
    """The recurrence within a limit. "For two months" ends two months after its start, or now."""
    start = said.start
    if isinstance(limit.start, Point) and limit.start.clock is not None and not said.clocks:
        said = said.at(limit.start.clock)  # "every day starting Monday at 8" is at 8 every day
        start = _when(replace(limit.start, clock=None), asked)
    elif limit.start is not None:
        start = _known(limit.start, asked)
    until: date | datetime | None = said.until
    if isinstance(limit.until, Amount):
        until = _after(start, limit.until, asked)
        if until is not None and start is not None and not limit.until.is_elapsed:
            until -= timedelta(days=1)  # the day of the start is the first of them
    elif limit.until is not None:
        until = _known(limit.until, _from(start, asked))
    return replace(said, start=start, until=until, count=limit.count or said.count)


def _within(said: Recurrence, day: Day, asked: Asked) -> Recurrence:
    """From a day on; in the whole of a period that was named ("every day next week")."""
    start = _when(day, asked)
    if start is None or said.until is not None or not isinstance(day, Period) or day.unit not in _BOUNDING:
        return replace(said, start=start)
    return replace(said, start=max(start, asked.now.date()), until=end_of(day.unit, start))


def _from(start: date | datetime | None, asked: Asked) -> Asked:
    """An end is looked for after the start."""
    if start is None:
        return asked
    day = start if isinstance(start, datetime) else datetime.combine(start, datetime.min.time())
    return replace(asked, now=max(day, asked.now))


def _after(start: date | datetime | None, by: Amount, asked: Asked) -> date | None:
    """The day that ends a length of days, the time that ends one of hours."""
    end = Shifted(by).resolve(_from(start, asked).now, later_today=False)
    if end is None:
        return None
    return end.moment.replace(microsecond=0) if by.is_elapsed and end.moment is not None else end.day


def _known(day: Day | Point, asked: Asked) -> date | datetime:
    """A limit. Raises OverflowError for a day that there is not: until 30 February is not for ever."""
    found = _when(day, asked)
    if found is None:
        raise OverflowError("no such day")
    return found


def _when(day: Day | Point | date | datetime, asked: Asked) -> date | datetime | None:
    if isinstance(day, date):
        return day
    reading = day.read(asked) if isinstance(day, Point) else Point(day).read(asked)
    return None if reading is None else reading.at
