"""The alarm clock rings, and the scheduler of a running bot fires by it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.clock import SystemClock
from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import plan
from bot.schedule.jobs import EVERYTHING, JobDraft
from bot.schedule.wake import Alarm
from tests.builders import Core, open_core
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


async def until_completed(core: Core, job_id: str) -> None:
    async with asyncio.timeout(BOUND_S):
        while (await core.jobs.get(EVERYTHING, job_id)).state != "completed":  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)


async def test_a_running_scheduler_fires_what_is_made_while_it_sleeps(core: Core) -> None:
    core.scheduler.begin()
    soon = core.jobs.now() + timedelta(seconds=1.2)
    where, owner = Conversation("http", "s"), SpeakerId("http:ann")
    said = await core.jobs.create(JobDraft(where, owner, "reminder", "tea", plan.once(soon, "UTC")))
    done = await core.jobs.create(JobDraft(where, owner, "agent", "greet", plan.once(soon, "UTC")))
    await until_completed(core, said.id)
    await until_completed(core, done.id)


async def test_nothing_fires_before_the_doors_are_open(core: Core) -> None:
    soon = core.jobs.now() + timedelta(seconds=1.2)
    draft = JobDraft(
        Conversation("http", "s"), SpeakerId("http:ann"), "reminder", "tea", plan.once(soon, "UTC")
    )
    job = await core.jobs.create(draft)
    core.scheduler.wake()
    await asyncio.sleep(0)
    assert (await core.jobs.get(EVERYTHING, job.id)).state == "active"
    core.scheduler.begin()
    await until_completed(core, job.id)
