"""A server that counts: what it did stands in a file, whatever becomes of the process that asked for it.

It also paints, which changes nothing outside.
"""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.domain.message import Picture, ToolCall, ToolResult
from bot.domain.tool import RunContext, Tool

COUNT = Tool(
    "count",
    "counts one thing, in the world outside",
    {"type": "object", "properties": {"thing": {"type": "string"}}, "required": ["thing"]},
    "external",
    "counting",
)
PAINT = Tool("paint", "paints three pictures of one thing", COUNT.parameters, "read", "counting")
PAINTED = 3


def captions(thing: str) -> list[str]:
    """What stands under the pictures of a thing."""
    return [f"picture {number} of {thing}" for number in range(PAINTED)]


class Counting:
    """The tools of that server."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def tools(self, context: RunContext) -> Sequence[Tool]:
        return [COUNT, PAINT]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        assert call.arguments is not None
        if call.name == PAINT.name:
            told = captions(str(call.arguments["thing"]))
            pictures = tuple(Picture("image/jpeg", b"\xff\xd8\xff\xe0", caption) for caption in told)
            return ToolResult(call.id, call.name, "painted", pictures=pictures)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{call.arguments['thing']}\n")
            file.flush()
            os.fsync(file.fileno())
        return ToolResult(call.id, call.name, "counted")


def counted(path: Path) -> Counter[str]:
    """How often each thing was counted."""
    return Counter(path.read_text(encoding="utf-8").split()) if path.exists() else Counter()
