"""An edited message is answered once, to its last text."""

import asyncio
from typing import Any

import pytest

from bot.domain.message import Finished, TextDelta
from bot.store.engine import Store
from bot.turn.editing import Revision
from bot.turn.gate import Rules
from bot.turn.gathering import Gather
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House, inbound

GATHER = Gather(first_s=0.25, more_s=0.8)
HERE = {"channel": "push", "chat": "ann"}


async def said(house: House, text: str, id: str) -> Any:
    return await house.service.receive(inbound(text, id=id, **HERE), GATHER)


async def edited(house: House, text: str, id: str) -> Revision:
    return await house.service.revise(inbound(text, id=id, **HERE))


async def answered(house: House, text: str, id: str) -> Any:
    """Say something and let it be answered and delivered."""
    received = await said(house, text, id)
    await house.until(lambda: house.clock.sleepers > 0)
    await house.clock.advance(1.0)
    await house.reply(received)
    await house.until(lambda: house.open_runs() == [])
    return received


def allowed(store: Store, clock: ManualClock, model: ScriptedModel | None = None) -> House:
    return House(store, clock, model, rules=Rules({}, frozenset({"push"})))


@pytest.mark.pain("19", "P032")
async def test_an_edit_of_a_message_that_waits_is_what_is_answered(store: Store, clock: ManualClock) -> None:
    async with allowed(store, clock).running() as house:
        received = await said(house, "what is 2+2", "1")
        assert (await edited(house, "what is 3+3", "1")).fate == "waiting"
        await house.until(lambda: house.clock.sleepers > 0)
        await house.clock.advance(1.0)
        assert (await house.reply(received)).text == "echo: what is 3+3"
        assert house.said("push:ann")[0] == ("user", "what is 3+3")


@pytest.mark.pain("P032")
async def test_an_edit_of_a_message_that_waits_behind_another_is_what_is_answered(
    store: Store, clock: ManualClock
) -> None:
    go = asyncio.Event()
    model = ScriptedModel([TextDelta("first"), go, Finished("stop", "m", "p")])
    async with allowed(store, clock, model).running() as house:
        await said(house, "long one", "1")
        await house.until(lambda: house.clock.sleepers > 0)
        await house.clock.advance(1.0)
        await model.until_asked()
        second = await said(house, "second", "2")
        await house.clock.advance(1.0)
        await edited(house, "second, corrected", "2")
        go.set()
        assert (await house.reply(second)).text == "echo: second, corrected"
        assert len(model.requests) == 2


@pytest.mark.pain("19")
async def test_an_edit_while_it_is_answered_begins_the_answer_anew(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel([TextDelta("Paris is"), asyncio.Event()])
    async with allowed(store, clock, model).running() as house:
        received = await said(house, "tell me of Paris", "1")
        await house.until(lambda: house.clock.sleepers > 0)
        await house.clock.advance(1.0)
        await model.until_asked()
        assert (await edited(house, "tell me of Rome", "1")).fate == "working"
        assert (await house.reply(received)).text == "echo: tell me of Rome"
        await house.until(lambda: house.open_runs() == [])
        assert house.said("push:ann") == [
            ("user", "tell me of Rome"),
            ("assistant", "echo: tell me of Rome"),
        ]
        assert house.chat.texts("ann") == ["echo: tell me of Rome"]


@pytest.mark.pain("19")
async def test_an_edit_right_after_the_answer_takes_the_old_one_back(
    store: Store, clock: ManualClock
) -> None:
    async with allowed(store, clock).running() as house:
        first = await answered(house, "tell me of Paris", "1")
        revision = await edited(house, "tell me of Rome", "1")
        assert revision.fate == "answered"
        assert revision.outdated == ("1",)
        assert revision.run_id != first.run_id
        await house.until(lambda: house.open_runs() == [])
        assert house.said("push:ann") == [
            ("user", "tell me of Rome"),
            ("assistant", "echo: tell me of Rome"),
        ]


@pytest.mark.pain("19")
async def test_a_message_that_merely_gained_a_preview_is_not_answered_again(
    store: Store, clock: ManualClock
) -> None:
    async with allowed(store, clock).running() as house:
        await answered(house, "see https://example.org", "1")
        assert (await edited(house, "see https://example.org", "1")).fate == "same"
        assert len(house.model.requests) == 1


async def test_an_old_message_is_corrected_without_another_answer(store: Store, clock: ManualClock) -> None:
    async with allowed(store, clock).running() as house:
        await answered(house, "one", "1")
        await answered(house, "two", "2")
        assert (await edited(house, "one!", "1")).fate == "late"
        house.clock.set_forward(300)
        assert (await edited(house, "two!", "2")).fate == "late"
        assert [text for role, text in house.said("push:ann") if role == "user"] == ["one!", "two!"]
        assert len(house.model.requests) == 2


async def test_an_edit_of_what_never_came_in_is_told_as_such(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        assert (await edited(house, "x", "9")).fate == "unknown"
