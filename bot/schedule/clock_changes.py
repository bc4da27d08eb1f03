"""The nights on which clocks change, where they touch an hour of a job: said before they come."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Literal

from bot.schedule import cron as crons
from bot.schedule import plan as plans
from bot.schedule.plan import Plan
from bot.schedule.rule import STEPS
from bot.schedule.rule_text import parts_of
from bot.schedule.zones import moment_of, next_change, wall_of, zone_of

_AHEAD = timedelta(days=366)
_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Touched:
    """An hour that clocks skip or show twice: what was asked for (on the wall), and when it fires (UTC)."""

    how: Literal["skipped", "doubled"]
    wall: datetime
    at: datetime


def touched(plan: Plan, now: datetime) -> Touched | None:
    """The first time within a year of `now` at which a changing clock touches the plan.

    None for intervals, which count real time. Of a plan for one moment only the doubled hour can be
    told: what the clocks skip was moved when the plan was made.
    """
    zone = zone_of(plan.zone)
    if plan.at is not None:
        first = wall_of(plan.at, zone).replace(fold=0)
        twice = first.replace(tzinfo=zone).utcoffset() != first.replace(tzinfo=zone, fold=1).utcoffset()
        return Touched("doubled", first, plan.at) if twice and moment_of(first, zone) == plan.at else None
    if _counts_real_time(plan):
        return None
    walls = replace(plan, zone="UTC", ends=None)
    day = now
    while day < now + _AHEAD:
        change = next_change(day, zone, day + _DAY)
        if change is not None:
            for wall, how in _touched_walls(
                walls, wall_of(change - _SECOND, zone) + _SECOND, wall_of(change, zone)
            ):
                at = moment_of(wall, zone)
                if at > now and (plan.ends is None or at <= plan.ends):
                    return Touched(how, wall, at)
        day += _DAY
    return None


def _counts_real_time(plan: Plan) -> bool:
    if plan.cron:
        return crons.parse(plan.cron).hourly
    return parts_of(plan.rrule)["FREQ"] in STEPS


def _touched_walls(
    walls: Plan, left: datetime, right: datetime
) -> Iterator[tuple[datetime, Literal["skipped", "doubled"]]]:
    """The plan's times on the wall between the two that the clocks jump from and to."""
    how: Literal["skipped", "doubled"] = "skipped" if left < right else "doubled"
    begin, end = min(left, right).replace(tzinfo=UTC, fold=0), max(left, right).replace(tzinfo=UTC, fold=0)
    for moment in takewhile(lambda moment: moment < end, plans.moments(walls, begin - _SECOND)):
        yield moment.replace(tzinfo=None), how
