"""Our messages in OpenAI's wire format, mended so that no strict provider refuses them."""

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bot.domain.message import File, Image, Message, ModelRequest, Text, ToolCall, ToolResult, ToolSpec
from bot.text.kept import PerObject

Wire = dict[str, Any]

# Lone surrogates and control characters but tab, line feed and carriage return.
_FORBIDDEN = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f]")
_NAME_PART = re.compile(r"[^a-zA-Z0-9_-]+")
_MAX_NAME = 64
CANCELLED = "This call was cancelled before it gave a result."
GO_ON = (
    "Your last message was cut off by a broken connection. Go on exactly where it ends, in the same "
    "language and format. Do not repeat, comment or apologise."
)


def clean(text: str) -> str:
    """The text without what cannot be sent; each removed character becomes U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _FORBIDDEN.sub("\ufffd", text)


def safe_name(name: str) -> str:
    """A name that every provider takes; names with nothing to keep stay distinct by a number."""
    kept = _NAME_PART.sub("_", name).strip("_")[:_MAX_NAME]
    if kept and kept == name:
        return kept
    number = f"{zlib.crc32(name.encode('utf-8', 'replace')):08x}"
    return f"{kept[: _MAX_NAME - 9]}_{number}" if kept else f"user_{number}"


def repaired(messages: Iterable[Message]) -> list[Message]:
    """History in which each tool call has exactly one result, right after it.

    A missing result becomes a cancelled one, a result without its call is dropped, and one that
    stands later (somebody wrote in between) is moved to its call.
    """
    history = list(messages)
    results: dict[str, list[tuple[int, ToolResult]]] = {}
    for place, message in enumerate(history):
        for part in message.parts:
            if message.role == "tool" and isinstance(part, ToolResult):
                results.setdefault(part.call_id, []).append((place, part))
    whole: list[Message] = []
    for place, message in enumerate(history):
        if message.role == "tool":
            continue
        whole.append(message)
        if message.role == "assistant":
            whole.extend(_answers(message, place, results))
    return whole


def _answers(
    message: Message, place: int, results: dict[str, list[tuple[int, ToolResult]]]
) -> Iterable[Message]:
    calls = {part.id: part for part in message.parts if isinstance(part, ToolCall)}
    answers: list[ToolResult] = []
    for call in calls.values():
        later = [found for found in results.get(call.id, []) if found[0] > place]
        if later:
            # Each result serves once: some providers use the same id again in another turn.
            results[call.id] = later[1:]
            answers.append(later[0][1])
        else:
            answers.append(ToolResult(call.id, call.name, CANCELLED, is_error=True))
    return [Message("tool", tuple(answers))] if answers else []


def wire_messages(messages: Sequence[Message], answered: str = "") -> list[Wire]:
    """The messages as a provider takes them; `answered` is gone on from."""
    wire: list[Wire] = []
    for message in repaired(messages):
        wire.extend(_wire(message))
    if answered:
        wire.append({"role": "assistant", "content": clean(answered)})
        wire.append({"role": "user", "content": GO_ON})
    return wire


def _wire(message: Message) -> list[Wire]:
    if message.role == "tool":
        return [
            {"role": "tool", "tool_call_id": part.call_id, "content": clean(part.text)}
            for part in message.parts
            if isinstance(part, ToolResult)
        ]
    if message.role == "assistant":
        return _assistant(message)
    content = _content(message)
    if not content:
        return []
    wire: Wire = {"role": message.role, "content": content}
    if message.name and message.role == "user":
        wire["name"] = safe_name(message.name)
    return [wire]


def _assistant(message: Message) -> list[Wire]:
    calls = {part.id: part for part in message.parts if isinstance(part, ToolCall)}
    text = clean(message.text)
    if not calls:
        return [{"role": "assistant", "content": text}] if text else []
    return [{"role": "assistant", "content": text or None, "tool_calls": [_call(c) for c in calls.values()]}]


def _call(call: ToolCall) -> Wire:
    # Arguments that could not be read are sent as none: strict servers refuse the whole history
    # otherwise. The call's result tells the model what was wrong with them.
    arguments = _clean_json(dict(call.arguments or {}))
    function = {"name": safe_tool_name(call.name), "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": call.id, "type": "function", "function": function}


def safe_tool_name(name: str) -> str:
    """A tool name that does not spoil the history, whatever the model made up."""
    return _NAME_PART.sub("_", name)[:_MAX_NAME] or "unnamed"


def _clean_json(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {clean(str(key)): _clean_json(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean_json(item) for item in value]
        case float() if value != value or value in {float("inf"), float("-inf")}:
            return None
        case _:
            return value


def _content(message: Message) -> str | list[Wire]:
    """A plain string where there are only words, else a list of parts."""
    if len(message.parts) == 1 and isinstance(part := message.parts[0], Text):
        return clean(part.text)
    parts: list[Wire] = []
    for part in message.parts:
        match part:
            case Text(text) if text:
                parts.append({"type": "text", "text": clean(text)})
            case Image(url, caption):
                parts.extend(_image(url, caption))
            case File(name=name, mime=mime):
                parts.append({"type": "text", "text": f"[file: {clean(name)}, {clean(mime)}]"})
            case _:
                pass
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts) if len(parts) > 1 else _only_text(parts)
    return parts


def _only_text(parts: list[Wire]) -> str:
    return str(parts[0]["text"]) if parts else ""


def _image(url: str, caption: str) -> list[Wire]:
    words: list[Wire] = [{"type": "text", "text": clean(caption)}] if caption else []
    if url.startswith(("https://", "http://", "data:image/")):
        return [*words, {"type": "image_url", "image_url": {"url": clean(url)}}]
    return [*words, {"type": "text", "text": "[image]"}]


def wire_tools(tools: Iterable[ToolSpec]) -> list[Wire]:
    return [
        _WIRED.get(tool.parameters, (tool.name, tool.description), partial(_wire_tool, tool))
        for tool in tools
    ]


def _wire_tool(tool: ToolSpec) -> Wire:
    parameters = _clean_json(dict(tool.parameters)) or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": clean(tool.description), "parameters": parameters}
    return {"type": "function", "function": function}


# The same tools go with every request; cleaning their schemas took longer than the rest of it, and
# writing them as JSON as long as all that comes before the first byte is sent.
_WIRED: PerObject[Wire] = PerObject()
_WRITTEN: PerObject[str] = PerObject()


def wire_request(request: ModelRequest, model: str) -> Wire:
    """The body of a streaming chat completion, without a provider's own settings."""
    body: Wire = {
        "model": model,
        "messages": wire_messages(request.messages, request.answered),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = wire_tools(request.tools)
        if request.tool_choice != "auto":
            body["tool_choice"] = request.tool_choice
    if request.form is not None:
        shape = {"name": "reply", "strict": True, "schema": _clean_json(dict(request.form))}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    return body


def encoded(body: Mapping[str, Any]) -> bytes:
    """A body as JSON. Raises `ValueError` for numbers that JSON does not have."""
    tools = body.get("tools")
    if not isinstance(tools, list) or len(body) == 1:
        return _json(body).encode()
    rest = _json({name: value for name, value in body.items() if name != "tools"})
    written = ",".join(_WRITTEN.get(tool, "", partial(_json, tool)) for tool in tools)
    return f'{rest[:-1]},"tools":[{written}]}}'.encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
