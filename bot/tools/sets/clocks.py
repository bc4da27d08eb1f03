"""The set `time`: what time it is, where, and how far between two moments."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, function_tool
from bot.domain.ports import Clock
from bot.domain.tool import RunContext
from bot.errors import InputError

_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_ZONE = "Time zone, such as Europe/Berlin, UTC, +05:30; the person's own when left out."


class Moment(Arguments):
    operation: Literal["now", "utc", "timestamp", "convert"] = Field(
        "now", description="now: in a zone; utc; timestamp: seconds since 1970; convert: `time` into a zone."
    )
    timezone: str = Field("", description=_ZONE)
    format: str = Field("%Y-%m-%d %H:%M:%S", max_length=100, description="Of the answer, as strftime has it.")
    time: str = Field("", description="For convert and timestamp: ISO time, or seconds since 1970.")
    from_timezone: str = Field("", description="Zone of `time` where it names none itself.")


class Span(Arguments):
    start: str = Field(description="ISO date or time, or `now`.")
    end: str = Field(description="ISO date or time, or `now`.")
    timezone: str = Field("", description=_ZONE)


def time_tools(clock: Clock) -> FunctionToolset:
    """Tools that read the clock and the calendar."""

    async def tell(arguments: Moment, context: RunContext) -> str:
        zone = _zone(arguments.timezone or context.zone)
        now = clock.now()
        moment = _read(arguments.time, _zone(arguments.from_timezone or context.zone), now)
        match arguments.operation:
            case "timestamp":
                return str(int(moment.timestamp()))
            case "utc":
                return _shown(moment.astimezone(UTC), arguments.format)
            case "convert" if not arguments.time:
                raise InputError("say the time that is to be converted", field="time")
            case _:
                return _shown(moment.astimezone(zone), arguments.format)

    async def measure(arguments: Span, context: RunContext) -> str:
        zone, now = _zone(arguments.timezone or context.zone), clock.now()
        start, end = _read(arguments.start, zone, now), _read(arguments.end, zone, now)
        seconds = int((end - start).total_seconds())
        days, rest = divmod(abs(seconds), 86_400)
        sign = "-" if seconds < 0 else ""
        hours, minutes = rest // 3600, rest % 3600 // 60
        dates = (end.astimezone(zone).date() - start.astimezone(zone).date()).days
        return f"{sign}{days} days {hours} h {minutes} min ({seconds} seconds; {dates} calendar days)"

    return FunctionToolset(
        "time",
        [
            function_tool(
                "time_datetime",
                "The date and time, now or of a given moment, in any time zone.",
                "pure",
                Moment,
                tell,
            ),
            function_tool(
                "time_difference", "How long it is from one moment to another.", "pure", Span, measure
            ),
        ],
    )


def _shown(moment: datetime, form: str) -> str:
    text = moment.strftime(form)
    if "%z" in form or "%Z" in form:
        return text
    return f"{text} {moment.tzname()} (UTC{moment.strftime('%z')[:5]})"


def _read(text: str, zone: tzinfo, now: datetime) -> datetime:
    wanted = text.strip()
    if not wanted or wanted.lower() == "now":
        return now
    try:
        if wanted.lstrip("-").replace(".", "", 1).isdecimal() and len(wanted.lstrip("-")) > 8:
            return datetime.fromtimestamp(float(wanted), UTC)
        moment = datetime.fromisoformat(wanted)
    except (ValueError, OverflowError, OSError):
        raise InputError(f"{text!r} is not an ISO time", field="time", hint="2026-07-01T09:30") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _zone(name: str) -> tzinfo:
    """A zone by its name, or an offset such as +05:30 or UTC-3; UTC for no name."""
    if not name:
        return UTC
    if found := _OFFSET.fullmatch(name.strip()):
        hours, minutes = int(found[2]), int(found[3] or 0)
        if hours > 14 or minutes > 59:
            raise InputError(f"{name!r} is further from UTC than any zone", field="timezone")
        shift = timedelta(hours=hours, minutes=minutes)
        return timezone(-shift if found[1] in "-−" else shift)
    try:
        return ZoneInfo(name.strip())
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    wanted = name.strip().replace(" ", "_").casefold()
    matches = sorted(zone for zone in available_timezones() if zone.casefold().split("/")[-1] == wanted)
    if len(matches) == 1:
        return ZoneInfo(matches[0])
    near = get_close_matches(name, sorted(available_timezones()), n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(matches or near)}?" if matches or near else "as in Europe/Berlin"
    raise InputError(f"{name!r} is not a time zone", field="timezone", hint=hint)
