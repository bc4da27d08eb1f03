"""MCP servers over HTTP and by /mcp."""

from typing import Any

import pytest

from bot.clock import SystemClock
from bot.commands import mcp
from bot.commands.base import Call, Context
from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import Text
from bot.turn.gate import Role, Rules
from tests.builders import WebBot, open_web
from tests.fakes.clock import START
from tests.tools.mcp.conftest import ECHO, Room, until

ADDED = {**ECHO, "name": "added"}


async def get(bot: WebBot, path: str) -> Any:
    async with bot.client.get(path) as answer:
        return await answer.json()


async def post(bot: WebBot, path: str, body: Any = None) -> tuple[int, Any]:
    async with bot.client.post(path, json={} if body is None else body) as answer:
        return answer.status, await answer.json()


async def test_servers_are_told_with_their_state(room: Room) -> None:
    room.fake("one")
    room.registry.add(
        "two", {"command": "x", "args": ["--token", "s3cret-s3cret"], "enabled": False}, "project"
    )
    async with room.open() as servers, open_web(mcp=servers) as bot:
        await room.ready("one")
        one, two = (await get(bot, "/v1/mcp/servers"))["servers"]
    assert (one["name"], one["source"], one["enabled"], one["transport"]) == ("one", "user", True, "stdio")
    assert (one["state"], one["tools"], one["timeout_secs"]) == ("ready", 1, 20)
    assert (two["state"], two["args"], two["source"]) == ("off", ["--token", "***"], "project")


async def test_tools_are_listed_and_called(room: Room) -> None:
    room.fake("one")
    room.fake("two")
    async with room.open() as servers, open_web(mcp=servers) as bot:
        await room.ready("one", "two")
        (tool,) = (await get(bot, "/v1/mcp/tools?server=one"))["tools"]
        assert (tool["server"], tool["name"], tool["called"]) == ("one", "echo", "one__echo")
        assert tool["input_schema"] == {"type": "object", "properties": {}}
        assert len((await get(bot, "/v1/mcp/tools"))["tools"]) == 2
        status, told = await post(bot, "/v1/mcp/tools/one/echo", {"text": "hi"})
        assert (status, told["server"], told["tool"]) == (200, "one", "echo")
        assert told["result"] == {"content": [{"type": "text", "text": '{"text": "hi"}'}], "isError": False}


@pytest.mark.parametrize("path", ["/v1/mcp/tools/nobody/echo", "/v1/mcp/tools/one/nothing"])
async def test_what_is_not_there_is_named(room: Room, path: str) -> None:
    room.fake("one")
    async with room.open() as servers, open_web(mcp=servers) as bot:
        await room.ready("one")
        status, told = await post(bot, path)
        assert (status, told["error"]["code"]) == (404, "not_found")


async def test_without_mcp_there_are_no_servers() -> None:
    async with open_web() as bot:
        assert await get(bot, "/v1/mcp/servers") == {"servers": [], "faults": []}
        assert await get(bot, "/v1/mcp/tools") == {"tools": [], "waiting": []}
        assert (await post(bot, "/v1/mcp/tools/one/echo"))[0] == 404


async def test_a_waiting_tool_is_approved_over_http(room: Room) -> None:
    fake = room.fake("one", add=False)
    room.registry.add("one", {**fake.entry, "trust": "ask"}, "user")
    async with room.open() as servers, open_web(mcp=servers) as bot:
        await room.ready("one")
        listed = await get(bot, "/v1/mcp/tools")
        assert listed["tools"] == []
        assert [(tool["name"], tool["status"]) for tool in listed["waiting"]] == [("echo", "new")]
        assert await post(bot, "/v1/mcp/tools/one/echo/approve") == (200, {"approved": ["echo"]})
        assert len((await get(bot, "/v1/mcp/tools"))["tools"]) == 1
        assert await post(bot, "/v1/mcp/tools/one/echo/block") == (200, {"blocked": ["echo"]})
        assert (await get(bot, "/v1/mcp/tools"))["tools"] == []
        assert await post(bot, "/v1/mcp/servers/one/approve") == (200, {"approved": []})
        assert (await post(bot, "/v1/mcp/servers/nobody/approve"))[0] == 404


async def say(room: Room, text: str, role: Role = "owner") -> str:
    """What /mcp answers."""

    async def stop(_: Conversation) -> int:
        return 0

    where = Conversation("push", "1")
    inbound = Inbound("1", where, Speaker("push", "1", "Ann"), START, (Text(f"/mcp {text}"),))
    call = Call("mcp", text, inbound, role, "en")
    return await mcp.mcp(call, Context(room.store, SystemClock(), Rules({}), stop, mcp=room.servers))


async def test_a_chat_shows_approves_and_blocks(room: Room) -> None:
    fake = room.fake("one")
    room.registry.add("typo", {"command": "no-such-program-here"}, "user")
    async with room.open():
        await room.ready("one")
        await until(lambda: room.state("typo") == "waiting")
        fake.says(tools=[ECHO, ADDED])
        shown = await say(room, "")
        assert "one: connected, 1 tools" in shown
        assert "typo: not reachable: there is no program" in shown
        assert await say(room, "block one echo") == "Blocked: echo"
        assert "echo: blocked. Says it again." in await say(room, "tools one")
        assert await say(room, "approve one echo") == "Approved: echo"
        assert await say(room, "approve one") == "Approved: –"
        assert "has never listed" in await say(room, "approve one nothing")
        assert (await say(room, "what")).startswith("Send /mcp ls")


async def test_only_the_owner_says_which_programs_run(room: Room) -> None:
    async with room.open():
        assert await say(room, "add x -- echo", "admin") == "Only the owner may do that."
        assert (await say(room, "add x --url https://x.org/mcp --trust ask")).startswith("x is registered")
        assert room.registry.read().servers["x"].trust == "ask"
        assert "needs a command" in await say(room, "add y")
        assert (await say(room, "add y --nonsense 'unclosed")).startswith("Send /mcp ls")
        assert await say(room, "rm x", "admin") == "Only the owner may do that."
        assert await say(room, "rm x") == "x is removed."
        assert await say(room, "rm x") == "There is nothing of that."
