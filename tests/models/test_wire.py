import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import (
    File,
    Image,
    Message,
    ModelRequest,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from bot.models.wire import CANCELLED, GO_ON, clean, encoded, repaired, safe_name, wire_messages, wire_request
from tests.fakes.upstream_rules import Refusal, Rules


def refusal(body: Any) -> str | None:
    """What a strict provider says against the request, after it went over the wire."""
    try:
        Rules().check("POST", "/v1/chat/completions", {}, json.loads(json.dumps(body)))
    except Refusal as refused:
        return refused.message
    return None


def call(call_id: str, arguments: Any = None, raw: str = "") -> ToolCall:
    return ToolCall(call_id, "read", arguments, raw)


def calling(*calls: ToolCall) -> Message:
    return Message("assistant", calls)


def result(*call_ids: str) -> Message:
    return Message("tool", tuple(ToolResult(call_id, "read", f"result {call_id}") for call_id in call_ids))


ASK = Message.of("user", "go on")


def test_plain_talk_is_sent_as_plain_strings() -> None:
    messages = [
        Message.of("system", "Be kind."),
        Message.of("user", "hi", "ann"),
        Message.of("assistant", "hello"),
    ]
    assert wire_messages(messages) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "hi", "name": "ann"},
        {"role": "assistant", "content": "hello"},
    ]


def test_images_and_files_become_parts_that_a_provider_takes() -> None:
    parts = (
        Text("look"),
        Image("https://a.b/c.png", "a cat"),
        File("a.pdf", "ref"),
        Image("file:///etc/passwd"),
    )
    (wire,) = wire_messages([Message("user", parts)])
    assert wire["content"] == [
        {"type": "text", "text": "look"},
        {"type": "text", "text": "a cat"},
        {"type": "image_url", "image_url": {"url": "https://a.b/c.png"}},
        {"type": "text", "text": "[file: a.pdf, application/octet-stream]"},
        {"type": "text", "text": "[image]"},
    ]


def test_reasoning_and_empty_messages_are_not_sent() -> None:
    messages = [
        Message("assistant", (Reasoning("hm"),)),
        Message("user", ()),
        Message.of("assistant", ""),
        ASK,
    ]
    assert wire_messages(messages) == [{"role": "user", "content": "go on"}]


def test_calls_and_their_results_are_sent_as_pairs() -> None:
    messages = [ASK, calling(call("a", {"path": "好"}), call("b", {})), result("a", "b"), ASK]
    wire = wire_messages(messages)
    assert [item["role"] for item in wire] == ["user", "assistant", "tool", "tool", "user"]
    assert wire[1]["tool_calls"][0]["function"] == {"name": "read", "arguments": '{"path": "好"}'}
    assert wire[2] == {"role": "tool", "tool_call_id": "a", "content": "result a"}


