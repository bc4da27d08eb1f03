"""A model without tools of its own writes its calls as JSON; everything else it says is shown as it comes."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import (
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from bot.errors import ModelError, ModelErrorCode
from bot.models.json_tools import JsonTools, NativeFirst, WithoutTools, read_calls
from tests.fakes.models import ScriptedModel

TOOLS = (
    ToolSpec("forecast", "the weather", {"type": "object"}, "weather"),
    ToolSpec("get", "one", {"type": "object"}, "a"),
    ToolSpec("b__get", "another", {"type": "object"}, "b"),
)
ASKED = ModelRequest("chat", (Message.of("system", "Be kind."), Message.of("user", "weather?")), TOOLS)


async def events_of(model: ScriptedModel, request: ModelRequest = ASKED) -> list[ModelEvent]:
    return [event async for event in JsonTools(model).stream(request)]


def words(events: Sequence[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def calls(events: Sequence[ModelEvent]) -> list[ToolCall]:
    return [event for event in events if isinstance(event, ToolCall)]


@pytest.mark.parametrize(
    "said",
    [
        '{"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}',
        '```json\n{"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}\n```',
        ' [{"tool": "forecast", "arguments": {"place": "Porto"}}]',
    ],
)
async def test_a_call_in_words_becomes_a_call(said: str) -> None:
    events = await events_of(ScriptedModel(said))
    assert [(call.name, call.arguments) for call in calls(events)] == [("forecast", {"place": "Porto"})]
    assert words(events) == ""
    assert isinstance(events[-1], Finished)
    assert events[-1].reason == "tool_calls"


async def test_ordinary_words_are_shown_as_they_come() -> None:
    events = await events_of(ScriptedModel("It will rain."))
    assert next(event for event in events if isinstance(event, TextDelta)) == TextDelta("It")
    assert words(events) == "It will rain."


@pytest.mark.parametrize("said", ['{"a": 1} is an object', "[1] see below", "```python\nx\n```", "{}"])
async def test_what_only_looks_like_a_call_is_shown_whole(said: str) -> None:
    events = await events_of(ScriptedModel(said))
    assert words(events) == said
    assert calls(events) == []


async def test_the_model_is_told_of_tools_calls_and_results_in_words() -> None:
    model = ScriptedModel("ok")
    history = (
        *ASKED.messages,
        Message("assistant", (ToolCall("c1", "forecast", {"place": "Porto"}),)),
        Message("tool", (ToolResult("c1", "forecast", "rain"),)),
    )
    await events_of(model, ModelRequest("chat", history, TOOLS))
    sent = model.requests[0]
    assert sent.tools == ()
    assert '"tool": "forecast"' in sent.messages[0].text
    assert json.loads(sent.messages[2].text)["calls"][0]["arguments"] == {"place": "Porto"}
    assert (sent.messages[3].role, sent.messages[3].text) == ("user", "Result of forecast:\nrain\n")


def test_the_server_tells_two_tools_of_one_name_apart() -> None:
    assert read_calls('{"server": "b", "tool": "get", "arguments": {}}', TOOLS)[0].name == "b__get"
    assert read_calls('{"server": "a", "tool": "get", "arguments": {}}', TOOLS)[0].name == "get"


def test_a_call_that_is_cut_off_is_told_with_what_came() -> None:
    (call,) = read_calls('{"server": "weather", "tool": "forecast", "arguments": {"pla', TOOLS)
    assert (call.name, call.arguments) == ("forecast", None)
    assert call.raw.endswith('"pla')


async def test_a_model_for_which_there_are_none_is_offered_none() -> None:
    model = ScriptedModel("ok")
    _ = [event async for event in WithoutTools(model).stream(ASKED)]
    assert model.requests[0].tools == ()
    assert model.requests[0].messages == ASKED.messages


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    read_calls(text, TOOLS)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_arguments_come_through_unchanged(arguments: dict[str, Any]) -> None:
    said = json.dumps({"server": "weather", "tool": "forecast", "arguments": arguments})
    assert read_calls(said, TOOLS)[0].arguments == arguments


@pytest.mark.parametrize("code", ["bad_request", "unavailable"])
async def test_a_model_that_refuses_tools_is_told_of_them_in_words_from_then_on(code: ModelErrorCode) -> None:
    refusal = ModelError(code, "this model does not support tools")
    model = ScriptedModel(refusal, '{"tool": "forecast", "arguments": {}}', "fine")
    adaptive = NativeFirst(model)
    events = [event async for event in adaptive.stream(ASKED)]
    assert [call.name for call in calls(events)] == ["forecast"]
    assert words([event async for event in adaptive.stream(ASKED)]) == "fine"
    assert [bool(request.tools) for request in model.requests] == [True, False, False]


async def test_another_failure_is_no_refusal_of_tools() -> None:
    model = ScriptedModel(ModelError("bad_request", "no such model"))
    with pytest.raises(ModelError):
        _ = [event async for event in NativeFirst(model).stream(ASKED)]
    assert len(model.requests) == 1
