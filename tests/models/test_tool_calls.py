import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models.tool_calls import MAX_RAW_CHARS, ToolCallAssembler, read_arguments


def piece(
    index: int | None = None, call_id: str | None = None, name: str | None = None, arguments: Any = None
) -> Any:
    """One item of `tool_calls` in a delta, without the fields that are None."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    whole = {"index": index, "id": call_id, "function": function or None}
    return {key: value for key, value in whole.items() if value is not None}


def calls(*pieces: Any) -> list[tuple[str, Any]]:
    assembler = ToolCallAssembler()
    for one in pieces:
        assembler.add([one])
    made = assembler.calls()
    assert all(call.id and call.name for call in made)
    assert len({call.id for call in made}) == len(made)
    return [(call.name, call.arguments) for call in made]


A, B = '{"path":"a"}', '{"path":"b"}'
SAME_ID_TWICE = [
    piece(0, "x", "read", A[:4]),
    piece(1, "x", "read", B[:4]),
    piece(0, "x", None, A[4:]),
    piece(1, "x", None, B[4:]),
]
READ_A, READ_B = ("read", {"path": "a"}), ("read", {"path": "b"})


@pytest.mark.pain("39")
@pytest.mark.pain("P059")
@pytest.mark.parametrize(
    ("pieces", "made"),
    [
        ([piece(0, "x", "read", A)], [READ_A]),
        ([piece(0, "x", "read", ""), *(piece(0, arguments=letter) for letter in A)], [READ_A]),
        (
            [
                piece(0, "x", "read"),
                piece(1, "y", "read"),
                piece(0, arguments=A[:5]),
                piece(1, arguments=B[:3]),
                piece(0, arguments=A[5:]),
                piece(1, arguments=B[3:]),
            ],
            [READ_A, READ_B],
        ),
        ([piece(None, "x", "read"), piece(arguments=A[:4]), piece(arguments=A[4:])], [READ_A]),
        ([piece(None, None, "read", A[:4]), piece(arguments=A[4:])], [READ_A]),
        ([piece(1, "x", "read"), piece(1, arguments=A)], [READ_A]),
        ([piece(0, "x", "read", A), piece(0, "x", "read", B)], [READ_A, READ_B]),
        ([piece(0, "x", "read", A), piece(1, "x", "read", B)], [READ_A, READ_B]),
        ([piece(0, "x", "read", A[:4]), piece(0, "x", "read", A[4:])], [READ_A]),
        (
            SAME_ID_TWICE,
            [READ_A, READ_B],
        ),
        ([piece(0, "x", "read"), piece(5, None, None, A)], [READ_A]),
        ([piece(0, "x", "read", A), piece(0, "x", "read", "")], [READ_A]),
        ([piece(None, "x", "read", A), piece(None, "y", "read", B)], [READ_A, READ_B]),
        ([piece(0, "x", "read", {"path": "a"})], [READ_A]),
        ([piece(0, "", "", ""), piece(0, None, None, None)], []),
        ([piece(0, "x", None, A)], [("unnamed", {"path": "a"})]),
        ([piece(0, "x", "now", ""), piece(1, "y", "later", "")], [("now", {}), ("later", {})]),
        ([{"index": "0", "id": 7, "function": "f"}, {"index": None}], []),
    ],
)
def test_calls_are_put_together_however_they_are_numbered(pieces: list[Any], made: list[Any]) -> None:
    assert calls(*pieces) == made


@pytest.mark.pain("P057")
def test_two_calls_under_one_index_stay_two() -> None:
    assert calls(piece(0, "call_a", "read", A), piece(0, "call_b", "read", B)) == [READ_A, READ_B]
    three = calls(piece(0, None, "read", A), piece(0, None, "write", B), piece(0, None, "read", B))
    assert three == [READ_A, ("write", {"path": "b"}), READ_B]


@pytest.mark.pain("P063")
@pytest.mark.parametrize("raw", ["null", "[]", '"x"', "1", "{", '{"a": NaN}', "[" * 100_000, "{]"])
def test_arguments_that_are_no_object_are_kept_raw(raw: str) -> None:
    assembler = ToolCallAssembler()
    assembler.add([piece(0, "x", "read", raw)])
    (call,) = assembler.calls()
    assert call.arguments is None
    assert call.raw == raw[:MAX_RAW_CHARS]


@pytest.mark.pain("48")
@pytest.mark.parametrize(
    ("raw", "arguments"),
    [("", {}), ("  \n", {}), ("{}", {}), (A, {"path": "a"}), (json.dumps(A), {"path": "a"})],
)
def test_nothing_is_no_arguments_and_an_object_in_a_string_is_unpacked(raw: str, arguments: Any) -> None:
    assert read_arguments(raw) == arguments


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.sampled_from(["index", "id", "function", "type"]), JSONISH)


@given(st.lists(FIELDS | JSONISH, max_size=8))
def test_no_shape_of_the_pieces_raises(pieces: list[Any]) -> None:
    assembler = ToolCallAssembler()
    assembler.add(pieces)
    for call in assembler.calls():
        assert call.id and call.name


@given(
    st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=3), min_size=1, max_size=4),
    st.data(),
)
def test_calls_interleaved_in_any_pieces_come_out_whole(wanted: list[Any], data: st.DataObject) -> None:
    raws = [json.dumps(arguments) for arguments in wanted]
    rest = dict(enumerate(raws))
    pieces = [piece(index, f"id{index}", "tool", "") for index in range(len(raws))]
    while rest:
        index = data.draw(st.sampled_from(sorted(rest)))
        size = data.draw(st.integers(1, 6))
        pieces.append(piece(index, arguments=rest[index][:size]))
        rest[index] = rest[index][size:]
        if not rest[index]:
            del rest[index]
    assert calls(*pieces) == [("tool", arguments) for arguments in wanted]
