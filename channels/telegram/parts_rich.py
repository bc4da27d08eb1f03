"""The words of a rich message (Bot API 10.1): headings, lists and tables as plain lines."""

from collections.abc import Iterator, Mapping
from typing import Any

_INNER = ("text", "expression", "alternative_text", "summary")


def words_of(rich: Mapping[str, Any]) -> str:
    """What a rich message says, a block a line. A kind of block that nobody knows yet says what it has
    of the usual fields."""
    return "\n".join(line for block in rich.get("blocks", ()) for line in _block(block) if line.strip())


def _block(block: Mapping[str, Any]) -> Iterator[str]:
    for name in _INNER:
        if name in block:
            yield _text(block[name])
    for item in block.get("items", ()):
        lines = [line for inner in item.get("blocks", ()) for line in _block(inner)]
        yield f"{item.get('label', '-')} {' '.join(lines)}"
    for row in block.get("cells", ()):
        yield " | ".join(_text(cell.get("text", "")) for cell in row)
    for inner in block.get("blocks", ()):
        yield from _block(inner)
    caption = block.get("caption", "")
    if caption:
        yield _text(caption)


def _text(value: Any) -> str:
    """A rich text: a string, a list of them, or an object around one."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "".join(_text(item) for item in value)
    if isinstance(value, Mapping):
        return "".join(_text(value[name]) for name in _INNER if name in value)
    return ""
