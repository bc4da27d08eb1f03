"""A server that counts: what it did stands in a file, whatever becomes of the process that asked for it."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.domain.message import ToolCall, ToolResult
from bot.domain.tool import RunContext, Tool

COUNT = Tool(
    "count",
    "counts one thing, in the world outside",
    {"type": "object", "properties": {"thing": {"type": "string"}}, "required": ["thing"]},
    "external",
    "counting",
)


class Counting:
    """The tool of that server."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def tools(self, context: RunContext) -> Sequence[Tool]:
        return [COUNT]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        assert call.arguments is not None
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{call.arguments['thing']}\n")
            file.flush()
            os.fsync(file.fileno())
        return ToolResult(call.id, call.name, "counted")


def counted(path: Path) -> Counter[str]:
    """How often each thing was counted."""
    return Counter(path.read_text(encoding="utf-8").split()) if path.exists() else Counter()
