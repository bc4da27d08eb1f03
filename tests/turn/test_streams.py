"""The live text of a turn, for readers of every pace."""

from collections.abc import AsyncGenerator

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Reply, TextDelta
from bot.domain.run import RunId
from bot.turn.streams import Closed, Delta, Started, Streams, TurnEvent

TURN = RunId("turn-1")


async def nothing_known() -> Reply | None:
    return None


async def rest_of(events: AsyncGenerator[TurnEvent, None]) -> list[TurnEvent]:
    return [event async for event in events]


def text_of(events: list[TurnEvent]) -> str:
    """What a reader has in the end, who begins anew when told to."""
    text = ""
    for event in events:
        match event:
            case Started():
                text = ""
            case Delta(text=piece):
                text += piece
            case Closed():
                pass
    return text


async def test_a_reader_that_is_slow_gets_every_piece_before_the_end() -> None:
    streams = Streams()
    stream = streams.open(TURN)
    events = streams.watch(TURN, nothing_known)
    await stream.write(TextDelta("one "))
    got = [await anext(events), await anext(events)]
    await stream.write(TextDelta("two "))
    await stream.write(TextDelta("three"))
    await stream.close(Reply("one two three"))
    got += await rest_of(events)
    assert text_of(got) == "one two three"
    assert isinstance(got[-1], Closed)


async def test_a_reader_is_told_to_begin_anew_however_much_was_written_meanwhile() -> None:
    streams = Streams()
    stream = streams.open(TURN)
    events = streams.watch(TURN, nothing_known)
    await stream.write(TextDelta("ab"))
    got = [await anext(events), await anext(events)]
    streams.restart(TURN)
    await stream.write(TextDelta("quite another text"))
    await stream.close(Reply("quite another text"))
    got += await rest_of(events)
    assert Started(TURN, restarted=True) in got
    assert text_of(got) == "quite another text"


async def test_a_reply_that_is_not_what_was_shown_replaces_it() -> None:
    streams = Streams()
    stream = streams.open(TURN)
    events = streams.watch(TURN, nothing_known)
    await stream.write(TextDelta("thinking aloud, then: yes"))
    got = [await anext(events), await anext(events)]
    await stream.close(Reply("yes, and a longer end than what was shown"))
    got += await rest_of(events)
    assert text_of(got) == "yes, and a longer end than what was shown"


async def test_a_failure_is_told_without_its_text_as_a_piece() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("I can't reach my model.", "failed", error_code="unavailable"))
    got = await rest_of(streams.watch(TURN, nothing_known))
    assert [type(event) for event in got] == [Started, Closed]


async def test_a_turn_that_ended_before_is_looked_up_at_once() -> None:
    async def known() -> Reply | None:
        return Reply("from the store")

    got = await rest_of(Streams().watch(TURN, known))
    assert text_of(got) == "from the store"


@given(st.lists(st.text(min_size=1), min_size=1), st.data())
async def test_wherever_a_reader_left_it_goes_on_exactly_there(
    pieces: list[str], data: st.DataObject
) -> None:
    streams = Streams()
    stream = streams.open(TURN)
    seen: list[TurnEvent] = []
    events = streams.watch(TURN, nothing_known)
    seen.append(await anext(events))
    left = data.draw(st.integers(0, len(pieces)))
    for piece in pieces[:left]:
        await stream.write(TextDelta(piece))
        seen.append(await anext(events))
    await events.aclose()
    for piece in pieces[left:]:
        await stream.write(TextDelta(piece))
    await stream.close(Reply("".join(pieces)))
    last = seen[-1]
    rest = await rest_of(streams.watch(TURN, nothing_known, after=last.id))
    whole = seen + [event for event in rest if event != Started(TURN)]
    assert text_of(whole) == "".join(pieces)
