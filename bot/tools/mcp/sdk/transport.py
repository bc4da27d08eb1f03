"""The three ways to a server, each as a pair of streams that belongs to the task that opens it."""

import asyncio
import os
import shlex
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import McpHttpClientFactory
from typing_extensions import override

from bot.tools.mcp.remote import Hooks, Traffic
from bot.tools.mcp.sdk.oauth import auth_of
from bot.tools.mcp.sdk.wire import Mended
from bot.tools.mcp.spec import ServerSpec

Ended = Callable[[str], None]

CONNECT_S = 10.0
# How long a response may stay open without a byte; servers send pings far more often.
SILENCE_S = 3600.0
MOST_EVENT_BYTES = 16 * 1024 * 1024
_LINE_CHARS = 2000


@asynccontextmanager
async def streams_of(
    spec: ServerSpec, hooks: Hooks, traffic: Traffic, ended: Ended
) -> AsyncGenerator[TransportStreams, None]:
    """Open the way to a server. `ended` hears, with the reason, when nobody is there any more."""
    if spec.is_local:
        async with _process(spec, hooks) as (read, write):
            yield Mended(read, traffic, ended, skips=True), write
        return
    client = _client(spec, hooks, traffic, ended)
    if spec.transport == "sse":
        async with sse_client(spec.url, httpx_client_factory=_always(client)) as (read, write):
            yield Mended(read, traffic, ended, skips=False), write
        return
    way = streamable_http_client(spec.url, http_client=client, max_sse_event_size=MOST_EVENT_BYTES)
    async with client, way as (read, write):
        yield Mended(read, traffic, ended, skips=False), write


@asynccontextmanager
async def _process(spec: ServerSpec, hooks: Hooks) -> AsyncGenerator[TransportStreams, None]:
    """A program, with what it writes on stderr read line by line."""
    command, *words = _words(spec)
    parameters = StdioServerParameters(
        command=command,
        args=[*words, *spec.args],
        env=dict(spec.env),
        cwd=spec.cwd or None,
        encoding_error_handler="replace",
    )
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as errlog:
        reader = asyncio.get_running_loop().create_task(_follow(reading, hooks.stderr), name="mcp-stderr")
        try:
            async with stdio_client(parameters, errlog=errlog) as streams:
                errlog.close()  # the program has its own; once that is closed, too, the reader ends
                yield streams
        finally:
            errlog.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader, 0.5)


def _words(spec: ServerSpec) -> list[str]:
    """The program; a whole command line that was written in its place is taken apart."""
    if spec.args or " " not in spec.command or shutil.which(spec.command):
        return [spec.command]
    return shlex.split(spec.command)


async def _follow(descriptor: int, tell: Callable[[str], None]) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    pipe = os.fdopen(descriptor, "rb", buffering=0)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    rest = ""
    try:
        while chunk := await reader.read(8192):
            *lines, rest = (rest + chunk.decode("utf-8", "replace")).split("\n")
            for line in lines:
                tell(line.rstrip()[:_LINE_CHARS])
            rest = rest[-_LINE_CHARS:]
        if rest:
            tell(rest)
    finally:
        transport.close()


def _always(client: httpx2.AsyncClient) -> McpHttpClientFactory:
    def make(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return client

    return make


def _client(spec: ServerSpec, hooks: Hooks, traffic: Traffic, ended: Ended) -> httpx2.AsyncClient:
    direct: dict[str, None] = dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]"))
    client = _Watched(
        headers=dict(spec.headers),
        timeout=httpx2.Timeout(CONNECT_S, read=SILENCE_S),
        auth=auth_of(spec, hooks),
        mounts=direct,
    )
    client.traffic, client.ended = traffic, ended
    return client


class _Watched(httpx2.AsyncClient):
    """Tells when nobody answers at the address: those who wait for an answer need not wait longer."""

    traffic: Traffic
    ended: Ended

    @override
    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            response = await super().send(request, **options)
        except httpx2.ConnectError as error:
            self.ended(f"cannot connect to {request.url.host}: {error}")
            raise
        self.traffic.unauthorized = response.status_code == HTTPStatus.UNAUTHORIZED
        return response
