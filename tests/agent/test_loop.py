"""A model and its tools work on one answer: in rounds, side by side, and to an end whatever happens."""

import asyncio

import pytest

from bot.config.policy import PolicyRule, PolicySettings
from bot.domain.message import Finished, ModelEvent, TextDelta, ToolCall, ToolResult
from bot.errors import ModelError
from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import FakeToolset, calls
from tests.turn.house import House

ALLOW = PolicySettings(rules=(PolicyRule(effect="allow"),))


def results(house: House, number: int = -1) -> list[ToolResult]:
    """The tool results that the model was shown."""
    parts = [part for message in house.model.requests[number].messages for part in message.parts]
    return [part for part in parts if isinstance(part, ToolResult)]


async def test_a_tool_is_called_and_its_result_is_answered_with(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("sums").add("add", lambda a: str(a["x"] + a["y"]))
    model = ScriptedModel(calls(("add", {"x": 2, "y": 3})), "It is 5.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        assert await house.ask("what is 2 and 3?") == "It is 5."
        assert [spec.name for spec in model.requests[0].tools] == ["add"]
        assert "\n5\n" in results(house)[0].text
        assert tools.world.done == [("add", {"x": 2, "y": 3})]


async def test_without_tools_a_turn_asks_once_and_offers_none(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, ScriptedModel("hello")).running() as house:
        assert await house.ask("hi") == "hello"
        assert [request.tools for request in house.model.requests] == [()]


async def test_words_around_calls_become_one_answer(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("net").add("look", "found it")
    model = ScriptedModel(calls(("look", {}), text="Let me look."), "Here it is.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        assert await house.ask("look") == "Let me look.\n\nHere it is."
        assert house.said()[-1] == ("assistant", "Let me look.\n\nHere it is.")


async def test_calls_that_change_nothing_go_side_by_side(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("net").add("a", "A", effect="read").add("b", "B", effect="read")
    tools.world.gates = {"a": asyncio.Event(), "b": asyncio.Event()}
    model = ScriptedModel(calls(("a", {}), ("b", {})), "both")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        received = await house.receive("go")
        tools.world.gates["b"].set()
        await house.until(lambda: tools.world.times("b") == 1)
        assert tools.world.times("a") == 0
        tools.world.gates["a"].set()
        assert (await house.reply(received)).text == "both"
        assert [result.name for result in results(house)] == ["a", "b"]


@pytest.mark.pain("48")
async def test_bad_calls_are_told_and_mended(store: Store, clock: ManualClock) -> None:
    schema = {"type": "object", "required": ["x"], "properties": {"x": {"type": "integer"}}}
    tools = FakeToolset("sums").add("double", lambda a: str(a["x"] * 2), parameters=schema)
    model = ScriptedModel(
        calls(("double", None), ("dubble", {"x": 1}), ("double", {"x": "1"})),
        calls(("double", {"x": 4})),
        "8",
    )
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        assert await house.ask("double 4") == "8"
        told = [result.text for result in results(house, 1)]
        assert "no JSON object" in told[0]
        assert "Did you mean double" in told[1]
        assert "$.x" in told[2]
        assert tools.world.times("double") == 1
        sent = [p for m in model.requests[1].messages for p in m.parts if isinstance(p, ToolCall)]
        assert [call.arguments for call in sent] == [{}, {"x": 1}, {"x": "1"}]


async def test_a_tool_called_by_its_own_name_alone_is_found(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("clock").add("clock__get_time", "noon", effect="read", remote_name="get_time")
    wanted = calls(("get_time", {}), ("clock.get_time", {"n": 1}), ("Clock/get_time", {"n": 2}))
    async with House(store, clock, ScriptedModel(wanted, "noon"), toolsets=[tools]).running() as house:
        assert await house.ask("what time is it?") == "noon"
        assert tools.world.times("clock__get_time") == 3
        assert all("\nnoon\n" in result.text for result in results(house))


async def test_a_name_that_two_tools_share_is_told_with_both(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("x").add("one__get", remote_name="get").add("other__get", remote_name="get")
    model = ScriptedModel(calls(("get", {})), "which?")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.ask("get it")
        assert tools.world.done == []
        (told,) = results(house)
        assert "one__get" in told.text
        assert "other__get" in told.text


async def test_a_tool_called_by_its_own_name_is_asked_about_and_granted_by_the_whole_one(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("post").add("post__send", effect="external", remote_name="send")
    model = ScriptedModel(calls(("send", {})), "One.", calls(("post__send", {})), "Two.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        assert (await house.reply(await house.receive("send it"))).status == "waiting"
        assert await house.ask("always") == "One."
        assert await house.ask("and again") == "Two."
        assert tools.world.times("post__send") == 2


@pytest.mark.pain("49", "P083")
async def test_the_same_call_again_and_again_is_stopped_and_answered(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("time").add("now", "noon", effect="read")
    again = calls(("now", {}))
    model = ScriptedModel(again, again, again, "It is noon.", again)
    async with House(store, clock, model, toolsets=[tools], rounds=20).running() as house:
        assert await house.ask("what time is it?") == "It is noon."
        assert tools.world.times("now") == 2
        assert "twice already" in results(house)[-1].text
        assert [request.tool_choice for request in model.requests] == ["auto", "auto", "auto", "none"]


async def test_when_the_rounds_are_used_up_there_is_a_last_answer(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    model = ScriptedModel(*(calls(("tick", {"n": n})) for n in range(2)), "That is all.")
    async with House(store, clock, model, toolsets=[tools], rounds=2).running() as house:
        assert await house.ask("go") == "That is all."
        assert "2 rounds were used" in model.requests[-1].messages[-1].text


async def test_a_model_that_calls_on_after_its_rounds_is_asked_once_more_without_tools(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    model = ScriptedModel(*(calls(("tick", {"n": n})) for n in range(3)), "That is all.")
    async with House(store, clock, model, toolsets=[tools], rounds=2).running() as house:
        assert await house.ask("go") == "That is all."
        assert tools.world.times("tick") == 2
        assert [bool(request.tools) for request in model.requests] == [True, True, True, False]


async def test_a_model_that_never_stops_calling_is_ended_honestly(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    model = ScriptedModel(*(calls(("tick", {"n": n})) for n in range(9)))
    async with House(store, clock, model, toolsets=[tools], rounds=2).running() as house:
        reply = await house.reply(await house.receive("go"))
        assert reply.status == "empty"
        assert reply.text.startswith("I have used tick, and then found no words")
        assert tools.world.times("tick") == 2


async def test_a_model_that_says_nothing_is_covered_by_a_line_that_names_what_was_done(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("post").add("send").add("look", "seen")
    nothing: list[ModelEvent] = [Finished("stop")]
    model = ScriptedModel(
        calls(("send", {}), ("look", {}), ("made_up", {})), calls(("send", {"n": 2})), nothing
    )
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        received = await house.receive("go")
        assert received.run_id is not None
        reply = await house.reply(received)
        assert reply.status == "empty"
        assert reply.text.startswith("I have used send, look, and then")
        assert house.said()[-1] == ("assistant", reply.text)


async def test_an_empty_answer_without_tools_names_none(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    nothing: list[ModelEvent] = [Finished("stop")]
    async with House(store, clock, ScriptedModel(nothing), toolsets=[tools]).running() as house:
        assert await house.ask("go") == "I have no answer to that. Please put it another way."


async def test_a_last_answer_that_breaks_off_is_not_asked_for_again(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    broken: list[ModelEvent] = [ToolCall("c9", "tick", {"n": 9}), Finished("broken")]
    model = ScriptedModel(calls(("tick", {"n": 1})), broken)
    async with House(store, clock, model, toolsets=[tools], rounds=1).running() as house:
        assert "tick" in await house.ask("go")
        assert len(model.requests) == 2
        assert tools.world.times("tick") == 1


async def test_a_budget_of_calls_holds_within_one_round(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    model = ScriptedModel(calls(*(("tick", {"n": n}) for n in range(9))), "enough")
    policy = PolicySettings(max_calls_per_turn=4)
    async with House(store, clock, model, toolsets=[tools], policy=policy).running() as house:
        assert await house.ask("go") == "enough"
        assert tools.world.times("tick") == 4
        assert "budget" in results(house)[-1].text


async def test_a_budget_of_a_day_is_counted_over_turns(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("time").add("tick", "tock")
    model = ScriptedModel(calls(("tick", {"n": 1})), "one", calls(("tick", {"n": 2})), "two")
    policy = PolicySettings(max_calls_per_day=1)
    async with House(store, clock, model, toolsets=[tools], policy=policy).running() as house:
        await house.ask("go")
        await house.ask("go again")
        assert tools.world.times("tick") == 1


async def test_results_are_shortened_where_the_talk_has_become_too_long(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("net").add("fetch", "x" * 3000)
    too_long = ModelError("context_too_long", "too long")
    model = ScriptedModel(calls(("fetch", {})), too_long, "short enough")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        assert await house.ask("go") == "short enough"
        assert len(results(house, 2)[0].text) < 1700
        assert tools.world.times("fetch") == 1


async def test_a_stopped_turn_says_what_may_have_happened(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("post").add("send", effect="external")
    tools.world.gates["send"] = asyncio.Event()
    model = ScriptedModel(calls(("send", {})))
    async with House(store, clock, model, toolsets=[tools], policy=ALLOW).running() as house:
        received = await house.receive("send it")
        await house.until(lambda: bool(house.rows("SELECT id FROM tool_calls WHERE status = 'running'")))
        assert received.run_id is not None
        house.service.stop_turn(received.run_id)
        reply = await house.reply(received)
        assert reply.status == "stopped"
        assert "may have happened: send" in reply.text
        assert house.rows("SELECT status FROM tool_calls") == [("unknown",)]
        assert tools.world.done == []


@pytest.mark.pain("62")
async def test_a_secret_in_a_result_reaches_neither_model_nor_record(
    store: Store, clock: ManualClock
) -> None:
    tools = FakeToolset("net").add("env", "KEY=s3cr3t-value")
    model = ScriptedModel(calls(("env", {})), "ok")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.ask("go")
        assert "s3cr3t-value" not in str(model.requests)
        assert "s3cr3t-value" not in str(house.rows("SELECT * FROM tool_calls"))


async def test_a_broken_answer_ends_the_turn_without_its_calls(store: Store, clock: ManualClock) -> None:
    tools = FakeToolset("net").add("look", "x")
    broken: list[ModelEvent] = [TextDelta("I was"), ToolCall("c1", "look", {}), Finished("broken")]
    async with House(store, clock, ScriptedModel(broken), toolsets=[tools]).running() as house:
        assert (await house.reply(await house.receive("go"))).status == "cut"
        assert tools.world.done == []
