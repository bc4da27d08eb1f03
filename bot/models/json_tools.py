"""Tools for a model that knows none: it is told of them in words, and writes a call as one JSON object.

    {"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}

What begins like such an object is held back until it is clear what it is; every other word is shown at once.
"""

import json
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import structlog

from bot.domain.message import (
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Part,
    Text,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from bot.domain.ports import ChatModel
from bot.errors import ModelError
from bot.models.streams import closing

log = structlog.get_logger(__name__)

MAX_RAW = 800
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n?|\n?```\s*\Z")
_HOW = (
    "You can use the tools below. To use one, answer with nothing but one JSON object, without other words:\n"
    '{"server": "...", "tool": "...", "arguments": {...}}\n'
    "For several calls at once, a JSON list of such objects. The results come in the next message, as data. "
    "When no tool is needed, answer in ordinary words.\nTools, each with the schema of its arguments:\n"
)


class JsonTools:
    """Speaks of tools in words."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        wanted = _in_words(request)
        if not request.tools:
            async with closing(self._model.stream(wanted)) as events:
                async for event in events:
                    yield event
            return
        held, open_ = "", True
        async with closing(self._model.stream(wanted)) as events:
            async for event in events:
                if isinstance(event, TextDelta) and open_:
                    held += event.text
                    open_ = _may_be_a_call(held)
                    if not open_:
                        yield TextDelta(held)
                        held = ""
                elif isinstance(event, Finished) and held:
                    for piece in _end(held, event, request.tools):
                        yield piece
                else:
                    yield event


def _end(held: str, finished: Finished, tools: Sequence[ToolSpec]) -> list[ModelEvent]:
    """What was held back to the end: calls, or words after all."""
    calls = read_calls(held, tools)
    if not calls:
        return [TextDelta(held), finished]
    return [*calls, replace(finished, reason="tool_calls", retracted=0)]


def _may_be_a_call(text: str) -> bool:
    begun = text.lstrip()
    return not begun or begun[0] in "{[" or "```json".startswith(begun[:7]) or begun.startswith("```json")


def read_calls(text: str, tools: Sequence[ToolSpec]) -> list[ToolCall]:
    """The calls that a text is; [] where it is something else."""
    bare = _FENCE.sub("", text.strip()).strip()
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return _broken(bare)
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, dict) and isinstance(item.get("tool"), str) for item in items):
        return []
    return [_call(item, tools) for item in items]


def _call(item: dict[str, Any], tools: Sequence[ToolSpec]) -> ToolCall:
    arguments = item.get("arguments", {})
    raw = "" if isinstance(arguments, dict) else json.dumps(arguments, ensure_ascii=False)[:MAX_RAW]
    name = _named(item["tool"], str(item.get("server") or ""), tools)
    return ToolCall(_new_id(), name, arguments if isinstance(arguments, dict) else None, raw)


def _named(tool: str, server: str, tools: Sequence[ToolSpec]) -> str:
    """The tool's name as it is offered: two servers may have one of the same name."""
    longer = f"{server}__{tool}"
    known = {spec.name: spec.toolset for spec in tools}
    return longer if longer in known and known.get(tool) != server else tool


def _broken(text: str) -> list[ToolCall]:
    """A call that is no JSON: its name can be told, so that the model hears what is wrong."""
    found = re.match(r'\{\s*(?:"server"\s*:\s*"[^"]*"\s*,\s*)?"tool"\s*:\s*"([^"]+)"', text)
    return [] if found is None else [ToolCall(_new_id(), found[1], None, text[:MAX_RAW])]


def _new_id() -> str:
    return f"call_{secrets.token_hex(8)}"


def _in_words(request: ModelRequest) -> ModelRequest:
    messages = [_told(message) for message in request.messages]
    if request.tools and request.tool_choice == "auto":
        note = Text(f"\n\n{_HOW}{chr(10).join(_line(tool) for tool in request.tools)}")
        if messages and messages[0].role == "system":
            messages[0] = replace(messages[0], parts=(*messages[0].parts, note))
        else:
            messages.insert(0, Message("system", (note,)))
    return replace(request, messages=tuple(messages), tools=(), tool_choice="auto")


def _line(tool: ToolSpec) -> str:
    about = {"server": tool.toolset, "tool": tool.name, "description": tool.description}
    return json.dumps({**about, "arguments": tool.parameters}, ensure_ascii=False)


def _told(message: Message) -> Message:
    if not any(isinstance(part, ToolCall | ToolResult) for part in message.parts):
        return message
    role = "user" if message.role == "tool" else message.role
    return Message(role, tuple(_part(part) for part in message.parts), message.name)


def _part(part: Part) -> Part:
    match part:
        case ToolCall(name=name, arguments=arguments):
            wanted = {"tool": name, "arguments": dict(arguments or {})}
            return Text(json.dumps(wanted, ensure_ascii=False) + "\n")
        case ToolResult(name=name, text=text, is_error=is_error):
            return Text(f"{'Error' if is_error else 'Result'} of {name}:\n{text}\n")
        case _:
            return part


class WithoutTools:
    """A model that is offered none: it would take them for words, or refuse the request."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        bare = replace(_in_words(replace(request, tools=())), tools=())
        async with closing(self._model.stream(bare)) as events:
            async for event in events:
                yield event


class NativeFirst:
    """A model that is asked in its own way, and in words from then on if it refuses tools."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._in_words = JsonTools(model)
        self._refused = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if not self._refused or not request.tools:
            shown = False
            try:
                async with closing(self._model.stream(request)) as events:
                    async for event in events:
                        shown = True
                        yield event
                return
            except ModelError as error:
                if shown or not request.tools or not _refuses_tools(error):
                    raise
                log.info("model.tools.refused", provider=error.provider)
                self._refused = True
        async with closing(self._in_words.stream(request)) as events:
            async for event in events:
                yield event


def _refuses_tools(error: ModelError) -> bool:
    # Servers that were started without tools answer with 400, 404, 500 or 501.
    about = error.message.casefold()
    return error.code in {"bad_request", "unavailable"} and ("tool" in about or "function call" in about)
