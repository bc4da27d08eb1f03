"""The exports of others: Telegram's chats, ChatGPT's and Claude's conversations, notes in Markdown.

Each message that holds words becomes one memory with its speaker, time and place. The same file again
changes nothing: every message has its own source. What cannot be read is refused, with the reason.
"""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Literal, get_args

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import Role
from bot.errors import InputError
from bot.text.clean import clean
from memory.importers.jsonl import MAX_LINE_BYTES, Refused
from memory.record import MemoryDraft, Scope

Format = Literal["telegram", "chatgpt", "claude", "markdown", "jsonl"]
FORMATS: tuple[Format, ...] = get_args(Format)
MAX_BYTES = 1_000_000_000  # of an export, unpacked
MAX_NODES = 200_000  # of one conversation: a loop in it ends there
_INSIDE = ("conversations.json", "result.json")  # of a ZIP file
_SPOKEN = frozenset({"text", "multimodal_text"})
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)

Item = MemoryDraft | Refused


@dataclass(frozen=True, slots=True)
class Into:
    """Whose the memories become. Without a person each conversation is a scope of its own."""

    now: datetime
    person_id: SpeakerId | None = None
    scope: Scope | None = None

    def scope_of(self, place: str) -> Scope:
        """The scope of what was said in a place."""
        if self.scope is not None:
            return self.scope
        return Scope(f"person:{self.person_id}" if self.person_id else f"import:{place}")


def unpacked(data: bytes, name: str) -> bytes:
    """The file itself; of a ZIP file the one with the conversations. Raises `InputError`."""
    if not data.startswith(b"PK\x03\x04"):
        return data
    try:
        with zipfile.ZipFile(BytesIO(data)) as folder:
            inside = [info for info in folder.infolist() if info.filename.rsplit("/")[-1] in _INSIDE]
            if not inside:
                raise InputError(f"{name} holds neither {' nor '.join(_INSIDE)}")
            if inside[0].file_size > MAX_BYTES:
                raise InputError(f"{inside[0].filename} in {name} is larger than {MAX_BYTES:,} bytes")
            with folder.open(inside[0]) as file:
                return file.read(MAX_BYTES)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise InputError(f"{name} is a damaged or locked ZIP file") from error


def detect(data: bytes, name: str) -> Format:
    """Which format a file has. Raises `InputError` where it is none."""
    start = data[:3].removeprefix(b"\xef\xbb\xbf") + data[3:4096]
    if name.lower().endswith((".md", ".markdown", ".txt")):
        return "markdown"
    if name.lower().endswith((".jsonl", ".ndjson")) or start.lstrip()[:1] not in {b"[", b"{"}:
        return "jsonl"
    first = data.lstrip().split(b"\n", 1)[0]
    if start.lstrip()[:1] == b"{" and b'"text"' in first and b'"scope"' in first:
        return "jsonl"
    return _detect_json(_loaded(data, name), name)


def _detect_json(loaded: Any, name: str) -> Format:
    if isinstance(loaded, dict) and ("messages" in loaded or "chats" in loaded):
        return "telegram"
    if isinstance(loaded, dict):
        loaded = [loaded]
    for item in loaded if isinstance(loaded, list) else ():
        if isinstance(item, dict) and "mapping" in item:
            return "chatgpt"
        if isinstance(item, dict) and "chat_messages" in item:
            return "claude"
    raise InputError(
        f"{name} is no export that is known", hint=f"say which with --from: {', '.join(FORMATS)}"
    )


def read(data: bytes, kind: Format, name: str, into: Into) -> Iterator[Item]:
    """The memories of a file of a known format (JSON Lines have a reader of their own)."""
    match kind:
        case "telegram":
            yield from _telegram(_loaded(data, name), into)
        case "chatgpt":
            yield from _conversations(_loaded(data, name), into, "chatgpt")
        case "claude":
            yield from _conversations(_loaded(data, name), into, "claude")
        case "markdown":
            yield from _markdown(data, name, into)
        case "jsonl":
            raise ValueError("memory.importers.jsonl reads these")


def _loaded(data: bytes, name: str) -> Any:
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES:,} bytes")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not JSON: {error}") from error


def _telegram(loaded: Any, into: Into) -> Iterator[Item]:
    chats = [loaded]
    if isinstance(loaded, dict) and "chats" in loaded:
        inner = loaded["chats"]
        if not isinstance(inner, dict) or not isinstance(inner.get("list"), list):
            raise InputError("the export has no list of chats")
        chats = inner["list"]
    for number, chat in enumerate(chats, start=1):
        told = chat.get("messages") if isinstance(chat, dict) else None
        if not isinstance(told, list):
            yield Refused(number, "the chat has no list of messages")
            continue
        place = f"telegram:{chat.get('id')}"
        for at, message in enumerate(told, start=1):
            if isinstance(message, dict) and message.get("type") == "message":
                text = _joined(message.get("text"))
                stamp = message.get("date_unixtime", message.get("date"))
                who = _words(message.get("from"))
                said = _Said(place, message.get("id"), text, stamp, "user", who)
                yield from _draft(said, at, into)


