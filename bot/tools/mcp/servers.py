"""All MCP servers as one toolset, and the door to them for commands and routes."""

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import structlog

from bot.domain.message import ToolCall, ToolResult
from bot.domain.ports import Clock
from bot.domain.tool import RunContext, Tool
from bot.errors import NotFound, Unavailable
from bot.events.log import EventLog
from bot.events.types import Event, McpServerChanged, McpToolsJudged
from bot.store.engine import Store
from bot.tools.mcp import pins
from bot.tools.mcp.catalogue import Catalogue, Entry, catalogue_of
from bot.tools.mcp.pins import Pin, Seen
from bot.tools.mcp.registry import Fault, Registry
from bot.tools.mcp.remote import Login, Outcome, RemoteTool
from bot.tools.mcp.server import Offered, Opener, Server, Surroundings
from bot.tools.mcp.spec import ServerSpec

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 1.0
TOKENS_FOLDER = "mcp-tokens"
_SDK = "bot.tools.mcp.sdk.session"


async def load_sdk() -> Opener:
    """What opens connections. The SDK takes most of a second to load: in a thread, when first needed."""
    module = await asyncio.to_thread(importlib.import_module, _SDK)
    return cast(Opener, module.open_session)


@dataclass(frozen=True, slots=True)
class Overview:
    """A server as it is told to people. `seen` is set where another process keeps it open."""

    spec: ServerSpec
    server: Server | None
    seen: Seen | None


