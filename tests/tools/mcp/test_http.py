"""Servers over streamable HTTP."""

import asyncio

import pytest

from tests.fakes.mcp_http import HttpFake
from tests.tools.mcp.conftest import Room, until


@pytest.mark.pain("P074")
@pytest.mark.parametrize("gone", [404, 400])
async def test_an_expired_session_is_opened_anew_and_the_call_done_once(room: Room, gone: int) -> None:
    async with HttpFake(gone=gone).serving() as server:
        room.registry.add("remote", {"url": server.url}, "user")
        async with room.open():
            await room.ready("remote")
            assert (await room.call("remote__echo", text="one")).text == '{"text": "one"}'
            server.expire()
            second = await room.call("remote__echo", text="two")
            assert (second.text, second.is_error) == ('{"text": "two"}', False)
            assert server.calls == ["echo", "echo"]
            assert server.begun == 2


@pytest.mark.pain("P074")
async def test_all_calls_under_way_when_a_session_expires_are_done_in_the_next(room: Room) -> None:
    async with HttpFake().serving() as server:
        room.registry.add("remote", {"url": server.url}, "user")
        async with room.open():
            await room.ready("remote")
            server.expire()
            server.refusals_in_s = [0.0, 0.1, 0.2]  # the first tells that the session is gone
            outcomes = await asyncio.gather(*(room.call("remote__echo", text=text) for text in "abc"))
            assert [outcome.text for outcome in outcomes] == [
                '{"text": "a"}',
                '{"text": "b"}',
                '{"text": "c"}',
            ]
            assert server.begun == 2


async def test_headers_are_sent_and_a_wrong_key_is_told(room: Room) -> None:
    async with HttpFake(token="right-token").serving() as server:
        good = {"Authorization": "Bearer right-token"}
        room.registry.add("good", {"url": server.url, "headers": good}, "user")
        room.registry.add("bad", {"url": server.url, "headers": {"Authorization": "Bearer no"}}, "user")
        room.registry.add("none", {"url": server.url}, "user")
        async with room.open():
            await room.ready("good")
            await until(lambda: room.state("bad") == room.state("none") == "waiting")
            assert room.server("bad").health.error == "it wants a login"
            assert room.server("none").health.error == "it wants a login"
            assert not (await room.call("good__echo")).is_error


async def test_an_address_where_nobody_is_is_told(room: Room) -> None:
    room.registry.add("gone", {"url": "http://127.0.0.1:9/mcp"}, "user")
    async with room.open():
        await until(lambda: room.state("gone") == "waiting")
        assert "cannot connect to 127.0.0.1" in room.server("gone").health.error
