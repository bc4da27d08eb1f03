"""A server of MCP over streamable HTTP whose sessions can be ended at any moment."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from tests.fakes.mcp_server import Behaviour, answer


class HttpFake:
    """`calls` are the names of tools that were called; `expire` ends all sessions."""

    def __init__(self, *, gone: int = 404, token: str = "") -> None:
        """`gone` is the status for a session that is no more; with `token` others get 401."""
        self.state: Behaviour = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
        self.calls: list[str] = []
        self.begun = 0
        self.url = ""
        self._sessions: set[str] = set()
        self._gone = gone
        self.refusals_in_s: list[float] = []  # how long the first refusals of a session take
        self._token = token

    def expire(self) -> None:
        self._sessions.clear()

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator["HttpFake", None]:
        app = web.Application()
        app.router.add_route("*", "/mcp", self._handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/mcp"
            yield self
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        if self._token and request.headers.get("Authorization") != f"Bearer {self._token}":
            return web.Response(status=401)
        if request.method != "POST":
            return web.Response(status=405)
        message: dict[str, Any] = await request.json()
        method = message.get("method", "")
        headers: dict[str, str] = {}
        if method == "initialize":
            self.begun += 1
            session = f"session-{self.begun}"
            self._sessions.add(session)
            headers["Mcp-Session-Id"] = session
        elif method == "server/discover":
            return web.json_response(_error(message, -32601, "no such method"))
        elif request.headers.get("Mcp-Session-Id") not in self._sessions:
            if self.refusals_in_s:
                await asyncio.sleep(self.refusals_in_s.pop(0))
            error = _error(message, -32000, "Bad Request: No valid session ID provided")
            return web.json_response(error, status=self._gone)
        if "id" not in message:
            return web.Response(status=202)
        params = message.get("params") or {}
        if method == "tools/call":
            self.calls.append(params["name"])
            text = json.dumps(params.get("arguments"))
            return _answer(message, {"content": [{"type": "text", "text": text}]}, headers)
        return _answer(message, answer(method, params, self.state), headers)


def _answer(message: dict[str, Any], result: Any, headers: dict[str, str]) -> web.Response:
    if result is None:
        return web.json_response(_error(message, -32601, "no such method"))
    return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": result}, headers=headers)


def _error(message: dict[str, Any], code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": code, "message": text}}
