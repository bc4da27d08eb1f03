import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models.sse import EventParser


def parsed(*pieces: bytes) -> list[bytes]:
    parser = EventParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    return events + parser.end()


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
        (b"data:a\n\n", [b"a"]),
        (b"data:  a\n\n", [b" a"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"a", b"b"]),
        (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b": comment\n\ndata: a\n\n: more\n\n", [b"a"]),
        (b"event: x\nid: 7\nretry: 3\ndata: a\n\n", [b"a"]),
        (b"data: a", [b"a"]),
        (b"data: a\r", [b"a"]),
        (b"data\n\n", [b""]),
        (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
        (b"\n\n\n", []),
        (b"database: a\n\n", []),
        ("data: 你好\n\n".encode(), ["你好".encode()]),
    ],
)
def test_events_are_read_in_every_form_the_standard_allows(stream: bytes, events: list[bytes]) -> None:
    assert parsed(stream) == events


@pytest.mark.pain("39")
@given(
    st.lists(
        st.sampled_from([
            b"data: ",
            b"a",
            "好".encode(),
            b"\n",
            b"\r\n",
            b"\r",
            b": c\n",
            b"\n\n",
            b"data:",
            b"event: e\n",
        ]),
        max_size=40,
    ),
    st.data(),
)
def test_the_borders_between_pieces_never_matter(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert parsed(*pieces) == parsed(stream)


@given(st.lists(st.binary(max_size=60), max_size=10))
def test_any_bytes_at_all_are_survived(pieces: list[bytes]) -> None:
    parsed(*pieces)


def test_a_line_without_end_is_refused_before_it_fills_the_memory() -> None:
    parser = EventParser()
    with pytest.raises(ValueError, match="too long"):
        for _ in range(10):
            parser.feed(b"x" * 1024 * 1024)
