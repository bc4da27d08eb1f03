"""Statements about something: the newest of a slot holds, what it contradicts is closed and stays.

A slot is what a statement is about (`name`, `taste:chinese food`) and belongs to one person in one
scope. The same said again is one memory with two origins; something else closes the former one, whose
text then says until when it held, so that both can be found and told apart. What is closed or corrected
gets a new id: whatever was indexed under the old one is gone with it.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, delete, update

from bot.store.tables import memories
from bot.text.tokens import fold
from memory.record import Memory, MemoryDraft, MemoryId, Status
from memory.store import columns, keep, selected

MAX_ORIGINS = 20


@dataclass(frozen=True, slots=True)
class Stated:
    """What came of a statement: `repeated` was known, `changed` closed another one, `past` is older
    than what holds, `rejected` was not allowed."""

    outcome: str  # new repeated changed past rejected
    id: MemoryId | None = None


def state(conn: Connection, draft: MemoryDraft, now: datetime) -> Stated:
    """Keep a statement about a slot, beside what was said of it before."""
    if not draft.slot:
        raise ValueError("a statement has a slot")
    holding = current(conn, draft)
    if holding is None:
        return _kept(conn, draft, now, "new")
    if same(holding.value, draft.value):
        _merge(conn, holding, draft)
        return Stated("repeated", holding.id)
    since = draft.true_from or draft.at
    if since < (holding.true_from or holding.at):
        return _past(conn, draft, holding, now)
    closed = _close(conn, holding, since, now)
    stated = _kept(conn, draft, now, "changed")
    if stated.id is not None:
        versions = {"supersedes": closed, "version": holding.version + 1}
        conn.execute(update(memories).where(memories.c.id == stated.id).values(**versions))
    return stated


def current(conn: Connection, draft: MemoryDraft) -> Memory | None:
    """What holds now of the slot of a draft."""
    about = (
        memories.c.scope == draft.scope,
        memories.c.slot == draft.slot,
        memories.c.person_id == draft.person_id,
        memories.c.status == "active",
    )
    return next(iter(selected(conn, columns().where(*about).order_by(memories.c.id.desc()).limit(1))), None)


def history(conn: Connection, memory: Memory) -> list[Memory]:
    """Every version of what was said of a memory's slot, the newest first."""
    if not memory.slot:
        return [memory]
    about = (
        memories.c.scope == memory.scope,
        memories.c.slot == memory.slot,
        memories.c.person_id == memory.person_id,
    )
    return selected(conn, columns().where(*about).order_by(memories.c.status, memories.c.at.desc()))


def correct(conn: Connection, memory: Memory, text: str, now: datetime) -> MemoryId | None:
    """Put a person's own correction in the place of a memory, which is closed; the id of the new one."""
    closed = _close(conn, memory, now, now)
    draft = replace(_draft(memory), text=text, value=text, at=now, true_from=now, source="person")
    draft = replace(draft, provenance=(*memory.provenance, f"memory:{closed}"), message_id=None)
    if not draft.slot:
        draft = replace(draft, slot=f"correction:{memory.id}", kind="semantic", role="user", confidence=1.0)
        conn.execute(update(memories).where(memories.c.id == closed).values(slot=draft.slot))
    stated = _kept(conn, draft, now, "changed")
    if stated.id is not None:
        versions = {"supersedes": closed, "version": memory.version + 1}
        conn.execute(update(memories).where(memories.c.id == stated.id).values(**versions))
    return stated.id


def same(one: str, other: str) -> bool:
    """Whether two values say the same."""
    return _plain(one) == _plain(other)


def _plain(value: str) -> str:
    return " ".join(fold(value).split()).strip(" .!。！")


def _merge(conn: Connection, holding: Memory, draft: MemoryDraft) -> None:
    """Note that the same was said again."""
    own = holding.provenance or ((f"message:{holding.message_id}",) if holding.message_id else ())
    if set(draft.origin) <= set(own):
        return
    origins = tuple(dict.fromkeys((*own, *draft.origin)))[-MAX_ORIGINS:]
    surer = min(1.0, max(holding.confidence, draft.confidence) + 0.05)
    changes = {"provenance": list(origins), "confidence": surer}
    conn.execute(update(memories).where(memories.c.id == holding.id).values(**changes))


def _past(conn: Connection, draft: MemoryDraft, holding: Memory, now: datetime) -> Stated:
    """Keep what was true before what holds now, such as out of an import."""
    until = holding.true_from or holding.at
    stated = _kept(conn, replace(draft, text=until_text(draft.text, until), true_until=until), now, "past")
    if stated.id is not None:
        _mark(conn, stated.id, "superseded", 0)
    return stated


def _close(conn: Connection, memory: Memory, until: datetime, now: datetime) -> MemoryId:
    """Say of a memory until when it held; its new id."""
    conn.execute(delete(memories).where(memories.c.id == memory.id))
    draft = replace(_draft(memory), text=until_text(memory.text, until), true_until=until)
    kept = _kept(conn, draft, now, "past")
    assert kept.id is not None  # it was kept before, and is of the same kind
    _mark(conn, kept.id, "superseded", memory.version)
    conn.execute(update(memories).where(memories.c.id == kept.id).values(supersedes=memory.supersedes))
    conn.execute(update(memories).where(memories.c.supersedes == memory.id).values(supersedes=kept.id))
    return kept.id


def until_text(text: str, until: datetime) -> str:
    """What was said, and until when it held."""
    return f"{text} (–{until:%Y-%m-%d})"


def _mark(conn: Connection, key: MemoryId, status: Status, version: int) -> None:
    changes = {"status": status, "version": max(version, 1)}
    conn.execute(update(memories).where(memories.c.id == key).values(**changes))


def _kept(conn: Connection, draft: MemoryDraft, now: datetime, outcome: str) -> Stated:
    kept = keep(conn, [draft], now)
    return Stated(outcome, kept.ids[0]) if kept.ids else Stated("rejected")


def _draft(memory: Memory) -> MemoryDraft:
    shared = [name for name in MemoryDraft.__dataclass_fields__ if name in Memory.__dataclass_fields__]
    values = {name: getattr(memory, name) for name in shared}
    return MemoryDraft(**{**values, "source": memory.source or "kept"})
