"""Server-sent events, and the requests that wait for a turn: both must end when the process does."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from aiohttp import web

from bot.domain.ports import Clock
from channels.web.errors import ApiError, json_bytes, retry_after

log = structlog.get_logger(__name__)

# Proxies and pages take a connection for dead when nothing comes; the page waits for two beats.
BEAT_S = 15.0
# A reader that takes nothing for so many beats is gone, whatever its TCP says.
PATIENCE_BEATS = 4

_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}


class EventStream:
    """One response of server-sent events. Each event is one write."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self.response = web.StreamResponse(headers=_HEADERS)
        self._stalled = 0
        self._live = False  # between its first and its last byte

    async def open(self) -> None:
        """Begin the response; from here on an error can only be told as an event."""
        await self.response.prepare(self._request)
        self._live = True

    def cut(self) -> None:
        """Break the connection off, so that its reader sees that this is not the end."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def send(self, event: str, data: Mapping[str, Any], event_id: str, *, last: bool = False) -> None:
        """Send a named event; `last` ends the stream with it. `ConnectionError` when the reader is gone."""
        text = b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), event.encode(), json_bytes(data))
        await self._write(text, last)

    async def send_data(self, data: bytes, *, last: bool = False) -> None:
        """Send an event without a name or an id."""
        await self._write(b"data: %b\n\n" % data, last)

    async def beat(self) -> bool:
        """Show that the connection lives; False if the reader is gone.

        Never waits: one that is slow has bytes on the way, and gets no more for now.
        """
        transport = self._request.transport
        if transport is None:
            return False
        if transport.get_write_buffer_size():
            self._stalled += 1
            if self._stalled >= PATIENCE_BEATS:
                self.cut()  # closing would wait for the bytes that nobody takes
                return False
            return True
        self._stalled = 0
        if self._live:
            await self.response.write(b": beat\n\n")
        return True

    async def _write(self, data: bytes, last: bool) -> None:
        if last:
            self._live = False
            await self.response.write_eof(data)
        else:
            await self.response.write(data)


class Connections:
    """The requests of this process that wait for something."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: set[asyncio.Task[Any]] = set()
        self._streams: dict[EventStream, asyncio.Task[Any]] = {}
        self._draining = False
        self._closed = False

    @contextmanager
    def waiting(self) -> Generator[None]:
        """While a request waits for a reply. It ends with 503 when the process does; the turn goes on."""
        task = self._current()
        self._waiting.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if not self._closed:
                raise
            task.uncancel()
            raise _closing() from None
        finally:
            self._waiting.discard(task)

    @contextmanager
    def streaming(self, stream: EventStream) -> Generator[None]:
        """While events are sent. The connection is cut when the process ends; readers come back.

        A failure cuts it, too: once the response has begun nothing else can be told. It ends here, as
        does the leaving of the reader: the server would write an error into the stream.
        """
        task = self._current()
        self._waiting.add(task)
        self._streams[stream] = task
        try:
            yield
        except ConnectionError:
            stream.cut()
        except Exception:
            log.exception("http.stream_failed")
            stream.cut()
        finally:
            self._streams.pop(stream, None)
            self._waiting.discard(task)

    def admit(self) -> None:
        """503 for a request that would have to wait, once the process is about to end."""
        if self._draining:
            raise _closing()

    def drain(self) -> None:
        """Admit no more. Those that wait may wait on: what they wait for is being finished."""
        self._draining = True

    def close(self) -> None:
        """End them all."""
        self._draining = self._closed = True
        for task in self._waiting:
            task.cancel()

    async def beat(self) -> None:
        """Keep the streams alive, for ever, and end those that nobody reads."""
        while True:
            await self._clock.sleep(BEAT_S)
            for stream, task in list(self._streams.items()):
                try:
                    alive = await stream.beat()
                except ConnectionError:
                    alive = False
                if not alive:
                    task.cancel()

    def _current(self) -> asyncio.Task[Any]:
        if self._closed:  # too late to be ended with the others
            raise _closing()
        task = asyncio.current_task()
        assert task is not None  # a handler runs in one
        return task


def _closing() -> ApiError:
    return ApiError(
        503, "unavailable", "the bot is restarting; ask again for this turn", headers=retry_after(1)
    )
