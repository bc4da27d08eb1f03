"""Splits a rendered text into messages at sensible places, within Telegram's limits."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from channels.telegram.entities import CODES, Entity, Rendered, is_visible
from channels.telegram.utf16 import utf16_len, utf16_offsets

MAX_TEXT = 4096  # UTF-16 units of one message
MAX_ENTITIES = 100  # the server drops the rest
_PLACES = (
    re.compile(r"\n\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'”’)\]]*\s|[。！？][”’）」』]?"),
    re.compile(r"\s"),
)
_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"
_CLUSTER = 64  # no cluster of code points is looked at further than this


def split(rendered: Rendered, limit: int = MAX_TEXT) -> list[Rendered]:
    """Cut at a paragraph, line, sentence, word or character, the first that fits well.

    A code block that is cut is closed and opened again with its language. Each part is trimmed as the
    server would trim it; parts that show nothing are left out.
    """
    text = rendered.text
    offsets = utf16_offsets(text)
    left: Sequence[Entity] = rendered.entities
    parts = []
    start = 0
    while start < len(text):
        left = [entity for entity in left if entity.end > offsets[start]]
        # One character at least, also where it alone is longer than the limit: each turn must get on.
        reach = max(start + 1, bisect_right(offsets, offsets[start] + limit) - 1)
        if len(left) > MAX_ENTITIES:
            reach = min(reach, max(start + 1, bisect_left(offsets, left[MAX_ENTITIES].offset)))
        here = left[: bisect_left(left, offsets[reach], key=lambda one: one.offset)]
        end = reach if reach >= len(text) else _place(text, here, offsets, start, reach)
        if part := _part(text, here, offsets, start, end):
            parts.append(part)
        start = end
    return parts


def _place(text: str, entities: Sequence[Entity], offsets: Sequence[int], start: int, reach: int) -> int:
    floor = start + (reach - start) // 2
    blocks = [bisect_left(offsets, entity.offset) for entity in entities if entity.type == "pre"]
    if before_code := [place for place in blocks if floor <= place <= reach and place > start]:
        return before_code[-1]
    for pattern in _PLACES:
        found = [match.end() for match in pattern.finditer(text, floor, reach)]
        if found:
            return found[-1]
    return _cluster_start(text, start, reach)


def _cluster_start(text: str, start: int, index: int) -> int:
    """The nearest place at or before `index` that does not cut a character people see as one."""
    for place in range(index, max(start, index - _CLUSTER), -1):
        if not _joined(text, place):
            return place
    return index


def _joined(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index]
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after) in {"Mn", "Mc", "Me"}:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    return _is_flag_half(before) and _is_flag_half(after) and _flags_before(text, index) % 2 == 1


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, index: int) -> int:
    count = 0
    while count < index and _is_flag_half(text[index - 1 - count]):
        count += 1
    return count


def _part(
    text: str, entities: Sequence[Entity], offsets: Sequence[int], start: int, end: int
) -> Rendered | None:
    in_code = any(
        entity.type in CODES and entity.offset <= offsets[start] < entity.end for entity in entities
    )
    piece = text[start:end].rstrip(" \n")
    kept = piece.lstrip("\n") if in_code else piece.lstrip(" \n")
    if not is_visible(kept):
        return None
    base = offsets[start + len(piece) - len(kept)]
    clipped = (_clip(entity, base, utf16_len(kept)) for entity in entities)
    return Rendered(kept, tuple(one for one in clipped if one.length > 0))


def _clip(entity: Entity, base: int, size: int) -> Entity:
    first = max(0, entity.offset - base)
    return replace(entity, offset=first, length=min(size, entity.end - base) - first)
