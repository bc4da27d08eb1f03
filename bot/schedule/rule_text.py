"""Recurrence rules as people write them, read strictly: what is not understood is refused by name."""

import re
from collections.abc import Callable
from datetime import datetime, tzinfo

from bot.errors import InputError
from bot.schedule.rule import STEPS, Rule, ints
from bot.schedule.when.reading import DAY_CODES
from bot.schedule.zones import wall_of

MAX_CHARS = 500
MAX_COUNT = 10_000
MAX_INTERVAL = 10_000

_FREQUENCIES = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", *STEPS)
# The least and the greatest number of each part, and whether it may be counted from the end.
_NUMBERS = {
    "BYMONTH": (1, 12, False),
    "BYWEEKNO": (1, 53, True),
    "BYYEARDAY": (1, 366, True),
    "BYMONTHDAY": (1, 31, True),
    "BYHOUR": (0, 23, False),
    "BYMINUTE": (0, 59, False),
    "BYSECOND": (0, 59, False),
    "BYSETPOS": (1, 366, True),
}
_KNOWN = ("FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", *_NUMBERS)
_NUMBER = re.compile(r"([+-]?)([0-9]{1,3})")
_COUNTER = re.compile(r"[0-9]{1,6}")
_WEEKDAY = re.compile(r"([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"[0-9]{8}(T[0-9]{6}Z?)?")
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # months, in leap years
_DAYS = {"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"}
# What a rule of days, and one of hours or minutes, may be limited by.
_DAILY = {
    "FREQ",
    "INTERVAL",
    "WKST",
    "BYDAY",
    "BYMONTH",
    "BYMONTHDAY",
    "BYHOUR",
    "BYMINUTE",
    "BYSECOND",
    "BYSETPOS",
}
_SHORTER = _DAILY - {"BYSETPOS"}


def parts_of(text: str) -> dict[str, str]:
    """The parts of a rule, each checked. Raises `InputError` that names the part that is wrong."""
    if len(text) > MAX_CHARS:
        raise _wrong(f"it is longer than {MAX_CHARS} characters")
    parts: dict[str, str] = {}
    for item in text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";"):
        name, equals, value = item.partition("=")
        if name not in _KNOWN or not equals:
            raise _wrong(f'"{item[:40]}" is not understood')
        if name in parts:
            raise _wrong(f"{name} stands twice")
        _check(name, value)
        parts[name] = value
    if "FREQ" not in parts:
        raise _wrong("FREQ is missing")
    if "COUNT" in parts and "UNTIL" in parts:
        raise _wrong("COUNT and UNTIL exclude each other")
    if "BYSETPOS" in parts and len(parts.keys() & (_DAYS | {"BYMONTH", "BYHOUR", "BYMINUTE"})) == 0:
        raise _wrong("BYSETPOS needs another BY part")
    return parts


def check_together(text: str) -> None:
    """Refuse what RFC 5545 lets not stand beside a frequency (3.3.10), and days that there are not.

    Said of new rules only: one that is kept goes on as it was taken. Raises `InputError`.
    """
    parts = parts_of(text)
    freq = parts["FREQ"]
    fitting = _SHORTER if freq in STEPS else _DAILY if freq == "DAILY" else None
    own = {"COUNT", "UNTIL"}
    over = parts.keys() & {"BYWEEKNO", "BYYEARDAY"} if freq in {"MONTHLY", "WEEKLY"} else set()
    if over := over or (parts.keys() - fitting - own if fitting is not None else set()):
        raise _wrong(f"{min(over)} does not go with {freq}")
    if freq not in {"YEARLY", "MONTHLY"} and any(sign.isdigit() for sign in parts.get("BYDAY", "")):
        raise _wrong(f"BYDAY with a number does not go with {freq}")
    if "BYMONTH" in parts and "BYMONTHDAY" in parts:
        longest = max(_LONGEST[month - 1] for month in ints(parts["BYMONTH"]))
        if min(map(abs, ints(parts["BYMONTHDAY"]))) > longest:
            raise _wrong("it has no times")


def rule_of(text: str, start: datetime, zone: tzinfo) -> tuple[Rule, int | None]:
    """The rule that begins at `start` (wall time), and its COUNT. Raises `InputError`."""
    parts = parts_of(text)
    count = int(parts.pop("COUNT")) if "COUNT" in parts else None
    until = _until(parts.pop("UNTIL"), zone) if "UNTIL" in parts else None
    start = start.replace(microsecond=0)
    if parts["FREQ"] == "MINUTELY" and "BYMINUTE" in parts and parts.get("INTERVAL", "1") == "1":
        parts["FREQ"] = "HOURLY"  # the same, and it need not be walked minute by minute
    if parts["FREQ"] in STEPS and "BYHOUR" not in parts:
        start = _elapsed(parts, start)
    else:
        _fill(parts, start)
    return Rule(parts, start, until), count


