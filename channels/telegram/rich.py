"""Markdown as models write it, written anew as the Rich Markdown of Telegram's rich messages.

Telegram reads more into a text than models mean: HTML tags, `==marks==`, `||spoilers||`, prices as
formulas, pictures that its servers fetch. What is no formatting of the answer is therefore escaped,
pictures become links, and a text that does not read back as it was is sent without formatting.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from channels.telegram.entities import clean, is_visible, plain
from channels.telegram.render import LONG, MAX_DEPTH, MAX_MARKDOWN, Place, depth_of, events_of, render, tag_of
from channels.telegram.rich_text import escape, escape_lines
from channels.telegram.rich_walk import COUNTED, Unit, Walk
from channels.telegram.split import MAX_TEXT, split
from channels.telegram.utf16 import utf16_len

MAX_RICH = 32_768  # characters of one rich message; counted here as UTF-16 units of its source
MAX_BLOCKS = 490  # of 500: a list or table that goes on in the next message counts there again
MAX_LEVELS = 16
_PIECE = 16_000  # characters of a part of a block that is too long for a message
# What classic entities can't show.
_WANTED = re.compile(
    r"^ {0,3}#{1,6} \S|^ {0,3}\|?[ \t]*:?-+:?[ \t]*\|[ \t|:-]*$|^\s*(?:[-*+]|\d+\.) \[[ xX]\] |\$\$\S|\\\[",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Rich:
    """The source of one rich message."""

    markdown: str

    @property
    def hash(self) -> str:
        """A short fingerprint, as that of `Rendered`."""
        return hashlib.sha256(f"rich {self.markdown}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def gains(markdown: str) -> bool:
    """Whether a rich message shows this better: tables, headings, formulas, tasks, or much text."""
    return _WANTED.search(markdown) is not None or utf16_len(markdown) > MAX_TEXT


def rich_messages(markdown: str) -> list[Rich]:
    """The rich messages of an answer; none for an invisible one."""
    source = clean(markdown)
    if not is_visible(source):
        return []
    if len(source) > MAX_MARKDOWN or not (packed := _faithful(source)):
        packed = list(_pack(_plain_units(source)))
    return [Rich(text) for text in packed]


async def rich_messages_of(markdown: str) -> list[Rich]:
    """As `rich_messages`, without holding the event loop for a long text."""
    if len(markdown) <= LONG:
        return rich_messages(markdown)
    return await asyncio.to_thread(rich_messages, markdown)


def _faithful(source: str) -> list[str]:
    """The messages with their formatting; none where they would not read back as the same words."""
    events = events_of(source)
    if depth_of(events) > MAX_DEPTH or not _says_something(events):
        return []
    units = [fit for unit in Walk(source, events).units() for fit in _fitting(unit)]
    whole = "".join(unit.glue + unit.text for unit in units)
    words = _words(render(source).text)
    if not is_visible(words) or _words(render(whole).text) != words:
        return []
    return list(_pack(units))


def _says_something(events: Sequence[tuple[Any, Place]]) -> bool:
    """Whether there is more than rules and the numbers of empty lists, which Telegram takes for nothing."""
    named = [item for event, _ in events if isinstance(event, dict) for item in event.items()]
    return any(
        isinstance(value, dict) and not value.keys().isdisjoint(("Link", "Image"))
        if kind == "Start"
        else kind != "End" and isinstance(value, str) and is_visible(value)
        for kind, value in named
    )


def _words(text: str) -> str:
    """What must not change: every visible character but those that draw tables and lists."""
    return "".join(char for char in text if not char.isspace() and char not in "-+|•—☐☑")


def _fitting(unit: Unit) -> Iterator[Unit]:
    """The unit, or where Telegram would refuse it pieces of its source as they stand."""
    if unit.blocks <= MAX_BLOCKS and unit.levels < MAX_LEVELS and utf16_len(unit.head + unit.text) < MAX_RICH:
        yield unit
    else:
        yield from _plain_units(unit.source)


def _plain_units(source: str) -> Iterator[Unit]:
    for part in split(plain(source), _PIECE):
        yield from _plain_unit(part.text)


def _plain_unit(words: str) -> Iterator[Unit]:
    """The words as one unit, or as several where they are too many blocks."""
    text = escape_lines(escape(words))
    blocks = sum(1 for event in events_of(text) if "Start" in event[0] and tag_of(event)[0] in COUNTED)
    half = len(words) // 2
    if blocks <= MAX_BLOCKS or half == 0:
        yield Unit(text, max(1, blocks), 1, words)
        return
    for part in split(plain(words), half + 1):
        yield from _plain_unit(part.text)


def _pack(units: Sequence[Unit] | Iterator[Unit]) -> Iterator[str]:
    text, blocks = "", 0
    for unit in units:
        longer = text + unit.glue + unit.text
        if text and blocks + unit.blocks <= MAX_BLOCKS and utf16_len(longer) <= MAX_RICH:
            text, blocks = longer, blocks + unit.blocks
            continue
        if text:
            yield text
        text, blocks = unit.head + unit.text, unit.blocks
    if text:
        yield text
