"""Lengths of time, and the arithmetic of the calendar that all languages share."""

import calendar
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

Unit = Literal["second", "minute", "hour", "day", "week", "month", "quarter", "year"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A length of time; `months` and `days` are calendar ones, `seconds` is elapsed time."""

    months: int = 0
    days: float = 0  # a fraction is said for "a day and a half"
    seconds: float = 0
    weeks: bool = False  # said in weeks: the result is a day, not an hour of one
    vague: bool = False  # "a few", "some": the number is ours

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            self.weeks or other.weeks,
            self.vague or other.vague,
        )

    def __neg__(self) -> "Amount":
        return Amount(-self.months, -self.days, -self.seconds, self.weeks, self.vague)

    @property
    def is_elapsed(self) -> bool:
        """Whether it counts hours or less; nothing at all is now, and no day."""
        return self.seconds != 0 or not (self.months or self.days)


_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def amount(number: float, unit: Unit, *, vague: bool = False) -> Amount:
    """`number` units. Half a month is 15 days, half a year is 6 months, half a day is 12 hours."""
    if unit in _SECONDS:
        return Amount(seconds=number * _SECONDS[unit], vague=vague)
    if unit in _DAYS:
        days = number * _DAYS[unit]
        if days == int(days):
            return Amount(days=int(days), weeks=unit == "week", vague=vague)
        return Amount(days=int(days), seconds=(days - int(days)) * 86400, vague=vague)
    months = number * _MONTHS[unit]
    whole = int(months)
    return Amount(months=whole, days=round((months - whole) * 30), vague=vague)


def add_months(day: date, months: int) -> date:
    """The same day `months` later; the last of the month where that has no such day."""
    month = day.year * 12 + day.month - 1 + months
    year, month = divmod(month, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"year {year}")
    return day.replace(year=year, month=month + 1, day=min(day.day, month_length(year, month + 1)))


def month_length(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def shift(moment: datetime, by: Amount) -> datetime:
    """`moment` moved by an amount. Raises OverflowError outside of the calendar."""
    moved = moment
    if by.months:
        moved = datetime.combine(add_months(moment.date(), by.months), moment.time())
    return moved + timedelta(days=by.days, seconds=by.seconds)


def start_of(unit: Unit, day: date) -> date:
    """The first day of the period that `day` is in; weeks begin on Monday."""
    match unit:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
        case _:
            return day


def period(unit: Unit, day: date, count: int) -> date:
    """The first day of the period `count` periods after the one that `day` is in."""
    start = start_of(unit, day)
    if unit in _MONTHS:
        return add_months(start, count * _MONTHS[unit])
    return start + timedelta(days=count * _DAYS.get(unit, 1))


def end_of(unit: Unit, day: date) -> date:
    """The last day of the period that `day` is in."""
    return period(unit, day, 1) - timedelta(days=1)


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date | None:
    """The n-th such weekday of a month, from its end for a negative n; Monday is 0."""
    length = month_length(year, month)
    if n > 0:
        first = date(year, month, 1).weekday()
        day = 1 + (weekday - first) % 7 + (n - 1) * 7
    else:
        last = date(year, month, length).weekday()
        day = length - (last - weekday) % 7 + (n + 1) * 7
    return date(year, month, day) if 1 <= day <= length else None


def weekday_after(day: date, weekday: int, n: int = 1) -> date:
    """The n-th such weekday strictly after `day`; before it for a negative n."""
    if n > 0:
        return day + timedelta(days=((weekday - day.weekday() - 1) % 7) + 1 + (n - 1) * 7)
    return day - timedelta(days=((day.weekday() - weekday - 1) % 7) + 1 + (-n - 1) * 7)
