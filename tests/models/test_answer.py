from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Usage
from bot.models.answer import AnswerReader
from tests.fakes.upstream import chunk
from tests.models.asking import Said, folded


def read(*chunks: Any) -> Said:
    reader = AnswerReader()
    events = [event for one in chunks for event in reader.read(one)]
    return folded([*events, *reader.end("fake")])


@pytest.mark.pain("39")
@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {},
        None,
        [],
        "text",
        {"choices": [None]},
        {"choices": [{}]},
        chunk(None),
        chunk({}),
        chunk({"content": None}),
        chunk({"content": ""}),
        chunk({"content": 7}),
        chunk({"role": "assistant", "content": None, "tool_calls": []}),
        chunk({"tool_calls": None}),
        chunk({"tool_calls": {}}),
        {"choices": [], "usage": None},
    ],
)
def test_chunks_that_say_nothing_are_passed_over(odd: Any) -> None:
    answer = read(odd, chunk({"content": "a"}), odd, chunk({"content": "b"}, "stop"), odd)
    assert (answer.text, answer.reasoning, answer.calls) == ("ab", "", ())


def test_characters_that_nobody_sees_are_no_part_of_an_answer() -> None:
    answer = read(chunk({"content": "a\x00\x1b[31mb"}), chunk({"content": "\x07\n\tc\x9f"}, "stop"))
    assert answer.text == "a[31mb\n\tc"


@pytest.mark.pain("39")
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_in_a_field_of_its_own_is_kept_apart(field: str) -> None:
    answer = read(chunk({"content": None, field: "hm"}), chunk({"content": "yes", field: None}))
    assert (answer.text, answer.reasoning) == ("yes", "hm")


def test_reasoning_that_comes_in_two_fields_is_taken_once() -> None:
    assert read(chunk({"reasoning": "hm", "reasoning_content": "hm"})).reasoning == "hm"


def test_content_may_be_a_list_of_parts() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    answer = read(chunk({"content": [thinking, {"type": "text", "text": "y"}, "es", {"type": "x"}, 3]}))
    assert (answer.text, answer.reasoning) == ("yes", "hm")


def test_an_emoji_whose_halves_come_in_two_chunks_is_whole() -> None:
    assert read(chunk({"content": "a\ud83d"}), chunk({"content": "\ude00b"})).text == "a😀b"
    assert read(chunk({"content": "a\ud83d"})).text == "a\ufffd"
    assert read(chunk({"content": "\ude00b"})).text == "\ufffdb"


@pytest.mark.pain("P056")
def test_usage_after_the_end_is_recorded() -> None:
    counted = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 50, "total_tokens": 60}}
    answer = read({"choices": []}, chunk({"content": "text"}), chunk({"content": None}, "stop"), counted)
    assert (answer.text, answer.usage) == ("text", Usage(10, 50))


@pytest.mark.parametrize("count", [10**23, -1, True, 1e30, "7", None])
def test_a_count_that_no_answer_has_is_none(count: Any) -> None:
    counted = {"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": 5}}
    assert read(chunk({"content": "text"}, "stop"), counted).usage == Usage(0, 5)


def test_usage_that_grows_with_each_chunk_is_told_once() -> None:
    growing = [
        {**chunk({"content": "a"}), "usage": {"prompt_tokens": 3, "completion_tokens": n}} for n in (1, 2)
    ]
    assert read(*growing).usage == Usage(3, 2)


def call_of(arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "now", "arguments": arguments}}]}


@pytest.mark.parametrize(
    ("told", "delta", "reason"),
    [
        ("stop", {"content": "a"}, "stop"),
        ("eos", {"content": "a"}, "stop"),
        ("length", {"content": "a"}, "length"),
        ("MAX_TOKENS", {"content": "a"}, "length"),
        ("content_filter", {}, "content_filter"),
        ("SAFETY", {}, "content_filter"),
        ("tool_calls", call_of("{}"), "tool_calls"),
        ("stop", call_of("{}"), "tool_calls"),
        ("length", call_of('{"a'), "length"),
        ("tool_calls", {"content": "a", "tool_calls": []}, "stop"),
    ],
)
def test_the_reason_of_the_end_is_one_of_ours(told: str, delta: Any, reason: str) -> None:
    finished = read(chunk(delta, told)).finished
    assert finished is not None
    assert finished.reason == reason


def test_a_refusal_is_shown() -> None:
    assert read(chunk({"content": None, "refusal": "I cannot."})).text == "I cannot."


def test_thinking_that_was_cut_by_the_token_limit_is_not_the_answer() -> None:
    assert read(chunk({"content": "<think>Let me"}, "length")).text == ""
    assert read(chunk({"content": "<think>Let me"}, "stop")).text == "Let me"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
DELTA = st.dictionaries(
    st.sampled_from(["content", "reasoning", "reasoning_content", "tool_calls", "refusal"]), JSON
)
CHUNK = st.builds(
    lambda delta, finish, usage: {"choices": [{"delta": delta, "finish_reason": finish}], "usage": usage},
    DELTA | JSON,
    JSON,
    JSON,
)


@given(st.lists(CHUNK | JSON, max_size=6))
def test_no_shape_of_a_chunk_raises(chunks: list[Any]) -> None:
    assert read(*chunks).finished is not None
