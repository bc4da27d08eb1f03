"""Tools for a model that knows none: it is told of them in words, and writes a call as one JSON object.

    {"server": "weather", "tool": "forecast", "arguments": {"place": "Porto"}}

Where the endpoint takes a JSON Schema, the model can write nothing else than words or such calls (see
`bot.models.json_form`). What begins like such an object is held back until it is clear what it is; every
other word is shown at once.
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
from bot.models.json_form import ANSWER_BEGINS, LOOSER, Form, Unquoted, answer_in, bare, form_of, parsed
from bot.models.streams import closing

log = structlog.get_logger(__name__)

MAX_RAW = 800
_HOW = (
    "You can use the tools below. To use one, answer with nothing but one JSON object, without other words:\n"
    '{"server": "...", "tool": "...", "arguments": {...}}\n'
    "For several calls at once, a JSON list of such objects. The results come in the next message, as data. "
    "When no tool is needed, answer in ordinary words.\nTools, each with the schema of its arguments:\n"
)
_HOW_FORMED = (
    "You can use the tools below. Answer with one JSON object: to use tools,\n"
    '{"calls": [{"server": "...", "tool": "...", "arguments": {...}}]}\n'
    "(one or several at once; their results come in the next message, as data); when no tool is needed,\n"
    '{"answer": "your words to the person"}\nTools, each with the schema of its arguments:\n'
)
_LAST_FORMED = 'Answer with one JSON object: {"answer": "your words to the person"}'


class JsonTools:
    """Speaks of tools in words, and holds the endpoint to the form of an answer as closely as it takes it."""

    def __init__(self, model: ChatModel, *, constrain: bool = True) -> None:
        """`constrain`: whether the endpoint may be asked to keep to a JSON Schema."""
        self._model = model
        self._form: Form = "shaped" if constrain else "plain"  # what it is known to take

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if not request.tools:
            async with closing(self._model.stream(_in_words(request, "plain"))) as events:
                async for event in events:
                    yield event
            return
        form = self._form
        while True:
            shown = False
            try:
                async with closing(self._ask(request, form)) as events:
                    async for event in events:
                        shown = True
                        self._learn(form)
                        yield event
                return
            except ModelError as error:
                # Which words a server finds for a form that it does not take, nobody can know.
                if shown or form not in LOOSER or not _may_be_the_form(error):
                    raise
                form = LOOSER[form]

    def _learn(self, form: Form) -> None:
        if form != self._form:
            log.info("model.form.refused", form=self._form, instead=form)
            self._form = form

    async def _ask(self, request: ModelRequest, form: Form) -> AsyncIterator[ModelEvent]:
        reading = _Reading(request.tools, formed=form != "plain")
        async with closing(self._model.stream(_in_words(request, form))) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        if words := reading.feed(text):
                            yield TextDelta(words)
                    case Finished():
                        for piece in reading.end(event):
                            yield piece
                    case _:
                        yield event


class _Reading:
    """Tells words from calls while an answer comes."""

    def __init__(self, tools: Sequence[ToolSpec], *, formed: bool) -> None:
        self._tools = tools
        self._formed = formed
        self._raw = ""
        self._shown = 0  # characters
        self._held = True  # it is not clear yet what it is
        self._answer: Unquoted | None = None  # words in the form

    def feed(self, text: str) -> str:
        """What can be shown now."""
        self._raw += text
        words = self._words(text)
        self._shown += len(words)
        return words

    def _words(self, text: str) -> str:
        if self._answer is not None:
            return self._answer.feed(text)
        if not self._held:
            return text
        if self._formed and (begun := ANSWER_BEGINS.match(self._raw)):
            self._held, self._answer = False, Unquoted()
            return self._answer.feed(self._raw[begun.end() :])
        self._held = _may_be_a_call(self._raw)
        return "" if self._held else self._raw

    def end(self, finished: Finished) -> list[ModelEvent]:
        """What was held back, and the end. Where the beginning was reasoning, only the rest counts."""
        said = self._raw[finished.retracted :]
        calls = read_calls(said, self._tools)
        answer = answer_in(said) if self._formed else None
        stale = self._shown if finished.retracted else 0
        if calls or (self._answer is not None and not stale):
            words = ""
        elif answer is not None:
            words = answer
        elif self._held or self._answer is not None:
            words = said
        else:  # as it was shown
            return [finished]
        reason = "tool_calls" if calls else finished.reason
        told = [TextDelta(words)] if words else []
        return [*told, *calls, replace(finished, reason=reason, retracted=stale)]


def _may_be_the_form(error: ModelError) -> bool:
    if error.code == "bad_request":
        return True
    # Some that cannot make a grammar of a schema call that a fault of their own.
    return error.code == "unavailable" and bool(
        re.search("schema|grammar|response_format", error.message, re.I)
    )


def _may_be_a_call(text: str) -> bool:
    begun = text.lstrip()
    return not begun or begun[0] in "{[" or "```json".startswith(begun[:7]) or begun.startswith("```json")


def read_calls(text: str, tools: Sequence[ToolSpec]) -> list[ToolCall]:
    """The calls that a text is; [] where it is something else."""
    try:
        value = parsed(text)
    except ValueError:
        return _broken(bare(text))
    if isinstance(value, dict) and isinstance(value.get("calls"), list):
        value = value["calls"]
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
    found = re.match(
        r'(?:\{\s*"calls"\s*:\s*\[\s*)?\{\s*(?:"server"\s*:\s*"[^"]*"\s*,\s*)?"tool"\s*:\s*"([^"]+)"', text
    )
    return [] if found is None else [ToolCall(_new_id(), found[1], None, text[:MAX_RAW])]


def _new_id() -> str:
    return f"call_{secrets.token_hex(8)}"


def _in_words(request: ModelRequest, form: Form) -> ModelRequest:
    formed = form != "plain" and bool(request.tools)
    messages = [_told(message, formed=formed) for message in request.messages]
    offered = request.tools if request.tool_choice == "auto" else ()
    how = ""
    if offered:
        how = f"{_HOW_FORMED if formed else _HOW}{chr(10).join(_line(tool) for tool in offered)}"
    elif formed:
        how = _LAST_FORMED
    if how:
        note = Text(f"\n\n{how}")
        if messages and messages[0].role == "system":
            messages[0] = replace(messages[0], parts=(*messages[0].parts, note))
        else:
            messages.insert(0, Message("system", (note,)))
    held_to = form_of(offered, form) if formed else None
    return replace(request, messages=tuple(messages), tools=(), tool_choice="auto", form=held_to)


def _line(tool: ToolSpec) -> str:
    about = {"server": tool.toolset, "tool": tool.name, "description": tool.description}
    return json.dumps({**about, "arguments": tool.parameters}, ensure_ascii=False)


def _told(message: Message, *, formed: bool) -> Message:
    if not any(isinstance(part, ToolCall | ToolResult) for part in message.parts):
        return message
    if formed and (calls := [part for part in message.parts if isinstance(part, ToolCall)]):
        wanted = Text(json.dumps({"calls": [_wanted(call) for call in calls]}, ensure_ascii=False) + "\n")
        others = tuple(part for part in message.parts if not isinstance(part, ToolCall))
        return Message(message.role, (*others, wanted), message.name)
    role = "user" if message.role == "tool" else message.role
    return Message(role, tuple(_part(part) for part in message.parts), message.name)


def _wanted(call: ToolCall) -> dict[str, Any]:
    return {"tool": call.name, "arguments": dict(call.arguments or {})}


def _part(part: Part) -> Part:
    match part:
        case ToolCall():
            return Text(json.dumps(_wanted(part), ensure_ascii=False) + "\n")
        case ToolResult(name=name, text=text, is_error=is_error):
            return Text(f"{'Error' if is_error else 'Result'} of {name}:\n{text}\n")
        case _:
            return part


class WithoutTools:
    """A model that is offered none: it would take them for words, or refuse the request."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        plain = _in_words(replace(request, tools=()), "plain")
        async with closing(self._model.stream(plain)) as events:
            async for event in events:
                yield event


class NativeFirst:
    """A model that is asked in its own way, and in words from then on if it refuses tools."""

    def __init__(self, model: ChatModel, *, constrain: bool = True) -> None:
        """`constrain`: see `JsonTools`."""
        self._model = model
        self._in_words = JsonTools(model, constrain=constrain)
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