def _joined(text: Any) -> str:
    """Telegram's text: a string, or pieces of which some say how they are shown."""
    if isinstance(text, str):
        return text
    pieces = _items(text)
    return "".join(
        p if isinstance(p, str) else _words(p.get("text")) if isinstance(p, dict) else "" for p in pieces
    )


def _conversations(loaded: Any, into: Into, source: Literal["chatgpt", "claude"]) -> Iterator[Item]:
    told = loaded if isinstance(loaded, list) else [loaded]
    for number, conversation in enumerate(told, start=1):
        if not isinstance(conversation, dict):
            yield Refused(number, "a conversation must be a JSON object")
            continue
        messages = _of_chatgpt(conversation) if source == "chatgpt" else _of_claude(conversation)
        if messages is None:
            yield Refused(number, "the conversation has no messages")
            continue
        for said in messages:
            yield from _draft(said, number, into)


def _of_chatgpt(conversation: dict[str, Any]) -> "list[_Said] | None":
    """The branch that was shown last, from its beginning."""
    nodes = conversation.get("mapping")
    if not isinstance(nodes, dict):
        return None
    place = f"chatgpt:{conversation.get('conversation_id') or conversation.get('id')}"
    key, found = conversation.get("current_node"), []
    if not isinstance(key, str) or key not in nodes:
        key = next(reversed(nodes), None)
    seen: set[str] = set()
    while isinstance(key, str) and key in nodes and key not in seen and len(seen) < MAX_NODES:
        seen.add(key)
        node = nodes[key] if isinstance(nodes[key], dict) else {}
        if (said := _of_node(node.get("message"), place, conversation)) is not None:
            found.append(said)
        key = node.get("parent")
    return found[::-1]


def _of_node(message: Any, place: str, conversation: dict[str, Any]) -> "_Said | None":
    if not isinstance(message, dict) or not isinstance(message.get("author"), dict):
        return None
    role = message["author"].get("role")
    content = _fields(message.get("content"))
    if (
        not isinstance(role, str)
        or role not in {"user", "assistant"}
        or str(content.get("content_type")) not in _SPOKEN
    ):
        return None
    text = "\n".join(part for part in _items(content.get("parts")) if isinstance(part, str))
    stamp = message.get("create_time") or conversation.get("create_time")
    return _Said(place, message.get("id"), text, stamp, "user" if role == "user" else "assistant")


def _of_claude(conversation: dict[str, Any]) -> "list[_Said] | None":
    told = conversation.get("chat_messages")
    if not isinstance(told, list):
        return None
    place, found = f"claude:{conversation.get('uuid')}", []
    for message in told:
        if not isinstance(message, dict) or str(message.get("sender")) not in {"human", "assistant"}:
            continue
        blocks = [_fields(block) for block in _items(message.get("content"))]
        spoken = [_words(block.get("text")) for block in blocks if block.get("type") == "text"]
        text = _words(message.get("text")) or "\n".join(spoken)
        role: Role = "user" if message["sender"] == "human" else "assistant"
        stamp = message.get("created_at") or conversation.get("created_at")
        found.append(_Said(place, message.get("uuid"), text, stamp, role))
    return found


def _markdown(data: bytes, name: str, into: Into) -> Iterator[Item]:
    """One memory a paragraph, under the headings it stands below."""
    try:
        text = clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8") from error
    heading, place = "", f"markdown:{name.rsplit('/', 1)[-1]}"
    for number, block in enumerate(text.split("\n\n"), start=1):
        lines = block.strip().splitlines()
        if lines and lines[0].startswith("#"):
            heading, lines = lines[0].lstrip("# ").strip(), lines[1:]
        body = "\n".join(lines).strip()
        if body:
            noted = f"{heading}: {body}" if heading else body
            yield from _draft(_Said(place, number, noted, into.now.timestamp(), "user"), number, into)


@dataclass(frozen=True, slots=True)
class _Said:
    place: str
    key: Any
    text: str
    stamp: Any
    role: Role
    name: str = ""


def _draft(said: _Said, number: int, into: Into) -> Iterator[Item]:
    text = clean(said.text).strip()
    if not text:
        return
    at = _moment(said.stamp)
    if at is None or not _EARLIEST <= at <= into.now.replace(year=into.now.year + 1):
        yield Refused(number, "a message has no time that can be")
        return
    if len(text) > MAX_LINE_BYTES or not isinstance(said.key, str | int):
        yield Refused(number, "a message has no id, or is too long")
        return
    yield MemoryDraft(
        scope=into.scope_of(said.place),
        role=said.role,
        text=text,
        at=at,
        conversation_id=ConversationId(f"import:{said.place}"),
        person_id=into.person_id,
        name=clean(said.name).strip()[:200],
        source=f"import:{said.place}:{said.key}"[:400],
    )


def _moment(stamp: Any) -> datetime | None:
    try:
        if isinstance(stamp, str) and not stamp.lstrip("-").isdigit():
            at = datetime.fromisoformat(stamp)
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        return None if isinstance(stamp, bool) else datetime.fromtimestamp(float(stamp), UTC)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _fields(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
