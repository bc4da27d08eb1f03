"""Jobs are made, found by those who may see them, changed, paused, snoozed and deleted."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import Connection

from bot.errors import Conflict, InputError, NotFound
from bot.schedule import feeds, jobs, plan, privacy
from bot.schedule.jobs import EVERYTHING, JobChanges, Scope
from bot.store.engine import Store
from tests.fakes.clock import START
from tests.schedule.jobs.making import ANN, BEN, CHAT, daily, in_minutes, make, wish

HERS = Scope(person_id=ANN)
HIS = Scope(person_id=BEN)


async def test_a_job_is_kept_as_it_was_made(store: Store) -> None:
    when = plan.by_rule(
        "FREQ=DAILY;BYHOUR=9;COUNT=5",
        "Asia/Shanghai",
        datetime.fromisoformat("2026-03-03T08:00"),
        excluded=(date(2026, 3, 4), (5, 2026)),
    )
    made = await store.write(make, wish(when))
    assert await store.read(jobs.get, HERS, made.id) == made
    assert made.plan.ends == datetime(2026, 3, 7, 1, tzinfo=UTC)


async def test_somebody_elses_job_is_not_there(store: Store) -> None:
    made = await store.write(make, wish(in_minutes(5)))
    acts: tuple[Callable[[Connection, Scope, str], object], ...] = (jobs.get, jobs.history)
    for act in acts:
        with pytest.raises(NotFound, match="no such task"):
            await store.write(act, HIS, made.id)
    for act_at in (jobs.pause, jobs.resume, jobs.done, jobs.remove):
        with pytest.raises(NotFound, match="no such task"):
            await store.write(act_at, HIS, made.id, START)
    elsewhere = Scope(person_id=ANN, conversation_id="telegram:9")
    assert await store.read(jobs.page, elsewhere) == []
    assert await store.read(jobs.page, Scope(channel="http")) == []
    assert await store.read(jobs.page, Scope(person_id=ANN, channel="telegram")) == [made]


async def test_a_person_has_so_many_open_jobs_at_most(store: Store) -> None:
    await store.write(jobs.create, wish(in_minutes(5)), START, most=1)
    with pytest.raises(Conflict, match="1 open"):
        await store.write(jobs.create, wish(in_minutes(6)), START, most=1)
    await store.write(jobs.create, wish(in_minutes(6), owner=BEN), START, most=1)


async def test_a_time_that_has_passed_makes_no_job(store: Store) -> None:
    with pytest.raises(InputError, match="passed"):
        await store.write(make, wish(in_minutes(-5)))
    with pytest.raises(InputError, match="nothing"):
        await store.write(make, wish(in_minutes(5), " "))


async def test_jobs_are_told_by_their_next_time_page_by_page(store: Store) -> None:
    made = [await store.write(make, wish(in_minutes(minute))) for minute in (30, 10, 20)]
    await store.write(jobs.pause, HERS, made[1].id, START)
    first = await store.read(jobs.page, HERS, limit=2)
    rest = await store.read(jobs.page, HERS, limit=2, after=first[-1].id)
    assert [job.id for job in (*first, *rest)] == [made[2].id, made[0].id, made[1].id]


async def test_a_paused_job_goes_on_with_the_time_that_comes_next(store: Store) -> None:
    made = await store.write(make, wish(daily(13)))
    paused = await store.write(jobs.pause, HERS, made.id, START)
    assert (paused.state, paused.next_due, jobs.next_firings(paused, START)) == ("paused", None, [])
    later = START + timedelta(days=3)
    resumed = await store.write(jobs.resume, HERS, made.id, later)
    assert resumed.next_due == later.replace(hour=13)


async def test_a_single_time_that_passed_while_paused_cannot_be_resumed(store: Store) -> None:
    made = await store.write(make, wish(in_minutes(5)))
    await store.write(jobs.pause, HERS, made.id, START)
    with pytest.raises(Conflict, match="passed"):
        await store.write(jobs.resume, HERS, made.id, START + timedelta(hours=1))


async def test_a_job_gets_another_time_and_text(store: Store) -> None:
    made = await store.write(make, wish(daily(13)))
    changed = await store.write(jobs.change, HERS, made.id, JobChanges("tea", daily(14)), START)
    assert (changed.text, changed.next_due) == ("tea", START.replace(hour=14))
    assert await store.read(jobs.get, EVERYTHING, made.id) == changed


async def test_a_snooze_fires_once_more_beside_the_jobs_own_times(store: Store) -> None:
    made = await store.write(make, wish(daily(13)))
    until = jobs.snooze_until(made, "10m", START)
    snoozed = await store.write(jobs.snooze, HERS, made.id, until, START)
    assert snoozed.next_due == START + timedelta(minutes=10)
    assert jobs.next_firings(snoozed, START, 2) == [until, START.replace(hour=13)]
    back = await store.write(jobs.done, HERS, made.id, START)
    assert (back.next_due, back.snoozed_until) == (START.replace(hour=13), None)


async def test_tomorrow_is_the_same_time_on_the_wall(store: Store) -> None:
    made = await store.write(make, wish(daily(9, "Europe/Berlin")))
    evening = datetime(2026, 3, 28, 19, tzinfo=UTC)  # 20:00 in Berlin, before the clocks change
    assert jobs.snooze_until(made, "tomorrow", evening) == datetime(2026, 3, 29, 18, tzinfo=UTC)


async def test_a_deleted_job_is_gone(store: Store) -> None:
    made = await store.write(make, wish(daily(13)))
    await store.write(jobs.remove, HERS, made.id, START)
    with pytest.raises(NotFound):
        await store.read(jobs.get, EVERYTHING, made.id)
    assert await store.read(jobs.page, Scope(conversation_id=CHAT.id)) == []


async def test_everything_of_a_person_is_shown_and_erased(store: Store) -> None:
    for number in range(60):
        await store.write(make, wish(in_minutes(number + 1)))
    his = await store.write(make, wish(daily(13), owner=BEN))
    await store.write(feeds.open_feed, ANN, START)
    shown = await store.read(privacy.export, ANN, START)
    assert [job["owner"] for job in shown] == [ANN] * 60
    assert await store.write(privacy.erase, ANN, START) == 60
    assert await store.read(privacy.export, ANN, START) == []
    assert await store.read(jobs.page, EVERYTHING) == [his]
    assert not await store.write(feeds.close_feed, ANN)
