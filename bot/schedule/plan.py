"""When a job fires: once, by a rule, or by a cron expression; and its next times."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import islice
from typing import Any

from bot.errors import InputError
from bot.schedule import cron as crons
from bot.schedule.rule import STEPS, Rule
from bot.schedule.rule_text import check_together, parts_of, rule_of
from bot.schedule.when.reading import Reading, join_rule
from bot.schedule.zones import every_pass, kept_zone, moment_of, wall_of, zone_of

DEFAULT_HOUR = 9
# A day, a time on the wall, or a (month, year) that a recurrence leaves out.
Excluded = date | datetime | tuple[int, int]
# Times that are looked through for one that is not left out.
_MAX_SKIPPED = 5000
_SHIFT = timedelta(minutes=7)


@dataclass(frozen=True, slots=True)
class Plan:
    """Exactly one of `at`, `rrule` and `cron` is set; the functions below make plans that are checked.

    A daily, weekly, monthly or yearly time is one on the wall in `zone`. Where the clocks skip it, it
    is the first moment after the gap; where they show it twice, the first of the two. Intervals of
    hours and minutes, and cron expressions for every hour, count real time.
    """

    zone: str
    at: datetime | None = None  # UTC
    rrule: str = ""
    cron: str = ""
    start: datetime | None = None  # of a rule: the wall time that it begins at
    ends: datetime | None = None  # the last time of a rule with COUNT, UTC
    excluded: tuple[Excluded, ...] = ()
    exrule: str = ""

    @property
    def is_recurring(self) -> bool:
        return self.at is None


def once(at: datetime, zone: str) -> Plan:
    """At one moment; `at` without zone is a time on the wall in `zone`. Raises `InputError`."""
    tz = zone_of(zone)
    try:
        moment = moment_of(at.replace(microsecond=0), tz) if at.tzinfo is None else at.astimezone(UTC)
        wall_of(moment, tz)
    except OverflowError as error:
        raise InputError("at: this time is beyond the calendar", field="at") from error
    return Plan(zone, at=moment.replace(microsecond=0))


def by_rule(
    rrule: str,
    zone: str,
    start: datetime,
    excluded: tuple[Excluded, ...] = (),
    exrule: str = "",
) -> Plan:
    """By a rule that begins at `start` (wall time). Raises `InputError` also where it has no times."""
    tz = zone_of(zone)
    check_together(rrule)
    rule, count = rule_of(rrule, start, tz)
    if exrule:
        rule_of(exrule, start, tz)
    plan = Plan(zone, rrule=_written(parts_of(rrule)), start=rule.start, excluded=excluded, exrule=exrule)
    try:
        before = moment_of(rule.start, tz) - timedelta(seconds=1)
    except OverflowError as error:
        raise InputError("start: this time is beyond the calendar", field="start") from error
    if count is not None:
        counted = list(islice(rule.moments(tz, before), count))
        plan = replace(plan, ends=counted[-1] if counted else before)
    if next(moments(plan, before), None) is None:
        raise InputError("rrule: it has no times", field="rrule")
    return plan


def by_rule_from(rrule: str, zone: str, now: datetime) -> Plan:
    """By a rule without a start of its own: its first time, counted by COUNT, is the first after `now`.

    What it leaves open is as now, but for the seconds. Raises `InputError` also where it has no times.
    """
    tz = zone_of(zone)
    check_together(rrule)
    rule, _ = rule_of(rrule, wall_of(now, tz).replace(second=0), tz)
    first = rule.first_wall(tz, now)
    if first is None:
        raise InputError("rrule: it has no times to come", field="rrule")
    return by_rule(rrule, zone, first)


def by_cron(expression: str, zone: str) -> Plan:
    """By a cron expression. Raises `InputError` also where it has no times, such as 30 February."""
    zone_of(zone)
    read_cron = crons.parse(expression)
    if next(read_cron.times(datetime(2000, 1, 1)), None) is None:  # noqa: DTZ001 - on the wall
        raise InputError("cron: there is no such day", field="cron")
    return Plan(zone, cron=" ".join(expression.split()))


def of_reading(
    reading: Reading, now: datetime, zone: str, *, text: str = "", default_hour: int = DEFAULT_HOUR
) -> Plan:
    """The plan that a reading of time is, seen at `now`. Raises `InputError` for one that is none.

    `text` is what was read: with it "in 2 hours" is told from a time of day and counts real hours.
    """
    tz = zone_of(zone)
    if reading.kind == "none" or reading.refused is not None or (reading.kind == "once" and not reading.at):
        raise InputError(f"this is no time to come: {reading.refused or 'none was found'}", field="text")
    if reading.kind == "recurring":
        start, rule = _beginning(reading, now, tz, default_hour)
        return by_rule(rule, zone, start, reading.excluded, reading.exrule or "")
    assert reading.at is not None
    at = reading.at if isinstance(reading.at, datetime) else datetime.combine(reading.at, time(default_hour))
    if text and (after := _elapsed(text, reading, wall_of(now, tz), tz)) is not None:
        return once(now + after, zone)
    plan = once(at, zone)
    if plan.at is not None and plan.at <= now:
        raise InputError("this time has passed", field="text")
    return plan


def reader() -> Any:
    """The reader of times in words (`bot.schedule.when.read`), loaded when the first text comes."""
    return importlib.import_module("bot.schedule.when.read")


def on_the_wall(reading: Reading, text: str, now: datetime, zone: tzinfo) -> date | datetime | None:
    """What clocks in `zone` show at a reading of `text`, seen at `now` (on the wall, too).

    "In two hours" are two real ones, also where the clocks change in them.
    """
    at = reading.at
    if not isinstance(at, datetime):
        return at
    if now.replace(tzinfo=zone).utcoffset() == at.replace(tzinfo=zone).utcoffset():
        return at
    after = _elapsed(text, reading, now, zone)
    return at if after is None else wall_of(moment_of(now, zone) + after, zone)


def _elapsed(text: str, reading: Reading, wall: datetime, zone: tzinfo) -> timedelta | None:
    """How far ahead a reading lies that moves with the clock to the minute, such as "in 2 hours"."""
    if not isinstance(reading.at, datetime) or "hour" in reading.assumed:
        return None
    later = reader().read(text, wall + _SHIFT, reading.lang or None, zone)
    if later.kind != "once" or later.at - reading.at != _SHIFT:
        return None
    return reading.at - wall


def _beginning(reading: Reading, now: datetime, zone: tzinfo, default_hour: int) -> tuple[datetime, str]:
    """Where a recurrence begins, and its rule with an hour of the day where it needs one."""
    rule = reading.rrule or ""
    parts = parts_of(rule)
    if isinstance(reading.at, datetime):
        start = reading.at
    elif reading.at is not None:
        start = datetime.combine(reading.at, time())
    else:  # not the minute in which it is said; an interval ends for the first time after itself
        counts = parts["FREQ"] in STEPS and not parts.keys() & {"BYHOUR", "BYMINUTE"}
        step = STEPS[parts["FREQ"]] * int(parts.get("INTERVAL", "1")) if counts else timedelta(minutes=1)
        start = wall_of(now + step, zone).replace(second=0, microsecond=0)
    if parts["FREQ"] in STEPS:
        return start, rule
    if "BYHOUR" not in parts and not isinstance(reading.at, datetime):
        rule += f";BYHOUR={default_hour}"
    if "BYMINUTE" not in parts and not isinstance(reading.at, datetime):
        rule += ";BYMINUTE=0"
    return start.replace(second=0), rule


def moments(plan: Plan, after: datetime) -> Iterator[datetime]:
    """The moments after `after` at which it fires, in UTC, each once, oldest first."""
    if plan.at is not None:
        if plan.at > after:
            yield plan.at
        return
    zone = zone_of(plan.zone)
    skipped = 0
    for moment in _recurring(plan, zone, after):
        if plan.ends is not None and moment > plan.ends:
            return
        if _is_left_out(plan, moment, zone):
            skipped += 1
            if skipped > _MAX_SKIPPED:
                return
        else:
            skipped = 0
            yield moment


def _recurring(plan: Plan, zone: tzinfo, after: datetime) -> Iterator[datetime]:
    if plan.cron:
        yield from _by_cron(_read_cron(plan.cron), zone, after)
    else:
        yield from _rule(plan, plan.rrule, zone).moments(zone, after)


def beginning(plan: Plan) -> datetime:
    """A moment just before the first time that a rule can have."""
    assert plan.start is not None
    return moment_of(plan.start, zone_of(plan.zone)) - timedelta(seconds=1)


def in_full(plan: Plan) -> str:
    """The rule with what it takes from its start: "every day" is every day at the hour of that."""
    rule, given = _rule(plan, plan.rrule, kept_zone(plan.zone)), parts_of(plan.rrule)
    if rule.is_elapsed or rule.is_every_hour:
        return plan.rrule
    taken = {name: value for name, value in rule.parts.items() if name != "BYSECOND"}
    return join_rule({**taken, **{name: given[name] for name in ("COUNT", "UNTIL") if name in given}})


def _rule(plan: Plan, rrule: str, zone: tzinfo) -> Rule:
    assert plan.start is not None
    return _read_rule(rrule, plan.start, plan.start.fold, zone)


_read_cron = lru_cache(maxsize=1024)(crons.parse)


@lru_cache(maxsize=1024)
def _read_rule(rrule: str, start: datetime, fold: int, zone: tzinfo) -> Rule:
    """The rule of a text; times that differ in their fold alone count as equal, so it is a key of its own."""
    return rule_of(rrule, start, zone)[0]


def _by_cron(expression: crons.Cron, zone: tzinfo, after: datetime) -> Iterator[datetime]:
    if expression.hourly:
        yield from every_pass(expression.times, zone, after)
        return
    previous = after
    for wall in expression.times(wall_of(after, zone).replace(second=0, microsecond=0)):
        moment = moment_of(wall, zone)
        if moment > previous:
            previous = moment
            yield moment


def _is_left_out(plan: Plan, moment: datetime, zone: tzinfo) -> bool:
    if not plan.excluded and not plan.exrule:
        return False
    wall = wall_of(moment, zone)
    if wall in plan.excluded or wall.date() in plan.excluded or (wall.month, wall.year) in plan.excluded:
        return True
    if not plan.exrule:
        return False
    if "BYHOUR" in plan.exrule or "MINUTELY" in plan.exrule or "HOURLY" in plan.exrule:
        return next(_rule(plan, plan.exrule, zone).walls(wall), None) == wall
    left_out = next(_rule(plan, plan.exrule, zone).walls(datetime.combine(wall, time())), None)
    return left_out is not None and left_out.date() == wall.date()  # whole days, whatever the hour


def next_after(plan: Plan, after: datetime) -> datetime | None:
    """The first moment after `after`; None where it fires no more."""
    return next(moments(plan, after), None)


def last_until(plan: Plan, after: datetime, until: datetime) -> datetime | None:
    """The last moment after `after` and not after `until`; None where there is none."""
    found = None
    for moment in moments(plan, _closer(plan, after, until)):
        if moment > until:
            break
        found = moment
    return found if found is None or found > after else None


def _closer(plan: Plan, after: datetime, until: datetime) -> datetime:
    """Begin to look not long before `until`, where the plan fires at all in that time."""
    for days in (1, 32, 400):
        begin = until - timedelta(days=days)
        if begin <= after:
            return after
        first = next_after(plan, begin)
        if first is not None and first <= until:
            return begin
    return after


def dump(plan: Plan) -> dict[str, Any]:
    """What is kept beside the columns of a job."""
    return {
        "start": plan.start and plan.start.isoformat(),
        "second_pass": bool(plan.start and plan.start.fold),
        "ends": plan.ends and plan.ends.isoformat(),
        "excluded": [list(item) if isinstance(item, tuple) else item.isoformat() for item in plan.excluded],
        "exrule": plan.exrule,
    }


def load(zone: str, at: datetime | None, rrule: str, cron: str, data: dict[str, Any]) -> Plan:
    """The plan of which `dump` kept a part."""
    start, ends = data.get("start"), data.get("ends")
    return Plan(
        zone=zone,
        at=at,
        rrule=rrule,
        cron=cron,
        start=datetime.fromisoformat(start).replace(fold=int(data.get("second_pass", 0))) if start else None,
        ends=datetime.fromisoformat(ends) if ends else None,
        excluded=tuple(_excluded(item) for item in data.get("excluded", ())),
        exrule=data.get("exrule", ""),
    )


def _excluded(item: Any) -> Excluded:
    if isinstance(item, list):
        return (int(item[0]), int(item[1]))
    return date.fromisoformat(item) if len(item) == 10 else datetime.fromisoformat(item)


def _written(parts: dict[str, str]) -> str:
    return join_rule(parts)
