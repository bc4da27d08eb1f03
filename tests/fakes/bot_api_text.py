"""Text and entities as Telegram's servers treat them: cleaning, trimming, checking, nesting, finding.

Offsets and lengths count UTF-16 code units throughout.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

STYLES = ("bold", "italic", "underline", "strikethrough", "spoiler")
QUOTES = ("blockquote", "expandable_blockquote")
CODES = ("pre", "code")
LINKS = ("text_link", "text_mention", "custom_emoji", "date_time")
FOUND = ("mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number")
_PRIORITY = {name: rank for rank, name in enumerate((*QUOTES, *CODES, *LINKS, *FOUND, *STYLES))}
_MAX_ENTITIES = 100
_INVISIBLE = re.compile("[\\s\u200b-\u200f\u2060\ufeff\u00ad]*")
_SHORT_NAMES = {"gif", "wiki", "vid", "bing", "pic", "bold", "imdb", "coub", "like", "vote", "giff"}


class EntityError(Exception):
    """The text or an entity is refused; the message is the API's own."""


@dataclass(frozen=True, slots=True)
class Entity:
    type: str
    offset: int
    length: int
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def end(self) -> int:
        return self.offset + self.length

    def as_json(self) -> dict[str, Any]:
        return {"type": self.type, "offset": self.offset, "length": self.length, **dict(self.extra)}


@dataclass(frozen=True, slots=True)
class FixedText:
    """A text as it is stored. `altered`: the server had to drop or cut entities to make them nest."""

    text: str
    entities: tuple[Entity, ...]
    altered: bool = False


def utf16_len(text: str) -> int:
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def utf16_slice(text: str, offset: int, length: int) -> str:
    units = text.encode("utf-16-le", "surrogatepass")
    return units[offset * 2 : (offset + length) * 2].decode("utf-16-le", "surrogatepass")


def read_entities(items: Iterable[Any]) -> list[Entity]:
    """Read entities as a bot gives them; types that the server finds by itself are ignored."""
    entities = []
    for item in items:
        if not isinstance(item, dict):
            raise EntityError("can't parse MessageEntity: expected an Object")
        kind = item.get("type")
        if not kind:
            raise EntityError("can't parse MessageEntity: Can't find field \"type\"")
        for name in ("offset", "length"):
            if not isinstance(item.get(name), int):
                raise EntityError(f"can't parse MessageEntity: Can't find field \"{name}\"")
        if kind in FOUND:
            continue
        if kind not in _PRIORITY:
            raise EntityError("can't parse MessageEntity: Unsupported type specified")
        entities.append(_entity(kind, item))
    return entities


def _entity(kind: str, item: dict[str, Any]) -> Entity:
    needed = {"text_link": "url", "text_mention": "user", "custom_emoji": "custom_emoji_id"}.get(kind)
    if needed and not item.get(needed):
        raise EntityError(f"can't parse MessageEntity: Can't find field \"{needed}\"")
    if kind == "text_link":
        _check_url(item["url"])
    extra = tuple((key, value) for key, value in item.items() if key not in {"type", "offset", "length"})
    return Entity(kind, item["offset"], item["length"], extra)


def _check_url(url: str) -> None:
    scheme, separator, rest = url.partition("://")
    if separator and scheme.lower() not in {"http", "https", "ton", "tg", "tonsite"}:
        raise EntityError(f"entity URL '{url}' is invalid: Unsupported URL protocol")
    if separator and scheme.lower() in {"tg", "ton"}:
        return
    host = re.split(r"[/?#]", rest if separator else url)[0].rpartition("@")[2].partition(":")[0]
    if "." not in host.strip(".") or re.search(r"\s", url.strip()):
        raise EntityError(f"entity URL '{url}' is invalid: Wrong HTTP URL")


