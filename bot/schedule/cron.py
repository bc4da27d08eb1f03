"""Cron expressions of five fields, read and stepped through in wall time.

Sunday is 0 and 7; names, lists, ranges and steps as in cron(8); `L` is the last day of the month, `5L`
its last Friday and `5#2` its second. Where both days of the month and of the week are limited, either
will do. `?` is `*`.
"""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from bot.errors import InputError

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MACROS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
MAX_CHARS = 200
# The 29th of February on one given weekday comes again after 40 years at most.
HORIZON_DAYS = 41 * 366


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_MINUTE = _Field("minute", 0, 59)
_HOUR = _Field("hour", 0, 23)
_DAY = _Field("day of month", 1, 31)
_MONTH = _Field("month", 1, 12, _MONTHS)
_WEEKDAY = _Field("day of week", 0, 7, _DAYS)


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression. Weekdays count from Sunday as 0; `nth` are pairs of weekday and ordinal.

    `hourly`: the hour is not limited, so it fires in every hour that passes.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    month_days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    last_day: bool = False
    nth: frozenset[tuple[int, int]] = frozenset()  # ordinal -1: the last one of the month
    either: bool = False  # days of month and of week are both limited
    hourly: bool = False

    def matches(self, day: date) -> bool:
        """Whether it fires on a day."""
        if day.month not in self.months:
            return False
        of_month = day.day in self.month_days or (self.last_day and day.day == _length(day))
        weekday = day.isoweekday() % 7
        of_week = weekday in self.weekdays or (weekday, (day.day + 6) // 7) in self.nth
        of_week = of_week or ((weekday, -1) in self.nth and day.day + 7 > _length(day))
        return of_month or of_week if self.either else of_month and of_week

    def times(self, after: datetime) -> Iterator[datetime]:
        """The times on the wall from `after` on (inclusive); ends where none comes for 41 years."""
        day, skipped = after.date(), 0
        while skipped < HORIZON_DAYS:
            if self.matches(day):
                skipped = 0
                for hour in self.hours:
                    for minute in self.minutes:
                        moment = datetime.combine(day, time(hour, minute))
                        if moment >= after:
                            yield moment
            try:
                day += timedelta(days=1)
            except OverflowError:
                return
            skipped += 1


def parse(expression: str) -> Cron:
    """Read a cron expression. Raises `InputError` that names the field that is wrong."""
    if len(expression) > MAX_CHARS:
        raise _wrong(f"it is longer than {MAX_CHARS} characters")
    plain = expression.strip().lower()
    fields = _MACROS.get(plain, plain).split()
    if len(fields) != 5:
        known = f"it has {len(fields)} fields; five are minute, hour, day of month, month, day of week"
        raise _wrong(known if not plain.startswith("@") else f"{plain} is not known")
    minute, hour, day, month, weekday = ("*" if field == "?" else field for field in fields)
    month_days, last_day = _month_days(day)
    weekdays, nth = _weekdays(weekday)
    return Cron(
        minutes=tuple(sorted(_values(minute, _MINUTE))),
        hours=tuple(sorted(_values(hour, _HOUR))),
        month_days=month_days,
        months=frozenset(_values(month, _MONTH)),
        weekdays=weekdays,
        last_day=last_day,
        nth=nth,
        either=not day.startswith("*") and not weekday.startswith("*"),
        hourly=hour == "*",
    )


def _month_days(text: str) -> tuple[frozenset[int], bool]:
    items = text.split(",")
    plain = ",".join(item for item in items if item != "l")
    return frozenset(_values(plain, _DAY) if plain else ()), "l" in items


def _weekdays(text: str) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    plain: list[str] = []
    nth: set[tuple[int, int]] = set()
    for item in text.split(","):
        if "#" in item:
            day, _, ordinal = item.partition("#")
            if ordinal not in {"1", "2", "3", "4", "5"}:
                raise _wrong(f'day of week: "{item}": after # stands 1 to 5')
            nth.add((_value(day, _WEEKDAY) % 7, int(ordinal)))
        elif len(item) > 1 and item.endswith("l"):
            nth.add((_value(item[:-1], _WEEKDAY) % 7, -1))
        else:
            plain.append("6" if item == "l" else item)
    found = _values(",".join(plain), _WEEKDAY) if plain else set()
    return frozenset(day % 7 for day in found), frozenset(nth)


def _values(text: str, field: _Field) -> set[int]:
    values: set[int] = set()
    for item in text.split(","):
        values.update(_range(item, field))
    return values


def _range(item: str, field: _Field) -> range:
    span, slash, step_text = item.partition("/")
    step = _number(step_text, field) if slash else 1
    if step < 1:
        raise _wrong(f'{field.name}: "{item}": a step is 1 or more')
    if span == "*":
        return range(field.low, (6 if field is _WEEKDAY else field.high) + 1, step)
    first_text, dash, last_text = span.partition("-")
    first = _value(first_text, field)
    last = _value(last_text, field) if dash else field.high if slash else first
    if field is _WEEKDAY and last == 0 and dash and first > 0:
        last = 7  # sat-sun
    if last < first:
        raise _wrong(f'{field.name}: "{item}": {first_text} comes after {last_text}')
    return range(first, last + 1, step)


def _value(text: str, field: _Field) -> int:
    if text in field.names:
        return field.names.index(text) + field.low
    value = _number(text, field)
    if not field.low <= value <= field.high:
        raise _wrong(f"{field.name}: {text} is not between {field.low} and {field.high}")
    return value


def _number(text: str, field: _Field) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII):
        raise _wrong(f'{field.name}: "{text}" is not understood')
    return int(text)


def _wrong(problem: str) -> InputError:
    return InputError(f"cron: {problem}", field="cron", hint='as in "0 9 * * mon-fri"')


def _length(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]