def _elapsed(parts: dict[str, str], start: datetime) -> datetime:
    """The start of a rule that counts hours or minutes, with the second that it names.

    The minute of every second hour and the like is the start's own; minutes of every hour stay a part.
    """
    start = start.replace(second=int(parts.pop("BYSECOND", start.second)))
    if "BYMINUTE" not in parts:
        return start
    if parts.get("INTERVAL", "1") == "1":
        parts["BYSECOND"] = str(start.second)
        return start
    if parts["FREQ"] == "MINUTELY" or "," in parts["BYMINUTE"]:
        raise _wrong("several BYMINUTE, or those of MINUTELY, do not go with an INTERVAL")
    at = start.replace(minute=int(parts.pop("BYMINUTE")))
    return at if at >= start else at + STEPS["HOURLY"] * int(parts["INTERVAL"])


def _fill(parts: dict[str, str], start: datetime) -> None:
    """Write down what a rule takes from its start (RFC 5545, 3.3.10)."""
    freq = parts["FREQ"]
    if not parts.keys() & _DAYS:
        if freq == "YEARLY":
            parts.setdefault("BYMONTH", str(start.month))
        if freq in {"YEARLY", "MONTHLY"}:
            parts["BYMONTHDAY"] = str(start.day)
        if freq == "WEEKLY":
            parts["BYDAY"] = DAY_CODES[start.weekday()]
    if freq not in STEPS:
        parts.setdefault("BYHOUR", str(start.hour))
    if freq != "MINUTELY":
        parts.setdefault("BYMINUTE", str(start.minute))
    parts.setdefault("BYSECOND", str(start.second))


def _check(name: str, value: str) -> None:
    if name in _NUMBERS:
        _check_numbers(name, value)
    elif name in {"INTERVAL", "COUNT"}:
        most = MAX_INTERVAL if name == "INTERVAL" else MAX_COUNT
        if not _COUNTER.fullmatch(value) or not 1 <= int(value) <= most:
            raise _wrong(f"{name} is a whole number from 1 to {most}")
    elif name == "FREQ" and value == "SECONDLY":
        raise _wrong("SECONDLY is more often than once a minute")
    elif not _SHAPES[name][0](value):
        raise _wrong(f"{name} is {_SHAPES[name][1]}")


def _is_weekday(item: str) -> bool:
    match = _WEEKDAY.fullmatch(item)
    return match is not None and (match[1] is None or 1 <= abs(int(match[1])) <= 53)


_SHAPES: dict[str, tuple[Callable[[str], object], str]] = {
    "FREQ": (lambda value: value in _FREQUENCIES, f"one of {', '.join(_FREQUENCIES)}"),
    "UNTIL": (_UNTIL.fullmatch, "a date or a time, as in 20261231 or 20261231T090000"),
    "WKST": (lambda value: value in DAY_CODES, "a weekday, as in MO"),
    "BYDAY": (
        lambda value: all(_is_weekday(item) for item in value.split(",")),
        "a list of weekdays, as in MO,WE or 1MO or -1FR",
    ),
}


def _check_numbers(name: str, value: str) -> None:
    low, high, signed = _NUMBERS[name]
    for item in value.split(","):
        match = _NUMBER.fullmatch(item)
        if match is None or not low <= int(match[2]) <= high or (match[1] == "-" and not signed):
            raise _wrong(f'{name}: "{item[:20]}" is not between {low} and {high}')
    if name == "BYSECOND" and "," in value:
        raise _wrong("BYSECOND with several values is more often than once a minute")


def _until(value: str, zone: tzinfo) -> datetime:
    """The last possible time on the wall; a mere date is the whole day."""
    try:
        if value.endswith("Z"):
            return wall_of(datetime.strptime(value + "+0000", "%Y%m%dT%H%M%SZ%z"), zone)
        shape = "%Y%m%dT%H%M%S"
        return datetime.strptime(value if "T" in value else value + "T235959", shape)  # noqa: DTZ007 - on the wall
    except (ValueError, OverflowError) as error:
        raise _wrong(f"UNTIL: there is no {value}") from error


def _wrong(problem: str) -> InputError:
    return InputError(
        f"rrule: {problem}", field="rrule", hint="as in FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
    )
