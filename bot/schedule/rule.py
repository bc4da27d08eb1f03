"""Recurrence rules (RFC 5545), stepped through in wall time or in elapsed time."""

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from dateutil.rrule import rrulestr

from bot.schedule.when.reading import DAY_CODES, join_rule
from bot.schedule.zones import every_pass, moment_of, wall_of

# A rule whose next time lies further ahead than this has none.
HORIZON = timedelta(days=41 * 366)
# Beyond this no rule fires: room is left to step on, and to bring a time into any zone.
LAST = datetime(9990, 1, 1)  # noqa: DTZ001 - on the wall
_TINY = timedelta(microseconds=1)
STEPS = {"HOURLY": timedelta(hours=1), "MINUTELY": timedelta(minutes=1)}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its start and end on the wall; what RFC 5545 takes from the start is in `parts`.

    One that counts hours or minutes and names no hour of the day ("every 90 minutes") is elapsed: it
    counts real time, so that no interval grows or shrinks when the clocks change. One for minutes of
    every hour fires whenever the wall shows them. Every other rule is bound to the clock on the wall.
    """

    parts: Mapping[str, str]  # without COUNT and UNTIL
    start: datetime
    until: datetime | None = None  # inclusive

    @property
    def is_elapsed(self) -> bool:
        return self.parts["FREQ"] in STEPS and not self.parts.keys() & {"BYHOUR", "BYMINUTE"}

    @property
    def is_every_hour(self) -> bool:
        return self.parts["FREQ"] == "HOURLY" and "BYMINUTE" in self.parts and "BYHOUR" not in self.parts

    @property
    def interval(self) -> int:
        return int(self.parts.get("INTERVAL", "1"))

    def moments(self, zone: tzinfo, after: datetime) -> Iterator[datetime]:
        """The moments after `after`, in UTC, each once, oldest first."""
        if self.is_elapsed:
            yield from self._elapsed(zone, after)
            return
        if self.is_every_hour:
            yield from every_pass(self.walls, zone, max(after, moment_of(self.start, zone) - _TINY))
            return
        previous = after
        for wall in self.walls(wall_of(after, zone)):
            moment = moment_of(wall, zone)
            if moment > previous:  # all times in one gap are one moment
                previous = moment
                yield moment

    def first_wall(self, zone: tzinfo, after: datetime) -> datetime | None:
        """What the wall shows, or would without a gap, at the first moment after `after`; None for none."""
        if self.is_elapsed or self.is_every_hour:
            moment = next(self.moments(zone, after), None)
            return None if moment is None else wall_of(moment, zone)
        walls = self.walls(wall_of(after, zone))
        return next((wall for wall in walls if moment_of(wall, zone) > after), None)

    def walls(self, after: datetime) -> Iterator[datetime]:
        """The times on the wall from `after` on (inclusive), none before the start."""
        first = max(after, self.start)
        end = _plus(first, HORIZON) if self.until is None else min(self.until, _plus(first, HORIZON))
        counted = self.parts.keys() & {"BYWEEKNO", "BYYEARDAY"}
        by_days = self.parts["FREQ"] in {"DAILY", *STEPS} and not counted
        for wall in self._by_days(first, end) if by_days else self._by_library(first, end):
            if wall > end:
                return
            if wall >= first:
                yield wall

    def _by_days(self, first: datetime, end: datetime) -> Iterator[datetime]:
        """Of a rule of days or less: the days that it allows, and on each its times.

        The library steps from minute to minute through all years, be there such days or not.
        """
        allows, times_on = self._allowed_days(), self._times_on()
        months = frozenset(ints(self.parts["BYMONTH"])) if "BYMONTH" in self.parts else None
        step = self.interval if self.parts["FREQ"] == "DAILY" else 1
        begin = self.start.toordinal()
        number = begin - (begin - first.toordinal()) // step * step  # ordinals, for the calendar has an end
        while number <= end.toordinal():
            day = date.fromordinal(number)
            if months is not None and day.month not in months:
                ahead = monthrange(day.year, day.month)[1] - day.day + 1
                number -= -ahead // step * step
                continue
            if allows(day):
                yield from (datetime.combine(day, moment) for moment in times_on(day))
            number += step

    def _times_on(self) -> Callable[[date], Iterable[time]]:
        """The times of a day; of a rule of hours or minutes those that are whole intervals from the start."""
        times, freq = self._times_of_a_day(), self.parts["FREQ"]
        if freq not in STEPS or self.interval == 1:
            return lambda day: times
        unit = STEPS[freq]
        hourly = freq == "HOURLY"
        begin = self.start.replace(second=0, minute=0 if hourly else self.start.minute)
        places: dict[int, list[time]] = {}
        for moment in times:
            places.setdefault(moment.hour if hourly else 60 * moment.hour + moment.minute, []).append(moment)

        def in_step(day: date) -> Iterator[time]:
            first = (begin - datetime.combine(day, time())) % (unit * self.interval) // unit
            for place in range(first, timedelta(days=1) // unit, self.interval):
                yield from places.get(place, ())

        return in_step

    def _times_of_a_day(self) -> list[time]:
        """The times of day that it names, in order; those at the places of BYSETPOS where it has some."""
        parts = self.parts
        hours = ints(parts["BYHOUR"]) if "BYHOUR" in parts else range(24)
        minutes = ints(parts["BYMINUTE"]) if "BYMINUTE" in parts else range(60)
        times = [time(hour, minute, int(parts["BYSECOND"])) for hour in hours for minute in minutes]
        if "BYSETPOS" not in parts:
            return times
        places = ints(parts["BYSETPOS"])
        chosen = {place - 1 if place > 0 else len(times) + place for place in places}
        return [moment for number, moment in enumerate(times) if number in chosen]

    def _by_library(self, first: datetime, end: datetime) -> Iterator[datetime]:
        until = f"UNTIL={end.year:04}{end:%m%dT%H%M%S}"
        try:
            yield from rrulestr(f"{join_rule(self.parts)};{until}", dtstart=self._seek(first))
        except (ValueError, IndexError):  # its word for a rule whose parts exclude each other
            return

    def _seek(self, first: datetime) -> datetime:
        """A start in step with the rule's own, shortly before `first`: ten years need not be walked."""
        start, freq, n = self.start, self.parts["FREQ"], self.interval
        if freq == "YEARLY":
            year = start.year + max(0, (first.year - start.year) // n * n - n)
            return datetime(year, 1, 1)  # noqa: DTZ001 - on the wall
        if freq == "MONTHLY":
            passed = (first.year - start.year) * 12 + first.month - start.month
            months = start.year * 12 + start.month - 1 + max(0, passed // n * n - n)
            return datetime(months // 12, months % 12 + 1, 1)  # noqa: DTZ001 - on the wall
        week = timedelta(days=7)
        base = datetime.combine(start.date(), time())
        return base + max(0, (first - base) // week // n * n - n) * week

    def _elapsed(self, zone: tzinfo, after: datetime) -> Iterator[datetime]:
        """Whole intervals from the start, on the days that the rule allows."""
        begin = moment_of(self.start, zone)
        end = _plus(max(after, begin), HORIZON)
        if self.until is not None:
            end = min(end, moment_of(min(self.until, LAST), zone))
        step = STEPS[self.parts["FREQ"]] * self.interval
        beat = begin + max(0, (after - begin) // step) * step
        allows = self._allowed_days()
        while beat <= end:
            day = wall_of(beat, zone).date()
            if not allows(day):
                midnight = moment_of(datetime.combine(day + timedelta(days=1), time()), zone)
                beat += max(1, -((beat - midnight) // step)) * step
                continue
            if beat > after:
                yield beat
            beat += step

    def _allowed_days(self) -> Callable[[date], bool]:
        """Whether a day is of the months, the weekdays and the days of the month that it names."""
        parts = self.parts
        months = frozenset(ints(parts["BYMONTH"]) if "BYMONTH" in parts else range(1, 13))
        codes = parts["BYDAY"].split(",") if "BYDAY" in parts else DAY_CODES
        weekdays = frozenset(DAY_CODES.index(code[-2:]) for code in codes)
        of_month = frozenset(ints(parts["BYMONTHDAY"])) if "BYMONTHDAY" in parts else None

        def allows(day: date) -> bool:
            if day.month not in months or day.weekday() not in weekdays:
                return False
            if of_month is None or day.day in of_month:
                return True
            return day.day - monthrange(day.year, day.month)[1] - 1 in of_month

        return allows


def ints(text: str) -> list[int]:
    """The numbers of a part, in order."""
    return sorted({int(number) for number in text.split(",")})


def _plus(moment: datetime, span: timedelta) -> datetime:
    last = LAST.replace(tzinfo=moment.tzinfo)
    return moment + span if moment < last - span else last
