"""A job in plain words, read without asking anybody: for callers who have confirmed it themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time

from bot.errors import InputError
from bot.i18n.catalogue import translate
from bot.schedule import plan as plans
from bot.schedule.intent_lead import before_it
from bot.schedule.plan import Plan
from bot.schedule.when.describe import describe, describe_time
from bot.schedule.when.reading import Reading
from bot.schedule.zones import kept_zone, wall_of, zone_of


@dataclass(frozen=True, slots=True)
class Wish:
    """What was understood: what is to be done, when, and what was taken for granted."""

    task: str
    plan: Plan
    assumed: tuple[str, ...]


def understand(text: str, now: datetime, zone: str, lang: str | None = None) -> Wish:
    """Read a wish. Raises `InputError` where it holds no time to come, or nothing to be done."""
    door = plans.reader()
    reading = read_time(text, now, zone, lang)
    plan = plans.of_reading(reading, now, zone, text=text)
    task: str = door.task_of(text, reading)
    if not task:
        raise InputError("it says when, but not what", field="text")
    return Wish(task, plan, tuple(reading.assumed))


def read_time(text: str, now: datetime, zone: str, lang: str | None = None) -> Reading:
    """The time in a text, earlier by the lead that it wishes: "20 March, two days before"."""
    tz, door = zone_of(zone), plans.reader()
    wall = wall_of(now, tz)

    def read(words: str) -> Reading:
        found: Reading = door.read(words, wall, lang, tz)
        return found

    return before_it(text, read(text), wall, read)


def at_time(written: str, zone: str) -> Plan:
    """The plan for a time in ISO 8601; without an offset it is a time in `zone`. Raises `InputError`.

    A mere date is its usual hour, as it is in words: nobody wishes to be woken at midnight.
    """
    try:
        moment = datetime.combine(date.fromisoformat(written), time(plans.DEFAULT_HOUR))
    except ValueError:
        return _at_moment(written, zone)
    return plans.once(moment, zone)


def _at_moment(written: str, zone: str) -> Plan:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError as error:
        problem = f'"{written[:40]}" is not a time'
        raise InputError(problem, field="at", hint="as in 2027-03-01T09:00") from error
    return plans.once(moment, zone)


def planned(times: Mapping[str, str], zone: str, now: datetime, start: str | None = None) -> Plan:
    """The plan of exactly one of `at`, `rrule` and `cron`. Raises `InputError`.

    A rule begins at `start` (a time on the wall), else now.
    """
    if len(times) != 1:
        raise InputError("give one of at, rrule and cron", field=max(times, default="at"))
    if start is not None and "rrule" not in times:
        raise InputError("a start goes with rrule alone", field="start")
    if "at" in times:
        return at_time(times["at"], zone)
    if "cron" in times:
        return plans.by_cron(times["cron"], zone)
    if start is None:
        return plans.by_rule_from(times["rrule"], zone, now)
    return plans.by_rule(times["rrule"], zone, _start(start, zone))


def _start(written: str, zone: str) -> datetime:
    try:
        start = datetime.fromisoformat(written)
        return start if start.tzinfo is None else wall_of(start, zone_of(zone))
    except (ValueError, OverflowError) as error:
        raise InputError(f'"{written[:40]}" is not a time', field="start") from error


def with_changes(
    plan: Plan, times: Mapping[str, str], zone: str | None, now: datetime, start: str | None = None
) -> Plan:
    """The plan with another time, in another zone, or both; a rule from another start. `InputError`."""
    if times:
        return planned(times, zone or plan.zone, now, start)
    if start is not None:
        if not plan.rrule:
            raise InputError("a start goes with rrule alone", field="start")
        begin = _start(start, zone or plan.zone)
        return plans.by_rule(plan.rrule, zone or plan.zone, begin, plan.excluded, plan.exrule)
    return plan if zone is None else moved_to(plan, zone, now)


def moved_to(plan: Plan, zone: str, now: datetime) -> Plan:
    """The plan in another zone: a recurring one keeps its times on the wall, a single one its moment."""
    if plan.at is not None:
        return plans.once(plan.at, zone)
    if plan.cron:
        return plans.by_cron(plan.cron, zone)
    start = plan.start or wall_of(now, zone_of(zone))
    return plans.by_rule(plan.rrule, zone, start, plan.excluded, plan.exrule)


def in_words(plan: Plan, locale: str) -> str:
    """When it fires, in the language of `locale` and the zone of the plan."""
    if plan.at is not None:
        return describe_time(wall_of(plan.at, kept_zone(plan.zone)), locale)
    if plan.cron:
        return translate("firing.cron", locale, cron=plan.cron)
    reading = Reading("recurring", rrule=plans.in_full(plan), excluded=plan.excluded, exrule=plan.exrule)
    return describe(reading, locale)
