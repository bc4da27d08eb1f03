"""Ten years of firings, against dateutil's rrule on the wall clock and the stated rules.

    python -m bench.ten_years                 # 200 schedules in 12 zones
    python -m bench.ten_years --schedules 20  # a part of it

A fake clock jumps from each due time to the next one, as the scheduler asks for it. What should have
fired comes from elsewhere: dateutil's `rrule` from the first day on in local time, and a table of every
second at which clocks change, made by looking at each hour of the ten years.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from bot.schedule import plan as plans
from bot.schedule.plan import Plan

ZONES = (
    "Europe/Berlin", "America/New_York", "Europe/London", "Australia/Sydney", "Australia/Lord_Howe",
    "Pacific/Chatham", "America/Santiago", "America/Havana", "Asia/Beirut", "Africa/Cairo",
    "Africa/Casablanca", "Antarctica/Troll",
)  # fmt: skip
START = datetime(2026, 1, 1)  # noqa: DTZ001 - on the wall
YEARS = 10
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Schedule:
    """A rule or a cron expression; `oracle` is the rule for dateutil, `way` how its times are meant."""

    written: str
    oracle: str
    way: str = "wall"  # wall: once each; elapsed: in UTC; passes: whenever the wall shows it
    start: datetime = START
    days: str = ""  # of an elapsed rule: the weekdays that it is limited to, on the wall

    def plan(self, zone: str) -> Plan:
        if self.written.startswith("FREQ"):
            return plans.by_rule(self.written, zone, self.start)
        return plans.by_cron(self.written, zone)


class Wall:
    """A zone's clock, known from looking at it every hour."""

    def __init__(self, name: str, years: int = YEARS + 2) -> None:
        zone = ZoneInfo(name)
        moment, self.spans = datetime(2025, 12, 1, tzinfo=UTC), []
        begin, end = moment, moment + timedelta(days=366 * years)
        offset = moment.astimezone(zone).utcoffset()
        while moment < end:
            later = moment + HOUR
            if later.astimezone(zone).utcoffset() != offset:
                change = moment
                while change.astimezone(zone).utcoffset() == offset:
                    change += timedelta(minutes=1)
                self.spans.append((begin, change, offset))
                begin, offset = change, change.astimezone(zone).utcoffset()
            moment = later
        self.spans.append((begin, end, offset))
        self._at = 0

    def moments(self, wall: datetime) -> list[datetime]:
        """Every moment at which the clock shows this. Ask in order."""
        aware = wall.replace(tzinfo=UTC)
        while self._at + 1 < len(self.spans) and self.spans[self._at][1] + self.spans[self._at][2] < aware:
            self._at += 1
        near = self.spans[max(0, self._at - 1) : self._at + 3]
        found = [aware - offset for begin, end, offset in near if begin <= aware - offset < end]
        return sorted(set(found))

    def gap_end(self, wall: datetime) -> datetime:
        """The first moment after the gap that this time is in."""
        aware = wall.replace(tzinfo=UTC)
        for (_, end, before), (_, _, after) in zip(self.spans, self.spans[1:], strict=False):
            if end + before <= aware < end + after:
                return end
        raise AssertionError(wall)


def expected(schedule: Schedule, zone: str, end: datetime) -> list[datetime]:
    """When it should fire, by dateutil and the stated rules."""
    wall, limit = Wall(zone), (end + timedelta(days=3)).replace(tzinfo=None)
    rule = rrulestr(schedule.oracle, dtstart=schedule.start)
    found: list[datetime] = []
    if schedule.way == "elapsed":
        begin = wall.moments(schedule.start)[0]
        tz = ZoneInfo(zone)
        for moment in rrulestr(schedule.oracle, dtstart=begin):
            if moment >= end:
                break
            day = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[moment.astimezone(tz).weekday()]
            if not schedule.days or day in schedule.days.split(","):
                found.append(moment)
        return found
    for shown in rule:
        if shown >= limit:
            break
        moments = wall.moments(shown)
        if schedule.way == "passes":
            found += moments
        else:
            found.append(moments[0] if moments else wall.gap_end(shown))
    return [moment for moment in sorted(set(found)) if moment < end]


