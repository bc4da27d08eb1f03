"""The alarm clock rings, and the scheduler of a running bot fires by it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.clock import SystemClock
from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import plan
from bot.schedule.jobs import EVERYTHING, Job, JobDraft, Kind
from bot.schedule.wake import Alarm
from bot.store.tables import jobs
from tests.builders import Core, open_core
from tests.fakes.clock import ShiftedClock
from tests.fakes.models import ScriptedModel

BOUND_S = 15.0


async def test_it_rings_at_the_moment_that_was_set_last() -> None:
    rung = asyncio.Event()
    clock = SystemClock()

    async def ring() -> None:
        rung.set()

    alarm = Alarm(3600.0, ring)
    alarm.set(clock.now())  # not begun yet
    await alarm.start()
    try:
        alarm.set(clock.now() + timedelta(hours=1))
        alarm.set(clock.now() + timedelta(milliseconds=50))
        async with asyncio.timeout(BOUND_S):
            await rung.wait()
        alarm.set(None)
    finally:
        alarm.stop()


async def test_it_rings_at_once_for_a_moment_that_has_passed() -> None:
    rung = asyncio.Event()

    async def ring() -> None:
        rung.set()

    alarm = Alarm(3600.0, ring)
    await alarm.start()
    try:
        alarm.set(SystemClock().now() - timedelta(days=3))
        async with asyncio.timeout(BOUND_S):
            await rung.wait()
    finally:
        alarm.stop()


@pytest.fixture
async def core() -> AsyncIterator[Core]:
    async with open_core(ScriptedModel("Hello.")) as core, asyncio.TaskGroup() as group:
        scheduling = group.create_task(core.scheduler.run())
        yield core
        scheduling.cancel()


async def until_done(core: Core, job: Job) -> None:
    """Wait for the first firing of a job to end well."""
    async with asyncio.timeout(BOUND_S):
        states: list[str] = []
        while states != ["done"]:
            await asyncio.sleep(0.02)
            states = [firing.state for firing in await core.jobs.history(EVERYTHING, job.id)]


async def made(core: Core, kind: Kind, *, due_in_s: float) -> Job:
    """A job that is due so soon; a slow machine may find it late, which is as good."""
    when = plan.once(core.jobs.now() + timedelta(hours=1), "UTC")
    draft = JobDraft(Conversation("http", "s"), SpeakerId("http:ann"), kind, "tea", when)
    job = await core.jobs.create(draft)
    due = core.jobs.now() + timedelta(seconds=due_in_s)
    this = jobs.c.id == job.id
    await core.store.write(lambda conn: conn.execute(update(jobs).where(this).values(next_due=due)))
    core.scheduler.wake()
    return job


async def test_a_running_scheduler_fires_what_is_made_while_it_sleeps(core: Core) -> None:
    core.scheduler.begin()
    said = await made(core, "reminder", due_in_s=0.3)
    done = await made(core, "agent", due_in_s=0.3)
    await until_done(core, said)
    await until_done(core, done)


async def test_nothing_fires_before_the_doors_are_open(core: Core) -> None:
    job = await made(core, "reminder", due_in_s=0.0)
    await asyncio.sleep(0)
    assert await core.jobs.history(EVERYTHING, job.id) == []
    core.scheduler.begin()
    await until_done(core, job)


async def test_a_running_bot_sees_by_itself_that_its_clock_was_set_ahead_and_back() -> None:
    clock = ShiftedClock()
    async with open_core(ScriptedModel("Hello."), clock=clock) as core, asyncio.TaskGroup() as group:
        scheduling = group.create_task(core.scheduler.run())
        core.scheduler.begin()
        once = JobDraft(
            Conversation("http", "s"),
            SpeakerId("http:ann"),
            "reminder",
            "tea",
            plan.once(clock.now() + timedelta(hours=2), "UTC"),
        )
        half_past = (clock.now() + timedelta(minutes=30)).minute
        single = await core.jobs.create(once)
        hourly = await core.jobs.create(replace(once, plan=plan.by_cron(f"{half_past} * * * *", "UTC")))

        clock.wrong_by = timedelta(hours=5)  # nobody wakes the scheduler
        await until_done(core, single)
        await until_done(core, hourly)

        clock.wrong_by = timedelta()
        async with asyncio.timeout(BOUND_S):
            waits_for = None
            while waits_for != hourly.next_due:
                await asyncio.sleep(0.02)
                waits_for = (await core.jobs.get(EVERYTHING, hourly.id)).next_due
        scheduling.cancel()
        assert [len(await core.jobs.history(EVERYTHING, job.id)) for job in (single, hourly)] == [1, 1]
