"""What Telegram's servers would do to our messages, as assertions."""

from collections.abc import Sequence

from channels.telegram.entities import Rendered
from tests.fakes.bot_api_text import Entity, fix_text, read_entities, utf16_len


def assert_accepted_unchanged(parts: Sequence[Rendered], limit: int = 4096) -> None:
    """Every part passes the server's own checks and is stored exactly as it was sent."""
    for part in parts:
        given = [
            {"type": one.type, "offset": one.offset, "length": one.length}
            | ({"url": one.url} if one.url else {})
            | ({"language": one.language} if one.language else {})
            for one in part.entities
        ]
        entities = read_entities(given)
        fixed = fix_text(part.text, entities)
        assert 0 < utf16_len(fixed.text) <= limit
        assert fixed.text == part.text
        assert not fixed.altered
        assert list(fixed.entities) == sorted(entities, key=_key)


def _key(entity: Entity) -> tuple[int, int, int]:
    order = ("blockquote", "pre", "code", "text_link", "bold", "italic", "strikethrough")
    return (entity.offset, -entity.length, order.index(entity.type))
