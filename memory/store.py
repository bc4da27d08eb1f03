"""Keeping and forgetting memories: transaction functions, to be run by `Store.write` or inside one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, or_, select, update

from bot.domain.conversation import ConversationId, SpeakerId
from bot.store.search import secure_delete_known
from bot.store.tables import memories
from bot.text.clean import clean
from memory.index.base import MemoryIndex
from memory.index.postgres import PostgresIndex
from memory.index.sqlite import SqliteIndex
from memory.privacy import POLICY, Reason, WritePolicy, hide_secrets, objection
from memory.record import Memory, MemoryDraft, MemoryId, Scope

_INSERT = insert(memories)


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of drafts: the ids of those that are kept, in order, and why others are not."""

    ids: tuple[MemoryId, ...]
    rejected: tuple[Reason, ...] = ()


def index_for(dialect: str) -> MemoryIndex:
    """The index that goes with a database."""
    return SqliteIndex() if dialect == "sqlite" else PostgresIndex()


def index_of(conn: Connection) -> MemoryIndex:
    """The index that goes with a connection's database."""
    return index_for(conn.dialect.name)


def remember(conn: Connection, drafts: Sequence[MemoryDraft], now: datetime) -> list[MemoryId]:
    """`keep` by the default policy; the ids of what is kept."""
    return list(keep(conn, drafts, now).ids)


def keep(
    conn: Connection, drafts: Sequence[MemoryDraft], now: datetime, policy: WritePolicy = POLICY
) -> Kept:
    """Keep memories, findable by their words at once. Vectors follow later, by `memory.indexer`.

    A draft that the policy does not allow, or without a visible character, is left out. Passwords,
    tokens and the like are taken out of the texts.
    """
    rejected: list[Reason] = []
    kept: list[tuple[MemoryDraft, str]] = []
    for draft in drafts:
        text = hide_secrets(clean(draft.text))
        reason = objection(draft, policy) if text.strip() else "empty"
        if reason is None:
            kept.append((draft, text))
        else:
            rejected.append(reason)
    if not kept:
        return Kept((), tuple(rejected))
    ids = [_insert(conn, draft, text, now) for draft, text in kept]
    index_of(conn).add(conn, [(key, draft.scope, text) for key, (draft, text) in zip(ids, kept, strict=True)])
    return Kept(tuple(ids), tuple(rejected))


def _insert(conn: Connection, draft: MemoryDraft, text: str, now: datetime) -> MemoryId:
    source = draft.source or (f"message:{draft.message_id}" if draft.message_id is not None else "")
    values = {
        "scope": draft.scope,
        "at": draft.at,
        "conversation_id": draft.conversation_id,
        "message_id": draft.message_id,
        "person_id": draft.person_id,
        "kind": draft.kind,
        "role": draft.role,
        "name": clean(draft.name),
        "source": source,
        "importance": draft.importance,
        "created_at": now,
        "text": text,
        "visibility": draft.visibility,
        "confidence": draft.confidence,
        "provenance": list(draft.provenance) or None,
        "slot": draft.slot,
        "value": draft.value,
        "true_from": draft.true_from,
        "true_until": draft.true_until,
        "expires_at": draft.expires_at,
    }
    key = conn.execute(_INSERT, values).inserted_primary_key
    assert key is not None  # an INSERT of one row has one
    return MemoryId(key[0])


def load(conn: Connection, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
    """The memories with these ids, as far as they (still) exist."""
    if not ids:
        return {}
    return {memory.id: memory for memory in selected(conn, columns().where(memories.c.id.in_(ids)))}


def selected(conn: Connection, wanted: Select[Any]) -> list[Memory]:
    """The memories that a selection of `columns` brings."""
    rows = conn.execute(wanted).mappings()
    return [Memory(**{**row, "provenance": tuple(row["provenance"] or ())}) for row in rows]


def forget_conversation(conn: Connection, conversation_id: ConversationId) -> int:
    """Delete what was remembered from a conversation, with its index entries; how many there were."""
    return conn.execute(delete(memories).where(memories.c.conversation_id == conversation_id)).rowcount


def forget_messages(conn: Connection, conversation_id: ConversationId, ids: Sequence[int]) -> int:
    """Delete what was remembered of some messages of a conversation; how many there were."""
    told = memories.c.conversation_id == conversation_id, memories.c.message_id.in_(ids)
    return conn.execute(delete(memories).where(*told)).rowcount


def move_conversation(conn: Connection, old: ConversationId, new: ConversationId) -> int:
    """Let what was remembered from a conversation, and what only it may see, follow it to another id."""
    before, after = Scope(f"conversation:{old}"), Scope(f"conversation:{new}")
    conn.execute(update(memories).where(memories.c.conversation_id == old).values(conversation_id=new))
    ids = [MemoryId(found) for found in conn.scalars(select(memories.c.id).where(memories.c.scope == before))]
    conn.execute(update(memories).where(memories.c.scope == before).values(scope=after))
    index_of(conn).move(conn, ids, after)
    return len(ids)


def erase(conn: Connection, person_id: SpeakerId) -> int:
    """Delete what a person said, what they were answered, and all of their private scope; how many."""
    return conn.execute(delete(memories).where(owned_by(person_id))).rowcount


def export(conn: Connection, person_id: SpeakerId) -> list[Mapping[str, Any]]:
    """What `erase` would delete, oldest first, as records fit for JSON."""
    wanted = columns().where(owned_by(person_id)).order_by(memories.c.at, memories.c.id)
    return [exported(memory) for memory in selected(conn, wanted)]


def exported(memory: Memory) -> dict[str, Any]:
    """A memory fit for JSON; what says nothing is left out."""
    told = {
        "id": memory.id,
        "kind": memory.kind,
        "role": memory.role,
        "name": memory.name,
        "text": memory.text,
        "at": memory.at.isoformat(),
        "scope": memory.scope,
        "source": memory.source,
        "provenance": list(memory.provenance),
        "slot": memory.slot,
        "value": memory.value,
        "status": "" if memory.status == "active" else memory.status,
        "version": memory.version if memory.slot else None,
        "confidence": None if memory.confidence == 1 else memory.confidence,
        "visibility": "" if memory.visibility == "private" else memory.visibility,
        "true_from": memory.true_from and memory.true_from.isoformat(),
        "true_until": memory.true_until and memory.true_until.isoformat(),
        "expires_at": memory.expires_at and memory.expires_at.isoformat(),
    }
    return {name: value for name, value in told.items() if value not in (None, "", [])}


def scrub_index(conn: Connection) -> None:
    """Take the words of deleted memories out of the full-text index, where it cannot do so at once."""
    if conn.dialect.name == "sqlite" and not secure_delete_known():
        conn.exec_driver_sql("INSERT INTO memory_fts(memory_fts) VALUES ('optimize')")


def owned_by(person_id: SpeakerId) -> ColumnElement[bool]:
    """The condition of what belongs to a person: their words, what they were answered, their scope."""
    return or_(memories.c.person_id == person_id, memories.c.scope == Scope(f"person:{person_id}"))


def columns() -> Select[Any]:
    """A selection of all that makes a `Memory`."""
    return _COLUMNS


_COLUMNS: Select[Any] = select(*(memories.c[name] for name in Memory.__dataclass_fields__))
