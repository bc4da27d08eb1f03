"""Recurrences as they are said, as RFC 5545 parts and in the short ISO-like form (timex)."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.schedule.when.amounts import Amount, Unit
from bot.schedule.when.clocks import PART_HOURS, Clock, Part, Point
from bot.schedule.when.days import Day
from bot.schedule.when.reading import DAY_CODES, Asked, Assumption, Reading

WORKDAYS, WEEKEND = (0, 1, 2, 3, 4), (5, 6)

_FREQ: dict[Unit, tuple[str, int]] = {
    "second": ("SECONDLY", 1),
    "minute": ("MINUTELY", 1),
    "hour": ("HOURLY", 1),
    "day": ("DAILY", 1),
    "week": ("WEEKLY", 1),
    "month": ("MONTHLY", 1),
    "quarter": ("MONTHLY", 3),
    "year": ("YEARLY", 1),
}
_TIMEX_UNIT: dict[Unit, str] = {
    "second": "PT{}S",
    "minute": "PT{}M",
    "hour": "PT{}H",
    "day": "P{}D",
    "week": "P{}W",
    "month": "P{}M",
    "quarter": "P{}M",
    "year": "P{}Y",
}
_TIMEX_PART: dict[Part, str] = {
    "dawn": "TMO",
    "morning": "TMO",
    "noon": "T12",
    "afternoon": "TAF",
    "evening": "TEV",
    "night": "TNI",
    "midnight": "T00",
}
_SUBDAILY = ("hour", "minute", "second")
_HOUR = 60
# More times a day are not listed in a rule.
_MOST_LISTED = 100
# A recurring "at 3" is the afternoon's.
_FIRST_MORNING_HOUR = 7


_LONGEST_STEP = 10_000  # units; more of most of them is beyond the calendar


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Something that comes again; what was not said is empty.

    Days of the week count from Monday as 0; `nth_weekdays` are pairs of ordinal (negative from the
    end) and weekday. `unit` None means that the days or the part of the day alone say it.
    """

    unit: Unit | None = None
    interval: float = 1
    weekdays: tuple[int, ...] = ()
    nth_weekdays: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    week_number: int | None = None
    positions: tuple[int, ...] = ()  # BYSETPOS
    clocks: tuple[Clock, ...] = ()
    part: Part | None = None
    between: tuple[int, int] | None = (
        None  # minutes of the day (inclusive), of what comes several times a day
    )
    count: int | None = None
    until: date | datetime | None = None
    start: date | datetime | None = None
    excluded: tuple[date | datetime | tuple[int, int], ...] = ()
    exrule: str | None = None
    timex: str | None = None  # set where the words have a form of their own ("P0.5Y")
    assumed: tuple[Assumption, ...] = ()
    others: tuple["Recurrence", ...] = ()  # what else the words may mean

    def at(self, *clocks: Clock) -> "Recurrence":
        """The same at more hours; those that were only assumed give way to them."""
        if self.clocks and "part-hour" in self.assumed:
            return replace(self, clocks=clocks, assumed=tuple(x for x in self.assumed if x != "part-hour"))
        return replace(self, clocks=(*self.clocks, *clocks))

    def read(self, asked: Asked) -> Reading:
        """The reading, with the rule and the short form. Raises OverflowError for a step that is none."""
        if not 0 < self.interval <= _LONGEST_STEP:
            raise OverflowError(f"every {self.interval}")
        said = _on_one_dial(tuple(clock.in_part(self.part) for clock in self.clocks))
        assumed = self.assumed
        if any(clock.is_open for clock in said):
            assumed = (*assumed, "half-day")
        if not self.clocks and self.part is not None:
            assumed = (*assumed, "part-hour")
        whole = _on_the_day_after(replace(self, clocks=tuple(settled(clock) for clock in said)))
        others = [replace(other, clocks=self.clocks, part=self.part) for other in self.others]
        if any(clock.is_open for clock in said):
            others.append(replace(self, clocks=tuple(_other_half(clock) for clock in said), others=()))
        return Reading(
            "recurring",
            at=self.start,
            grain="minute" if self.clocks else "day",
            rrule=rrule(whole),
            timex=timex(whole),
            assumed=assumed,
            excluded=self.excluded,
            exrule=self.exrule,
            alternatives=tuple(other.read(asked) for other in others),
        )


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds a recurrence; it is merged into the recurrence that it stands beside."""

    until: Day | Point | Amount | None = None  # an amount counts from the start
    start: Day | Point | None = None
    count: int | None = None


def several_times(times: int, unit: Unit) -> Recurrence | None:
    """So many times a day, a week or a month; at which hours and on which days is assumed."""
    if times == 1:
        return Recurrence(unit)
    if unit == "day" and 2 <= times <= 6:
        step = 12 // (times - 1)
        hours = tuple(Clock(9 + step * n, fixed=True) for n in range(times) if 9 + step * n < 24)
        return Recurrence("day", clocks=hours, assumed=("part-hour",))
    if unit == "month" and times == 2:
        return Recurrence("month", month_days=(1, 15), assumed=("day",))
    if unit == "week" and 2 <= times <= 7:
        days = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: WORKDAYS, 6: (*WORKDAYS, 5)}
        return Recurrence("week", weekdays=days.get(times, tuple(range(7))), assumed=("week",))
    return None


def settled(clock: Clock) -> Clock:
    """A time of day that is open, as it is meant of something that comes again."""
    if not clock.is_open:
        return clock
    return clock.with_half("pm" if clock.hour < _FIRST_MORNING_HOUR or clock.hour == 12 else "am")


def _on_one_dial(clocks: tuple[Clock, ...]) -> tuple[Clock, ...]:
    """Hours beside one that only the 24-hour dial has are of that dial, too: "at 8 and 20"."""
    if not any(clock.hour > 12 and clock.half is None for clock in clocks):
        return clocks
    return tuple(replace(clock, fixed=True) if clock.is_open else clock for clock in clocks)


def _on_the_day_after(said: Recurrence) -> Recurrence:
    """Saturday night at one is on Sunday; where weeks are left out, the last day would change its week."""
    shifted = bool(said.clocks) and all(clock.day_shift == 1 for clock in said.clocks)
    last_of_week = 6 in said.weekdays and said.interval != 1
    if not shifted or frequency(said) != "week" or last_of_week:
        return said
    clocks = tuple(replace(clock, day_shift=0) for clock in said.clocks)
    return replace(said, weekdays=tuple(sorted((day + 1) % 7 for day in said.weekdays)), clocks=clocks)


def _other_half(clock: Clock) -> Clock:
    if not clock.is_open:
        return clock
    return clock.with_half("am" if settled(clock).half == "pm" else "pm")


def frequency(said: Recurrence) -> Unit:
    """The unit that the rule runs in."""
    if said.unit is not None and said.unit not in {"week", "day"}:
        return "year" if said.months and said.unit == "month" else said.unit
    if said.months or said.year_days or said.week_number is not None:
        return "year"
    if said.nth_weekdays or said.month_days or said.positions:
        return "month"
    return "week" if said.weekdays else said.unit or "day"


def rrule(said: Recurrence) -> str:
    """The RFC 5545 parts of a recurrence, most significant first."""
    unit = frequency(said)
    freq, factor = _FREQ[unit]
    interval = said.interval
    times = _in_window(said)
    if times and (unit == "minute" or interval != 1):  # they begin with the first, and begin anew every day
        freq, factor, interval = "DAILY", 1, 1
    if interval != int(interval):  # half a year is six months
        freq, factor, interval = "MONTHLY", 1, round(interval * 12)
    parts = [f"FREQ={freq}"]
    if (step := int(interval) * factor) != 1:
        parts.append(f"INTERVAL={step}")
    days = [f"{n}{DAY_CODES[day]}" for n, day in said.nth_weekdays]
    days += [DAY_CODES[day] for day in said.weekdays]
    hours, minutes, seconds = _clock_lists(said, times)
    positions = said.positions or _positions(times, hours, minutes)
    lists: dict[str, list[str] | list[int]] = {
        "BYMONTH": list(said.months),
        "BYWEEKNO": [said.week_number] if said.week_number is not None else [],
        "BYYEARDAY": list(said.year_days),
        "BYMONTHDAY": list(said.month_days),
        "BYDAY": days,
        "BYHOUR": hours,
        "BYMINUTE": minutes,
        "BYSECOND": seconds,
        "BYSETPOS": list(positions),
    }
    parts += [f"{name}={','.join(map(str, values))}" for name, values in lists.items() if values]
    if said.count is not None:
        parts.append(f"COUNT={said.count}")
    if said.until is not None:
        parts.append(f"UNTIL={_stamp(said.until)}")
    return ";".join(parts)


def _stamp(when: date | datetime) -> str:
    return when.strftime("%Y%m%dT%H%M%S" if isinstance(when, datetime) else "%Y%m%d")


def _in_window(said: Recurrence) -> list[int]:
    """The minutes of the day in the hours that were said: every 30 minutes from nine to five.

    None of what comes so often that a rule can't list it, and none where the rule is no daily one.
    """
    if said.between is None or said.unit == "second":
        return []
    step = int(said.interval) * (1 if said.unit == "minute" else _HOUR) if said.unit in _SUBDAILY else _HOUR
    first, last = said.between
    end = last if first <= last else last + 24 * _HOUR
    times = [minute % (24 * _HOUR) for minute in range(first, end + 1, step)]
    listed = len(times) <= _MOST_LISTED and not (said.nth_weekdays or said.year_days or said.positions)
    return times if listed or said.unit != "minute" else []


def _positions(times: list[int], hours: list[int], minutes: list[int]) -> tuple[int, ...]:
    """Which of all hours with all minutes are meant; () for all of them."""
    grid = sorted(_HOUR * hour + minute for hour in hours for minute in minutes)
    if not times or len(grid) == len(times):
        return ()
    return tuple(number for number, minute in enumerate(grid, 1) if minute in set(times))


def _clock_lists(said: Recurrence, window: list[int]) -> tuple[list[int], list[int], list[int]]:
    if window:
        hours = list(dict.fromkeys(minute // _HOUR for minute in window))
        return hours, sorted({minute % _HOUR for minute in window}), []
    if said.between is not None:
        first, last = (minute // _HOUR for minute in said.between)
        return [hour % 24 for hour in range(first, last + (1 if first <= last else 25))], [], []
    times = [clock.on(date.min) if not clock.day_shift else _wrapped(clock) for clock in said.clocks]
    if not times and said.part is not None:
        return [PART_HOURS[said.part] % 24], [0], []
    hours = sorted({time.hour for time in times})
    minutes = sorted({time.minute for time in times})
    seconds = sorted({time.second for time in times} - {0})
    return hours, minutes, seconds


def _wrapped(clock: Clock) -> datetime:
    return replace(clock, day_shift=0).on(date.min)


def timex(said: Recurrence) -> str:
    """The short form: `P2W`, `XXXX-WXX-1T09`, `T15`, `XXXX-XX-19`, `TMO`, `P1WD`."""
    times = _timex_times(said)
    clock = ",".join(times)
    days = _timex_days(said)
    if days:
        return ",".join(f"{day}{time}" for day in days for time in times or [""])
    if said.timex is not None:
        return f"{said.timex}{clock}"
    unit, interval = said.unit or "day", said.interval
    if unit == "day" and interval == 1 and clock:
        return clock
    number = interval * (3 if unit == "quarter" else 1)
    return _TIMEX_UNIT[unit].format(f"{number:g}") + clock


def _timex_times(said: Recurrence) -> list[str]:
    if said.clocks:
        times = []
        for clock in said.clocks:
            moment = _wrapped(clock)
            shape = "T%H:%M:%S" if moment.second else "T%H:%M" if moment.minute else "T%H"
            times.append(moment.strftime(shape))
        return times
    return [_TIMEX_PART[said.part]] if said.part is not None else []


def _timex_days(said: Recurrence) -> list[str]:
    if said.timex is not None:
        return []
    months = [f"{month:02}" for month in said.months] or ["XX"]
    if said.nth_weekdays:
        return [f"XXXX-{month}-WXX-{day + 1}-{n}" for month in months for n, day in said.nth_weekdays]
    if said.month_days:
        return [f"XXXX-{month}-{day:02}" for month in months for day in said.month_days]
    if said.weekdays == WORKDAYS:
        return ["P1WD"]
    if said.weekdays == WEEKEND:
        return ["XXXX-WXX-WE"]
    if said.weekdays:
        return [f"XXXX-WXX-{day + 1}" for day in said.weekdays]
    return [f"XXXX-{month}" for month in months] if said.months else []