@pytest.mark.pain("P062")
def test_arguments_that_could_not_be_read_do_not_spoil_the_history() -> None:
    wire = wire_messages([ASK, calling(call("a", None, '{"path": "a')), result("a"), ASK])
    assert wire[1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert refusal({"model": "m", "messages": wire}) is None


@pytest.mark.pain("P064")
@pytest.mark.pain("42")
@pytest.mark.parametrize(
    ("history", "results"),
    [
        ([calling(call("a"), call("b"))], {"a": CANCELLED, "b": CANCELLED}),
        ([calling(call("a"), call("b")), result("a")], {"a": "result a", "b": CANCELLED}),
        ([calling(call("a"), call("b")), result("b"), result("a")], {"a": "result a", "b": "result b"}),
        ([calling(call("a")), ASK, result("a")], {"a": "result a"}),
        ([result("a"), calling(call("a"))], {"a": CANCELLED}),
        ([result("x"), ASK], {}),
        ([calling(call("a")), result("a", "a"), result("a")], {"a": "result a"}),
        ([calling(call("a"), call("a")), result("a")], {"a": "result a"}),
    ],
)
def test_every_call_in_the_history_has_exactly_one_result(
    history: list[Message], results: dict[str, str]
) -> None:
    wire = wire_messages([*history, ASK])
    answered = {item["tool_call_id"]: item["content"] for item in wire if item["role"] == "tool"}
    assert answered == results
    assert refusal({"model": "m", "messages": wire}) is None


@pytest.mark.pain("P064")
def test_an_id_that_is_used_again_in_a_later_turn_keeps_its_own_result() -> None:
    first, second = ToolResult("a", "read", "first"), ToolResult("a", "read", "second")
    history = [
        calling(call("a")),
        Message("tool", (first,)),
        ASK,
        calling(call("a")),
        Message("tool", (second,)),
    ]
    assert [message.parts[0] for message in repaired(history) if message.role == "tool"] == [first, second]


def test_a_repaired_history_is_left_as_it_is() -> None:
    whole = repaired([ASK, calling(call("a"), call("b")), result("b")])
    assert repaired(whole) == whole


def test_what_was_shown_already_is_gone_on_from() -> None:
    wire = wire_messages([ASK], answered="Once upon")
    assert wire[-2:] == [{"role": "assistant", "content": "Once upon"}, {"role": "user", "content": GO_ON}]


def test_a_request_carries_its_tools_and_limits() -> None:
    tool = ToolSpec("read", "Reads.", {"type": "object", "properties": {}})
    body = wire_request(ModelRequest("chat", (ASK,), (tool,), temperature=0.5, max_tokens=7), "m")
    assert (body["temperature"], body["max_tokens"], body["stream"]) == (0.5, 7, True)
    assert body["tools"][0]["function"]["name"] == "read"
    assert refusal(body) is None
    assert {"tools", "temperature", "max_tokens"}.isdisjoint(wire_request(ModelRequest("chat", (ASK,)), "m"))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_body_is_written_as_it_is_also_the_second_time(count: int) -> None:
    tools = tuple(ToolSpec(f"t{n}", 'says "é, 好}"', {"type": "object"}) for n in range(count))
    request = ModelRequest(alias="chat", messages=(Message.of("user", "?"),), tools=tools, temperature=0.5)
    for _ in range(2):
        body = wire_request(request, "m")
        assert json.loads(encoded(body)) == body
        alone = {"tools": body.get("tools", [])}
        assert json.loads(encoded(alone)) == alone


def test_what_json_does_not_have_is_refused() -> None:
    for body in ({"a": float("nan")}, {"m": 1, "tools": [{"a": float("inf")}]}):
        with pytest.raises(ValueError, match="Out of range"):
            encoded(body)


def test_names_are_made_acceptable_and_stay_distinct() -> None:
    assert safe_name("ann_1") == "ann_1"
    names = [safe_name(name) for name in ("小明", "小红", "Ann B", "Ann C", "", " ", "x" * 99, "x" * 98)]
    assert len(set(names)) == len(names)


def test_clean_text_is_the_same_text() -> None:
    assert clean("a\tb\nc\r好😀") == "a\tb\nc\r好😀"
    assert clean("a\x00b\ud800c\x1bd") == "a\ufffdb\ufffdc\ufffdd"


ANY_TEXT = st.text(st.characters(codec=None), max_size=8)
JSON = st.recursive(
    st.none() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=4,
)
IDS = st.sampled_from(["a", "b", "c"])
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(Text, ANY_TEXT),
    st.builds(Image, st.sampled_from(["https://a.b/c", "data:image/png;base64,AA", "ftp://x"]), ANY_TEXT),
    st.builds(File, ANY_TEXT, ANY_TEXT),
    st.builds(Reasoning, ANY_TEXT),
    st.builds(ToolCall, IDS, ANY_TEXT, st.none() | st.dictionaries(ANY_TEXT, JSON, max_size=3), ANY_TEXT),
    st.builds(ToolResult, IDS, ANY_TEXT, ANY_TEXT),
)
MESSAGES = st.builds(
    Message,
    st.sampled_from(["user", "assistant", "tool"]),
    st.lists(PARTS, max_size=3).map(tuple),
    st.none() | ANY_TEXT,
)


@pytest.mark.pain("P064")
@given(st.lists(MESSAGES, max_size=6), ANY_TEXT)
def test_no_history_at_all_is_refused_by_a_strict_provider(history: list[Message], answered: str) -> None:
    body = wire_request(ModelRequest("chat", (*history, ASK), answered=answered), "m")
    assert refusal(body) is None
