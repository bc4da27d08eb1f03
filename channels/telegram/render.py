"""Markdown as models write it, turned into text and entities as Telegram takes them.

The rule above all: nothing that was written gets lost. Where Markdown would swallow characters (HTML,
`2*3*4`, links that Telegram refuses) they are shown as they stand.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import pyromark

from channels.telegram.entities import LINK, QUOTE, Entity, Rendered, arrange, clean, plain
from channels.telegram.split import split
from channels.telegram.table import draw_table
from channels.telegram.utf16 import utf16_len

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
    | pyromark.Options.ENABLE_FOOTNOTES
)
MAX_MARKDOWN = 100_000  # characters; beyond, the text is shown as it stands
_MAX_CELLS = 60_000  # of tables: a row with one cell is filled up to the width of its table
MAX_DEPTH = 40  # levels of lists and quotes; deeper nesting is an accident or an attack
LONG = 8_000  # characters; rendering more would hold the event loop for too long
STYLES = {"Strong": "bold", "Emphasis": "italic", "Strikethrough": "strikethrough"}
MARKERS = {"Strong": 2, "Emphasis": 1, "Strikethrough": 2}  # how long they are
_DEFINITION = re.compile(r"^(?=[ \t>*+-]*\[)", re.MULTILINE)
_CONTAINERS = {"BlockQuote", "List", "Item", "FootnoteDefinition"}
_DIRECTIONS = "\u200e\u200f"  # of two in a row the server makes something else
_OPEN_ADDRESS = re.compile(rb"https?://[^\s<>()\[\]\"'`]+\Z")
_SPANS = {*STYLES, "Link", "Image"}
LANGUAGE = re.compile(r"[\w+#.-]{1,32}")
BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
# Telegram wants a dot in the host and knows no other schemes.
ADDRESS = re.compile(r"https?://[^\s/?#@:\[\]]+\.[^\s/?#@:\[\].]+(?::\d+)?(?:[/?#]\S*)?|tg://\S+")

Place = Any  # a mapping with "start" and "end" in the source, in bytes


def messages(markdown: str) -> list[Rendered]:
    """Render an answer and split it into messages that Telegram takes; none for an invisible one."""
    return split(render(markdown)) or split(plain(markdown))


async def messages_of(markdown: str) -> list[Rendered]:
    """As `messages`, without holding the event loop for a long text."""
    if len(markdown) <= LONG:
        return messages(markdown)
    return await asyncio.to_thread(messages, markdown)


def render(markdown: str) -> Rendered:
    """Render a whole answer, or any beginning of one. The result may be longer than one message."""
    source = clean(markdown)
    if len(source) > MAX_MARKDOWN:
        return plain(source)
    writer = _Writer(source)
    return plain(source) if depth_of(writer.events) > MAX_DEPTH else writer.run()


def events_of(source: str) -> tuple[tuple[Any, Place], ...]:
    """The parser's events with their places. Tables of far too many cells are not read as tables."""
    lines = source.split("\n")
    columns = max((line.count("|") + 1 for line in lines if not line.strip(" \t>*+|:-")), default=0)
    small = columns * len(lines) <= _MAX_CELLS
    options = OPTIONS if small else OPTIONS & ~pyromark.Options.ENABLE_TABLES
    return tuple(pyromark.events_with_range(source, options=options))


@dataclass(frozen=True, slots=True)
class _Span:
    """An open span: what it will be, where it began, and what is written literally at its end."""

    style: str
    start: int
    piece: int  # number of pieces written before
    url: str = ""
    literal: str = ""
    title: str = ""  # of a link, which a chat has no place for


