"""The live text of turns: written by the turn, watched by any number of readers.

A reader that lost its connection goes on from the id of the last event it saw. The id holds how many
characters that was and a checksum of them, so it stays good after a restart: if the text begins the
same way the reader gets the rest, and if it does not (the model was asked again) the reader is told
to begin anew. The id of a last event says that instead: nothing follows an end, and after the wait for
a person the answer begins anew.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from bot.domain.message import Reply, TextDelta
from bot.domain.run import RunId

# How long an ended turn is kept here for readers that reconnect; afterwards the store answers.
KEPT = 256
LOOK_AGAIN_S = 1.0
MAX_DIGITS = 9  # of a length in an id: no text is longer
_END, _WAIT = "-end", "-wait"


@dataclass(frozen=True, slots=True)
class Started:
    """The stream begins, or begins anew with another text (`restarted`)."""

    turn_id: RunId
    restarted: bool = False
    id: str = "0-0"


@dataclass(frozen=True, slots=True)
class Delta:
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The end; `reply` holds the whole text."""

    reply: Reply
    id: str


TurnEvent = Started | Delta | Closed
Lookup = Callable[[], Awaitable[Reply | None]]


def mark(text: str) -> str:
    """The id of the event after which `text` was seen; "0-0" of the one that begins a turn."""
    return f"{len(text)}-{zlib.crc32(text.encode('utf-8', 'surrogatepass')):x}"


def _closed(reply: Reply, seen: int) -> Closed:
    return Closed(reply, f"{seen}{_WAIT if reply.status == 'waiting' else _END}")


class TurnStream:
    """The text of one turn so far. It is a `Sink`; reading it never slows the writer."""

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.stop = asyncio.Event()
        self.generation = 0  # grows when the text is no longer a continuation of what it was
        self._text = ""
        self._changed = asyncio.Event()

    @property
    def text(self) -> str:
        return self._text

    async def write(self, delta: TextDelta) -> None:
        self._text += delta.text
        self._notify()

    async def close(self, reply: Reply) -> None:
        if not reply.text.startswith(self._text):
            self.generation += 1
        self.reply = reply
        self._text = reply.text
        self._notify()

    def restart(self) -> None:
        """Begin with an empty text (again), also after a reply that was not the end."""
        if self._text:
            self.generation += 1
        self._text = ""
        self.reply = None

    async def changed(self) -> bool:
        """Wait for the next change, or a little while; whether there was one."""
        try:
            async with asyncio.timeout(LOOK_AGAIN_S):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class Streams:
    """The streams of this process, by turn."""

    def __init__(self) -> None:
        self._streams: dict[RunId, TurnStream] = {}

    def open(self, run_id: RunId) -> TurnStream:
        """The stream of a turn, made if need be; it may be watched before the turn begins."""
        stream = self._streams.get(run_id)
        if stream is None:
            stream = self._streams[run_id] = TurnStream()
            self._forget_oldest()
        return stream

    def restart(self, run_id: RunId) -> TurnStream:
        """A turn begins (again): an empty text, for the readers that wait and those that come."""
        stream = self.open(run_id)
        stream.restart()
        return stream

    def find(self, run_id: RunId) -> TurnStream | None:
        return self._streams.get(run_id)

    def forget(self, run_id: RunId) -> None:
        """Keep nothing of a turn that is no more."""
        self._streams.pop(run_id, None)

    async def watch(
        self, run_id: RunId, lookup: Lookup, *, after: str = ""
    ) -> AsyncGenerator[TurnEvent, None]:
        """The events of a turn from the start, or from the event with id `after`.

        `lookup` asks the store for the reply, for a turn that ended long ago or elsewhere.
        """
        stream = await self._opened(run_id, lookup)
        if after.endswith((_END, _WAIT)) and await _is_last(after, stream, lookup):
            return
        seen = await self._resume(stream, lookup, after)
        generation = stream.generation
        if seen < 0 or not after:
            yield Started(run_id, restarted=seen < 0)
            seen = 0
        while True:
            # The state is read anew after each yield: a slow reader comes back to another one.
            text, reply = stream.text, stream.reply
            if reply is not None and reply.status == "failed":
                yield _closed(reply, seen)
                return
            if generation != stream.generation:
                generation, seen = stream.generation, 0
                yield Started(run_id, restarted=True)
            elif len(text) > seen:
                piece, seen = text[seen:], len(text)
                yield Delta(piece, mark(text))
            elif reply is not None:
                yield _closed(reply, seen)
                return
            elif not await stream.changed():
                await _look(stream, lookup)

    async def _opened(self, run_id: RunId, lookup: Lookup) -> TurnStream:
        """The stream of a turn; of one that is new here, what the store knows."""
        stream = self.find(run_id)
        if stream is None:
            stream = self.open(run_id)
            await _look(stream, lookup)
        return stream

    async def _resume(self, stream: TurnStream, lookup: Lookup, after: str) -> int:
        """How many characters the reader has of this text; -1 if they are of another one."""
        if not after or after == mark(""):
            return 0
        length, _, checksum = after.partition("-")
        if not length.isdecimal() or len(length) > MAX_DIGITS or f"-{checksum}" in {_END, _WAIT}:
            return -1
        wanted = int(length)
        while len(stream.text) < wanted and stream.reply is None:
            if not await stream.changed():
                await _look(stream, lookup)
        return wanted if mark(stream.text[:wanted]) == after else -1

    def _forget_oldest(self) -> None:
        if len(self._streams) <= KEPT:
            return
        for run_id, stream in list(self._streams.items()):
            if stream.reply is not None:
                del self._streams[run_id]
                if len(self._streams) <= KEPT:
                    return


async def _is_last(after: str, stream: TurnStream, lookup: Lookup) -> bool:
    """Whether nothing follows the last event that a reader has: the turn has not gone on since."""
    if stream.reply is None:
        await _look(stream, lookup)
    return stream.reply is not None and after.endswith(_WAIT) == (stream.reply.status == "waiting")


async def _look(stream: TurnStream, lookup: Lookup) -> None:
    if (reply := await lookup()) is not None and stream.reply is None:
        await stream.close(reply)
