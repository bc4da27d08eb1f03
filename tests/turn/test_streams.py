"""A reader that comes back gets the rest: never a word twice, never one too few."""

import asyncio
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import Reply, TextDelta
from bot.domain.run import RunId
from bot.turn import streams as streaming
from bot.turn.streams import Closed, Delta, Started, Streams, TurnEvent, mark

TURN = RunId("turn-1")
# Emoji of several code points, halves of a pair, newlines: whatever a model may stream.
PIECES = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=8)


async def unknown() -> Reply | None:
    return None


class Reader:
    """What a client does: keeps the text it was shown, and the id of the last event."""

    def __init__(self) -> None:
        self.text = ""
        self.last_id = ""
        self.restarts = 0
        self.reply: Reply | None = None

    def see(self, event: TurnEvent) -> None:
        match event:
            case Started(restarted=restarted):
                self.text = ""
                self.restarts += restarted
            case Delta(text):
                self.text += text
            case Closed(reply):
                self.reply = reply
        self.last_id = event.id

    async def read(self, streams: Streams, *, events: int | None = None) -> None:
        """Go on from where it stopped: to the end, or for so many events."""
        async with aclosing(streams.watch(TURN, unknown, after=self.last_id)) as found:
            seen = 0
            async for event in found:
                self.see(event)
                seen += 1
                if seen == events:
                    return


@given(pieces=PIECES, stops=st.lists(st.integers(1, 3), max_size=6))
def test_whatever_the_pieces_and_the_breaks_the_text_arrives_once(
    pieces: list[str], stops: list[int]
) -> None:
    async def scene() -> None:
        streams = Streams()
        stream = streams.open(TURN)
        reader = Reader()

        async def write() -> None:
            for piece in pieces:
                await stream.write(TextDelta(piece))
                await asyncio.sleep(0)
            await stream.close(Reply("".join(pieces)))

        writing = asyncio.ensure_future(write())
        for events in stops:
            if reader.reply is None:
                await asyncio.wait_for(reader.read(streams, events=events), 5)
        if reader.reply is None:
            await asyncio.wait_for(reader.read(streams), 5)
        await writing
        assert reader.text == "".join(pieces)
        assert reader.restarts == 0
        assert reader.reply == Reply("".join(pieces))

    asyncio.run(scene())


@given(pieces=PIECES, data=st.data())
def test_after_any_event_the_rest_is_exactly_the_rest(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    at = data.draw(st.integers(1, len(text)))

    async def scene() -> None:
        streams = Streams()
        await streams.open(TURN).close(Reply(text))
        reader = Reader()
        reader.text, reader.last_id = text[:at], mark(text[:at])
        await reader.read(streams)
        assert (reader.text, reader.restarts) == (text, 0)

    asyncio.run(scene())


@given(old=st.text(min_size=1, max_size=12), new=st.text(max_size=12), data=st.data())
def test_a_text_that_was_written_anew_is_told_whole_or_goes_on_where_it_is_the_same(
    old: str, new: str, data: st.DataObject
) -> None:
    """The process was restarted: the model was asked again and may say something else."""
    at = data.draw(st.integers(1, len(old)))

    async def scene() -> None:
        reader = Reader()
        reader.text, reader.last_id = old[:at], mark(old[:at])
        streams = Streams()
        await streams.open(TURN).close(Reply(new))
        await reader.read(streams)
        assert reader.text == new
        assert (reader.restarts == 0) == new.startswith(old[:at])

    asyncio.run(scene())


async def test_a_turn_that_begins_again_while_it_is_watched_begins_again_for_the_reader() -> None:
    streams = Streams()
    await streams.open(TURN).write(TextDelta("Hello, the"))
    reader = Reader()
    await reader.read(streams, events=2)
    watching = asyncio.ensure_future(reader.read(streams))
    await asyncio.sleep(0)
    again = streams.restart(TURN)
    await again.write(TextDelta("Good evening, and more words than before"))
    await again.close(Reply("Good evening, and more words than before."))
    await asyncio.wait_for(watching, 5)
    assert reader.text == "Good evening, and more words than before."
    assert reader.restarts == 1


async def test_text_that_turned_out_to_be_reasoning_is_taken_back() -> None:
    streams = Streams()
    stream = streams.open(TURN)
    await stream.write(TextDelta("hmm, let me see"))
    reader = Reader()
    await reader.read(streams, events=2)
    await stream.close(Reply("42"))
    await reader.read(streams)
    assert (reader.text, reader.restarts) == ("42", 1)


async def test_a_failure_is_told_without_the_text_of_a_delta() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("My model is overloaded.", "failed", error_code="rate_limited"))
    reader = Reader()
    await reader.read(streams)
    assert reader.text == ""
    assert reader.reply is not None and reader.reply.error_code == "rate_limited"


async def test_who_has_seen_the_end_sees_nothing_more() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("done"))
    reader = Reader()
    await reader.read(streams)
    end = reader.last_id
    assert end.endswith("-end")
    async with aclosing(streams.watch(TURN, unknown, after=end)) as events:
        assert [event async for event in events] == []


async def test_the_event_that_begins_a_turn_does_not_come_twice() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("done"))
    reader = Reader()
    await reader.read(streams, events=1)
    async with aclosing(streams.watch(TURN, unknown, after=reader.last_id)) as events:
        assert [type(event) for event in [event async for event in events]] == [Delta, Closed]


async def test_after_the_wait_for_a_person_the_answer_is_told_anew_and_before_that_nothing() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("May I?", "waiting"))
    reader = Reader()
    await reader.read(streams)
    waited = reader.last_id
    async with aclosing(streams.watch(TURN, unknown, after=waited)) as events:
        assert [event async for event in events] == []
    stream = streams.restart(TURN)
    await stream.close(Reply("It is done."))
    await reader.read(streams)
    assert (reader.text, reader.restarts, reader.reply) == ("It is done.", 1, Reply("It is done."))


async def test_the_end_of_an_answer_that_is_written_again_is_no_end() -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("first"))
    reader = Reader()
    await reader.read(streams)
    await streams.restart(TURN).write(TextDelta("second"))
    await reader.read(streams, events=2)
    assert (reader.text, reader.restarts) == ("second", 1)


@pytest.mark.parametrize(
    "nonsense", ["0-5", "0-", "x", "-1", "5", "5-", "²-0", "1e3-0", "9" * 5000, "999999999-0", "3-zz"]
)
async def test_an_id_that_is_none_of_ours_begins_anew(nonsense: str) -> None:
    streams = Streams()
    await streams.open(TURN).close(Reply("the whole text"))
    reader = Reader()
    reader.last_id = nonsense
    await reader.read(streams)
    assert (reader.text, reader.restarts) == ("the whole text", 1)


async def test_a_reader_of_a_turn_that_ended_elsewhere_is_told_from_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streaming, "LOOK_AGAIN_S", 0.01)
    answers = [None, None, Reply("from the store")]

    async def lookup() -> Reply | None:
        return answers.pop(0)

    async with asyncio.timeout(5), aclosing(Streams().watch(TURN, lookup)) as events:
        seen = [event async for event in events]
    assert isinstance(seen[-1], Closed)
    assert seen[-1].reply.text == "from the store"


async def test_old_turns_are_forgotten_and_running_ones_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "KEPT", 3)
    streams = Streams()
    running = streams.open(RunId("running"))
    for number in range(6):
        await streams.open(RunId(f"{number}")).close(Reply("x"))
    assert streams.find(RunId("running")) is running
    assert streams.find(RunId("0")) is None
    assert streams.find(RunId("5")) is not None


async def test_a_slow_reader_does_not_slow_the_writer() -> None:
    streams = Streams()
    stream = streams.open(TURN)
    async with aclosing(streams.watch(TURN, unknown)) as events:
        assert isinstance(await anext(events), Started)
        for _ in range(1_000):
            await stream.write(TextDelta("word "))
        await stream.close(Reply("word " * 1_000))
        rest = [event async for event in events]
    assert [type(event) for event in rest] == [Delta, Closed]
