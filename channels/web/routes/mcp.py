"""`/v1/mcp`: the MCP servers, their tools, and calls of them by the operator."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from bot.domain.conversation import Conversation, SpeakerId
from bot.domain.message import ToolCall
from bot.domain.ports import Toolset
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.tools.mcp.catalogue import Entry
from bot.tools.mcp.pins import WAITING
from bot.tools.mcp.servers import Overview, Servers
from bot.tools.results import unwrapped
from channels.web.chat import CHANNEL
from channels.web.errors import ApiError, json_response
from channels.web.request import read_json

# Whoever may call these routes is the operator: there is no session, and no person behind it.
_WHERE = Conversation(CHANNEL, "operator")
_WHO = SpeakerId(f"{CHANNEL}:operator")


class McpRoutes:
    """`tools` is what calls go through: the gate around all tools."""

    def __init__(self, servers: Servers | None, tools: Toolset | None, max_body_bytes: int) -> None:
        self._servers = servers
        self._tools = tools
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/mcp/servers", self.servers),
            web.post("/v1/mcp/servers/{server}/approve", self.approve_all),
            web.get("/v1/mcp/tools", self.tools),
            web.post("/v1/mcp/tools/{server}/{tool}", self.call),
            web.post("/v1/mcp/tools/{server}/{tool}/approve", self.approve),
            web.post("/v1/mcp/tools/{server}/{tool}/block", self.block),
        ]

    async def servers(self, request: web.Request) -> web.Response:
        if self._servers is None:
            return json_response({"servers": [], "faults": []})
        told = [_told_server(overview) for overview in await self._servers.overviews()]
        faults = [
            {"name": fault.name, "source": fault.scope, "message": fault.message}
            for fault in self._servers.faults
        ]
        return json_response({"servers": told, "faults": faults})

    async def tools(self, request: web.Request) -> web.Response:
        """What can be called; `waiting` are tools that nobody has approved yet."""
        if self._servers is None:
            return json_response({"tools": [], "waiting": []})
        wanted = request.query.get("server", "")
        found = [_told_tool(entry) for entry in self._servers.entries(wanted)]
        waiting = [
            {"server": pin.server, "name": pin.tool, "status": pin.status, "definition": pin.definition}
            for pin in await self._servers.pins(wanted)
            if pin.status in WAITING
        ]
        return json_response({"tools": found, "waiting": waiting})

    async def call(self, request: web.Request) -> web.Response:
        """The body is the tool's arguments."""
        servers = self._known()
        server, name = request.match_info["server"], request.match_info["tool"]
        entry = servers.entry(server, name)
        arguments = await read_json(request, self._max_body_bytes)
        context = RunContext(RunId(""), _WHERE.id, _WHO, role="owner")
        result = await (self._tools or servers).call(ToolCall("http", entry.tool.name, arguments), context)
        # Its caller is a program of the operator: the marks around data are for models.
        content = [{"type": "text", "text": unwrapped(result.text)}]
        told = {"content": content, "isError": result.is_error}
        return json_response({"server": server, "tool": name, "result": told})

    async def approve(self, request: web.Request) -> web.Response:
        names = await self._known().approve(request.match_info["server"], [request.match_info["tool"]])
        return json_response({"approved": names})

    async def approve_all(self, request: web.Request) -> web.Response:
        """Everything of a server that waits."""
        return json_response({"approved": await self._known().approve(request.match_info["server"])})

    async def block(self, request: web.Request) -> web.Response:
        names = await self._known().block(request.match_info["server"], [request.match_info["tool"]])
        return json_response({"blocked": names})

    def _known(self) -> Servers:
        if self._servers is None:
            raise ApiError(404, "not_found", "MCP is switched off")
        return self._servers


def _told_server(overview: Overview) -> Mapping[str, Any]:
    spec, server = overview.spec, overview.server
    told: dict[str, Any] = {
        "name": spec.name,
        "source": spec.scope,
        "enabled": spec.enabled,
        "transport": spec.transport,
        "command": spec.command or None,
        "args": list(spec.shown_args),
        "cwd": spec.cwd or None,
        "url": spec.target if spec.url else None,
        "timeout_secs": spec.timeout_s,
        "trust": spec.trust,
        "state": "off",
        "error": "",
        "tools": 0,
    }
    if server is not None:
        told |= {
            "state": server.health.state,
            "error": server.health.error,
            "tools": len(server.listing.tools),
            "protocol": server.health.about.protocol,
            "stderr": list(server.stderr)[-20:],
        }
    return told


def _told_tool(entry: Entry) -> Mapping[str, Any]:
    tool = entry.tool
    return {
        "server": tool.toolset,
        "name": tool.remote_name,
        "description": tool.description,
        "input_schema": tool.parameters,
        "effect": tool.effect,
        "called": tool.name,
    }
