"""What servers answer with, as text for a model, and the pictures in it for people."""

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from mcp import types
from mcp.types import CallToolResult, GetPromptResult, ReadResourceResult

from bot.domain.message import Picture
from bot.tools.mcp.remote import Outcome

MOST_CHARS = 400_000  # what is kept of a result; how much a model sees of it is for others to say
MOST_PICTURES = 10  # of a result; as many as an album holds
MOST_PICTURE_BYTES = 10_000_000
CAPTION_CHARS = 200
_SHOWN = {"image/png", "image/jpeg", "image/webp", "image/gif"}
_HEAD_SHARE = 0.75


def of_call(result: CallToolResult) -> Outcome:
    """A call's result. Pictures and sounds are described; structured content stands in where no other is."""
    parts = [of_block(block) for block in result.content]
    text = "\n".join(part for part in parts if part)
    if not text and result.structured_content is not None:
        text = json.dumps(result.structured_content, ensure_ascii=False)
    return Outcome(
        shortened(text or ("the tool failed" if result.is_error else "(nothing)")),
        result.is_error,
        tuple(_pictures(result.content))[:MOST_PICTURES],
    )


def _pictures(content: Sequence[Any]) -> Iterator[Picture]:
    """The pictures that people can be shown; a line of text right before one is its caption."""
    before: Any = None
    for block in content:
        if isinstance(block, types.ImageContent) and block.mime_type in _SHOWN:
            caption = before.text.strip() if isinstance(before, types.TextContent) else ""
            if "\n" in caption or len(caption) > CAPTION_CHARS:
                caption = ""
            with suppress(binascii.Error, ValueError):  # what cannot be read stays described
                data = base64.b64decode(block.data, validate=True)
                if 0 < len(data) <= MOST_PICTURE_BYTES:
                    yield Picture(block.mime_type, data, caption)
        before = block


def of_resource(result: ReadResourceResult) -> Outcome:
    """What a resource says."""
    return Outcome(
        shortened("\n".join(_of_contents(contents) for contents in result.contents) or "(nothing)")
    )


def of_prompt(result: GetPromptResult) -> Outcome:
    """A prepared text: its messages, each under who says it."""
    told = [f"{message.role}: {of_block(message.content)}" for message in result.messages]
    return Outcome(shortened("\n".join(told) or "(nothing)"))


def of_block(block: Any) -> str:
    """One piece of content."""
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"[{block.type} {block.mime_type}, {_size(block.data)}]"
        case types.ResourceLink():
            return f"[resource {block.title or block.name}: {block.uri}]"
        case types.EmbeddedResource():
            return _of_contents(block.resource)
        case _:
            return f"[{getattr(block, 'type', 'content')}]"


def shortened(text: str, most: int = MOST_CHARS) -> str:
    """Head and tail of a text that is too long (an error often stands at its very end), with a note."""
    if len(text) <= most:
        return text
    head = int(most * _HEAD_SHARE)
    tail = most - head
    return f"{text[:head]}\n[… {len(text) - most} characters cut …]\n{text[-tail:]}"


def _of_contents(contents: types.TextResourceContents | types.BlobResourceContents) -> str:
    if isinstance(contents, types.TextResourceContents):
        return contents.text
    return f"[file {contents.uri}: {contents.mime_type or 'bytes'}, {_size(contents.blob)}]"


def _size(encoded: str) -> str:
    count = len(encoded) * 3 // 4
    for unit in ("bytes", "KB", "MB"):
        if count < 1000 or unit == "MB":
            break
        count //= 1000
    return f"{count} {unit}"


def named(parts: Sequence[types.PromptArgument] | None) -> dict[str, bool]:
    """A prompt's arguments, and which of them are required."""
    return {part.name: bool(part.required) for part in parts or ()}
