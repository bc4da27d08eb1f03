"""Jobs as an iCalendar file (RFC 5545), for calendars that people have already."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

from bot.schedule import plan as plans
from bot.schedule.jobs import Job
from bot.schedule.plan import Plan
from bot.schedule.rule_text import rule_of
from bot.schedule.zones import next_change, wall_of, zone_of
from bot.text.lazy import Pattern

LINE_OCTETS = 75
# So many times are written out one by one where no rule of a calendar says the same.
LISTED = 60
_DAY = timedelta(days=1)
# No text of a calendar may hold them, and some calendars refuse the whole file for one; half a character
# (a lone surrogate) can't be written at all.
_CONTROLS = Pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ZONE_YEARS = 6


def calendar(jobs: Sequence[Job], now: datetime) -> str:
    """The jobs that will fire, one event each, with the zones that they need."""
    shown = [job for job in jobs if job.state == "active"]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//xiaomaolv//tasks//EN", "CALSCALE:GREGORIAN"]
    for name in sorted({job.plan.zone for job in shown if _by_wall(job.plan)}):
        lines += _zone(name, now)
    for job in shown:
        lines += _event(job, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _event(job: Job, now: datetime) -> list[str]:
    times = list(_times(job, now))
    if not times:
        return []
    return [
        "BEGIN:VEVENT",
        f"UID:{job.id}@xiaomaolv",
        f"DTSTAMP:{_utc(job.updated_at)}",
        *times,
        f"SUMMARY:{_escaped(job.text)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _times(job: Job, now: datetime) -> Iterator[str]:
    """When an event is: its first time, and its rule or its further times."""
    plan = job.plan
    if plan.at is not None:
        if job.next_due is not None:
            yield f"DTSTART:{_utc(job.next_due)}"
        return
    if _by_wall(plan) and plan.start is not None:
        zone = zone_of(plan.zone)
        first = plans.next_after(plan, plans.beginning(plan))
        if first is not None:
            yield f"DTSTART;TZID={plan.zone}:{wall_of(first, zone):%Y%m%dT%H%M%S}"
            yield f"RRULE:{_rule(plan, zone)}"
        return
    following = list(islice(plans.moments(plan, now), LISTED))
    if following:
        yield f"DTSTART:{_utc(following[0])}"
        yield from (f"RDATE:{_utc(moment)}" for moment in following[1:])


def _by_wall(plan: Plan) -> bool:
    """Whether a calendar's own rule says the same, in a zone that has a name."""
    if not plan.rrule or plan.start is None or plan.excluded or plan.exrule or plan.zone[0] in "+-":
        return False
    rule, _ = rule_of(plan.rrule, plan.start, zone_of(plan.zone))
    return not rule.is_elapsed and not rule.is_every_hour


def _rule(plan: Plan, zone: tzinfo) -> str:
    """The rule, with its end in UTC as the standard wants it beside a zone."""
    assert plan.start is not None
    rule, count = rule_of(plan.rrule, plan.start, zone)
    parts = [f"{name}={value}" for name, value in rule.parts.items()]
    if count is not None:
        parts.append(f"COUNT={count}")
    if rule.until is not None:
        parts.append(f"UNTIL={_utc(rule.until.replace(tzinfo=zone))}")
    return ";".join(parts)


def _zone(name: str, now: datetime) -> list[str]:
    """The offsets of a zone in the years that matter, each change written out."""
    zone = zone_of(name)
    lines = ["BEGIN:VTIMEZONE", f"TZID:{name}"]
    moment = now - timedelta(days=366)
    lines += _observance("STANDARD", moment, moment, zone)
    end = now + timedelta(days=366 * _ZONE_YEARS)
    while moment < end:
        change = next_change(moment, zone, moment + _DAY)
        if change is not None:
            kind = "DAYLIGHT" if change.astimezone(zone).dst() else "STANDARD"
            lines += _observance(kind, change - timedelta(seconds=1), change, zone)
        moment = change or moment + _DAY
    return [*lines, "END:VTIMEZONE"]


def _observance(kind: str, before: datetime, at: datetime, zone: tzinfo) -> list[str]:
    old, new = (moment.astimezone(zone).utcoffset() or timedelta() for moment in (before, at))
    shown = (at + old).replace(tzinfo=None)  # on the clocks that are still to be changed
    return [
        f"BEGIN:{kind}",
        f"DTSTART:{shown:%Y%m%dT%H%M%S}",
        f"TZOFFSETFROM:{_offset(old)}",
        f"TZOFFSETTO:{_offset(new)}",
        f"END:{kind}",
    ]


def _offset(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\n", "\\n")


def _folded(line: str) -> Iterable[str]:
    """The line in pieces of 75 octets, no character cut in two."""
    piece, size, limit = "", 0, LINE_OCTETS
    for character in line:
        octets = len(character.encode("utf-8", "replace"))
        if size + octets > limit:
            yield piece
            piece, size = " ", 1
        piece += character
        size += octets
    yield piece
