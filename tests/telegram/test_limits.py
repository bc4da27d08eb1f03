"""How fast Telegram is written to: never faster than it allows, and fair between chats."""

import asyncio
import contextlib

import pytest

from bot.config.channels import TelegramLimits
from channels.telegram.limits import Pace
from tests.fakes.clock import ManualClock

GROUP_MINUTE, GROUP_PREVIEWS, OVERALL_SECOND = 20, 12, 30


async def test_answers_in_one_chat_go_a_second_apart_in_order() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    gone: list[tuple[int, float]] = []
    began = clock.now()

    async def send(number: int) -> None:
        await pace.wait("1", group=False)
        gone.append((number, (clock.now() - began).total_seconds()))

    async with asyncio.TaskGroup() as group:
        for number in range(3):
            group.create_task(send(number))
        for seconds in (0, 1, 1):
            await clock.advance(seconds)
    assert gone == [(0, 0.0), (1, 1.0), (2, 2.0)]


async def test_a_chat_that_waits_holds_up_no_other() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    pace.hold("1", 33)
    waiting = asyncio.ensure_future(pace.wait("1", group=False))
    await clock.advance(0)
    await pace.wait("2", group=False)
    assert pace.try_now("3", group=False)
    await clock.advance(32)
    assert not waiting.done()
    assert pace.held_s("1") == 1
    await clock.advance(1)
    await waiting


async def test_no_more_than_allowed_go_in_one_second_over_all_chats() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    gone: list[str] = []

    async def send(chat_id: str) -> None:
        await pace.wait(chat_id, group=False)
        gone.append(chat_id)

    async with asyncio.TaskGroup() as group:
        for number in range(OVERALL_SECOND * 2 + 5):
            group.create_task(send(str(number)))
        await clock.advance(0)
        assert len(gone) == OVERALL_SECOND
        await clock.advance(0.5)
        assert len(gone) == OVERALL_SECOND
        await clock.advance(0.5)
        assert len(gone) == OVERALL_SECOND * 2
        await clock.advance(1)
    assert gone == [str(number) for number in range(OVERALL_SECOND * 2 + 5)]


async def test_edits_step_back_when_answers_wait() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    for number in range(OVERALL_SECOND):
        await pace.wait(str(number), group=False)
    assert not pace.try_now("edit", group=False)
    await clock.advance(1)
    assert pace.try_now("edit", group=False)
    assert not pace.try_now("edit", group=False)


async def test_a_group_keeps_room_for_answers() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    edits = 0
    for _ in range(40):
        edits += pace.try_now("-1", group=True)
        await clock.advance(1)
    assert edits == GROUP_PREVIEWS
    for _ in range(GROUP_MINUTE - GROUP_PREVIEWS):
        await pace.wait("-1", group=True)
        await clock.advance(1)
    waiting = asyncio.ensure_future(pace.wait("-1", group=True))
    await clock.advance(1)
    assert not waiting.done()
    await clock.advance(30)
    await waiting


@pytest.mark.parametrize("chats", [5_000])
async def test_chats_of_long_ago_are_forgotten(chats: int) -> None:
    clock = ManualClock()
    pace = Pace(clock)
    for number in range(chats):
        assert pace.try_now(str(number), group=False)
        clock.set_forward(1)
    assert len(pace._chats) < chats


async def test_the_limits_are_those_of_the_settings() -> None:
    clock = ManualClock()
    pace = Pace(clock, TelegramLimits(per_chat_per_second=0.5, per_group_per_minute=2, overall_per_second=3))
    assert pace.try_now("1", group=False)
    await clock.advance(1)
    assert not pace.try_now("1", group=False)
    await clock.advance(1)
    assert pace.try_now("1", group=False)
    await pace.wait("2", group=False)
    await pace.wait("3", group=False)
    waiting = asyncio.ensure_future(pace.wait("4", group=False))
    await clock.advance(0.5)
    assert not waiting.done()
    await clock.advance(0.5)
    await waiting


async def test_edits_leave_room_for_answers_and_share_theirs() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    assert sum(pace.try_now(str(number), group=False) for number in range(50)) == 24
    await pace.wait("answer", group=False)  # at once
    with contextlib.ExitStack() as streams:
        for _ in range(48):
            streams.enter_context(pace.streaming())
        assert pace.edit_interval_s(0.9) == 2.0
    assert pace.edit_interval_s(0.9) == 0.9