def fired(plan: Plan, begin: datetime, end: datetime) -> Iterator[datetime]:
    """When it fires, each time asked anew, on a clock that jumps to it."""
    now = begin
    while (due := plans.next_after(plan, now)) is not None and due < end:
        yield due
        now = due


def schedules(count: int) -> list[Schedule]:
    """So many different ones; the first of them are those that clocks trouble most."""
    dice = random.Random(20261202)
    made: dict[str, Schedule] = {}
    for hour, minute in ((0, 0), (0, 30), (1, 30), (2, 0), (2, 30), (3, 0), (23, 30)):
        _add(
            made, Schedule(f"{minute} {hour} * * *", f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={minute};BYSECOND=0")
        )
    for rule in (
        "FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,15,30,45;BYSECOND=0",
        "FREQ=MINUTELY;INTERVAL=30;BYHOUR=0,1,2,3,4;BYSECOND=0",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=2;BYMINUTE=30;BYSECOND=0",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=2;BYMINUTE=30;BYSECOND=0",
        "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=1;BYMINUTE=30;BYSECOND=0",
        "FREQ=YEARLY;BYWEEKNO=13,43;BYDAY=SU;BYHOUR=2;BYMINUTE=30;BYSECOND=0",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0;WKST=SU",
        "FREQ=DAILY;COUNT=400;BYHOUR=2;BYMINUTE=30;BYSECOND=0",
        "FREQ=DAILY;UNTIL=20280326T023000;BYHOUR=2;BYMINUTE=30;BYSECOND=0",
    ):
        _add(made, Schedule(rule, rule))
    for rule in ("FREQ=HOURLY;INTERVAL=2", "FREQ=MINUTELY;INTERVAL=90", "FREQ=HOURLY;INTERVAL=5;COUNT=9000"):
        _add(made, Schedule(rule, rule, "elapsed"))
    _add(made, Schedule("FREQ=HOURLY;INTERVAL=3;BYDAY=SU", "FREQ=HOURLY;INTERVAL=3", "elapsed", days="SU"))
    _add(made, Schedule("FREQ=HOURLY;BYMINUTE=30", "FREQ=HOURLY;BYMINUTE=30;BYSECOND=0", "passes"))
    _add(made, Schedule("15,45 * * * 0", "FREQ=HOURLY;BYDAY=SU;BYMINUTE=15,45;BYSECOND=0", "passes"))
    while len(made) < count:
        _add(made, dice.choice((_daily, _weekly, _monthly, _yearly, _cron))(dice))
    return list(made.values())[:count]


def _add(made: dict[str, Schedule], schedule: Schedule) -> None:
    made.setdefault(schedule.written, schedule)


def _clock(dice: random.Random) -> str:
    hours = (
        sorted(dice.sample(range(24), dice.choice((1, 1, 1, 2))))
        if dice.random() < 0.6
        else [dice.randint(0, 3)]
    )
    minutes = sorted(dice.sample((0, 5, 15, 20, 30, 45, 59), dice.choice((1, 1, 2))))
    return f"BYHOUR={','.join(map(str, hours))};BYMINUTE={','.join(map(str, minutes))};BYSECOND=0"


def _of(dice: random.Random, rule: str) -> Schedule:
    start = START + timedelta(days=dice.randint(0, 60), hours=dice.randint(3, 20))
    written = f"{rule};{_clock(dice)}"
    return Schedule(written, written, start=start.replace(minute=0))


def _days(dice: random.Random) -> str:
    return ",".join(sorted(dice.sample(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), dice.randint(1, 5))))


def _daily(dice: random.Random) -> Schedule:
    return _of(dice, f"FREQ=DAILY;INTERVAL={dice.choice((1, 1, 2, 3, 5, 10))}")


def _weekly(dice: random.Random) -> Schedule:
    return _of(dice, f"FREQ=WEEKLY;INTERVAL={dice.choice((1, 1, 2, 3, 4))};BYDAY={_days(dice)}")


