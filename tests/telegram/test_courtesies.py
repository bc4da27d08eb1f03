"""What is called beside the answers is put off as Telegram wants, and not given up for some trouble."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.courtesies import PATIENCE_S, TRIES, Courtesies
from channels.telegram.limits import Pace
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.clock import ManualClock
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, BEN, FORUM, GROUP, started, telegram_settings, world
from tests.telegram.test_delivery import TEXT, slow

TROUBLE: tuple[dict[str, Any], ...] = ({"retry_after": 4}, {"code": 502}, {"kind": "drop_before"})


@pytest.mark.parametrize("trouble", TROUBLE)
async def test_the_menu_is_whole_all_the_same(tmp_path: Path, trouble: dict[str, Any]) -> None:
    async with started(tmp_path, commands_auto_register=True, startup_online_enabled=True) as kit:
        kit.api.fault("setMyCommands", times=2, skip=2, **trouble)
        kit.api.fault("setMyShortDescription", **trouble)
        await kit.api.until(lambda: bool(kit.api.methods.profile))
        assert len(kit.api.methods.commands) == 20


@pytest.mark.parametrize("trouble", TROUBLE)
async def test_an_outdated_answer_is_taken_back_all_the_same(tmp_path: Path, trouble: dict[str, Any]) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("deleteMessage", **trouble)
        kit.api.world.say(ANN, "tell me of Paris")
        await kit.answers(ANN)
        kit.api.world.edit(ANN, 1, "tell me of Rome")
        await kit.api.until(lambda: kit.api.world.answers(ANN) == ["echo: tell me of Rome"])
        assert kit.api.flood.early == 0


@pytest.mark.parametrize("trouble", TROUBLE)
async def test_a_pressed_button_is_answered_all_the_same(tmp_path: Path, trouble: dict[str, Any]) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        kit.api.fault("answerCallbackQuery", **trouble)
        kit.api.world.press(ANN, ANN, 2, "/whoami")
        await kit.api.until(lambda: all(kit.api.world.callbacks.values()))


@pytest.mark.parametrize("trouble", TROUBLE)
async def test_who_manages_a_group_is_found_out_all_the_same(tmp_path: Path, trouble: dict[str, Any]) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.admins.add((FORUM, BEN))
        kit.api.fault("getChatMember", **trouble)
        kit.api.world.say(BEN, "/settings@donkey_bot mode strict", chat_id=FORUM)
        (shown,) = await kit.answers(FORUM)
        assert shown.startswith("Settings of this chat")


async def test_where_it_cannot_be_found_out_nobody_is_told_that_they_are_no_admin(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("getChatMember", code=502, times=None)
        kit.api.world.say(BEN, "/settings@donkey_bot mode strict", chat_id=FORUM)
        (shown,) = await kit.answers(FORUM)
        assert shown.startswith("I can't find out just now who the admins")


@pytest.mark.pain("5")
async def test_a_chat_that_is_to_be_left_alone_gets_no_call_of_any_kind(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.upstream.script(Answer.text("first", first_ms=600), Answer.text("second"))
        kit.api.fault("sendChatAction", retry_after=10)
        kit.api.world.say(ANN, "@donkey_bot one thing", chat_id=GROUP)
        await kit.api.until(lambda: any(fault.hits for fault in kit.api.faults))
        await kit.upstream.until(lambda upstream: bool(upstream.requests))
        kit.api.world.say(ANN, "@donkey_bot and another", chat_id=GROUP)
        assert await kit.answers(GROUP, 2) == ["first", "second"]
        assert kit.api.flood.early == 0
        assert kit.api.called("setMessageReaction") == [], "seen, when it is answered, says nothing"


@pytest.mark.parametrize("drafts", [True, False])
async def test_a_server_in_trouble_does_not_end_the_growing_of_an_answer(
    tmp_path: Path, drafts: bool
) -> None:
    method = "sendMessageDraft" if drafts else "editMessageText"
    async with started(tmp_path, streaming_prefer_draft=drafts) as kit:
        kit.api.fault(method, code=502, skip=1)
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        assert await kit.answers(ANN) == [TEXT]
        statuses = [call.status for call in kit.api.called(method)]
        assert statuses[:3] == ["ok", "502", "ok"]


@asynccontextmanager
async def call_under_way(
    clock: ManualClock, **fault: Any
) -> AsyncIterator[tuple[FakeBotApi, Courtesies, Any]]:
    """A call that has met this trouble once."""
    async with FakeBotApi() as api:
        client, pace = Client(telegram_settings(world(api))), Pace(clock)
        client.on_flood = pace.hold
        courtesies = Courtesies(client, pace, clock)
        api.fault(**fault)
        task = asyncio.ensure_future(courtesies.call("deleteMessage", chat_id=ANN, message_id=1))
        try:
            await api.until(lambda: bool(api.calls) and api.calls[0].status != "running")
            yield api, courtesies, task
        finally:
            await asyncio.wait([task])
            await client.close()


def was_called(api: FakeBotApi, times: int) -> bool:
    return len(api.calls) == times


async def test_what_is_put_off_is_given_up_when_the_channel_closes() -> None:
    async with call_under_way(ManualClock(), retry_after=100) as (_, courtesies, task):
        courtesies.close()
        with pytest.raises(Unanswered):
            await task


async def test_a_call_is_given_up_that_would_have_to_wait_too_long() -> None:
    async with call_under_way(ManualClock(), retry_after=int(PATIENCE_S) + 1) as (api, _, task):
        with pytest.raises(Refused):
            await task
        assert len(api.calls) == 1


async def test_trouble_that_does_not_end_is_not_met_for_ever() -> None:
    clock = ManualClock()
    async with call_under_way(clock, code=502, times=None) as (api, _, task):
        for count in range(2, TRIES + 1):
            async with asyncio.timeout(30):
                while not clock.sleepers:  # noqa: ASYNC110 - the clock tells nobody who is asleep
                    await asyncio.sleep(0)
            clock.set_forward(PATIENCE_S / 4)
            await api.until(partial(was_called, api, count))
        with pytest.raises(Refused):
            await task
