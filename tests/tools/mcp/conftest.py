"""Servers that run in a test, and the room that keeps them open."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from bot.clock import SystemClock
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import ToolCall, ToolResult
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.store.engine import Store
from bot.store.open import open_store
from bot.tools.mcp.registry import Registry
from bot.tools.mcp.remote import Outcome
from bot.tools.mcp.servers import Servers
from tests.fakes import mcp_server

CONTEXT = RunContext(RunId("run-1"), ConversationId("http:1"), SpeakerId("http:ann"), role="owner")
ECHO = {"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}}
WAIT_S = 15.0


async def until(found: Callable[[], Any], limit_s: float = WAIT_S) -> Any:
    """Wait until something is so; what `found` returned then."""
    async with asyncio.timeout(limit_s):
        while not (value := found()):  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.01)
    return value


class Fake:
    """A fake server of this test: its state is a file that the program reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state: dict[str, Any] = {}

    def says(self, **state: Any) -> "Fake":
        self.state |= state
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self.state), encoding="utf-8")
        fresh.replace(self.path)
        return self

    @property
    def entry(self) -> dict[str, Any]:
        return {"command": sys.executable, "args": ["-S", mcp_server.__file__, str(self.path)]}

    @property
    def called(self) -> bool:
        """Whether a call has arrived since this was asked last."""
        mark = self.path.with_suffix(".called")
        there = mark.exists()
        mark.unlink(missing_ok=True)
        return there

    def blocks(self) -> "Fake":
        """Calls hold up everything until `unblock`."""
        os.mkfifo(self.path.with_suffix(".gate"))
        return self.says(blocks_on_call=True)

    def unblock(self) -> None:
        """Let the call go on that holds everything up."""
        self.path.with_suffix(".gate").write_bytes(b"")

    @property
    def listed(self) -> int:
        """How often its tools were asked for."""
        log = self.path.with_suffix(".listed")
        return log.stat().st_size if log.exists() else 0

    @property
    def cancelled(self) -> list[str]:
        log = self.path.with_suffix(".cancelled")
        return log.read_text(encoding="utf-8").split() if log.exists() else []


class Room:
    """A registry in a folder of its own, and the servers it names, kept open."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        environ = {
            "XIAOMAOLV_MCP_USER_CONFIG": str(folder / "user.toml"),
            "XIAOMAOLV_MCP_PROJECT_CONFIG": str(folder / "project.toml"),
        }
        self.registry = Registry(environ)
        self.servers = Servers(self.registry, store, SystemClock())
        self.servers.begin()

    def fake(self, name: str, *, add: bool = True, **state: Any) -> Fake:
        """A fake server, registered under its name; with one tool where nothing else is said."""
        fake = Fake(self.folder / f"{name}.json").says(**{"tools": [ECHO], **state})
        if add:
            self.registry.add(name, fake.entry, "user")
        return fake

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Servers, None]:
        task = asyncio.get_running_loop().create_task(self.servers.run())
        try:
            yield self.servers
        finally:
            task.cancel()
            await asyncio.wait({task})

    def server(self, name: str) -> Any:
        return self.servers._servers.get(name)

    async def ready(self, *names: str) -> None:
        await until(lambda: all(self.state(name) == "ready" for name in names))

    def state(self, name: str) -> str:
        server = self.server(name)
        return server.health.state if server is not None else "none"

    async def names(self) -> list[str]:
        return sorted(tool.name for tool in await self.servers.tools(CONTEXT))

    def has_timeout(self, name: str, seconds: float) -> bool:
        server = self.server(name)
        return server is not None and server.spec.timeout_s == seconds

    async def call_remote(self, server: str, tool: str) -> Outcome:
        """Call a tool that is not listed."""
        found: Outcome = await self.server(server).call(tool, {})
        return found

    async def call(self, called: str, /, **arguments: Any) -> ToolResult:
        return await self.servers.call(ToolCall("call-1", called, arguments), CONTEXT)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncGenerator[Room, None]:
    store = await open_store(f"sqlite:///{tmp_path / 'bot.db'}", SystemClock())
    yield Room(tmp_path, store)
    await store.close()


@pytest.fixture(autouse=True)
def no_program_stays(request: pytest.FixtureRequest) -> Generator[None, None, None]:
    """No server outlives its test."""
    yield
    assert _children() == []


def _children() -> list[str]:
    """The servers that are still there after a while; other tests' children are none of them."""
    children = psutil.Process().children(recursive=True)
    servers = [child for child in children if "mcp_server.py" in _command(child)]
    _, alive = psutil.wait_procs(servers, timeout=5)
    return [_command(child) for child in alive]


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it is gone, or as good as
        return ""
