"""Walks a parser's events and writes Rich Markdown, block by block."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from channels.telegram.entities import plain
from channels.telegram.render import (
    ADDRESS,
    BREAK_TAG,
    LANGUAGE,
    MARKERS,
    Place,
    depth_change,
    excess_cells,
    link_targets,
    literal_marker,
    nested_definitions,
    tag_of,
    unused_definitions,
)
from channels.telegram.rich_text import BREAK, code_span, escape, escape_lines, fenced, link
from channels.telegram.split import split

MAX_COLUMNS = 20
LONG_CODE = 16_000  # characters of one code block
_LITERAL = -1
COUNTED = {"Paragraph", "Heading", "CodeBlock", "BlockQuote", "List", "Item", "TableRow", "TableHead"}
_LIST = re.compile(r"(?:[-*]|\d+[.)])(?: |$)")
_LINE_START = re.compile(r"(?<=\n)(?=[^\n])")
_RULERS = {"Left": ":--", "Right": "--:", "Center": ":-:"}


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that is not torn apart: a block, an item of a list, a row of a table.

    `glue` stands between it and the unit before it; `head` before it where a message begins with it.
    """

    text: str
    blocks: int
    levels: int
    source: str  # what it was written as
    glue: str = "\n\n"
    head: str = ""


@dataclass(slots=True)
class _Frame:
    """An open element that holds blocks; a table's cell holds words only."""

    kind: str
    start: int = 0  # in the source
    number: int | None = None  # of a list: the next one; None for bullets
    mark: str = ""  # of a list
    name: str = ""  # of a footnote
    blocks: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    last_mark: str = ""  # of the list that was the last block
    rulers: tuple[str, ...] = ()
    rows: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Span:
    piece: int
    marker: str
    url: str | None = None
    title: str = ""