def fix_text(text: str, entities: Sequence[Entity] = (), *, trim: bool = True) -> FixedText:
    """Clean, trim and nest as the server does; raise `EntityError` where it refuses."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise EntityError("strings must be encoded in UTF-8") from None
    for entity in entities:
        if not 0 <= entity.offset <= 1_000_000:
            raise EntityError(f"receive an entity with incorrect offset {entity.offset}")
        if not 0 <= entity.length <= 1_000_000:
            raise EntityError(f"receive an entity with incorrect length {entity.length}")
    given = sorted((entity for entity in entities if entity.length), key=_order)
    _check_bounds(text, given)
    cleaned, kept = _clean(text, given)
    if trim:
        cleaned, kept = _trim(cleaned, kept)
    if _INVISIBLE.fullmatch(cleaned):
        return FixedText("", ())
    nested = _nest(_merge(kept))
    altered = not _well_nested(kept) or len(nested) > _MAX_ENTITIES
    return FixedText(cleaned, tuple(nested[:_MAX_ENTITIES]), altered)


def _order(entity: Entity) -> tuple[int, int, int]:
    return (entity.offset, -entity.length, _PRIORITY[entity.type])


def _check_bounds(text: str, entities: Sequence[Entity]) -> None:
    total = utf16_len(text)
    units = text.encode("utf-16-le")
    starts = {
        index
        for index in range(total)
        if not 0xDC00 <= units[index * 2] + 256 * units[index * 2 + 1] <= 0xDFFF
    } | {total}
    for entity in entities:
        if entity.offset > total:
            raise EntityError(f"entity begins after the end of the text at UTF-16 offset {entity.offset}")
        if entity.end > total:
            raise EntityError(
                f"entity beginning at UTF-16 offset {entity.offset} "
                f"ends after the end of the text at UTF-16 offset {entity.end}"
            )
        if entity.offset not in starts:
            place = len(utf16_slice(text, 0, entity.offset + 1).encode())
            raise EntityError(f"entity begins in a middle of a UTF-16 symbol at byte offset {place}")
        if entity.end not in starts:
            place = len(utf16_slice(text, 0, entity.end + 1).encode())
            raise EntityError(
                f"entity beginning at UTF-16 offset {entity.offset} "
                f"ends in a middle of a UTF-16 symbol at byte offset {place}"
            )


def _cleaned_char(char: str, following: str) -> str:
    code = ord(char)
    if char == "\r" or 0x2028 <= code <= 0x202E or code in {0x333, 0x33F, 0x30A}:
        return ""
    if code < 32 and char != "\n":
        return " "
    if code in {0x200E, 0x200F} and following in {"\u200e", "\u200f"}:
        return "\u200c"
    return char


def _clean(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    moved = [0]  # the new offset of each old one
    result = []
    for index, char in enumerate(text):
        new = _cleaned_char(char, text[index + 1 : index + 2])
        result.append(new)
        width = 2 if ord(char) > 0xFFFF else 1
        moved += [moved[-1] + (width if new else 0)] * width
    return "".join(result), _moved(entities, lambda offset: moved[offset])


def _moved(entities: Iterable[Entity], place: Callable[[int], int]) -> list[Entity]:
    shifted = (
        replace(entity, offset=place(entity.offset), length=place(entity.end) - place(entity.offset))
        for entity in entities
    )
    return [entity for entity in shifted if entity.length > 0]


def _trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Cut space at the end, and at the beginning as far as no entity covers it."""
    kept = text.rstrip(" \n")
    end = utf16_len(kept)
    entities = _moved(entities, lambda offset: min(offset, end))
    first = min((entity.offset for entity in entities), default=end)
    lead = min(len(kept) - len(kept.lstrip(" \n")), first)
    return kept[lead:], _moved(entities, lambda offset: max(0, offset - lead))


def _merge(entities: Iterable[Entity]) -> list[Entity]:
    """Join touching or overlapping entities of one style; keep the rest."""
    merged: list[Entity] = []
    for style in STYLES:
        runs: list[Entity] = []
        for entity in sorted((item for item in entities if item.type == style), key=_order):
            if runs and entity.offset <= runs[-1].end:
                runs[-1] = replace(runs[-1], length=max(runs[-1].end, entity.end) - runs[-1].offset)
            else:
                runs.append(entity)
        merged += runs
    return merged + [entity for entity in entities if entity.type not in STYLES]


