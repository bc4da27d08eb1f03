"""What Telegram's servers make of a rich message, as far as it is documented: limits and refusals."""

import re
from typing import Any

import pyromark

from tests.fakes.bot_api_text import EntityError, utf16_len

MAX_CHARS = 32_768
MAX_BLOCKS = 500
MAX_DEPTH = 16
MAX_COLUMNS = 20

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_FOOTNOTES
)
_BLOCKS = {
    "Paragraph",
    "Heading",
    "CodeBlock",
    "BlockQuote",
    "List",
    "Item",
    "Table",
    "TableHead",
    "TableRow",
    "HtmlBlock",
    "FootnoteDefinition",
}
_TAGS = {"b", "strong", "i", "em", "u", "s", "del", "code", "pre", "a", "br", "hr", "p", "details", "summary"}
_TAG = re.compile(r"</?([a-zA-Z][\w-]*)")


def read_rich(markdown: str) -> str:
    """The visible words of a rich message; `EntityError` where the server refuses it.

    Stricter than the server where that is not documented: an unknown tag is refused rather than dropped,
    and so are spoilers and marks, which no model means.
    """
    try:
        markdown.encode("utf-8")
    except UnicodeEncodeError:
        raise EntityError("strings must be encoded in UTF-8") from None
    if utf16_len(markdown) > MAX_CHARS:
        raise EntityError("RICH_MESSAGE_TOO_LONG")
    words: list[str] = []
    depth = blocks = 0
    event: Any
    for event in pyromark.events(markdown, options=_OPTIONS):
        if isinstance(event, str):
            words.append("\n")
            blocks += event == "Rule"
            continue
        ((kind, value),) = event.items()
        if kind == "Start":
            name = value if isinstance(value, str) else next(iter(value))
            depth += 1
            blocks += name in _BLOCKS
            _check_element(name, value, depth)
        elif kind == "End":
            depth -= 1
            words.append("" if value in ("Link", "Strong", "Emphasis") else "\n")
        else:
            words.append(_words(kind, value))
    if blocks > MAX_BLOCKS:
        raise EntityError("RICH_MESSAGE_BLOCKS_TOO_MUCH")
    text = "".join(words)
    if not text.strip():
        raise EntityError("RICH_MESSAGE_CONTENT_REQUIRED")
    return text


def _check_element(name: str, value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise EntityError("RICH_MESSAGE_DEPTH_TOO_MUCH")
    if name == "Table" and len(value["Table"]) > MAX_COLUMNS:
        raise EntityError("RICH_MESSAGE_TABLE_COLUMNS_TOO_MUCH")
    if name == "Image":
        raise EntityError("RICH_MESSAGE_PHOTO_INVALID")
    if name == "Link" and not re.match(r"(?:https?|tg|mailto|tel):", value["Link"]["dest_url"]):
        raise EntityError("RICH_MESSAGE_URL_INVALID")


def _words(kind: str, value: Any) -> str:
    if kind in {"Html", "InlineHtml"}:
        tag = _TAG.match(value.strip())
        if tag is None or tag.group(1).lower() not in _TAGS:
            raise EntityError(f"can't parse rich message: Unsupported tag {value.strip()!r}")
        return ""
    return str(value) if kind not in {"TaskListMarker"} else ""
