"""A reading in words, so that a person sees what was understood: months as words, weekdays with dates."""

from collections.abc import Iterable
from datetime import date, datetime
from itertools import pairwise

from bot.i18n.catalogue import translate
from bot.schedule.when.reading import DAY_CODES, Reading, split_rule

_UNITS = {
    "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week",
    "MONTHLY": "month", "YEARLY": "year",
}  # fmt: skip
_HOUR = 60
_MONDAY_TO_FRIDAY = ",".join(DAY_CODES[:5])
_MANY = 5  # times of day that are not listed one by one where a step and two ends say them


def describe(reading: Reading, locale: str) -> str:
    """What was understood, in the language of `locale`."""
    if reading.kind == "once" and reading.at is not None:
        return describe_time(reading.at, locale)
    if reading.kind == "recurring" and reading.rrule is not None:
        words = [_describe_rule(reading.rrule, locale), *_exceptions(reading, locale)]
        return translate("when.join", locale).join(words)
    return translate(f"when.{reading.refused or 'nothing'}", locale)


def describe_time(at: date | datetime, locale: str) -> str:
    """A day, or a day and a time, with its weekday and the month in words."""
    values = {
        "weekday": translate(f"when.weekday_{at.weekday()}", locale),
        "month": translate(f"when.month_{at.month}", locale),
        "day": at.day,
        "year": at.year,
    }
    if not isinstance(at, datetime):
        return translate("when.day", locale, **values)
    shape = "%H:%M:%S" if at.second else "%H:%M"
    return translate("when.time", locale, time=at.strftime(shape), **values)


def _describe_rule(rule: str, locale: str) -> str:
    parts = split_rule(rule)
    unit, interval = _UNITS[parts["FREQ"]], int(parts.get("INTERVAL", "1"))
    times = _times(parts)
    step = _step(times) if unit in {"hour", "day"} and interval == 1 else None
    if step is not None:
        words = [_window(times, step, locale)]
    else:  # every day on Monday is every week
        words = [_every("week" if unit == "day" and "BYDAY" in parts else unit, interval, locale)]
    if interval == 1 and unit in {"day", "week"} and parts.get("BYDAY") == _MONDAY_TO_FRIDAY:
        words = [*words[: step is not None], translate("when.monday_to_friday", locale)]
        parts.pop("BYDAY")
    places = (("BYMONTH", _months), ("BYMONTHDAY", _month_days), ("BYDAY", _days))
    words += [place(parts[name], locale) for name, place in places if name in parts]
    counted = ("BYYEARDAY", "BYWEEKNO") if unit == "day" else ("BYYEARDAY", "BYWEEKNO", "BYSETPOS")
    words += [translate(f"when.{name.lower()}", locale, n=parts[name]) for name in counted if name in parts]
    if times and step is None:
        words.append(translate("when.at", locale, times=_listed(map(_clock, times), locale)))
    if "UNTIL" in parts:
        until = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d").date()  # noqa: DTZ007  # a local day
        words.append(translate("when.until", locale, day=describe_time(until, locale)))
    if "COUNT" in parts:
        words.append(translate("when.count", locale, n=parts["COUNT"]))
    return translate("when.join", locale).join(words)


def _exceptions(reading: Reading, locale: str) -> list[str]:
    """What a recurrence leaves out."""
    left_out = []
    if reading.exrule:
        parts = split_rule(reading.exrule)
        days = (
            _day_names(parts["BYDAY"], locale)
            if "BYDAY" in parts
            else [_describe_rule(reading.exrule, locale)]
        )
        left_out += days
    for item in reading.excluded:
        if isinstance(item, tuple):
            left_out.append(f"{translate(f'when.month_{item[0]}', locale)} {item[1]}")
        else:
            left_out.append(describe_time(item, locale))
    return [translate("when.except", locale, what=_listed(left_out, locale))] if left_out else []


def _every(unit: str, interval: int, locale: str) -> str:
    key = f"when.every_{unit}" if interval == 1 else f"when.every_{unit}s"
    return translate(key, locale, n=interval)


def _times(parts: dict[str, str]) -> list[int]:
    """The times of day in minutes, as a rule lists them; of a daily one those that its positions choose."""
    if "BYHOUR" not in parts:
        return []
    minutes = [int(minute) for minute in parts.get("BYMINUTE", "0").split(",")]
    times = [int(hour) * _HOUR + minute for hour in parts["BYHOUR"].split(",") for minute in minutes]
    if parts["FREQ"] != "DAILY" or "BYSETPOS" not in parts:
        return times
    ordered = sorted(times)
    chosen = {
        ordered[int(n) - (int(n) > 0)] for n in parts["BYSETPOS"].split(",") if abs(int(n)) <= len(ordered)
    }
    return [minute for minute in times if minute in chosen]


def _step(times: list[int]) -> int | None:
    """The minutes between times of day that are many and evenly apart, also over midnight."""
    steps = {(later - earlier) % (24 * _HOUR) for earlier, later in pairwise(times)}
    return steps.pop() if len(times) >= _MANY and len(steps) == 1 else None


def _window(times: list[int], step: int, locale: str) -> str:
    often = _every("minute", step, locale) if step % _HOUR else _every("hour", step // _HOUR, locale)
    hours = translate("when.between", locale, first=_clock(times[0]), last=_clock(times[-1]))
    return translate("when.join", locale).join((often, hours))


def _clock(minute: int) -> str:
    return f"{minute // _HOUR:02}:{minute % _HOUR:02}"


def _months(value: str, locale: str) -> str:
    names = _listed((translate(f"when.month_{month}", locale) for month in value.split(",")), locale)
    return translate("when.in_months", locale, months=names)


def _month_days(value: str, locale: str) -> str:
    days = value.split(",")
    if days == ["-1"]:
        return translate("when.last_day", locale)
    return translate("when.on_month_days", locale, days=_listed(days, locale))


def _days(value: str, locale: str) -> str:
    return translate("when.on_weekdays", locale, days=_listed(_day_names(value, locale), locale))


def _day_names(value: str, locale: str) -> list[str]:
    names = []
    for code in value.split(","):
        weekday = translate(f"when.weekday_{DAY_CODES.index(code[-2:])}", locale)
        if nth := code[:-2]:
            key = "when.last_weekday" if nth == "-1" else "when.nth_weekday"
            weekday = translate(key, locale, n=nth, weekday=weekday)
        names.append(weekday)
    return names


def _listed(items: Iterable[str], locale: str) -> str:
    return translate("when.list", locale).join(items)