def _nest(entities: Sequence[Entity]) -> list[Entity]:
    """Drop what may not stand together and cut styles so that every pair nests."""
    solid: list[Entity] = []
    for kinds in (QUOTES, CODES, (*LINKS, *FOUND)):
        for entity in sorted((item for item in entities if item.type in kinds), key=_order):
            if not any(_clash(entity, other) for other in solid):
                solid.append(entity)
    result = list(solid)
    for rank, style in enumerate(STYLES):
        outer = [item for item in result if item.type in STYLES[:rank]]
        for entity in (item for item in entities if item.type == style):
            result += _pieces(entity, solid, outer)
    return sorted(result, key=_order)


def _clash(entity: Entity, other: Entity) -> bool:
    if entity.end <= other.offset or other.end <= entity.offset:
        return False
    inside = other.offset <= entity.offset and entity.end <= other.end
    return not (other.type in QUOTES and entity.type not in QUOTES and inside)


def _pieces(entity: Entity, solid: Sequence[Entity], outer: Sequence[Entity]) -> list[Entity]:
    borders = {entity.offset, entity.end}
    for other in (*solid, *outer):
        borders |= {place for place in (other.offset, other.end) if entity.offset < place < entity.end}
    marks = sorted(borders)
    pieces = []
    for start, end in itertools.pairwise(marks):
        in_code = any(item.type in CODES and item.offset <= start < item.end for item in solid)
        if not in_code:
            pieces.append(replace(entity, offset=start, length=end - start))
    return pieces


def _well_nested(entities: Sequence[Entity]) -> bool:
    """True where the bot's own entities nest and nothing stands inside code."""
    for index, one in enumerate(entities):
        for other in entities[index + 1 :]:
            apart = one.end <= other.offset or other.end <= one.offset
            inside = (one.offset <= other.offset and other.end <= one.end) or (
                other.offset <= one.offset and one.end <= other.end
            )
            if not apart and not inside:
                return False
            if not apart and (one.type in CODES or other.type in CODES) and not _quote_around(one, other):
                return False
    return True


def _quote_around(one: Entity, other: Entity) -> bool:
    return (one.type in QUOTES) != (other.type in QUOTES)


_MENTION = re.compile(r"(?<![\w@])@([A-Za-z0-9_]{3,32})(?!\w)", re.ASCII)
_COMMAND = re.compile(r"(?<![\w/<>])/([A-Za-z0-9_]{1,64})(?:@([A-Za-z0-9_]{3,32}))?(?![\w/@])")
_HASHTAG = re.compile(r"(?<![\w#])#(?=[\w·]*[^\W\d_])[\w·]{1,256}(?:@[A-Za-z0-9_]{3,32}(?!\w))?(?![\w#])")
_URL = re.compile(r"https?://[^\s<>]+[^\s<>.,;:!?)\"']")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")


def find_entities(text: str, given: Sequence[Entity] = ()) -> list[Entity]:
    """Entities as the server adds them to what people write: mentions, commands, tags, addresses."""
    found: list[Entity] = []
    taken = [item for item in given if item.type in CODES or item.type in LINKS]
    for kind, pattern in (("url", _URL), ("email", _EMAIL), ("bot_command", _COMMAND)):
        found += _matches(kind, pattern, text, [*taken, *found])
    mentions = _matches("mention", _MENTION, text, [*taken, *found])
    found += [item for item in mentions if _is_name(utf16_slice(text, item.offset + 1, item.length - 1))]
    found += _matches("hashtag", _HASHTAG, text, [*taken, *found])
    return sorted(found, key=_order)


def _is_name(name: str) -> bool:
    return len(name) >= 5 or name.lower() in _SHORT_NAMES


def _matches(kind: str, pattern: re.Pattern[str], text: str, taken: Sequence[Entity]) -> list[Entity]:
    result = []
    for match in pattern.finditer(text):
        if kind == "mention" and match.start() and (text[match.start() - 1].isalnum()):
            continue
        entity = Entity(kind, utf16_len(text[: match.start()]), utf16_len(match.group()))
        if not any(entity.offset < item.end and item.offset < entity.end for item in taken):
            result.append(entity)
    return result
