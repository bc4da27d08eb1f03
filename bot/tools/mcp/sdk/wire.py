"""Messages on their way from a server to the SDK: what breaks the protocol is mended, skipped or counted.

The SDK refuses a whole list for one tool with an odd schema, and a whole result for one unknown kind of
content. A server is judged tool by tool here, and a result piece by piece.
"""

import json
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import anyio
from mcp import types
from mcp.client._transport import ReadStream
from mcp.shared.message import SessionMessage
from mcp.types.methods import validate_server_result
from mcp.types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError

from bot.tools.mcp.remote import Traffic

Item = SessionMessage | Exception
_STRICTEST = ("2025-11-25", LATEST_MODERN_VERSION)
# Where the untouched schema of a tool travels that had to be mended.
RAW_SCHEMA = "xiaomaolv/raw-schema"
_SHOWN_OF_UNKNOWN = 2000


class Mended:
    """A stream of messages, in the place of the transport's own. `ended` is told once it is over."""

    def __init__(
        self, inner: ReadStream[Item], traffic: Traffic, ended: Callable[[str], None], *, skips: bool
    ) -> None:
        """`skips`: what is no message is noise, such as a log line on stdout, and not a fault."""
        self._inner = inner
        self._traffic = traffic
        self._ended = ended
        self._skips = skips

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Item:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._ended("the connection was closed")
                raise
            if isinstance(item, Exception):
                self._traffic.skipped_lines += 1
                if self._skips:
                    continue
            elif isinstance(item.message, types.JSONRPCResponse):
                self._mend(item.message)
            return item

    def _mend(self, message: types.JSONRPCResponse) -> None:
        result = message.result
        if isinstance(tools := result.get("tools"), list):
            result["tools"] = [fit for tool in tools if (fit := self._fit_tool(tool)) is not None]
        elif "content" in result or "structuredContent" in result or "isError" in result:
            self._fit_result(result)

    def _fit_tool(self, tool: Any) -> dict[str, Any] | None:
        """The tool as the SDK takes it; None, and its name is noted, for what can be none."""
        if isinstance(tool, dict) and _fits("tools/list", {"tools": [tool]}):
            return tool
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or not name:
            self._traffic.dropped.append("(a tool without a name)")
            return None
        description = tool.get("description")
        fit = {
            "name": name,
            "description": description if isinstance(description, str) else "",
            "inputSchema": {"type": "object"},
            "_meta": {RAW_SCHEMA: tool.get("inputSchema")},
        }
        if isinstance(annotations := tool.get("annotations"), dict):
            fit["annotations"] = {key: value for key, value in annotations.items() if isinstance(value, bool)}
        self._traffic.mended += 1
        return fit

    def _fit_result(self, result: dict[str, Any]) -> None:
        """Make a call's result one that the SDK takes, in place."""
        if _fits("tools/call", result):
            return
        self._traffic.mended += 1
        blocks = result.get("content")
        if not isinstance(blocks, list):
            blocks = [] if blocks is None else [blocks]
        result["content"] = [_fit_block(block) for block in blocks]
        result["isError"] = result.get("isError") is True
        if "structuredContent" in result and not isinstance(result["structuredContent"], dict):
            result["content"].append(_as_text(result.pop("structuredContent")))

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, traceback)


def _fits(method: str, result: Mapping[str, Any]) -> bool:
    """Whether the SDK takes the result under one of the versions that it speaks."""
    for version in _STRICTEST:
        try:
            validate_server_result(method, version, dict(result))
        except (ValidationError, KeyError):
            continue
        return True
    return False


def _fit_block(block: Any) -> dict[str, Any]:
    if isinstance(block, dict) and _fits("tools/call", {"content": [block]}):
        return block
    return _as_text(block)


def _as_text(value: Any) -> dict[str, Any]:
    plain = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return {"type": "text", "text": plain[:_SHOWN_OF_UNKNOWN]}
