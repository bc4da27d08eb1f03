"""Memories in their talk: who said them, and what was said just before and after.

A message is seldom complete in itself. "At six, by the fountain" answers a question that names what it
is about, so what stands around a message tells what it is about as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BigInteger, Connection, Integer, bindparam, column, text

from bot.domain.conversation import ConversationId
from bot.store.tables import memories
from memory.record import MemoryId, Scope

# After such a silence people talk about something else.
PAUSE = timedelta(hours=4)

_SQLITE_INDEX = "INDEXED BY ix_memories_scope_id"
_FIELDS = (
    "n.id, n.scope, n.conversation_id, n.message_id, n.at, n.role, n.name, n.kind, n.status, "
    "n.expires_at, n.visibility, CASE WHEN n.text LIKE '%?' OR n.text LIKE '%？' THEN 2 "
    "WHEN n.text LIKE '%?%' OR n.text LIKE '%？%' THEN 1 ELSE 0 END AS asks"
)
_ALONE = f"SELECT n.id, {_FIELDS} FROM memories AS n WHERE n.id IN :ids"
# How the talk goes on is read from an index by scope and id, which has it in the order it was said.
_AROUND = (
    f"SELECT h.id, {_FIELDS} "
    "FROM memories AS h JOIN memories AS n {hint} ON n.scope = h.scope "
    "AND n.id >= coalesce((SELECT b.id FROM memories AS b WHERE b.scope = h.scope AND b.id <= h.id "
    "ORDER BY b.id DESC LIMIT 1 OFFSET :before), 0) "
    "AND n.id <= coalesce((SELECT a.id FROM memories AS a WHERE a.scope = h.scope AND a.id >= h.id "
    "ORDER BY a.id LIMIT 1 OFFSET :after), 9223372036854775807) "
    "WHERE h.id IN :ids ORDER BY h.id, n.id"
)
_COLUMNS = (
    column("head", BigInteger),
    *(
        memories.c[name]
        for name in ["id", "scope", "conversation_id", "message_id", "at", "role", "name", "kind", "status"]
    ),
    memories.c.expires_at,
    memories.c.visibility,
    column("asks", Integer),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory stands, without its text."""

    id: MemoryId
    scope: Scope
    conversation_id: ConversationId | None
    message_id: int | None
    at: datetime
    role: str
    name: str
    kind: str
    status: str
    expires_at: datetime | None
    visibility: str
    asks: int  # 2: it ends with a question; 1: there is one in it; 0: there is none


def places_of(conn: Connection, ids: Sequence[MemoryId]) -> dict[MemoryId, Place]:
    """Where these memories stand, as far as they (still) exist."""
    if not ids:
        return {}
    wanted = text(_ALONE).bindparams(bindparam("ids", expanding=True)).columns(*_COLUMNS)
    return {
        place.id: place for _, *fields in conn.execute(wanted, {"ids": ids}) for place in [Place(*fields)]
    }


def around(
    conn: Connection, ids: Sequence[MemoryId], before: int, after: int
) -> tuple[dict[MemoryId, Place], list[list[Place]]]:
    """These memories and what was said around each: by id, and as stretches of talk, each in the order
    it was said and without a gap."""
    if not ids:
        return {}, []
    hint = _SQLITE_INDEX if conn.dialect.name == "sqlite" else ""
    wanted = text(_AROUND.format(hint=hint)).bindparams(bindparam("ids", expanding=True))
    typed = wanted.columns(*_COLUMNS)
    places: dict[MemoryId, Place] = {}
    next_ones: dict[MemoryId, MemoryId] = {}
    last: tuple[MemoryId, MemoryId] | None = None
    for head, *fields in conn.execute(typed, {"ids": list(ids), "before": before, "after": after}):
        place = Place(*fields)
        places.setdefault(place.id, place)
        if last is not None and last[0] == head and same_talk(places[last[1]], place):
            next_ones[last[1]] = place.id
        last = head, place.id
    return places, _stretches(places, next_ones)


def same_talk(one: Place, next_one: Place) -> bool:
    """Whether two places, one after the other in their scope, belong to one talk."""
    together = one.conversation_id == next_one.conversation_id
    return together and abs(next_one.at - one.at) <= PAUSE


def _stretches(places: dict[MemoryId, Place], next_ones: dict[MemoryId, MemoryId]) -> list[list[Place]]:
    inner = set(next_ones.values())
    found: list[list[Place]] = []
    for first in sorted(places.keys() - inner):
        stretch, at = [places[first]], first
        while at in next_ones:
            at = next_ones[at]
            stretch.append(places[at])
        found.append(stretch)
    return found
