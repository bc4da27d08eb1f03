"""What the fake provider refuses: the union of what strict real providers refuse."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_ROLES = {"system", "developer", "user", "assistant", "tool"}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_FORBIDDEN = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f]")
_PARAMETERS = {
    "model", "messages", "stream", "stream_options", "temperature", "top_p", "max_tokens", "tools",
    "tool_choice", "parallel_tool_calls", "stop", "seed", "user", "response_format", "n",
}  # fmt: skip


class Refusal(Exception):
    """The request is answered with this status and error."""

    def __init__(self, message: str, status: int = 400, code: str | None = "invalid_request_error") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Rules:
    """`context_tokens` is the window; about one token per CJK character, else four letters."""

    api_key: str | None = None
    context_tokens: int | None = None
    refuse_stream_options: bool = False
    refuse_response_format: bool = False
    grammar_refuses: str = ""  # a keyword of JSON Schema of which this server can make no grammar
    extra_parameters: frozenset[str] = field(default_factory=frozenset)
    lenient: bool = False

    def check(self, method: str, path: str, headers: Mapping[str, str], body: Any) -> None:
        """Raise `Refusal` for what a strict provider would not take."""
        if self.api_key is not None and headers.get("authorization") != f"Bearer {self.api_key}":
            given = headers.get("authorization", "nothing")
            # Real providers echo the key; whoever shows this message must not show that.
            raise Refusal(f"Incorrect API key provided: {given}", 401, "invalid_api_key")
        if self.lenient:
            return
        _require(isinstance(body, dict), "the body must be an object")
        _check_text(body)
        if (method, path.rpartition("/v1/")[2]) == ("POST", "chat/completions"):
            self._check_chat(body)
        elif (method, path.rpartition("/v1/")[2]) == ("POST", "embeddings"):
            _require(bool(body.get("input")), "input must not be empty")
        elif (method, path.rpartition("/v1/")[2]) != ("GET", "models"):
            raise Refusal(f"no such route: {method} {path}", 404, "not_found")

    def _check_chat(self, body: dict[str, Any]) -> None:
        unknown = set(body) - _PARAMETERS - self.extra_parameters
        _require(not unknown, f"Unrecognized request argument supplied: {', '.join(sorted(unknown))}")
        _require(isinstance(body.get("model"), str) and body["model"] != "", "you must provide a model")
        if "stream_options" in body:
            _require(not self.refuse_stream_options, "Unknown parameter: 'stream_options'.")
            _require(body.get("stream") is True, "stream_options is only allowed with stream")
        if "response_format" in body:
            _require(not self.refuse_response_format, "This endpoint does not support response_format.")
            self._check_form(body["response_format"])
        _check_numbers(body)
        _check_tools(body)
        _check_messages(body.get("messages"))
        if self.context_tokens is not None and (asked := count_tokens(body)) > self.context_tokens:
            raise Refusal(
                f"This model's maximum context length is {self.context_tokens} tokens. "
                f"However, your messages resulted in {asked} tokens.",
                code="context_length_exceeded",
            )

    def _check_form(self, form: Any) -> None:
        _require(form.get("type") == "json_schema", "response_format.type must be json_schema")
        shape = form.get("json_schema")
        _require(isinstance(shape, dict), "response_format.json_schema is missing")
        _require(_NAME.fullmatch(shape.get("name", "")) is not None, "json_schema.name is invalid")
        schema = shape.get("schema")
        _require(isinstance(schema, dict), "json_schema.schema must be an object")
        _require('"$ref"' not in json.dumps(schema), "a reference in the schema leads nowhere")
        if self.grammar_refuses and f'"{self.grammar_refuses}"' in json.dumps(schema):
            raise Refusal("Failed to initialize samplers: failed to parse grammar", 500, "server_error")


def count_tokens(body: Mapping[str, Any]) -> int:
    """About what a tokenizer would count of messages and tools."""
    text = json.dumps([body.get("messages"), body.get("tools")], ensure_ascii=False)
    cjk = len(_CJK.findall(text))
    return cjk + (len(text) - cjk) // 4


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise Refusal(message)


def _check_text(value: Any) -> None:
    """No lone surrogates and no control characters, wherever a string stands."""
    if isinstance(value, str):
        _require(_FORBIDDEN.search(value) is None, "invalid characters in a string")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_text(key)
            _check_text(item)
    elif isinstance(value, list):
        for item in value:
            _check_text(item)


def _check_numbers(body: Mapping[str, Any]) -> None:
    for name, low, high in (("temperature", 0, 2), ("top_p", 0, 1), ("max_tokens", 1, 10**9)):
        value = body.get(name)
        if name in body:
            _require(isinstance(value, int | float) and low <= value <= high, f"{name} is out of range")


def _check_tools(body: Mapping[str, Any]) -> None:
    tools = body.get("tools")
    if "tools" not in body:
        _require("tool_choice" not in body, "tool_choice is only allowed with tools")
        return
    _require(isinstance(tools, list) and len(tools) > 0, "tools must not be empty")
    assert isinstance(tools, list)
    for tool in tools:
        _require(tool.get("type") == "function", "a tool must be a function")
        function = tool["function"]
        _require(_NAME.fullmatch(function["name"]) is not None, f"invalid tool name {function['name']!r}")
        _require(function["parameters"].get("type") == "object", "parameters must be an object schema")


def _check_messages(messages: Any) -> None:
    _require(isinstance(messages, list) and len(messages) > 0, "messages must not be empty")
    waiting: list[str] = []
    for number, message in enumerate(messages):
        role = message.get("role")
        _require(role in _ROLES, f"messages[{number}]: unknown role {role!r}")
        if role == "tool":
            call_id = message.get("tool_call_id")
            _require(call_id in waiting, f"messages[{number}]: no call {call_id!r} to answer")
            waiting.remove(call_id)
        else:
            _require(not waiting, f"tool_call_ids did not have response messages: {', '.join(waiting)}")
        _check_content(number, message)
        if "name" in message:
            _require(_NAME.fullmatch(message["name"]) is not None, f"messages[{number}]: invalid name")
        if "tool_calls" in message:
            _require(role == "assistant", f"messages[{number}]: only an assistant calls tools")
            waiting = [_check_call(number, call) for call in message["tool_calls"]]
            _require(len(set(waiting)) == len(waiting) > 0, f"messages[{number}]: call ids must be unique")
    _require(not waiting, f"tool_call_ids did not have response messages: {', '.join(waiting)}")


def _check_content(number: int, message: Mapping[str, Any]) -> None:
    content = message.get("content")
    if isinstance(content, str):
        empty = content == "" and message["role"] == "assistant" and "tool_calls" not in message
        _require(not empty, f"messages[{number}]: an assistant message must not be empty")
    elif isinstance(content, list):
        _require(len(content) > 0, f"messages[{number}]: content must not be empty")
        for part in content:
            _check_part(number, message["role"], part)
    else:
        nothing_needed = content is None and "tool_calls" in message
        _require(nothing_needed, f"messages[{number}]: content must be a string or parts")


def _check_part(number: int, role: str, part: Mapping[str, Any]) -> None:
    where = f"messages[{number}]"
    if part.get("type") == "text":
        _require(isinstance(part.get("text"), str), f"{where}: a text part needs text")
        return
    _require(part.get("type") == "image_url", f"{where}: unknown part {part.get('type')!r}")
    _require(role == "user", f"{where}: images are only allowed from the user")
    url = part["image_url"]["url"]
    _require(url.startswith(("https://", "data:image/")), f"{where}: invalid image address")


def _check_call(number: int, call: Mapping[str, Any]) -> str:
    where = f"messages[{number}].tool_calls"
    call_id = call.get("id")
    _require(isinstance(call_id, str) and call_id != "", f"{where}: an id is missing")
    _require(call.get("type") == "function", f"{where}: type must be function")
    function = call["function"]
    _require(_NAME.fullmatch(function["name"]) is not None, f"{where}: invalid name {function['name']!r}")
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        raise Refusal(f"{where}: arguments are not valid JSON") from None
    _require(isinstance(arguments, dict), f"{where}: arguments must be an object")
    assert isinstance(call_id, str)
    return call_id
