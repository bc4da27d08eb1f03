"""Recurrence rules (RFC 5545), stepped through in wall time or in elapsed time."""

from collections.abc import Iterator, Mapping
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

    def walls(self, after: datetime) -> Iterator[datetime]:
        """The times on the wall from `after` on (inclusive), none before the start."""
        first = max(after, self.start)
        end = _plus(first, HORIZON) if self.until is None else min(self.until, _plus(first, HORIZON))
        written = join_rule(self.parts)
        for wall in rrulestr(f"{written};UNTIL={end.year:04}{end:%m%dT%H%M%S}", dtstart=self._seek(first)):
            if wall >= first:
                yield wall

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
        midnight = datetime.combine(start.date(), time())
        base = start.replace(minute=0, second=0) if freq == "HOURLY" else midnight
        base = start if freq == "MINUTELY" else base
        step = STEPS.get(freq) or timedelta(days=7 if freq == "WEEKLY" else 1)
        return base + max(0, (first - base) // step // n * n - n) * step

    def _elapsed(self, zone: tzinfo, after: datetime) -> Iterator[datetime]:
        """Whole intervals from the start, on the days that the rule allows."""
        begin = moment_of(self.start, zone)
        end = _plus(max(after, begin), HORIZON)
        if self.until is not None:
            end = min(end, moment_of(min(self.until, LAST), zone))
        step = STEPS[self.parts["FREQ"]] * self.interval
        beat = begin + max(0, (after - begin) // step) * step
        while beat <= end:
            day = wall_of(beat, zone).date()
            if not self._allows(day):
                midnight = moment_of(datetime.combine(day + timedelta(days=1), time()), zone)
                beat += max(1, -((beat - midnight) // step)) * step
                continue
            if beat > after:
                yield beat
            beat += step

    def _allows(self, day: date) -> bool:
        parts = self.parts
        if "BYMONTH" in parts and day.month not in ints(parts["BYMONTH"]):
            return False
        if "BYDAY" in parts and DAY_CODES[day.weekday()] not in parts["BYDAY"].split(","):
            return False
        if "BYMONTHDAY" not in parts:
            return True
        length = ((day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)).day
        return not {day.day, day.day - length - 1}.isdisjoint(ints(parts["BYMONTHDAY"]))


def ints(text: str) -> list[int]:
    """The numbers of a part, in order."""
    return sorted({int(number) for number in text.split(",")})


def _plus(moment: datetime, span: timedelta) -> datetime:
    last = LAST.replace(tzinfo=moment.tzinfo)
    return moment + span if moment < last - span else last
