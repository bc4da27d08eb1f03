"""OpenAI's format of a chat, read and written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.domain.message import Image, Message, Part, Reply, ReplyStatus, Role, Text, Usage
from bot.text.clean import clean
from channels.web.errors import ApiError, bad_request
from channels.web.request import MAX_TEXT_CHARS, Json, checked_text, flag

MODEL = "xiaomaolv"
MAX_MESSAGES = 2000
MAX_NAME_CHARS = 64
MAX_URL_CHARS = 8192

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    # What a tool of the client's own said is an outside text like any other.
    "tool": "user",
    "function": "user",
}
_FINISH: Mapping[ReplyStatus, str] = {"cut": "length", "filtered": "content_filter"}


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is taken of a request. `context` and `following` stood before and after its message."""

    parts: tuple[Part, ...]
    name: str
    context: tuple[Message, ...]
    following: tuple[Message, ...]
    stream: bool
    include_usage: bool


def read_request(body: Json, *, in_session: bool) -> ChatRequest:
    """Check a request for a completion. Settings of sampling are the operator's and are passed over.

    `in_session`: only the last message of the user is wanted. Elsewhere the last may be the result of a
    tool of the client's own, which answers the user's words before it.
    """
    check_model(body.get("model"))
    wanted = body.get("n")
    if wanted is not None and (isinstance(wanted, bool) or wanted != 1):
        raise bad_request("n must be 1: there is one answer", "n")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise bad_request("messages must be a list with at least one message", "messages")
    if len(messages) > MAX_MESSAGES:
        raise bad_request(f"messages has more than {MAX_MESSAGES} messages", "messages")
    read = [_message(item, f"messages[{place}]") for place, item in enumerate(messages)]
    last = _newest(messages, read, in_session)
    said = read[last]
    if not any(isinstance(part, Image) for part in said.parts):
        checked_text(said.text, f"messages[{last}].content")
    return ChatRequest(
        parts=said.parts,
        name=said.name or "",
        context=_with_words(read[:last]),
        following=_with_words(read[last + 1 :]),
        stream=flag(body, "stream"),
        include_usage=_wants_usage(body),
    )


def _with_words(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.parts)


def _newest(messages: list[Any], read: Sequence[Message], in_session: bool) -> int:
    """The place of the message that is to be answered."""
    users = [place for place, item in enumerate(messages) if item["role"] == "user"]
    if not users:
        raise bad_request("messages has no message of role user", "messages")
    if in_session:
        return users[-1]
    results = (place for place, message in enumerate(read) if message.role == "user" and message.parts)
    return max([users[-1], *results])


def check_model(name: Any) -> None:
    """There is one model; a client that leaves the name out means it."""
    if name is None or name == MODEL:
        return
    if not isinstance(name, str):
        raise bad_request("model must be a text", "model")
    raise ApiError(404, "model_not_found", f"there is one model here: {MODEL}", field="model")


def _wants_usage(body: Json) -> bool:
    options, place = body.get("stream_options"), "stream_options.include_usage"
    if options is None:
        return False
    if not isinstance(options, dict):
        raise bad_request("stream_options must be an object", "stream_options")
    return flag({place: options.get("include_usage")}, place)


def _message(item: Any, place: str) -> Message:
    if not isinstance(item, dict):
        raise bad_request(f"{place} must be an object", place)
    role = item.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise bad_request(f"{place}.role must be one of {', '.join(_ROLES)}", f"{place}.role")
    name = item.get("name")
    if name is not None and not isinstance(name, str):
        raise bad_request(f"{place}.name must be a text", f"{place}.name")
    shown = " ".join(clean(name or "").split())[:MAX_NAME_CHARS]
    return Message(_ROLES[role], _content(item.get("content"), f"{place}.content"), shown or None)


def _content(content: Any, place: str) -> tuple[Part, ...]:
    if content is None:  # an assistant's message that only calls tools
        return ()
    if isinstance(content, str):
        return _text(content, place)
    if not isinstance(content, list):
        raise bad_request(f"{place} must be a text or a list of parts", place)
    parts: list[Part] = []
    for number, part in enumerate(content):
        parts.extend(_part(part, f"{place}[{number}]"))
    return tuple(parts)


def _part(part: Any, place: str) -> Sequence[Part]:
    kind = part.get("type") if isinstance(part, dict) else None
    match kind:
        case "text" if isinstance(part.get("text"), str):
            return _text(part["text"], place)
        case "refusal" if isinstance(part.get("refusal"), str):
            return _text(part["refusal"], place)
        case "image_url":
            return (_image(part.get("image_url"), place),)
        case _:
            raise bad_request(f"{place} must be a part of type text or image_url", place)


def _text(text: str, place: str) -> tuple[Part, ...]:
    if len(text) > MAX_TEXT_CHARS:
        raise bad_request(f"{place} is longer than {MAX_TEXT_CHARS} characters", place)
    cleaned = clean(text)
    return (Text(cleaned),) if cleaned else ()


def _image(value: Any, place: str) -> Image:
    url = value.get("url") if isinstance(value, dict) else value
    if not isinstance(url, str) or not url.isascii() or not url.isprintable():
        raise bad_request(f"{place} must hold the address of a picture", place)
    is_data = url.startswith("data:image/")
    if not is_data and not (url.startswith(("https://", "http://")) and len(url) <= MAX_URL_CHARS):
        raise bad_request(f"{place} must be an address that starts with https:// or data:image/", place)
    return Image(url)


@dataclass(frozen=True, slots=True)
class Completion:
    """The frame of one answer."""

    turn_id: str
    created: datetime
    include_usage: bool = False

    def whole(self, reply: Reply) -> dict[str, Any]:
        """The answer in one piece."""
        message = {"role": "assistant", "content": reply.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(reply)}
        return {**self._frame("chat.completion"), "choices": [choice], "usage": _usage(reply.usage)}

    def piece(self, delta: Mapping[str, str], finish: Reply | None = None) -> dict[str, Any]:
        """One chunk of a stream; its usage is null where the last one has it."""
        reason = None if finish is None else _finish(finish)
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        unknown = {"usage": None} if self.include_usage else {}
        return {**self._frame("chat.completion.chunk"), "choices": [choice], **unknown}

    def usage(self, reply: Reply) -> dict[str, Any]:
        """The last chunk, for who asked for the usage."""
        return {**self._frame("chat.completion.chunk"), "choices": [], "usage": _usage(reply.usage)}

    def _frame(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.turn_id}",
            "object": kind,
            "created": int(self.created.timestamp()),
            "model": MODEL,
        }


def _finish(reply: Reply) -> str:
    return _FINISH.get(reply.status, "stop")


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }
