"""Many toolsets as one: each tool has a name of its own, and a toolset that fails takes no other along."""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import structlog

from bot.domain.message import ToolCall, ToolResult
from bot.domain.ports import Toolset
from bot.domain.tool import RunContext, Tool

log = structlog.get_logger(__name__)

MAX_NAME = 64
MOST_NAMED = 3
_OTHER = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Found:
    """A tool under the name it has here, and where it comes from under the name it has there."""

    tool: Tool
    origin: Toolset
    own_name: str


class Combined:
    """The tools of several toolsets. A later one with a taken name is called `<toolset>__<name>`."""

    def __init__(self, toolsets: Sequence[Toolset]) -> None:
        self._toolsets = tuple(toolsets)

    @property
    def is_empty(self) -> bool:
        """Whether there is no origin of tools."""
        return not self._toolsets

    async def tools(self, context: RunContext) -> list[Tool]:
        return [found.tool for found in (await self.found(context)).values()]

    async def found(self, context: RunContext) -> dict[str, Found]:
        """Every tool by its name here, in the order of the toolsets."""
        named: dict[str, Found] = {}
        for origin in self._toolsets:  # one by one: each tells what it knows, and none waits for anything
            for tool in await _tools_of(origin, context):
                name = _free_name(tool, named)
                here = tool if name == tool.name else replace(tool, name=name)
                named[name] = Found(here, origin, tool.name)
        return named

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        known = await self.found(context)
        found = known.get(call.name)
        if found is None or not found.tool.enabled:
            return ToolResult(call.id, call.name, unknown(call.name, known), is_error=True)
        result = await found.origin.call(replace(call, name=found.own_name), context)
        return replace(result, call_id=call.id, name=call.name)


def unknown(name: str, known: Sequence[str] | dict[str, Found]) -> str:
    """What a model is told that calls what there is not: the tools that end so, or look so."""
    ending = [full for full in known if full.endswith(f"__{name}")][:MOST_NAMED]
    near = ending or get_close_matches(name, list(known), n=MOST_NAMED)
    return f"There is no tool {name!r}." + (f" Did you mean {' or '.join(near)}?" if near else "")


def meant(name: str, known: Mapping[str, Found]) -> Found | None:
    """The one tool that a name can only mean: by its own name without that of its server, or with another
    sign between the two. None where there is no such tool, or more than one."""
    wanted = _OTHER.sub("__", name).strip("_").casefold()
    found = [
        one
        for full, one in known.items()
        if one.tool.enabled
        and (full.casefold() == wanted or (one.tool.remote_name or one.own_name).casefold() == wanted)
    ]
    return found[0] if len(found) == 1 else None


async def _tools_of(origin: Toolset, context: RunContext) -> Sequence[Tool]:
    try:
        return await origin.tools(context)
    except Exception:  # a boundary: one origin that fails must not cost the others
        log.exception("tools.origin_failed", origin=type(origin).__name__)
        return ()


def _free_name(tool: Tool, taken: dict[str, Found]) -> str:
    name = _OTHER.sub("_", tool.name)[:MAX_NAME]
    if name and name not in taken:
        return name
    longer = f"{_OTHER.sub('_', tool.toolset)}__{name or 'unnamed'}"
    if len(longer) <= MAX_NAME and longer not in taken:
        return longer
    number = f"{zlib.crc32(f'{tool.toolset} {tool.name}'.encode('utf-8', 'replace')):08x}"
    short = f"{longer[: MAX_NAME - 9]}_{number}"
    while short in taken:
        number = f"{(int(number, 16) + 1) % (1 << 32):08x}"
        short = f"{longer[: MAX_NAME - 9]}_{number}"
    return short
