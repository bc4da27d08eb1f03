"""A call about which a person is asked a second time: what was said to the first question decides nothing."""

import asyncio
from datetime import timedelta

import pytest

from bot.config.policy import PolicyRule, PolicySettings
from bot.domain.conversation import SpeakerId
from bot.policy import approvals
from bot.store.engine import Store
from bot.turn.gate import Rules
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import FakeToolset, calls
from tests.turn.house import House, inbound

RULES = Rules({SpeakerId("push:ann"): "member"})
SEND = {"to": "ben@example.org"}
IN_DOUBT = "may have happened"
DENIED = PolicySettings(rules=(PolicyRule(effect="deny"),))


def house_of(store: Store, clock: ManualClock, tools: FakeToolset, *script: object, **more: object) -> House:
    return House(store, clock, ScriptedModel(*script), toolsets=[tools], rules=RULES, **more)  # type: ignore[arg-type]


def post() -> FakeToolset:
    return FakeToolset("post").add("send", "sent", effect="external")


def waiting(house: House) -> list[str]:
    return [one.id for one in house.store.read_now(approvals.pending, house.clock.now())]


async def say(house: House, text: str, **more: object) -> str:
    said = inbound(text, channel="push", **more)  # type: ignore[arg-type]
    return (await house.reply(await house.service.receive(said))).text


async def interrupted(store: Store, clock: ManualClock, tools: FakeToolset) -> str:
    """A call that was approved, and under way when the bot ended; the id of what was asked about it."""
    tools.world.gates["send"] = asyncio.Event()
    async with house_of(store, clock, tools, calls(("send", SEND))).running() as house:
        await house.receive("send it", channel="push")
        await house.until(lambda: bool(waiting(house)))
        (first,) = waiting(house)
        await say(house, f"/approve once {first}")
        await house.until(lambda: states(house) == ["running"])
    del tools.world.gates["send"]
    return first


def states(house: House) -> list[str]:
    return [row[0] for row in house.rows("SELECT status FROM tool_calls")]


@pytest.mark.pain("51")
@pytest.mark.parametrize("word", ["once", "always", "no"])
async def test_a_press_of_the_first_button_decides_nothing_about_a_call_in_doubt(
    store: Store, clock: ManualClock, word: str
) -> None:
    tools = post()
    first = await interrupted(store, clock, tools)
    async with house_of(store, clock, tools, "Done twice.").running() as house:
        await house.until(lambda: any(IN_DOUBT in text for text in house.chat.texts("ann")[-1:]))
        asked, once = waiting(house), house.chat.buttons["ann"][0]
        assert "decided already" in await say(house, f"/approve {word} {first}")
        assert waiting(house) == asked
        assert tools.world.done == []
        await say(house, once)
        await house.until(lambda: "Done twice." in house.chat.texts("ann"))
        assert tools.world.times("send") == 1


@pytest.mark.pain("51")
@pytest.mark.parametrize("word", ["yes", "/approve once", "/approve once all"])
async def test_a_word_that_was_said_before_the_question_does_not_answer_it(
    store: Store, clock: ManualClock, word: str
) -> None:
    tools = post()
    await interrupted(store, clock, tools)
    clock.set_forward(60)
    async with house_of(store, clock, tools, "Yes what?", "Done twice.").running() as house:
        await house.until(lambda: bool(waiting(house)))
        said = inbound(word, channel="push", at=START + timedelta(seconds=20))
        told = (await house.reply(await house.service.receive(said))).text
        assert told == ("Yes what?" if word == "yes" else "Nothing waits for a decision here.")
        assert len(waiting(house)) == 1
        assert tools.world.done == []
        await say(house, "yes", at=clock.now())
        await house.until(lambda: tools.world.times("send") == 1)


async def test_a_call_that_was_under_way_is_in_doubt_whatever_it_counts_as_by_now(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    await interrupted(store, clock, tools)
    tools.change("send", effect="read")
    async with house_of(store, clock, tools, "Sent.").running() as house:
        await house.until(lambda: bool(waiting(house)))
        assert tools.world.done == []


async def test_what_counts_as_graver_by_now_is_asked_anew_and_the_first_button_is_dead(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    async with house_of(store, clock, tools, calls(("send", SEND))).running() as house:
        await house.receive("send it", channel="push")
        await house.until(lambda: bool(waiting(house)))
        (first,) = waiting(house)
    tools.change("send", effect="destructive")
    async with house_of(store, clock, tools, "Gone.").running() as house:
        await say(house, f"/approve once {first}")
        await house.until(lambda: waiting(house) not in ([], [first]))
        assert "decided already" in await say(house, f"/approve once {first}")
        assert len(waiting(house)) == 1
        assert tools.world.done == []


async def test_a_call_in_doubt_stays_so_where_it_counts_as_something_else_after_the_yes(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    await interrupted(store, clock, tools)
    async with house_of(store, clock, tools).running() as house:
        await house.until(lambda: bool(waiting(house)))
    tools.change("send", effect="destructive")
    async with house_of(store, clock, tools, "Gone.").running() as house:
        asked = waiting(house)
        await say(house, f"/approve once {asked[0]}")
        await house.until(lambda: waiting(house) not in ([], asked))
        assert house.rows("SELECT doubt FROM tool_calls") == [(1,)]
        assert tools.world.done == []


async def test_a_call_in_doubt_that_is_forbidden_by_now_is_not_told_as_one_that_was_not_made(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    await interrupted(store, clock, tools)
    async with house_of(store, clock, tools).running() as house:
        await house.until(lambda: bool(waiting(house)))
    async with house_of(store, clock, tools, "Who knows.", policy=DENIED).running() as house:
        await say(house, f"/approve once {waiting(house)[0]}")
        await house.until(lambda: "Who knows." in house.chat.texts("ann"))
        assert states(house) == ["unknown"]
        assert "not known" in str(house.model.requests[-1].messages[-1])
        assert tools.world.done == []