def _monthly(dice: random.Random) -> Schedule:
    day = dice.choice(("MO", "WE", "FR", "SA", "SU"))
    where = dice.choice((
        f"BYMONTHDAY={dice.choice((1, 13, 28, 29, 30, 31, -1, -2))}",
        f"BYDAY={dice.choice((1, 2, 3, 4, -1))}{day}",
        f"BYDAY={_days(dice)};BYSETPOS={dice.choice((1, 2, -1))}",
    ))
    return _of(dice, f"FREQ=MONTHLY;INTERVAL={dice.choice((1, 1, 2, 3, 6))};{where}")


def _yearly(dice: random.Random) -> Schedule:
    where = dice.choice((
        f"BYMONTH={dice.choice((3, 4, 10, 11))};BYMONTHDAY={dice.choice((1, 25, 29))}",
        f"BYMONTH={dice.choice((3, 10))};BYDAY=-1SU",
        f"BYYEARDAY={dice.choice((1, 87, 100, 366, -1))}",
    ))
    return _of(dice, f"FREQ=YEARLY;INTERVAL={dice.choice((1, 1, 2))};{where}")


def _cron(dice: random.Random) -> Schedule:
    minute, hour = dice.choice((0, 15, 30, 59)), dice.choice((0, 1, 2, 3, 9, 23))
    clock = f"BYHOUR={hour};BYMINUTE={minute};BYSECOND=0"
    numbers = sorted(dice.sample(range(7), dice.randint(1, 4)))
    days = ",".join(("SU", "MO", "TU", "WE", "TH", "FR", "SA")[number] for number in numbers)
    shown = ",".join(str(number or dice.choice((0, 7))) for number in numbers)
    nth, day = dice.randint(1, 4), dice.randint(1, 28)
    return dice.choice((
        Schedule(f"{minute} {hour} * * {shown}", f"FREQ=WEEKLY;BYDAY={days};{clock}"),
        Schedule(f"{minute} {hour} {day} * *", f"FREQ=MONTHLY;BYMONTHDAY={day};{clock}"),
        Schedule(f"{minute} {hour} L * *", f"FREQ=MONTHLY;BYMONTHDAY=-1;{clock}"),
        Schedule(f"{minute} {hour} * 3,10 sun#{nth}", f"FREQ=MONTHLY;BYMONTH=3,10;BYDAY={nth}SU;{clock}"),
        Schedule(f"{minute} {hour} * * 5L", f"FREQ=MONTHLY;BYDAY=-1FR;{clock}"),
    ))  # fmt: skip


@dataclass
class Tally:
    """What was found; each should be zero but for `right`."""

    right: int = 0
    wrong: int = 0
    missing: int = 0
    doubled: int = 0


def compare(schedule: Schedule, zone: str, end: datetime, tally: Tally) -> None:
    """Count what of one schedule in one zone is right and what is not."""
    plan = schedule.plan(zone)
    begin = (schedule.start - timedelta(days=1)).replace(tzinfo=UTC)
    begin = max(begin, Wall(zone, 1).moments(schedule.start)[0] - timedelta(seconds=1))
    wanted = expected(schedule, zone, end)
    got = list(fired(plan, begin, end))
    tally.right += len(set(wanted) & set(got))
    tally.missing += len(set(wanted) - set(got))
    tally.wrong += len(set(got) - set(wanted))
    tally.doubled += len(got) - len(set(got))
    if set(wanted) != set(got):
        odd = sorted(set(wanted) ^ set(got))
        print(f"{schedule.written} in {zone}: {len(odd)} differ, the first at {odd[0]}", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--schedules", type=int, default=200)
    parser.add_argument("--zones", type=int, default=len(ZONES))
    parser.add_argument("--years", type=int, default=YEARS)
    args = parser.parse_args()
    end = START.replace(year=START.year + args.years, tzinfo=UTC)
    tally, began = Tally(), time.perf_counter()
    for number, schedule in enumerate(schedules(args.schedules)):
        print(f"{number:4} {schedule.written}", file=sys.stderr)
        for zone in ZONES[: args.zones]:
            compare(schedule, zone, end, tally)
    took = time.perf_counter() - began
    print(f"{args.schedules} schedules, {args.zones} zones, {args.years} years: {tally.right} right, "
          f"{tally.wrong} wrong, {tally.doubled} doubled, {tally.missing} missing, {took:.0f} s")  # fmt: skip
    return 0 if tally.wrong + tally.missing + tally.doubled == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