class Walk:
    """`units` gives the pieces of the answer in order."""

    def __init__(self, source: str, events: Sequence[tuple[Any, Place]]) -> None:
        self._source = source.encode("utf-8")
        self._events = events
        self._frames = [_Frame("root")]
        self._spans: list[_Span] = []
        self._text = ""
        self._units: list[Unit] = []
        self._blocks = self._levels = self._deepest = 0
        self._cell_end = 0
        self._code: list[str] | None = None
        self._language = ""

    def units(self) -> Iterator[Unit]:
        """Walk; the pieces as they come."""
        used = link_targets(self._events) if b"]:" in self._source else None
        nested = nested_definitions(self._source, self._events, used) if used is not None else {}
        depth = seen = 0
        for payload, place in self._events:
            if depth == 0 and used is not None:
                self._definitions(seen, place["start"], used)
            change = depth_change(payload)
            depth += change
            self._levels = depth
            self._deepest = max(self._deepest, depth)
            self._event(payload, place)
            if depth == 0:
                seen = max(seen, place["end"])
                for line in nested.pop(place["end"], ()):
                    self._unit(escape_lines(escape(line)), place["end"], place["end"])
            yield from self._take()
        if used is not None:
            self._definitions(seen, len(self._source), used)
            yield from self._take()

    def _take(self) -> Iterator[Unit]:
        taken, self._units = self._units, []
        yield from taken

    def _definitions(self, start: int, end: int, used: set[str]) -> None:
        for line in unused_definitions(self._source[start:end], used):
            self._unit(escape_lines(escape(line)), start, end)

    # -- events

    def _event(self, payload: Any, place: Place) -> None:
        if isinstance(payload, dict) and "Text" in payload:
            if self._code is None:
                self._text += payload["Text"]
            else:
                self._code.append(payload["Text"])
            return
        name, details = tag_of((payload, place))
        if name in MARKERS and self._is_literal(name, payload, place):
            return
        self._flush_text()
        if isinstance(payload, str):
            self._simple(payload, place)
            return
        ((kind, value),) = payload.items()
        if kind == "Start":
            self._start(name, details, place)
        elif kind == "End":
            self._end(name, details, place)
        else:
            self._leaf(kind, value, place)

    def _is_literal(self, name: str, payload: Any, place: Place) -> bool:
        """Whether a span is none; then its marker is text like the words around it."""
        if "Start" in payload:
            literal = literal_marker(self._source, name, place)
            if literal:
                self._spans.append(_Span(_LITERAL, literal))
        else:
            literal = self._spans.pop().marker if self._spans[-1].piece == _LITERAL else ""
        self._text += literal
        return bool(literal)

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    def _put(self, text: str) -> None:
        self._frame.inline.append(text)

    def _flush_text(self) -> None:
        if self._text:
            self._put(escape(self._text))
            self._text = ""

    def _raw(self, place: Place) -> str:
        return self._source[place["start"] : place["end"]].decode("utf-8", "replace")

    def _simple(self, name: str, place: Place) -> None:
        if name == "Rule":
            self._blocks += 1
            self._close_inline()
            self._block("---", place)
        else:
            self._put(BREAK)

    def _leaf(self, kind: str, value: Any, place: Place) -> None:
        if kind == "Code":
            raw = self._raw(place)
            marks = len(raw) - len(raw.lstrip("`"))
            inner = raw[marks:-marks]
            exact = value if "\n" in inner or "`" in value or self._frame.kind == "cell" else inner
            self._put(code_span(exact))
        elif kind in {"InlineMath", "DisplayMath"}:
            self._math(kind, value, place)
        elif kind == "Html":
            self._put(escape(value.lstrip(" ")).replace("\n", BREAK))
        elif kind == "InlineHtml":
            self._put(BREAK if BREAK_TAG.fullmatch(value) else escape(value))
        elif kind == "TaskListMarker":
            self._put("[x] " if value else "[ ] ")
        elif kind == "FootnoteReference":
            self._put(escape(f"[{value}]"))
        else:
            self._put(escape(str(value)))

    def _math(self, kind: str, value: str, place: Place) -> None:
        marks = "$" if kind == "InlineMath" else "$$"
        following = self._source[place["end"] : place["end"] + 1]
        if not value.strip() or (kind == "InlineMath" and following.isdigit()):
            self._put(escape(f"{marks}{value}{marks}"))
        else:
            self._put(f"{marks}{value}{marks}".replace("\n", " "))

    # -- elements

    def _start(self, name: str, details: Any, place: Place) -> None:
        self._blocks += name in COUNTED
        if name in MARKERS or name in {"Link", "Image"}:
            self._start_span(name, details, place)
            return
        if name not in {"Paragraph", "TableCell", "TableRow", "TableHead"}:
            self._close_inline()
        if name in {"BlockQuote", "Item", "FootnoteDefinition"}:
            footnote = details if name == "FootnoteDefinition" else ""
            self._frames.append(_Frame(name, place["start"], name=str(footnote)))
        elif name == "List":
            self._frames.append(_Frame(name, place["start"], number=details, mark=self._mark(details)))
        elif name == "Table":
            self._frames.append(_Frame(name, place["start"], rulers=tuple(details)))
        elif name in {"TableHead", "TableRow"}:
            self._frame.rows.append([])
        elif name == "TableCell":
            self._frames.append(_Frame("cell"))
        elif name == "CodeBlock":
            self._start_code(details["Fenced"] if isinstance(details, dict) else "", place)

    def _mark(self, number: int | None) -> str:
        """The marker of a list: another one than that of the list just before, which it would join."""
        usual, other = ("-", "*") if number is None else (".", ")")
        return other if self._frame.last_mark == usual else usual

    def _end(self, name: str, details: Any, place: Place) -> None:
        if name in MARKERS or name in {"Link", "Image"}:
            self._end_span()
        elif name == "Heading":
            self._end_heading(place, int(str(details or "H1")[1:]))
        elif name in {"Paragraph", "HtmlBlock"}:
            self._close_inline(place)
        elif name == "CodeBlock":
            self._end_code(place)
        elif name in {"BlockQuote", "FootnoteDefinition"}:
            self._end_container(place)
        elif name == "Item":
            self._end_item(place)
        elif name == "List":
            self._end_list(place)
        else:
            self._end_in_table(name, place)

    def _end_in_table(self, name: str, place: Place) -> None:
        if name == "TableCell":
            cell = "".join(self._frames.pop().inline).replace(BREAK, " ").replace("\n", " ").strip()
            self._frame.rows[-1].append(_in_cell(cell))
            self._cell_end = place["end"]
        elif name in {"TableHead", "TableRow"}:
            more = excess_cells(self._source, self._cell_end, place["end"])
            self._frame.rows[-1] += [_in_cell(escape(cell)) for cell in more]
        elif name == "Table":
            self._end_table(place)

    # -- words

    def _start_span(self, name: str, details: Any, place: Place) -> None:
        if name in {"Link", "Image"}:
            self._spans.append(_Span(len(self._frame.inline), "", details["dest_url"], details["title"]))
            return
        start = place["start"]
        marker = self._source[start : start + MARKERS[name]].decode("utf-8", "replace")
        self._put(marker)
        self._spans.append(_Span(len(self._frame.inline), marker))

    def _end_span(self) -> None:
        span = self._spans.pop()
        if span.url is None:
            self._put(span.marker)
            return
        inline = self._frame.inline
        label = "".join(inline[span.piece :])
        del inline[span.piece :]
        shown = label or escape(span.url)
        within = any(other.url is not None for other in self._spans)  # a picture in a link
        if ADDRESS.fullmatch(span.url) and not within:
            inline.append(link(_without_links(shown, span.url), span.url))
        else:
            inline.append(shown)
            plainly = escape(span.url)
            if plainly not in {"", shown} and span.url not in {f"mailto:{label}", label}:
                inline.append(f" ({plainly})")
        if span.title.strip():
            inline.append(f" ({escape(span.title)})")

    # -- blocks

    def _close_inline(self, place: Place | None = None) -> None:
        """Make the words so far a paragraph of the open element."""
        self._flush_text()
        text = _trimmed("".join(self._frame.inline))
        self._frame.inline.clear()
        if text:
            self._block(escape_lines(text), place or {"start": 0, "end": 0})

    def _end_heading(self, place: Place, level: int) -> None:
        text = "".join(self._frame.inline).replace(BREAK, " ").replace("\n", " ").strip()
        self._frame.inline.clear()
        if text.endswith("#"):
            text = f"{text[:-1]}\\#"
        if text:
            self._block(f"{'#' * level} {text}", place)

    def _start_code(self, info: str, place: Place) -> None:
        first, _, rest = info.partition(" ")
        self._language = first if LANGUAGE.fullmatch(first) else ""
        if shown := rest.strip() if self._language else info.strip():
            self._block(escape_lines(escape(shown)), place)
        self._code = []

    def _end_code(self, place: Place) -> None:
        content, self._code = "".join(self._code or ()).removesuffix("\n"), None
        if not content.strip():
            if self._language:
                self._block(escape_lines(escape(self._raw(place).strip())), place)
            return
        pieces = [content]
        if len(content) > LONG_CODE:
            pieces = [part.text for part in split(plain(content), LONG_CODE)]
        for piece in pieces:
            self._block(fenced(piece, self._language), place)

    def _end_container(self, place: Place) -> None:
        self._close_inline()
        frame = self._frames.pop()
        text = "\n\n".join(frame.blocks)
        if frame.kind == "FootnoteDefinition":
            self._block(f"{escape(f'[{frame.name}]')}: {text}", place)
        elif text:
            self._block(
                "\n".join(f"> {line}".rstrip(" ") if not line else f"> {line}" for line in text.split("\n")),
                place,
            )

    def _end_item(self, place: Place) -> None:
        self._close_inline()
        item = self._frames.pop()
        holder = self._frame
        mark = holder.mark if holder.number is None else f"{holder.number}{holder.mark}"
        if holder.number is not None:
            holder.number += 1
        indent = " " * (len(mark) + 1)
        text = _LINE_START.sub(indent, _joined(item.blocks))
        line = f"{mark} {text}".rstrip()
        if len(self._frames) == 2:
            self._unit(line, place["start"], place["end"], glue="\n" if holder.blocks else "\n\n")
        holder.blocks.append(line)

    def _end_list(self, place: Place) -> None:
        holder = self._frames.pop()
        if len(self._frames) > 1:
            self._block("\n".join(holder.blocks), place)
        self._frame.last_mark = holder.mark

    def _end_table(self, place: Place) -> None:
        table = self._frames.pop()
        columns = max(map(len, table.rows))
        if columns > MAX_COLUMNS:
            self._block(fenced(self._raw(place).strip("\n")), place)
            return
        rows = [_row([*cells, *[""] * (columns - len(cells))]) for cells in table.rows]
        rulers = [_RULERS.get(ruler, "---") for ruler in table.rulers]
        head = rows[0] + "\n" + _row([*rulers, *["---"] * (columns - len(rulers))])
        if len(self._frames) > 1:
            self._block("\n".join([head, *rows[1:]]), place)
            return
        self._blocks = 2  # rows count where they stand
        self._append(head, head)
        for row in rows[1:]:
            self._append(row, row, glue="\n", head=f"{head}\n")
        self._frame.last_mark = ""

    def _block(self, text: str, place: Place) -> None:
        if len(self._frames) == 1:
            self._unit(text, place["start"], place["end"])
        else:
            self._frame.blocks.append(text)
        self._frame.last_mark = ""

    def _unit(self, text: str, start: int, end: int, *, glue: str = "\n\n") -> None:
        self._append(text, self._source[start:end].decode("utf-8", "replace"), glue=glue)

    def _append(self, text: str, source: str, *, glue: str = "\n\n", head: str = "") -> None:
        self._units.append(Unit(text, max(1, self._blocks), self._deepest, source, glue, head))
        self._blocks, self._deepest = 0, self._levels


def _trimmed(text: str) -> str:
    lines = text.strip().split("\n")
    return "\n".join(line.lstrip(" ") for line in lines).strip()


def _joined(blocks: Sequence[str]) -> str:
    """The blocks of an item; a list within follows its words closely."""
    text = ""
    for place, block in enumerate(blocks):
        close = place == 1 and _LIST.match(block) is not None
        text += ("\n" if close else "\n\n") + block if text else block
    return text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _in_cell(text: str) -> str:
    """A bar ends a cell wherever it stands, also in code."""
    return text.replace("\\|", "|").replace("|", "\\|")


def _without_links(label: str, url: str) -> str:
    """The label of a link, in which no other link may stand: an address in it stands as it is."""
    for inner in (f"](<{url}>)", f"]({url})"):
        if label.startswith("[") and label.endswith(inner):
            return label[1 : -len(inner)]
    return label