class _Writer:
    """Walks the parser's events and writes text and entities."""

    def __init__(self, source: str) -> None:
        self._source = source.encode("utf-8")
        self.events = events_of(source)
        self._out: list[str] = []
        self._offset = 0
        self._entities: list[Entity] = []
        self._spans: list[_Span] = []
        self._gap = 0  # line breaks due before the next block
        self._lists: list[int | None] = []  # the next number, or None for bullets
        self._aside: list[str] | None = None  # the pieces of a table cell or a code block
        self._rows: list[list[str]] = []
        self._cell_end = 0
        self._language = ""

    def run(self) -> Rendered:
        if b"]:" in self._source:
            self._walk_with_definitions()
        else:
            for payload, place in self.events:
                self._event(payload, place)
        return Rendered("".join(self._out), arrange(self._entities))

    def _walk_with_definitions(self) -> None:
        """Walk, and between the top-level elements look for link definitions, which make no event."""
        used = link_targets(self.events)
        nested = nested_definitions(self._source, self.events, used)
        depth = seen = 0
        for payload, place in self.events:
            if depth == 0:
                self._definitions(seen, place["start"], used)
            depth += depth_change(payload)
            self._event(payload, place)
            if depth == 0:
                seen = max(seen, place["end"])
                self._lines(nested.pop(place["end"], ()))
        self._definitions(seen, len(self._source), used)

    # -- writing

    def _write(self, text: str) -> None:
        if self._aside is not None:
            self._aside.append(text)
        elif text:
            self._break()
            self._put(text)

    def _put(self, text: str) -> None:
        if text[:1] in _DIRECTIONS and self._out and self._out[-1][-1:] in _DIRECTIONS:
            text = text.lstrip(_DIRECTIONS)
        self._out.append(text)
        self._offset += utf16_len(text)

    def _break(self) -> None:
        """Write the line breaks that are due before a block, and its indent in a list."""
        if self._gap and self._out and self._aside is None:
            self._put("\n" + "  " * len(self._lists) if self._lists else "\n" * self._gap)
        self._gap = 0 if self._aside is None else self._gap

    def _entity(self, kind: str, start: int, url: str = "", language: str = "") -> None:
        if self._aside is None and self._offset > start:
            self._entities.append(Entity(kind, start, self._offset - start, url, language))

    def _text_since(self, span: _Span) -> str:
        return "".join((self._out if self._aside is None else self._aside)[span.piece :])

    # -- events

    def _event(self, payload: Any, place: Place) -> None:
        if isinstance(payload, str):
            self._simple(payload)
            return
        ((kind, value),) = payload.items()
        name, details = tag_of((payload, place))
        if kind == "Start" and name in _SPANS:
            self._start_span(name, details, place)
        elif kind == "Start":
            self._start_block(name, details)
        elif kind == "End" and name in _SPANS:
            self._end_span()
        elif kind == "End":
            self._end_block(name, place)
        else:
            self._leaf(kind, value, place)

    def _simple(self, name: str) -> None:
        if name == "Rule":
            self._write("—————")
            self._gap = 2
        else:  # soft and hard breaks are line breaks in a chat
            self._write(" " if self._aside is not None else "\n" + "  " * len(self._lists))

    def _leaf(self, kind: str, value: Any, place: Place) -> None:
        if kind == "Code":
            self._code(self._exact_code(value, place))
        elif kind in {"InlineMath", "DisplayMath"}:
            self._math(kind, value, place)
        elif kind == "Html":
            self._write(value.rstrip("\n"))
            self._gap = 1
        elif kind == "InlineHtml":
            self._write("\n" if BREAK_TAG.fullmatch(value) else value)
        elif kind == "TaskListMarker":
            self._write("☑ " if value else "☐ ")
        elif kind == "FootnoteReference":
            self._write(f"[{value}]")
        else:
            self._write(value)

    def _code(self, content: str) -> None:
        self._break()
        start = self._offset
        self._write(content)
        self._entity("code", start)

    def _exact_code(self, value: str, place: Place) -> str:
        """The content with the spaces at its ends, which Markdown would strip."""
        raw = self._source[place["start"] : place["end"]].decode("utf-8")
        marks = len(raw) - len(raw.lstrip("`"))
        inner = raw[marks:-marks]
        return value if self._aside is not None or "\n" in inner or "`" in value else inner

    def _math(self, kind: str, value: str, place: Place) -> None:
        following = self._source[place["end"] : place["end"] + 1]
        if kind == "InlineMath" and following.isdigit():  # "$5 or US$10" names two prices
            self._write(f"${value}$")
        elif value.strip():
            self._code(value)
        else:
            self._write(self._source[place["start"] : place["end"]].decode("utf-8"))

    def _definitions(self, start: int, end: int, used: set[str]) -> None:
        self._lines(unused_definitions(self._source[start:end], used))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)
            self._gap = 1

    # -- spans

    def _start_span(self, name: str, details: Any, place: Place) -> None:
        self._break()
        literal = literal_marker(self._source, name, place)
        self._write(literal)
        style = LINK if name in {"Link", "Image"} else "" if literal else STYLES[name]
        url, title = (details["dest_url"], details["title"]) if style == LINK else ("", "")
        pieces = self._out if self._aside is None else self._aside
        self._spans.append(_Span(style, self._offset, len(pieces), url, literal, title))

    def _end_span(self) -> None:
        span = self._spans.pop()
        self._write(span.literal)
        if span.style != LINK:
            if span.style:
                self._entity(span.style, span.start)
            return
        label = self._text_since(span)
        if not label:
            self._write(span.url)
            label = span.url
        within = any(other.style == LINK for other in self._spans)  # a picture in a link: its own is lost
        if self._aside is None and ADDRESS.fullmatch(span.url) and not within:
            if label != span.url:
                self._entity(LINK, span.start, url=span.url)
        elif span.url not in {"", label, f"mailto:{label}"}:
            self._write(f" ({span.url})")
        if span.title.strip():
            self._write(f" ({span.title})")

    # -- blocks

    def _start_block(self, name: str, details: Any) -> None:
        if name in {"Heading", "BlockQuote"}:
            self._break()
            style = "bold" if name == "Heading" else QUOTE
            self._spans.append(_Span(style, self._offset, len(self._out)))
        elif name == "CodeBlock":
            self._start_code(details["Fenced"] if isinstance(details, dict) else "")
        elif name == "TableCell":
            self._aside = []
        elif name == "List":
            self._gap = max(self._gap, 1)
            self._lists.append(details)
        elif name == "Item":
            self._start_item()
        elif name == "FootnoteDefinition":
            self._write(f"[{details}]: ")
        elif name == "Table":
            self._rows = []
        elif name in {"TableHead", "TableRow"}:
            self._rows.append([])

    def _start_item(self) -> None:
        number = self._lists[-1]
        outer = "  " * (len(self._lists) - 1)
        breaks = "\n" * (self._gap if len(self._lists) == 1 else min(self._gap, 1))
        mark = "• " if number is None else f"{number}. "
        self._gap = 0
        self._put((breaks if self._out else "") + outer + mark)
        if number is not None:
            self._lists[-1] = number + 1

    def _end_block(self, name: str, place: Place) -> None:
        if name in {"Heading", "BlockQuote"}:
            span = self._spans.pop()
            self._entity(span.style, span.start)
        elif name == "CodeBlock":
            self._end_code(place)
        elif name == "TableCell":
            self._rows[-1].append("".join(self._aside or ()).strip())
            self._aside, self._cell_end = None, place["end"]
        elif name in {"TableHead", "TableRow"}:
            self._rows[-1] += excess_cells(self._source, self._cell_end, place["end"])
        elif name == "Table":
            self._preformatted(draw_table(self._rows))
        elif name == "List":
            self._lists.pop()
        self._gap = 1 if self._lists else 2

    def _start_code(self, info: str) -> None:
        """Keep the language; whatever else stands beside the fence is shown above the code."""
        first, _, rest = info.partition(" ")
        self._language = first if LANGUAGE.fullmatch(first) else ""
        if shown := rest.strip() if self._language else info.strip():
            self._write(shown)
            self._gap = 1
        self._aside = []

    def _end_code(self, place: Place) -> None:
        content, self._aside = "".join(self._aside or ()).removesuffix("\n"), None
        if content.strip():
            self._preformatted(content, self._language)
        elif self._language:  # a lone fence
            self._write(self._source[place["start"] : place["end"]].decode("utf-8", "replace").strip())

    def _preformatted(self, content: str, language: str = "") -> None:
        if self._out:  # at the margin, also in a list
            self._put("\n" * (1 if self._lists else max(1, self._gap)))
        self._gap = 0
        start = self._offset
        self._put(content)
        self._entity("pre", start, language=language)


