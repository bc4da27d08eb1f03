"""A recurrence rule moved to an earlier time: ten minutes before nine, three days before every 18 June."""

from collections.abc import Iterable
from datetime import timedelta

from bot.schedule.when.reading import DAY_CODES, join_rule, split_rule

_DAY = 24 * 60
# Every month has as many days; what lies further from its end can't be counted from there.
_SHORTEST_MONTH = 28


def earlier(rule: str, lead: timedelta) -> str | None:
    """The rule that fires `lead` before `rule` does; None where one rule can't say it."""
    parts = split_rule(rule)
    if parts["FREQ"] not in _MOVES or parts.keys() & {"BYSETPOS", "BYWEEKNO", "BYYEARDAY"}:
        return None
    days = _moved_times(parts, round(lead.total_seconds() / 60))
    if days is None:
        return None
    if days and not (parts.get("INTERVAL", "1") == "1" and _MOVES[parts["FREQ"]](parts, days)):
        return None
    return join_rule(parts)


def _moved_times(parts: dict[str, str], minutes: int) -> int | None:
    """Move the times of day; how many days earlier they come to lie."""
    if "BYHOUR" not in parts:
        return None if minutes % _DAY else minutes // _DAY
    said = [
        60 * hour + minute for hour in _ints(parts["BYHOUR"]) for minute in _ints(parts.get("BYMINUTE", "0"))
    ]
    moved = [divmod(time - minutes, _DAY) for time in said]
    days = {day for day, _ in moved}
    hours = sorted({time // 60 for _, time in moved})
    past = sorted({time % 60 for _, time in moved})
    if len(days) != 1 or len(hours) * len(past) != len(moved):
        return None
    parts["BYHOUR"], parts["BYMINUTE"] = _joined(hours), _joined(past)
    return -days.pop()


def _daily(parts: dict[str, str], days: int) -> bool:
    if parts.keys() & {"BYMONTH", "BYMONTHDAY"}:
        return False
    codes = parts.get("BYDAY", "").split(",") if "BYDAY" in parts else []
    if not all(code in DAY_CODES for code in codes):
        return False
    if codes:
        parts["BYDAY"] = _joined(DAY_CODES[(DAY_CODES.index(code) - days) % 7] for code in codes)
    return True


def _weekly(parts: dict[str, str], days: int) -> bool:
    return "BYDAY" in parts and _daily(parts, days)


def _monthly(parts: dict[str, str], days: int) -> bool:
    """Days of the month, which may come to lie in the month before: they are counted from its end then."""
    if "BYDAY" in parts or "BYMONTHDAY" not in parts:
        return False
    said = _ints(parts["BYMONTHDAY"])
    moved = [day - days if day < 0 or day > days else day - days - 1 for day in said]
    crossed = {day > 0 > new for day, new in zip(said, moved, strict=True)}
    if len(crossed) != 1 or min(moved) < -_SHORTEST_MONTH:
        return False
    if crossed.pop() and "BYMONTH" in parts:
        parts["BYMONTH"] = _joined((month - 2) % 12 + 1 for month in _ints(parts["BYMONTH"]))
    parts["BYMONTHDAY"] = _joined(moved)
    return True


def _yearly(parts: dict[str, str], days: int) -> bool:
    return "BYMONTH" in parts and _monthly(parts, days)


_MOVES = {"DAILY": _daily, "WEEKLY": _weekly, "MONTHLY": _monthly, "YEARLY": _yearly}


def _ints(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _joined(items: Iterable[object]) -> str:
    return ",".join(map(str, items))
