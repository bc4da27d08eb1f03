"""Memories in their talk: who said them, and what was said just before and after.

A message is seldom complete in itself. "At six, by the fountain" answers a question that names what it
is about, so what stands around a message tells what it is about as well.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, TextClause, bindparam, text

from bot.domain.conversation import ConversationId
from bot.store.columns import moment
from memory.record import MemoryId, Scope

# After such a silence people talk about something else.
PAUSE = timedelta(hours=4)

_ASKS = (
    "CASE WHEN n.text LIKE '%?' OR n.text LIKE '%？' THEN 2 "
    "WHEN n.text LIKE '%?%' OR n.text LIKE '%？%' THEN 1 ELSE 0 END"
)
# How the talk goes on is read from an index by scope and id, which has it in the order it was said.
_AROUND = (
    "FROM memories AS h JOIN memories AS n {hint} ON n.scope = h.scope "
    "AND n.id >= coalesce((SELECT b.id FROM memories AS b WHERE b.scope = h.scope AND b.id <= h.id "
    "ORDER BY b.id DESC LIMIT 1 OFFSET :before), 0) "
    "AND n.id <= coalesce((SELECT a.id FROM memories AS a WHERE a.scope = h.scope AND a.id >= h.id "
    "ORDER BY a.id LIMIT 1 OFFSET :after), 9223372036854775807) "
    "WHERE h.id IN :ids ORDER BY h.id, n.id"
)
_ALONE = "FROM memories AS n WHERE n.id IN :ids"


@lru_cache
def _wanted(dialect: str, head: str, tables: str) -> TextClause:
    """The statement that reads places, each behind the id of its head. Its times stay numbers: most
    rows of a talk come more than once."""
    hint = "INDEXED BY ix_memories_scope_id" if dialect == "sqlite" else ""
    return text(
        f"SELECT {head}, n.id, n.scope, n.conversation_id, n.message_id, n.at, n.role, n.name, n.kind, "
        f"n.status, n.expires_at, n.visibility, {_ASKS} {tables.format(hint=hint)}"
    ).bindparams(bindparam("ids", expanding=True))


class Place(NamedTuple):
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
    rows = conn.execute(_wanted(conn.dialect.name, "n.id", _ALONE), {"ids": ids})
    return {row[0]: _place(row) for row in rows}


def around(
    conn: Connection, ids: Sequence[MemoryId], before: int, after: int
) -> tuple[dict[MemoryId, Place], list[list[Place]]]:
    """These memories and what was said around each: by id, and as stretches of talk, each in the order
    it was said and without a gap."""
    if not ids:
        return {}, []
    wanted = _wanted(conn.dialect.name, "h.id", _AROUND)
    places: dict[MemoryId, Place] = {}
    next_ones: dict[MemoryId, MemoryId] = {}
    last: tuple[MemoryId, MemoryId] | None = None
    for row in conn.execute(wanted, {"ids": list(ids), "before": before, "after": after}).all():
        head, key = row[0], row[1]
        if key not in places:
            places[key] = _place(row)
        goes_on = last is not None and last[0] == head and last[1] not in next_ones
        if last is not None and goes_on and same_talk(places[last[1]], places[key]):
            next_ones[last[1]] = key
        last = head, key
    return places, _stretches(places, next_ones)


def _place(row: Iterable[Any]) -> Place:
    """`row`: a head's id and the place's fields, with times as they are stored."""
    _, key, scope, talk, message, at, role, name, kind, status, expires, visibility, asks = row
    ends = None if expires is None else moment(expires)
    return Place(key, scope, talk, message, moment(at), role, name, kind, status, ends, visibility, asks)


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