def literal_marker(source: bytes, name: str, place: Place) -> str:
    """The marker to show where it is no formatting: `~5`, `2*3*4` and within an address."""
    start, end = place["start"], place["end"]
    marker = source[start : start + MARKERS.get(name, 0)]
    before, after = source[max(0, start - 1) : start], source[end : end + 1]
    if name == "Strikethrough" and marker != b"~~":
        return "~"
    if name == "Emphasis" and marker == b"*" and before.isalnum() and after.isalnum():
        return "*"
    if marker and _OPEN_ADDRESS.search(source[max(0, start - 200) : start]):
        return marker.decode()
    return ""


def excess_cells(source: bytes, start: int, end: int) -> list[str]:
    """What stands behind the last cell of a row that has more of them than its table has columns."""
    rest = source[start:end].decode("utf-8", "replace").strip(" \t\r\n|>")
    return [cell.strip() for cell in rest.split("|")] if rest else []


def link_targets(events: Sequence[tuple[Any, Place]]) -> set[str]:
    """The addresses of all links and pictures."""
    details = (tag_of(event)[1] for event in events)
    return {one["dest_url"] for one in details if isinstance(one, dict) and "dest_url" in one}


def unused_definitions(gap: bytes, used: set[str]) -> Iterator[str]:
    """What stands between two elements and the parser took for a link definition that no link uses."""
    for piece in _DEFINITION.split(gap.decode("utf-8", "replace")):
        target = piece.partition("]:")[2].split()
        if target and target[0].strip("<>") not in used:
            yield "\n".join(line.strip(" \t>") for line in piece.strip().splitlines())


