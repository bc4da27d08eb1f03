"""The JSON protocol's answers in a form that an endpoint is held to: words still come as they are written."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import (
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolResult,
    ToolSpec,
)
from bot.errors import ModelError
from bot.models.json_form import MOST_SHAPED, Unquoted, answer_in, form_of
from bot.models.json_tools import JsonTools, NativeFirst
from tests.fakes.models import ScriptedModel
from tests.fakes.upstream import Answer, Upstream
from tests.fakes.upstream_rules import Rules
from tests.models.asking import folded, model_of, said

PLACE = {
    "type": "object",
    "required": ["place"],
    "properties": {"place": {"type": "string", "pattern": "^[A-Z]"}},
    "additionalProperties": False,
}
TOOLS = (
    ToolSpec("forecast", "the weather", PLACE, "weather"),
    ToolSpec("now", "the time", {"type": "object"}),
)
ASKED = ModelRequest("chat", (Message.of("user", "weather?"),), TOOLS)
CALL = '{"calls": [{"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}]}'


async def events_of(scripted: ScriptedModel, request: ModelRequest = ASKED) -> list[ModelEvent]:
    return [event async for event in JsonTools(scripted).stream(request)]


def pieces(text: str, size: int) -> list[ModelEvent]:
    return [*(TextDelta(text[at : at + size]) for at in range(0, len(text), size)), Finished("stop")]


@pytest.mark.parametrize("size", [1, 3, 1000])
async def test_the_words_of_an_answer_are_shown_while_they_are_written(size: int) -> None:
    words = 'He said "ça va?"\n\tand 🐴 left'
    events = await events_of(ScriptedModel(pieces(json.dumps({"answer": words}), size)))
    assert folded(events).text == words
    if size == 1:
        assert len(events) > 15
        assert TextDelta("🐴") in events


async def test_calls_in_the_form_become_calls() -> None:
    heard = folded(await events_of(ScriptedModel(pieces(CALL, 4))))
    assert [(call.name, call.arguments) for call in heard.calls] == [("forecast", {"place": "Porto"})]
    assert heard.text == ""
    assert heard.finished is not None
    assert heard.finished.reason == "tool_calls"


async def test_words_with_calls_behind_them_are_both() -> None:
    heard = folded(await events_of(ScriptedModel(pieces(f'{{"answer": "Let me look.", {CALL[1:]}', 5))))
    assert heard.text == "Let me look."
    assert [call.name for call in heard.calls] == ["forecast"]


async def test_an_endpoint_that_takes_no_notice_of_the_form_is_understood() -> None:
    assert folded(await events_of(ScriptedModel("It will rain."))).text == "It will rain."
    old = '{"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}'
    assert [call.name for call in folded(await events_of(ScriptedModel(old))).calls] == ["forecast"]
    other = '{"calls": [], "answer": "Rain."}'
    assert folded(await events_of(ScriptedModel(other))).text == "Rain."


@pytest.mark.parametrize(
    ("rest", "text", "names"),
    [('{"answer": "Rain."}', "Rain.", []), (CALL, "", ["forecast"]), ("Rain.", "Rain.", [])],
)
async def test_what_turned_out_to_be_reasoning_is_no_part_of_it(
    rest: str, text: str, names: list[str]
) -> None:
    thought = "Porto? A forecast."
    events: list[ModelEvent] = [TextDelta(thought), TextDelta(rest), Finished("stop", retracted=len(thought))]
    heard = folded(await events_of(ScriptedModel(events)))
    assert heard.text == text
    assert [call.name for call in heard.calls] == names


async def test_an_answer_that_is_cut_off_keeps_what_came() -> None:
    cut: list[ModelEvent] = [TextDelta('{"answer": "It will ra'), Finished("length")]
    heard = folded(await events_of(ScriptedModel(cut)))
    assert heard.text == "It will ra"
    assert heard.finished == Finished("length")
    broken: list[ModelEvent] = [TextDelta(CALL[:-12]), Finished("length")]
    (call,) = folded(await events_of(ScriptedModel(broken))).calls
    assert (call.name, call.arguments) == ("forecast", None)


async def test_after_the_last_round_only_words_fit_the_form() -> None:
    last = ModelRequest("chat", ASKED.messages, TOOLS, tool_choice="none")
    scripted = ScriptedModel('{"answer": "Enough."}')
    assert folded(await events_of(scripted, last)).text == "Enough."
    form = scripted.requests[0].form
    assert form is not None
    jsonschema.validate({"answer": "x"}, form)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(CALL), form)


async def test_without_tools_there_is_no_form_and_json_stays_as_it_is() -> None:
    scripted = ScriptedModel('{"answer": 42}')
    assert folded(await events_of(scripted, ModelRequest("chat", ASKED.messages))).text == '{"answer": 42}'
    assert scripted.requests[0].form is None


def test_the_form_takes_good_calls_and_nothing_else() -> None:
    form = form_of(TOOLS, "shaped")
    assert form is not None
    jsonschema.Draft202012Validator.check_schema(form)
    jsonschema.validate(json.loads(CALL), form)
    jsonschema.validate({"answer": "Rain."}, form)
    for wrong in (
        CALL.replace("Porto", "porto"),
        CALL.replace("forecast", "forecasts"),
        '{"calls": []}',
        '"Rain."',
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(wrong), form)


def test_many_tools_and_references_are_held_to_names_only() -> None:
    many = [ToolSpec(f"t{n}", "", PLACE, "s") for n in range(MOST_SHAPED + 1)]
    anything = {"server": "s", "tool": "t1", "arguments": {"other": 1}}
    form = form_of(many, "shaped")
    assert form is not None
    jsonschema.validate({"calls": [anything]}, form)
    tree = {"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}
    form = form_of([ToolSpec("t1", "", tree, "s")], "shaped")
    assert form is not None
    jsonschema.validate({"calls": [anything]}, form)


@given(st.text(), st.lists(st.integers(1, 9), max_size=30), st.booleans())
def test_words_in_a_json_string_come_through_however_they_are_cut(
    text: str, cuts: list[int], ascii: bool
) -> None:
    written, heard, reader = json.dumps({"answer": text}, ensure_ascii=ascii)[12:], "", Unquoted()
    for size in cuts:
        heard, written = heard + reader.feed(written[:size]), written[size:]
    assert heard + reader.feed(written) == text


@given(st.text(alphabet='\\u"dD83bc0fx', max_size=40), st.integers(1, 5))
def test_no_escape_breaks_the_reader(text: str, size: int) -> None:
    reader = Unquoted()
    for at in range(0, len(text), size):
        reader.feed(text[at : at + size])
    answer_in('{"answer": "' + text)


async def test_an_endpoint_gets_the_form_with_each_request() -> None:
    async with Upstream() as upstream, model_of(upstream) as leaf:
        upstream.script(Answer.text(CALL), Answer.text('{"answer": "It will rain."}'))
        tools = JsonTools(leaf)
        (call,) = (await said(tools, ASKED)).calls
        after = (Message("assistant", (call,)), Message("tool", (ToolResult(call.id, call.name, "rain"),)))
        assert (
            await said(tools, ModelRequest("chat", (*ASKED.messages, *after), TOOLS))
        ).text == "It will rain."
        forms = [request.body["response_format"]["json_schema"]["schema"] for request in upstream.requests]
        assert forms[0] == forms[1]
        jsonschema.validate(json.loads(CALL), forms[0])
        assert upstream.refusals == []


@pytest.mark.parametrize(
    ("rules", "tried"),
    [
        (Rules(refuse_response_format=True), [True, True, False, False]),
        (Rules(grammar_refuses="pattern"), [True, True, True]),
        (Rules(grammar_refuses="enum"), [True, True, False, False]),
    ],
)
async def test_a_form_that_is_refused_is_loosened_and_that_is_remembered(
    rules: Rules, tried: list[bool]
) -> None:
    async with Upstream(rules=rules) as upstream, model_of(upstream) as leaf:
        upstream.script(Answer.text(CALL), Answer.text(CALL))
        tools = JsonTools(leaf)
        for _ in range(2):
            assert [call.arguments for call in (await said(tools, ASKED)).calls] == [{"place": "Porto"}]
        assert ["response_format" in request.body for request in upstream.requests] == tried


async def test_an_operator_may_forbid_the_form() -> None:
    async with Upstream() as upstream, model_of(upstream) as leaf:
        upstream.script(Answer.text(CALL))
        assert (await said(JsonTools(leaf, constrain=False), ASKED)).calls
        assert "response_format" not in upstream.requests[0].body


async def test_another_fault_of_a_request_is_told_and_teaches_nothing() -> None:
    scripted = ScriptedModel(*[ModelError("bad_request", "no such model")] * 3, CALL)
    tools = JsonTools(scripted)
    with pytest.raises(ModelError, match="no such model"):
        await said(tools, ASKED)
    assert (await said(tools, ASKED)).calls
    assert scripted.requests[-1].form is not None


async def test_an_endpoint_that_is_down_is_not_asked_for_another_form() -> None:
    scripted = ScriptedModel(ModelError("unavailable", "cannot be reached"))
    with pytest.raises(ModelError, match="cannot be reached"):
        await said(JsonTools(scripted), ASKED)
    assert len(scripted.requests) == 1


async def test_a_model_that_refuses_tools_is_held_to_the_form_instead() -> None:
    refusal: Any = ModelError("bad_request", "this model does not support tools")
    scripted = ScriptedModel(refusal, CALL)
    assert [call.name for call in (await said(NativeFirst(scripted), ASKED)).calls] == ["forecast"]
    assert [request.form is not None for request in scripted.requests] == [False, True]


def test_calls_of_tools_without_a_server_fit_too() -> None:
    form = form_of(TOOLS, "named")
    assert form is not None
    jsonschema.validate({"calls": [{"server": "", "tool": "now", "arguments": {}}]}, form)
