"""Jobs fire once, on time; what was missed is made up for, or told."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import update

from bot.delivery.outbox import Undeliverable, Unreachable
from bot.domain.conversation import Conversation
from bot.errors import ModelError
from bot.schedule import plan
from bot.schedule.jobs import EVERYTHING, JobDraft
from bot.schedule.told import told_job
from bot.store.engine import Store
from bot.store.tables import conversations, jobs, runs
from bot.turn import tasks
from bot.turn.gate import Rules as GateRules
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.schedule.jobs.making import OWNER, PUSH, Planner, at, daily


@pytest.fixture
async def planner(store: Store, clock: ManualClock) -> AsyncIterator[Planner]:
    planner = Planner(store, clock, ScriptedModel())
    async with planner.house.running():
        yield planner


def cron(expression: str, zone: str = "UTC") -> plan.Plan:
    return plan.by_cron(expression, zone)


def once(written: str) -> plan.Plan:
    return plan.once(at(written), "UTC")


async def test_a_reminder_is_said_at_its_time_with_its_buttons_and_no_model(planner: Planner) -> None:
    job = await planner.wish(once("2026-03-02T12:30Z"))
    await planner.pass_to("2026-03-02T12:29:59Z")
    assert planner.chat.texts("7") == []
    await planner.pass_to("2026-03-02T12:30Z")
    assert planner.chat.texts("7") == ["⏰ 12:30 · drink water"]
    assert planner.chat.buttons["7"][0] == f"/task done {job.id}"
    assert planner.house.model.requests == []
    assert (await planner.job(job)).state == "completed"
    await planner.pass_to("2026-03-03T12:30Z")
    assert len(planner.chat.texts("7")) == 1


async def test_a_job_whose_zone_is_none_any_more_is_paused_and_holds_up_no_other(planner: Planner) -> None:
    lost, well = [await planner.wish(daily(13, "Europe/Berlin")) for _ in range(2)]
    gone = update(jobs).where(jobs.c.id == lost.id).values(zone="Europe/Atlantis")
    await planner.house.store.write(lambda conn: conn.execute(gone))
    await planner.pass_to("2026-03-03T12:00Z")
    said = planner.chat.texts("7")
    assert "⏰ 13:00 · drink water" in said
    assert any("Europe/Atlantis" in text for text in said)
    assert ((await planner.job(lost)).state, (await planner.job(lost)).reason) == ("paused", "failures")
    assert (await planner.job(well)).state == "active"
    await planner.pass_to("2026-03-04T12:00Z")
    assert len(planner.chat.texts("7")) == 3
    listed = await planner.jobs.page(EVERYTHING)
    told = [told_job(job, planner.jobs.next_firings(job)) for job in listed]
    assert [job["tz"] for job in told] == ["Europe/Berlin", "Europe/Atlantis"]


async def test_a_reminder_is_part_of_what_was_said_in_its_chat(planner: Planner) -> None:
    await planner.wish(once("2026-03-02T12:30Z"))
    await planner.pass_to("2026-03-02T12:30Z")
    assert planner.house.said("push:7") == [("assistant", "⏰ 12:30 · drink water")]


async def test_a_channel_that_does_not_push_keeps_reminders_in_the_conversation(planner: Planner) -> None:
    job = await planner.jobs.create(
        JobDraft(Conversation("http", "ann"), OWNER, "reminder", "tea", once("2026-03-02T12:30Z"))
    )
    await planner.pass_to("2026-03-02T12:30Z")
    assert planner.house.said("http:ann") == [("assistant", "⏰ 12:30 · tea")]
    assert await planner.firings(job) == [(at("2026-03-02T12:30Z"), "done")]


async def test_an_agent_job_is_worked_on_as_a_turn_of_its_owner(planner: Planner) -> None:
    planner.house.model.script("Three notes.")
    job = await planner.wish(daily(13), "summarise my notes", "agent")
    await planner.pass_to("2026-03-02T13:00Z")
    assert planner.house.prompt()[-1] == ("user", "summarise my notes")
    assert planner.chat.texts("7") == ["Three notes."]
    assert await planner.firings(job) == [(at("2026-03-02T13:00Z"), "done")]
    assert (await planner.job(job)).next_due == at("2026-03-03T13:00Z")


@pytest.mark.pain("33")
async def test_after_an_outage_each_job_fires_once_and_says_that_it_is_late(planner: Planner) -> None:
    await planner.wish(once("2026-03-02T13:00Z"), "call mum")
    await planner.wish(cron("0 * * * *"), "stretch")
    await planner.pass_to("2026-03-02T16:10Z")
    late = "This comes late: it was due on Monday, 2 March 2026, {}."
    assert sorted(planner.chat.texts("7")) == [
        f"⏰ 13:00 · call mum\n\n{late.format('13:00')}",
        f"⏰ 16:00 · stretch\n\n{late.format('16:00')}",
    ]
    await planner.pass_to("2026-03-02T16:59Z")
    assert len(planner.chat.texts("7")) == 2


@pytest.mark.pain("33")
async def test_what_is_too_late_is_told_in_one_message_and_not_done(planner: Planner) -> None:
    first = await planner.wish(once("2026-03-02T13:00Z"), "call mum")
    await planner.wish(once("2026-03-02T14:00Z"), "call dad", "agent")
    weekly = await planner.wish(cron("0 9 * * tue"), "bins")
    await planner.pass_to("2026-03-05T12:00Z")
    assert planner.chat.texts("7") == [
        "While I was away these were due, and it is too late for them now:\n"
        "• call mum (Monday, 2 March 2026, 13:00)\n"
        "• call dad (Monday, 2 March 2026, 14:00)\n"
        "• bins (Tuesday, 3 March 2026, 09:00)"
    ]
    assert (await planner.job(first)).state == "missed"
    assert (await planner.job(weekly)).next_due == at("2026-03-10T09:00Z")
    assert planner.house.model.requests == []


@pytest.mark.pain("34")
async def test_a_job_that_ran_does_not_run_again_after_a_restart(
    planner: Planner, store: Store, clock: ManualClock
) -> None:
    await planner.wish(daily(13))
    await planner.pass_to("2026-03-02T13:00Z")
    clock.set_forward(60)
    again = Planner(store, clock)
    again.chat = planner.chat
    await again.scheduler.tick()
    again.house.holder.close()
    assert planner.house.open_runs() == []
    assert len(planner.chat.texts("7")) == 1


@pytest.mark.pain("35")
async def test_of_two_schedulers_on_one_database_one_fires(
    planner: Planner, store: Store, clock: ManualClock
) -> None:
    other = Planner(store, clock)
    for minute in range(20):
        await planner.wish(once(f"2026-03-02T12:{minute + 1:02}Z"), f"job {minute}")
    clock.set_forward(1800)
    await asyncio.gather(*(one.scheduler.tick() for one in (planner, other) * 2))
    other.house.holder.close()
    await planner.house.until(lambda: not planner.house.open_runs())
    assert len(planner.chat.texts("7")) == len(set(planner.chat.texts("7"))) == 20


@pytest.mark.pain("36")
async def test_a_job_deleted_while_it_runs_is_gone(planner: Planner) -> None:
    job = await planner.wish(daily(13))
    planner.clock.set_forward(3600)
    await planner.house.worker.stop(0)
    await planner.scheduler.tick()
    await planner.jobs.remove(EVERYTHING, job.id)
    await planner.scheduler.tick()
    assert planner.house.open_runs() == []
    assert await planner.jobs.page(EVERYTHING) == []


@pytest.mark.pain("37")
async def test_a_job_that_always_fails_is_tried_less_and_less_then_paused_and_told_once(
    planner: Planner,
) -> None:
    planner.house.model.script(*[ModelError("auth_failed", "no") for _ in range(20)])
    job = await planner.wish(daily(13), "summarise", "agent")
    await planner.pass_to("2026-03-02T13:00Z")
    pauses = []
    while (await planner.job(job)).state == "active":
        open_one = (await planner.jobs.history(EVERYTHING, job.id))[0]
        assert open_one.retry_at is not None
        pauses.append(int((open_one.retry_at - planner.clock.now()).total_seconds()))
        await planner.pass_to(open_one.retry_at.isoformat())
    assert pauses == [2, 4, 8, 16, 32, 64, 128]
    paused = await planner.job(job)
    assert (paused.state, paused.reason, paused.last_error) == ("paused", "failures", "auth_failed")
    await planner.look()
    assert planner.chat.texts("7") == [
        "“summarise” failed 8 times in a row (auth_failed), so I paused it. Resume it with "
        f"/task resume {job.id}. Resumed, it is tried again on Tuesday, 3 March 2026, 13:00."
    ]
    assert planner.house.said("push:7") == []
    await planner.pass_to("2026-03-04T13:00Z")
    assert len(planner.house.model.requests) == 8


async def test_what_has_no_further_time_names_no_next_try_when_it_is_given_up(planner: Planner) -> None:
    planner.house.model.script(*[ModelError("auth_failed", "no") for _ in range(20)])
    job = await planner.wish(once("2026-03-02T13:00Z"), "summarise", "agent")
    await planner.pass_to("2026-03-02T13:00Z")
    while (await planner.job(job)).state == "active":
        (only,) = await planner.jobs.history(EVERYTHING, job.id)
        assert only.retry_at is not None
        await planner.pass_to(only.retry_at.isoformat())
    await planner.look()
    (line,) = planner.chat.texts("7")
    assert line.endswith(f"/task resume {job.id}.")


async def test_a_success_ends_the_count_of_failures(planner: Planner) -> None:
    planner.house.model.script(ModelError("unavailable", "no"), "All quiet.")
    job = await planner.wish(daily(13), "summarise", "agent")
    await planner.pass_to("2026-03-02T13:00Z")
    assert (await planner.job(job)).failures == 1
    await planner.pass_to("2026-03-02T13:00:02Z")
    assert (await planner.job(job)).failures == 0
    assert planner.chat.texts("7") == ["All quiet."]
    assert planner.house.said("push:7") == [("user", "summarise"), ("assistant", "All quiet.")]


async def test_a_chat_that_is_gone_pauses_its_jobs_until_it_is_back(planner: Planner) -> None:
    job = await planner.wish(daily(13))
    other = await planner.wish(daily(14))
    planner.chat.troubles.append(Unreachable("blocked"))
    await planner.pass_to("2026-03-02T13:00Z")
    assert ((await planner.job(job)).state, (await planner.job(job)).reason) == ("paused", "unreachable")
    await planner.pass_to("2026-03-02T14:00Z")
    assert (await planner.job(other)).reason == "unreachable"
    where = conversations.c.id == PUSH.id
    await planner.store.write(
        lambda conn: conn.execute(update(conversations).where(where).values(unreachable=""))
    )
    await planner.pass_to("2026-03-02T15:00Z")
    assert (await planner.job(job)).next_due == at("2026-03-03T13:00Z")
    await planner.pass_to("2026-03-03T13:00Z")
    assert planner.chat.texts("7") == ["⏰ 13:00 · drink water"]


async def test_a_person_who_was_shut_out_has_the_bot_work_no_more(store: Store, clock: ManualClock) -> None:
    planner = Planner(store, clock, admits=tasks.admits(GateRules({OWNER: "stranger"})))
    job = await planner.wish(daily(13), "summarise", "agent")
    clock.set_forward(3600)
    await planner.scheduler.tick()
    planner.house.holder.close()
    assert ((await planner.job(job)).state, (await planner.job(job)).reason) == ("paused", "denied")
    assert planner.house.open_runs() == []


async def test_a_reminder_that_the_channel_refuses_is_told_as_failed(planner: Planner) -> None:
    job = await planner.wish(once("2026-03-02T13:00Z"))
    planner.chat.troubles.append(Undeliverable("too odd"))
    await planner.pass_to("2026-03-02T13:00Z")
    await planner.look()
    assert planner.chat.texts("7") == ["I could not say “drink water”: too odd."]
    assert await planner.firings(job) == [(at("2026-03-02T13:00Z"), "failed")]


async def test_a_job_run_by_hand_runs_each_time_and_keeps_its_own_times(planner: Planner) -> None:
    job = await planner.wish(daily(13))
    await planner.jobs.run_now(EVERYTHING, job.id)
    await planner.jobs.run_now(EVERYTHING, job.id)
    await planner.look()
    assert len(planner.chat.texts("7")) == 2
    assert (await planner.job(job)).next_due == at("2026-03-02T13:00Z")


async def test_a_clock_that_goes_back_repeats_nothing_and_does_not_wait_for_the_wrong_time(
    planner: Planner,
) -> None:
    job = await planner.wish(daily(13))
    await planner.pass_to("2026-03-02T13:00Z")
    await planner.pass_to("2026-05-02T13:00Z")
    assert len(planner.chat.texts("7")) == 2
    await planner.pass_to("2026-03-02T12:59Z")
    assert (await planner.job(job)).next_due == at("2026-03-02T13:00Z")
    await planner.pass_to("2026-03-02T13:00Z")
    await planner.pass_to("2026-03-03T13:00Z")
    assert await planner.firings(job) == [
        (at("2026-05-02T13:00Z"), "done"),
        (at("2026-03-03T13:00Z"), "done"),
        (at("2026-03-02T13:00Z"), "done"),
    ]


async def test_a_clock_that_jumps_ahead_makes_up_once_and_going_back_again_repeats_nothing(
    planner: Planner,
) -> None:
    await planner.wish(daily(13), "stretch")
    single = await planner.wish(once("2026-03-02T12:30Z"), "call mum")
    await planner.pass_to("2026-03-04T18:00Z")  # two days too far
    assert sorted(planner.chat.texts("7")) == [
        "While I was away these were due, and it is too late for them now:\n"
        "• call mum (Monday, 2 March 2026, 12:30)",
        "⏰ 13:00 · stretch\n\nThis comes late: it was due on Wednesday, 4 March 2026, 13:00.",
    ]
    await planner.pass_to("2026-03-02T12:10Z")  # and put right again
    assert (await planner.job(single)).state == "missed"
    for written in ("2026-03-02T13:00Z", "2026-03-03T13:00Z", "2026-03-04T13:00Z", "2026-03-05T13:00Z"):
        await planner.pass_to(written)
    assert planner.chat.texts("7")[2:] == ["⏰ 13:00 · stretch"] * 3  # the fourth had been said


async def test_a_clock_that_is_a_little_off_moves_nothing(planner: Planner) -> None:
    job = await planner.wish(daily(13))
    await planner.pass_to("2026-03-02T13:00:05Z")
    await planner.pass_to("2026-03-02T12:59:58Z")
    assert (await planner.job(job)).next_due == at("2026-03-03T13:00Z")
    await planner.pass_to("2026-03-02T13:00:06Z")
    assert planner.chat.texts("7") == ["⏰ 13:00 · drink water"]


async def test_many_agent_jobs_after_an_outage_begin_a_few_at_a_time(planner: Planner) -> None:
    for number in range(20):
        await planner.wish(once("2026-03-02T13:00Z"), f"task {number}", "agent")
    planner.clock.set_forward(7200)
    await planner.scheduler.tick()
    assert len(planner.house.open_runs()) <= 8
    for _ in range(3):
        await planner.look()
    assert len(planner.chat.texts("7")) == 20


async def test_a_task_that_ends_the_process_again_and_again_is_given_up(
    store: Store, clock: ManualClock
) -> None:
    planner = Planner(store, clock)
    job = await planner.wish(daily(13), "summarise", "agent")
    clock.set_forward(3600)
    await planner.scheduler.tick()
    await store.write(lambda conn: conn.execute(update(runs).values(attempt=3)))
    async with planner.house.running():
        await planner.look()
    assert (await planner.job(job)).last_error == "interrupted"
    assert planner.house.model.requests == []