def nested_definitions(
    source: bytes, events: Sequence[tuple[Any, Place]], used: set[str]
) -> dict[int, list[str]]:
    """The unused definitions inside of quotes, lists and footnotes, by where the outermost element ends."""
    found: dict[int, list[str]] = {}
    lines: list[str] = []
    depth = seen = 0
    for payload, place in events:
        if depth == 0:
            seen, lines = place["start"], []
        change = depth_change(payload)
        depth += change
        closes = change < 0 and depth == 0
        name = tag_of((payload, place))[0]
        if depth and name in _CONTAINERS:
            if name == "FootnoteDefinition" and change > 0:  # its label looks like one
                seen = max(seen, source.find(b"]:", place["start"]) + 2)
            continue  # what is written in it comes yet
        lines += unused_definitions(source[seen : place["end" if closes else "start"]], used)
        seen = max(seen, place["end"])
        if closes and lines:
            found[place["end"]] = lines
    return found


def depth_of(events: Sequence[tuple[Any, Place]]) -> int:
    """How deep the elements are nested."""
    return max(accumulate(depth_change(payload) for payload, _ in events), default=0)


def tag_of(event: tuple[Any, Any]) -> tuple[str, Any]:
    """Name and details of a starting or ending element; "" for other events."""
    payload = event[0]
    value = (payload.get("Start") or payload.get("End")) if isinstance(payload, dict) else None
    if isinstance(value, dict):
        ((name, details),) = value.items()
        return name, details
    return value or "", None


def depth_change(payload: Any) -> int:
    if not isinstance(payload, dict):
        return 0
    return 1 if "Start" in payload else -1 if "End" in payload else 0
