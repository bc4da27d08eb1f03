"""Formatted text as Telegram takes it: a text and ranges over it."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

CODES = frozenset({"pre", "code"})
QUOTE = "blockquote"
LINK = "text_link"
_STYLES = ("bold", "italic", "strikethrough")
_RANK = {kind: rank for rank, kind in enumerate((QUOTE, "pre", "code", LINK, *_STYLES))}
# What the server drops from a text or turns into a space. Done here first, so that no offset moves.
_DROPPED = re.compile("[\ud800-\udfff\r\u2028-\u202e\u0333\u033f\u030a]|[\u200e\u200f](?=[\u200e\u200f])")
_CONTROLS = {code: " " for code in range(32) if code != 10}
_INVISIBLE = re.compile("[\\s\u200b-\u200f\u2060\ufeff\u00ad]*")


@dataclass(frozen=True, slots=True)
class Entity:
    """A formatted range; `offset` and `length` count UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str = ""
    language: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.length

    def as_json(self) -> dict[str, str | int]:
        """As the Bot API takes it."""
        extra = {"url": self.url, "language": self.language}
        plain_form: dict[str, str | int] = {"type": self.type, "offset": self.offset, "length": self.length}
        return plain_form | {key: value for key, value in extra.items() if value}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text with its entities, which lie within it, nest, and are sorted."""

    text: str
    entities: tuple[Entity, ...] = ()

    @property
    def hash(self) -> str:
        """A short fingerprint: two of the same hash look the same in the chat."""
        return hashlib.sha256(repr((self.text, self.entities)).encode()).hexdigest()[:32]

    def as_json(self) -> list[dict[str, str | int]]:
        """The entities as the Bot API takes them."""
        return [entity.as_json() for entity in self.entities]


def clean(text: str) -> str:
    """The text without what Telegram's servers would remove or replace by themselves."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return _DROPPED.sub("", text).translate(_CONTROLS)


def is_visible(text: str) -> bool:
    """False for a text that Telegram refuses as empty."""
    return _INVISIBLE.fullmatch(text) is None


def plain(text: str) -> Rendered:
    """The text as it stands, without formatting."""
    return Rendered(clean(text))


def arrange(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Sort entities, and drop or cut those that Telegram would not let stand together: so they are kept
    as they are sent.

    They must come from nested spans, inner ones first: two of them lie apart or one lies in the other.
    """
    given = [entity for entity in entities if entity.length > 0]
    links = _outermost(entity for entity in given if entity.type == LINK)
    quotes = _outermost(entity for entity in given if entity.type == QUOTE)
    codes = _outermost(
        entity for entity in given if entity.type in CODES and not any(_overlapping(entity, links))
    )
    borders = {place for one in (*quotes, *codes, *links) for place in (one.offset, one.end)}
    styled: list[Entity] = []
    for style in _STYLES:
        places = sorted(borders)
        pieces = [
            piece
            for entity in _joined(item for item in given if item.type == style)
            for rest in _without(entity, codes)
            for piece in _cut(rest, places)
        ]
        borders.update(place for one in pieces for place in (one.offset, one.end))
        styled += pieces
    return tuple(
        sorted([*quotes, *codes, *links, *styled], key=lambda one: (one.offset, -one.length, _RANK[one.type]))
    )


def _outermost(entities: Iterable[Entity]) -> list[Entity]:
    kept: list[Entity] = []
    outer_first = list(entities)[::-1]  # of two over the same text
    for entity in sorted(outer_first, key=lambda one: (one.offset, -one.length)):
        if not kept or entity.offset >= kept[-1].end:
            kept.append(entity)
    return kept


def _joined(entities: Iterable[Entity]) -> list[Entity]:
    """One range for those of a style that touch or lie in one another, as the server does."""
    runs: list[Entity] = []
    for entity in sorted(entities, key=lambda one: one.offset):
        if runs and entity.offset <= runs[-1].end:
            runs[-1] = replace(runs[-1], length=max(runs[-1].end, entity.end) - runs[-1].offset)
        else:
            runs.append(entity)
    return runs


def _overlapping(entity: Entity, others: Sequence[Entity]) -> Iterator[Entity]:
    """Those of sorted, separate ranges that share a character with `entity`."""
    for index in range(bisect_right(others, entity.offset, key=lambda one: one.end), len(others)):
        if others[index].offset >= entity.end:
            return
        yield others[index]


def _cut(entity: Entity, borders: Sequence[int]) -> list[Entity]:
    """A style in pieces, none of which reaches over the border of what stands within it."""
    inner = borders[bisect_right(borders, entity.offset) : bisect_left(borders, entity.end)]
    places = [entity.offset, *inner, entity.end]
    return [replace(entity, offset=start, length=end - start) for start, end in pairwise(places)]


def _without(entity: Entity, holes: Sequence[Entity]) -> list[Entity]:
    """The pieces of a style that lie outside code."""
    pieces = []
    start = entity.offset
    for hole in _overlapping(entity, holes):
        if hole.offset > start:
            pieces.append(replace(entity, offset=start, length=hole.offset - start))
        start = max(start, hole.end)
    if start < entity.end:
        pieces.append(replace(entity, offset=start, length=entity.end - start))
    return pieces
