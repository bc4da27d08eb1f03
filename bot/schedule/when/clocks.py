"""Times of day as they are said, and the point in time that a day and a time make."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from bot.schedule.when.days import Day, Period, Resolved
from bot.schedule.when.reading import Asked, Assumption, Grain, Reading

Half = Literal["am", "pm"]
Part = Literal["morning", "noon", "afternoon", "evening", "night", "midnight", "dawn"]

# The hour that a part of the day stands for when none is said.
PART_HOURS: dict[Part, int] = {
    "dawn": 6, "morning": 9, "noon": 12, "afternoon": 15, "evening": 19, "night": 21, "midnight": 24,
}  # fmt: skip

# The hour at which a part of the day is over.
_PART_ENDS: dict[Part, int] = {
    "dawn": 8,
    "morning": 12,
    "noon": 14,
    "afternoon": 18,
    "evening": 23,
    "night": 24,
}

# The first hour of which 1, 2 or 3 "at night" is not said any more.
NIGHT_ENDS = 5
_DAY = timedelta(days=1)

# Hours on a twelve-hour dial that people mean as written when they say no half of the day: "at 8" said in
# the evening is tomorrow's morning, "at 3" said in the night is the afternoon.
FIRST_LITERAL_HOUR = 7


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. `half` is None where morning or afternoon was not said and could be either.

    `hour` is 0 to 24; one over 12, a zero hour and `fixed` ("08:00 h") leave no doubt.
    """

    hour: int
    minute: int = 0
    second: int = 0
    half: Half | None = None
    fixed: bool = False
    grain: Grain = "minute"
    day_shift: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it may be in either half of the day."""
        return not self.fixed and self.half is None and 1 <= self.hour <= 12

    def plus_minutes(self, minutes: int) -> "Clock":
        """So many minutes later or earlier, on the same dial ("ten to five" is 4:50)."""
        if self.is_open:
            total = (self.hour % 12 * 60 + self.minute + minutes) % 720
            return replace(self, hour=total // 60 or 12, minute=total % 60, grain="minute")
        total = self._hours() * 60 + self.minute + minutes
        day, total = divmod(total, 1440)
        return Clock(total // 60, total % 60, self.second, None, True, "minute", self.day_shift + day)

    def with_half(self, half: Half) -> "Clock":
        return replace(self, half=half) if self.is_open else self

    def in_part(self, part: Part | None) -> "Clock":
        """What the part of the day says about the half ("six in the evening")."""
        if part == "night" and self.half == "am" and (self.hour < NIGHT_ENDS or self.hour == 12):
            return replace(self, day_shift=1)  # tonight at 1 am
        if part is None or not self.is_open:
            return self
        hour = self.hour
        if part in {"morning", "dawn"}:
            return replace(self, half="am")
        if part == "noon":
            return replace(self, half="am" if 10 <= hour <= 11 else "pm")
        if part == "afternoon" or (part == "evening" and hour != 12):
            return replace(self, half="pm")
        if hour == 12:
            return replace(self, hour=0, fixed=True, day_shift=1)
        if hour < (NIGHT_ENDS if part == "night" else 3):
            return replace(self, half="am", day_shift=1 if part == "night" else 0)
        return replace(self, half="pm")

    def _hours(self) -> int:
        if self.half == "am":
            return self.hour % 12 if self.hour <= 12 else self.hour
        if self.half == "pm":
            return self.hour % 12 + 12 if self.hour <= 12 else self.hour
        return self.hour

    def on(self, day: date) -> datetime:
        """The moment on that day; an open time is taken as it is written, twelve as noon."""
        days, hour = divmod(self._hours(), 24)
        moment = datetime.combine(day, time(hour, self.minute, self.second))
        return moment + timedelta(days=days + self.day_shift)

    def valid(self) -> bool:
        return 0 <= self.hour <= 24 and 0 <= self.minute < 60 and 0 <= self.second < 60


@dataclass(frozen=True, slots=True)
class Point:
    """One point in time as it was said: a day, a time of day, a part of the day, any of them alone."""

    day: Day | None = None
    clock: Clock | None = None
    part: Part | None = None
    zone: ZoneInfo | timedelta | None = None  # of the clock, where one was named
    named_zone: bool = False  # a zone was named, whether or not it is known

    def read(self, asked: Asked) -> Reading | None:
        """The reading; one that is refused where there is no such time, None where nothing was said."""
        clock = self.clock.in_part(self.part) if self.clock is not None else None
        if clock is None and self.part is not None:
            clock = Clock(PART_HOURS[self.part], fixed=True, grain="part")
        if clock is not None and not clock.valid():
            return Reading("none", refused="impossible")
        if self.day is None and clock is not None and abs(clock.day_shift) > 1:
            return Reading("none", refused="impossible")  # days before nine o'clock of no day
        if self.day is None:
            return None if clock is None else self._finish(_next(clock, asked.now), clock, (), asked)
        resolved = self.day.resolve(asked.now, _later_today(clock, asked.now))
        if resolved is None:
            return Reading("none", refused="impossible")
        if clock is None:
            return _day_reading(resolved, asked)
        return self._with_clock(resolved, clock, asked)

    def _with_clock(self, resolved: Resolved, clock: Clock, asked: Asked) -> Reading:
        day = resolved.day
        if resolved.grain in {"month", "year"}:
            day = day.replace(day=1)
        assumed: list[Assumption] = [each for each in resolved.assumed if each != "hour"]
        if clock.hour == 24 and day != asked.now.date():  # midnight of another day is its beginning
            clock = replace(clock, hour=0)
        if clock.day_shift == 1 and self._is_of_this_night(clock.on(day) - _DAY, asked.now):
            clock = replace(clock, day_shift=0)
        if clock.is_open and day == asked.now.date():
            moments = _today(clock, asked.now)
        elif clock.is_open:
            moments = (clock.on(day), replace(clock, half=_other_half(clock)).on(day))
        else:
            moments = (self._within_part(clock.on(day), clock, asked.now),)
        moments += tuple(clock.on(other) for other in resolved.others)
        return self._finish(moments, clock, tuple(assumed), asked)

    def _is_of_this_night(self, moment: datetime, now: datetime) -> bool:
        """Whether "tonight" at a small hour is said after midnight, of the night that is not over."""
        is_tonight = self.part == "night" and self.day == Period("day", 0)
        return is_tonight and now.hour < NIGHT_ENDS and now < moment

    def _within_part(self, moment: datetime, clock: Clock, now: datetime) -> datetime:
        """The next full hour where "this evening" is said in the evening."""
        if clock.grain != "part" or self.part is None or moment > now or moment.date() != now.date():
            return moment
        coming = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        is_over = coming.date() != now.date() or coming.hour >= _PART_ENDS.get(self.part, 0)
        return moment if is_over else coming

    def _finish(
        self, moments: tuple[datetime, ...], clock: Clock, assumed: tuple[Assumption, ...], asked: Asked
    ) -> Reading:
        if clock.is_open:
            assumed = (*assumed, "half-day")
        if clock.grain == "part":
            assumed = (*assumed, "part-hour")
        if self.named_zone:
            if self.zone is None or asked.zone is None:
                assumed = (*assumed, "zone")
            else:
                moments = tuple(_converted(moment, self.zone, asked.zone) for moment in moments)
        readings = [
            Reading(
                "once",
                moment,
                clock.grain,
                assumed=assumed,
                refused="past" if moment < asked.now.replace(second=0, microsecond=0) else None,
            )
            for moment in dict.fromkeys(moments)
        ]
        return replace(readings[0], alternatives=tuple(readings[1:]))


def _converted(moment: datetime, theirs: ZoneInfo | timedelta, ours: tzinfo) -> datetime:
    if isinstance(theirs, timedelta):
        utc = moment - theirs
        offset = utc.replace(tzinfo=ZoneInfo("UTC")).astimezone(ours).utcoffset() or timedelta()
        return utc + offset
    return moment.replace(tzinfo=theirs).astimezone(ours).replace(tzinfo=None)


def _other_half(clock: Clock) -> Half:
    return "am" if clock.hour == 12 else "pm"


def _later_today(clock: Clock | None, now: datetime) -> bool:
    if clock is None:
        return False
    if clock.is_open:
        return any(replace(clock, half=half).on(now.date()) > now for half in ("am", "pm"))
    return clock.on(now.date()) > now


def _today(clock: Clock, now: datetime) -> tuple[datetime, ...]:
    """The readings of an open time today: the first that is still to come first."""
    today = now.date()
    both = sorted((replace(clock, half="am").on(today), replace(clock, half="pm").on(today)))
    coming = [moment for moment in both if moment >= now]
    return tuple(dict.fromkeys([*(coming or both[1:]), *both]))


def _next(clock: Clock, now: datetime) -> tuple[datetime, ...]:
    """The next such time of day, not before now; then the other readings of an open one."""
    today = now.date()
    floor = now.replace(second=0, microsecond=0) if not clock.second else now
    days = [today - timedelta(days=1), today, today + timedelta(days=1), today + timedelta(days=2)]
    if not clock.is_open:
        first = min(moment for day in days if (moment := clock.on(day)) >= floor)
        return (first,)
    am = [moment for day in days if (moment := replace(clock, half="am").on(day)) >= floor]
    pm = [moment for day in days if (moment := replace(clock, half="pm").on(day)) >= floor]
    if FIRST_LITERAL_HOUR <= clock.hour < 12:
        return (am[0], pm[0])
    if clock.hour == 12:
        return (pm[0], am[0])
    return (am[0], pm[0]) if am[0] < pm[0] else (pm[0], am[0])


def _day_reading(resolved: Resolved, asked: Asked) -> Reading:
    if resolved.moment is not None:
        past = resolved.moment < asked.now.replace(microsecond=0)
        return Reading(
            "once",
            resolved.moment,
            resolved.grain,
            assumed=resolved.assumed,
            refused="past" if past else None,
        )
    past = resolved.day < asked.now.date() and resolved.grain == "day"
    others = tuple(Reading("once", day, resolved.grain, assumed=resolved.assumed) for day in resolved.others)
    return Reading(
        "once",
        resolved.day,
        resolved.grain,
        assumed=resolved.assumed,
        alternatives=others,
        refused="past" if past else None,
    )
