"""Keeping and forgetting memories: transaction functions, to be run by `Store.write` or inside one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from bot.domain.conversation import ConversationId, SpeakerId
from bot.store.tables import memories
from bot.text.clean import clean
from memory.index.base import MemoryIndex
from memory.index.plain import PlainIndex
from memory.index.sqlite import SqliteIndex
from memory.record import Memory, MemoryDraft, MemoryId, Scope, Shown

_INSERT = insert(memories)


def index_for(dialect: str) -> MemoryIndex:
    """The index that goes with a database: `sqlite` has one of its own."""
    return SqliteIndex() if dialect == "sqlite" else PlainIndex()


def index_of(conn: Connection) -> MemoryIndex:
    """The index that goes with a connection's database."""
    return index_for(conn.dialect.name)


def remember(conn: Connection, drafts: Sequence[MemoryDraft], now: datetime) -> list[MemoryId]:
    """Keep memories, findable by their words at once; their ids, in order.

    Drafts without a visible character are left out. Vectors follow later, by `memory.indexer`.
    """
    kept = [(draft, text) for draft in drafts if (text := clean(draft.text)).strip()]
    if not kept:
        return []
    ids = [_insert(conn, draft, text, now) for draft, text in kept]
    index_of(conn).add(conn, [(key, draft.scope, text) for key, (draft, text) in zip(ids, kept, strict=True)])
    return ids


def _insert(conn: Connection, draft: MemoryDraft, text: str, now: datetime) -> MemoryId:
    source = draft.source or (f"message:{draft.message_id}" if draft.message_id is not None else "")
    result = conn.execute(
        _INSERT,
        {
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
        },
    )
    key = result.inserted_primary_key
    assert key is not None  # an INSERT of one row has one
    return MemoryId(key[0])


def load(conn: Connection, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
    """The memories with these ids, as far as they (still) exist."""
    if not ids:
        return {}
    rows = conn.execute(_columns().where(memories.c.id.in_(ids))).mappings()
    return {row["id"]: Memory(**row) for row in rows}


def shown_among(conn: Connection, ids: Sequence[MemoryId], shown: Shown | None) -> set[MemoryId]:
    """Which of these memories are messages that a prompt shows anyway."""
    if shown is None:
        return set()
    rows = conn.execute(
        select(memories.c.id).where(
            memories.c.id.in_(ids),
            memories.c.conversation_id == shown.conversation_id,
            memories.c.message_id >= shown.from_message_id,
        )
    )
    return set(rows.scalars())


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
    """Delete what a person said, what they were answered, and all of their private scope."""
    return conn.execute(delete(memories).where(_of(person_id))).rowcount


def export(conn: Connection, person_id: SpeakerId) -> list[Mapping[str, Any]]:
    """What `erase` would delete, oldest first, as records fit for JSON."""
    rows = conn.execute(_columns().where(_of(person_id)).order_by(memories.c.at, memories.c.id))
    return [
        {
            "kind": row.kind,
            "role": row.role,
            "name": row.name,
            "text": row.text,
            "at": row.at.isoformat(),
            "scope": row.scope,
            "source": row.source,
        }
        for row in rows
    ]


def _of(person_id: SpeakerId) -> Any:
    return or_(memories.c.person_id == person_id, memories.c.scope == Scope(f"person:{person_id}"))


def _columns() -> Select[Any]:
    return select(*(memories.c[name] for name in Memory.__dataclass_fields__))
