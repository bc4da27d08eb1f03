"""Clients that end their half of the connection with the request: they wait for its answer."""

import asyncio
import json
from contextlib import closing

import pytest

from bot.domain.message import Finished, TextDelta
from tests.builders import WebBot, open_web
from tests.fakes.models import ScriptedModel
from tests.web.raw import RawAnswer, exchange, parse


def port_of(bot: WebBot) -> int:
    return int(bot.url.rpartition(":")[2])


def get(bot: WebBot, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost:{port_of(bot)}\r\n\r\n".encode()


def post(bot: WebBot, text: str, *, stream: bool = False, missing: int = 0) -> bytes:
    """A message as HTTP, which promises so many more bytes than come."""
    body = json.dumps({"session_id": "s1", "user_id": "ann", "text": text, "stream": stream}).encode()
    host = f"Host: localhost:{port_of(bot)}"
    head = f"POST /v1/messages HTTP/1.1\r\n{host}\r\nContent-Length: {len(body) + missing}\r\n\r\n"
    return head.encode() + body


async def half_closed(bot: WebBot, data: bytes) -> RawAnswer | None:
    return await exchange(port_of(bot), data, hang_up=True)


@pytest.mark.parametrize("stream", [False, True])
async def test_who_says_no_more_gets_the_whole_answer(stream: bool) -> None:
    go_on = asyncio.Event()
    model = ScriptedModel([TextDelta("one "), go_on, TextDelta("two"), Finished("stop")])
    async with open_web(model) as bot:
        waiting = asyncio.create_task(half_closed(bot, post(bot, "hello", stream=stream)))
        await model.until_asked()
        go_on.set()
        answer = await waiting
    assert answer is not None
    assert answer.status == 200
    assert b'"reply":"one two"' in answer.body


async def test_requests_that_came_together_are_all_answered_before_the_connection_ends() -> None:
    async with open_web() as bot:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(bot))
        with closing(writer):
            writer.write(get(bot, "/health") + post(bot, "one") + get(bot, "/nowhere"))
            writer.write_eof()
            async with asyncio.timeout(10):
                received = await reader.read()
    assert [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]] == [200, 200, 404]


async def test_bytes_that_are_no_request_are_refused_though_nothing_follows() -> None:
    async with open_web() as bot:
        answer = await half_closed(bot, b"hello\r\n\r\n")
    assert answer is not None
    assert answer.status == 400


async def test_who_leaves_before_a_request_is_whole_is_not_waited_for() -> None:
    model = ScriptedModel()
    async with open_web(model) as bot:
        for data in (b"", get(bot, "/health")[:-2], post(bot, "hello", missing=1)):
            assert await half_closed(bot, data) is None
    assert model.requests == []


async def test_an_idle_connection_ends_when_its_client_ends_it() -> None:
    async with open_web() as bot:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(bot))
        with closing(writer):
            writer.write(get(bot, "/health"))
            async with asyncio.timeout(10):
                answer = parse(await reader.readuntil(b"}"))
                writer.write_eof()
                assert await reader.read() == b""
    assert answer is not None
    assert answer.status == 200