class Servers:
    """A `Toolset`. Servers are opened beside everything else: nothing waits for one that is not there."""

    def __init__(
        self,
        registry: Registry,
        store: Store,
        clock: Clock,
        events: EventLog | None = None,
        login: Login | None = None,
    ) -> None:
        self.registry = registry
        self.faults: tuple[Fault, ...] = ()
        self._store = store
        self._clock = clock
        self._events = events
        self._servers: dict[str, Server] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._catalogue = Catalogue()
        self._begun = asyncio.Event()
        self._followed = asyncio.Event()
        self._newest_change: datetime | None = None
        self._around = Surroundings(
            clock=clock,
            tokens=registry.paths["user"].parent / TOKENS_FOLDER,
            opener=load_sdk,
            judge=self._judge,
            told=self._told,
            login=login,
        )

    def begin(self) -> None:
        """Open the servers from now on; before, `run` waits."""
        self._begun.set()

    async def settled(self, limit_s: float) -> None:
        """Wait until each server was opened or could not be; so long at most. For a command, not the bot."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._followed.wait()
                for server in list(self._servers.values()):
                    await server.settled()

    async def run(self) -> None:
        """Keep the servers of the registry open, and follow its changes, for ever; cancel to close all."""
        await self._begun.wait()
        try:
            async with asyncio.TaskGroup() as group:
                stamp: object = None
                while True:
                    if stamp != (stamp := self.registry.stamp()):
                        try:
                            await self._follow(group)
                        except Exception:  # the next change of a file is another chance
                            log.exception("mcp.registry_unfollowed")
                        self._followed.set()
                    await self._follow_approvals()
                    await self._clock.sleep(LOOK_EVERY_S)
        finally:
            self._servers.clear()
            self._tasks.clear()

    # --- as a toolset ---

    async def tools(self, context: RunContext) -> Sequence[Tool]:
        """The approved tools of the servers that are there now. One that providers refuse is set aside."""
        return [entry.tool for entry in self._catalogue.entries.values()]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        """See `Toolset.call`."""
        entry = self._catalogue.entries.get(call.name)
        if entry is None:
            return ToolResult(call.id, call.name, f"there is no tool {call.name} now", is_error=True)
        if call.arguments is None:
            return ToolResult(call.id, call.name, "the arguments must be a JSON object", is_error=True)
        outcome = await self._do(entry, call.arguments)
        return ToolResult(call.id, call.name, outcome.text, outcome.is_error, pictures=outcome.pictures)

    # --- for people ---

    async def overviews(self) -> list[Overview]:
        """Every server of the registry, by name."""
        registered = self.registry.read()
        self.faults = registered.faults
        seen = await self._store.read(pins.seen)
        return [
            Overview(spec, self._servers.get(name), seen.get(name))
            for name, spec in sorted(registered.servers.items())
        ]

    def entries(self, server: str = "") -> list[Entry]:
        """What is offered now, of one server or all. `NotFound` for a server that is not kept open."""
        if server and server not in self._servers:
            raise NotFound(f"there is no MCP server {server}")
        found = self._catalogue.entries.values()
        return [entry for entry in found if server in {"", entry.server.spec.name}]

    def entry(self, server: str, tool: str) -> Entry:
        """One tool by its own name at its server. `NotFound`, or `Unavailable` while the server is away."""
        for entry in self.entries(server):
            if entry.tool.remote_name == tool:
                return entry
        health = self._servers[server].health
        if health.state != "ready":
            raise Unavailable(f"the MCP server {server} is not there: {health.error or health.state}")
        raise NotFound(f"the MCP server {server} offers no tool {tool}")

    async def pins(self, server: str = "") -> list[Pin]:
        """What is known of tools, and whether they are approved."""
        return await self._store.read(pins.pins, server)

    async def approve(self, server: str, tools: Sequence[str] | None = None) -> list[str]:
        """Approve tools as they are now; without names all that wait. `NotFound` for an unknown one."""
        if server not in self.registry.read().servers:
            raise NotFound(f"there is no MCP server {server}")
        names = await self._store.write(pins.approve, server, tools, self._clock.now())
        await self._follow_approvals()
        self._record(McpToolsJudged(server=server, verdict="approved", tools=tuple(names)))
        return names

    async def block(self, server: str, tools: Sequence[str]) -> list[str]:
        """Hide tools until they are approved again."""
        names = await self._store.write(pins.block, server, tools, self._clock.now())
        await self._follow_approvals()
        self._record(McpToolsJudged(server=server, verdict="blocked", tools=tuple(names)))
        return names

    async def forget(self, server: str) -> None:
        """Know nothing of a server any more; for one that was taken out of the registry."""
        await self._store.write(pins.forget, server)

    # --- within ---

    async def _follow_approvals(self) -> None:
        """Take over what was approved or blocked, also by another process."""
        if not self._servers:
            return
        try:
            newest = await self._store.read(pins.newest_change)
            if newest != self._newest_change:
                for server in list(self._servers.values()):
                    await server.rejudge()
                self._newest_change = newest
        except Exception:  # a database that is busy or full now: looked at again in a moment
            log.exception("mcp.approvals_unread")

    async def _do(self, entry: Entry, arguments: Mapping[str, Any]) -> Outcome:
        server = entry.server
        match entry.kind:
            case "tool":
                return await server.call(entry.tool.remote_name, arguments)
            case "resources":
                uri = arguments.get("uri")
                return await server.read(str(uri)) if uri else _told_resources(server)
            case "prompts":
                name = arguments.get("name")
                given = arguments.get("arguments")
                plain = {str(key): str(value) for key, value in (given or {}).items()}
                return await server.prompt(str(name), plain) if name else _told_prompts(server)

    async def _follow(self, group: asyncio.TaskGroup) -> None:
        """Bring the open servers in line with the registry; what did not change is left alone."""
        registered = self.registry.read()
        self.faults = registered.faults
        for fault in registered.faults:
            log.warning("mcp.registry_faulty", server=fault.name, scope=fault.scope, reason=fault.message)
        gone = []
        for name, server in list(self._servers.items()):
            spec = registered.servers.get(name)
            if spec is None or spec.digest != server.spec.digest:
                del self._servers[name]
                gone.append(self._tasks.pop(name))
        if gone:
            self._renew()
            for task in gone:
                task.cancel()
            # What takes a server's place may want the port or the file that it has.
            await asyncio.wait(gone)
        for name, spec in registered.servers.items():
            if name not in self._servers:
                server = self._servers[name] = Server(spec, self._around)
                self._tasks[name] = group.create_task(server.run(), name=f"mcp-{name}")
        self._renew()

    async def _judge(self, spec: ServerSpec, tools: list[RemoteTool]) -> list[Offered]:
        statuses = await self._store.write(pins.record, spec, tools, self._clock.now())
        waiting = sum(status in pins.WAITING for status in statuses.values())
        if waiting:
            log.warning("mcp.tools_wait_for_approval", server=spec.name, count=waiting)
        return [Offered(tool, statuses[tool.name]) for tool in tools]

    async def _told(self, server: Server) -> None:
        self._renew()
        health = server.health
        usable = sum(entry.server is server for entry in self._catalogue.entries.values())
        self._record(McpServerChanged(server=server.spec.name, state=health.state, tools=usable))
        noted = Seen(
            server.spec.name, health.state, health.error, len(server.listing.tools), self._clock.now()
        )
        try:
            await self._store.write(pins.note, noted)
        except Exception:  # a courtesy to other processes; the server works without
            log.exception("mcp.state_unwritten", server=server.spec.name)

    def _record(self, event: Event) -> None:
        if self._events is not None:
            self._events.record(event)

    def _renew(self) -> None:
        self._catalogue = catalogue_of(self._servers.values())

    def now(self) -> datetime:
        """What time it is here."""
        return self._clock.now()

    @property
    def unfit(self) -> Mapping[str, str]:
        """Tools that no provider would take, by name, and why."""
        return self._catalogue.unfit


def _told_resources(server: Server) -> Outcome:
    lines = [
        f"{item.uri}{' (template)' if item.is_template else ''}: {item.name} {item.description}".rstrip()
        for item in server.listing.resources
    ]
    return Outcome("\n".join(lines))


def _told_prompts(server: Server) -> Outcome:
    lines = []
    for item in server.listing.prompts:
        wanted = ", ".join(name + ("" if required else "?") for name, required in item.arguments.items())
        lines.append(f"{item.name}({wanted}): {item.description}".rstrip())
    return Outcome("\n".join(lines))
