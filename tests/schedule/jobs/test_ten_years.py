"""The times of rules and cron expressions are those of dateutil on the wall, and of the stated rules."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.ten_years import ZONES, Tally, compare, schedules
from bot.errors import InputError
from bot.schedule import plan as plans
from bot.schedule.zones import zone_of
from tests.schedule.jobs.making import BERLIN, at

# A part of the benchmark, picked so that every kind of schedule is in it.
PART = [schedule for schedule in schedules(80) if "MINUTELY" not in schedule.written][::8]


@pytest.mark.slow
@pytest.mark.pain("29")
@pytest.mark.parametrize("zone", ZONES)
def test_sixteen_months_of_schedules_fire_when_they_should(zone: str) -> None:
    tally = Tally()
    for schedule in PART:
        compare(schedule, zone, datetime(2027, 5, 1, tzinfo=UTC), tally)
    assert tally.right > 500
    assert (tally.wrong, tally.missing, tally.doubled) == (0, 0, 0)


def shown(written: str, after: str, count: int = 3, zone: str = BERLIN) -> list[str]:
    """The next times, as the clock in the zone shows them, with its offset."""
    is_rule = written.startswith("FREQ")
    start = datetime.fromisoformat(after).replace(tzinfo=None)
    plan = plans.by_rule(written, zone, start) if is_rule else plans.by_cron(written, zone)
    tz = zone_of(zone)
    return [
        f"{moment.astimezone(tz):%a %d %H:%M%z}" for moment in islice(plans.moments(plan, at(after)), count)
    ]


@pytest.mark.pain("29")
def test_a_daily_time_is_the_same_on_the_wall_over_both_changes() -> None:
    assert shown("0 9 * * *", "2026-10-24T12:00+02:00") == [
        "Sun 25 09:00+0100",
        "Mon 26 09:00+0100",
        "Tue 27 09:00+0100",
    ]
    assert shown("0 9 * * 1-5", "2027-03-26T09:00+01:00", 1) == ["Mon 29 09:00+0200"]
    new_york = "America/New_York"
    assert shown("0 9 * * 1-5", "2026-10-30T09:00-04:00", 1, new_york) == ["Mon 02 09:00-0500"]
    assert shown("0 9 * * 1-5", "2027-03-12T09:00-05:00", 1, new_york) == ["Mon 15 09:00-0400"]


@pytest.mark.pain("29")
def test_a_time_in_the_missing_hour_is_the_end_of_it_and_one_in_the_doubled_hour_comes_once() -> None:
    assert shown("30 2 * * *", "2027-03-27T12:00+01:00", 2) == ["Sun 28 03:00+0200", "Mon 29 02:30+0200"]
    assert shown("30 2 * * *", "2026-10-24T12:00+02:00", 2) == ["Sun 25 02:30+0200", "Mon 26 02:30+0100"]


def test_in_the_second_pass_of_an_hour_the_next_time_is_to_come() -> None:
    now = "2026-11-01T01:45-05:00"
    for written in ("30 * * * *", "FREQ=HOURLY;BYMINUTE=30"):
        assert shown(written, now, 1, "America/New_York") == ["Sun 01 02:30-0500"]


def test_two_hours_are_two_hours() -> None:
    assert shown("FREQ=HOURLY;INTERVAL=2", "2027-03-28T00:30+01:00", 2) == [
        "Sun 28 03:30+0200",
        "Sun 28 05:30+0200",
    ]


@pytest.mark.parametrize(
    ("cron", "days"),
    [
        ("0 3 * * 0", "Sun"),
        ("0 3 * * 7", "Sun"),
        ("0 13 * * 1", "Mon"),
        ("0 10 * * 1,7", "Sun Mon"),
        ("0 9 * * 1-5", "Mon Tue Wed Thu Fri"),
        ("0 9 * * 5-7", "Fri Sat Sun"),
        ("0 9 * * fri-sun", "Fri Sat Sun"),
        ("0 9 * * */2", "Sun Tue Thu Sat"),
        ("@weekly", "Sun"),
    ],
)
def test_weekdays_of_cron_begin_with_sunday(cron: str, days: str) -> None:
    week = shown(cron, "2026-03-02T23:59+00:00", 7, "UTC")
    assert {moment.split()[0] for moment in week} == set(days.split())


@pytest.mark.parametrize(
    ("cron", "first"),
    [
        ("0 9 L * *", "Tue 31 09:00+0000"),
        ("0 9 * * 5L", "Fri 27 09:00+0000"),
        ("0 9 * * fri#2", "Fri 13 09:00+0000"),
        ("0 9 13 * 5", "Fri 06 09:00+0000"),
        ("*/20 8-9 * jun *", "Mon 01 08:00+0000"),
        ("0 0 29 2 *", "Tue 29 00:00+0000"),
    ],
)
def test_cron_knows_last_days_and_ordinals(cron: str, first: str) -> None:
    assert shown(cron, "2026-03-02T12:00+00:00", 1, "UTC") == [first]


@pytest.mark.parametrize(
    ("cron", "problem"),
    [
        ("0 9 * *", "it has 4 fields"),
        ("60 9 * * *", "minute: 60 is not between 0 and 59"),
        ("0 24 * * *", "hour: 24 is not between"),
        ("0 9 0 * *", "day of month: 0 is not between"),
        ("0 9 * foo *", 'month: "foo" is not understood'),
        ("0 9 * * 8", "day of week: 8 is not between"),
        ("0 9 * * 5-1", "5 comes after 1"),
        ("*/0 * * * *", "a step is 1 or more"),
        ("0 9 * * 1#6", "after # stands 1 to 5"),
        ("0 9 31 2 *", "there is no such day"),
        ("@often", "@often is not known"),
    ],
)
def test_a_cron_expression_that_is_wrong_is_refused_with_its_field(cron: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        plans.by_cron(cron, "UTC")


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("DAILY", "not understood"),
        ("FREQ=DAILY;BYHOUR=24", "BYHOUR"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL"),
        ("FREQ=DAILY;COUNT=1;UNTIL=20300101", "exclude each other"),
        ("FREQ=DAILY;FREQ=DAILY", "stands twice"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY"),
        ("FREQ=SECONDLY", "more often than once a minute"),
        ("FREQ=DAILY;UNTIL=20260231", "UNTIL"),
        ("FREQ=HOURLY;BYSETPOS=1;BYDAY=MO", "does not go with HOURLY"),
        ("FREQ=DAILY;BYDAY=2MO", "with a number does not go with DAILY"),
        ("FREQ=WEEKLY;BYDAY=2MO", "with a number does not go with WEEKLY"),
        ("FREQ=DAILY;BYWEEKNO=53", "BYWEEKNO does not go with DAILY"),
        ("FREQ=MONTHLY;BYYEARDAY=366", "BYYEARDAY does not go with MONTHLY"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "no times"),
        ("FREQ=YEARLY;BYMONTH=2;BYDAY=53MO", "no times"),
        ("FREQ=MINUTELY;INTERVAL=1440;BYHOUR=3", "no times"),
        ("FREQ=HOURLY;INTERVAL=2;BYHOUR=1", "no times"),
    ],
)
def test_a_rule_that_is_wrong_is_refused_with_its_part(rule: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        plans.by_rule(rule, "UTC", datetime.fromisoformat("2026-03-02T12:00"))


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("FREQ=MINUTELY;BYHOUR=9;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2044-02-29 09:00"),
        ("FREQ=HOURLY;BYMINUTE=3;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2044-02-29 00:03"),
        ("FREQ=MINUTELY;INTERVAL=1440;BYHOUR=3;BYMONTH=2", None),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", None),
        ("FREQ=DAILY;INTERVAL=9999", "2053-07-17 12:00"),
    ],
)
def test_a_rule_that_is_seldom_met_is_sought_day_by_day(
    written: str, first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library would step from minute to minute through 41 years: one such rule held everybody up."""
    monkeypatch.delattr("bot.schedule.rule.rrulestr")
    found = None
    with suppress(InputError):
        plan = plans.by_rule(written, "UTC", datetime.fromisoformat("2026-03-02T12:00"))
        found = f"{next(plans.moments(plan, datetime(2027, 1, 1, tzinfo=UTC))):%Y-%m-%d %H:%M}"
    assert found == first


PARTS = st.sampled_from([
    "FREQ=DAILY", "FREQ=HOURLY", "FREQ=MINUTELY", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=WEEKLY", "INTERVAL=3",
    "BYDAY=MO,-1FR", "BYDAY=SU", "BYMONTHDAY=-1,31", "BYHOUR=2", "BYMINUTE=30", "BYSECOND=5", "BYSETPOS=-1",
    "BYWEEKNO=53", "BYYEARDAY=366", "BYMONTH=2", "COUNT=3", "UNTIL=20270101", "UNTIL=20270328T003000Z",
    "WKST=SU", "X=1",
])  # fmt: skip


@pytest.mark.slow
@given(st.lists(PARTS, min_size=1, max_size=5).map(";".join), st.sampled_from(ZONES))
@settings(max_examples=150, deadline=None)
def test_any_rule_is_refused_or_fires_in_order_and_the_same_from_any_point(rule: str, zone: str) -> None:
    start = datetime.fromisoformat("2026-03-02T01:30")
    try:
        plan = plans.by_rule(rule, zone, start)
    except InputError:
        return
    found = list(islice(plans.moments(plan, plans.beginning(plan)), 12))
    assert found == sorted(set(found))
    for before, after in pairwise(found):
        assert plans.next_after(plan, before) == after
        assert plans.next_after(plan, after - timedelta(seconds=1)) == after


@given(st.text("0123456789*/,-#L? @abcmonjansu", max_size=24))
def test_any_text_is_a_cron_expression_or_refused(text: str) -> None:
    try:
        plan = plans.by_cron(text, "Europe/Berlin")
    except InputError:
        return
    assert plans.next_after(plan, at("2026-03-02T12:00Z")) is not None
