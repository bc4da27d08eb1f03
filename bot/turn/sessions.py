"""Conversations as people see them: list, read, delete."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from bot.domain.conversation import ConversationId
from bot.domain.message import Attached
from bot.domain.ports import Clock
from bot.errors import NotFound
from bot.events.log import EventLog
from bot.events.types import SessionDeleted
from bot.store.engine import Store
from bot.store.tables import conversations, messages, runs
from bot.tools.shelf import Shelf
from bot.turn.finish import pictures_in
from bot.turn.history import Entry
from memory.store import forget_conversation


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A conversation in a list. `running_turn` is the newest turn that has not ended."""

    id: str  # the channel's own id
    title: str
    created_at: datetime
    updated_at: datetime
    message_count: int
    running_turn: str | None


class Sessions:
    """Reads and deletes the conversations of one channel."""

    def __init__(self, store: Store, events: EventLog, clock: Clock, shelf: Shelf | None = None) -> None:
        """`shelf` holds the files of the conversations."""
        self._shelf = shelf
        self._store = store
        self._events = events
        self._clock = clock

    async def page(
        self, channel: str, *, limit: int = 50, before: datetime | None = None, person_id: str | None = None
    ) -> list[SessionInfo]:
        """The conversations changed before `before`, newest first; of one person where given."""
        return await self._store.read(_page, channel, limit, before, person_id)

    async def get(self, conversation_id: ConversationId) -> SessionInfo:
        """One conversation; `NotFound` if there is none."""
        return await self._store.read(_get, conversation_id)

    async def messages(
        self, conversation_id: ConversationId, *, limit: int = 100, before: int | None = None
    ) -> list[Entry]:
        """The last messages with ids below `before`, oldest first; `NotFound` without the conversation."""
        return await self._store.read(_messages, conversation_id, limit, before)

    async def delete(self, conversation_id: ConversationId) -> None:
        """Erase a conversation with its messages, turns, events, files and what was remembered from it."""
        await self._events.flush()
        if self._shelf is not None and await self._store.read(_is_there, conversation_id):
            # First: were this interrupted, it could be asked for again.
            await self._shelf.remove(conversation_id)
        await self._store.write(erase, conversation_id)
        self._events.record(SessionDeleted())


def _is_there(conn: Connection, conversation_id: ConversationId) -> bool:
    wanted = select(conversations.c.id).where(conversations.c.id == conversation_id)
    return conn.scalar(wanted) is not None


def erase(conn: Connection, conversation_id: ConversationId) -> None:
    """Delete a conversation and all rows that hang on it; `NotFound` if there is none."""
    forget_conversation(conn, conversation_id)
    # The rows of the inbox stay: they hold no words, and a late repeat must stay a repeat.
    gone = conn.execute(delete(conversations).where(conversations.c.id == conversation_id))
    if gone.rowcount == 0:
        raise NotFound("there is no such session")


def begin_anew(conn: Connection, conversation_id: ConversationId, now: datetime) -> int:
    """Start the next session of a conversation: its older turns are no longer given to the model."""
    following = conversations.c.session + 1
    conn.execute(
        update(conversations)
        .where(conversations.c.id == conversation_id)
        .values(session=following, updated_at=now)
    )
    return conn.scalar(select(conversations.c.session).where(conversations.c.id == conversation_id)) or 1


_count = (
    select(func.count())
    .where(messages.c.conversation_id == conversations.c.id)
    .correlate(conversations)
    .scalar_subquery()
)


def _info(conn: Connection, row: object) -> SessionInfo:
    data = row._mapping  # type: ignore[attr-defined]  # noqa: SLF001 - the documented way to a row's names
    running = conn.scalar(
        select(runs.c.id)
        .where(
            runs.c.conversation_id == data["id"],
            runs.c.kind == "turn",
            runs.c.status.in_(["queued", "running", "waiting_human"]),
        )
        .order_by(runs.c.created_at.desc())
        .limit(1)
    )
    return SessionInfo(
        id=data["chat_id"],
        title=data["title"],
        created_at=data["created_at"],
        updated_at=data["updated_at"],
        message_count=data["message_count"],
        running_turn=running,
    )


def _page(
    conn: Connection, channel: str, limit: int, before: datetime | None, person_id: str | None
) -> list[SessionInfo]:
    wanted = select(conversations, _count.label("message_count")).where(conversations.c.channel == channel)
    if before is not None:
        wanted = wanted.where(conversations.c.updated_at < before)
    if person_id is not None:
        wanted = wanted.where(conversations.c.person_id == person_id)
    rows = conn.execute(wanted.order_by(conversations.c.updated_at.desc()).limit(limit)).all()
    return [_info(conn, row) for row in rows]


def _get(conn: Connection, conversation_id: ConversationId) -> SessionInfo:
    row = conn.execute(
        select(conversations, _count.label("message_count")).where(conversations.c.id == conversation_id)
    ).one_or_none()
    if row is None:
        raise NotFound("there is no such session")
    return _info(conn, row)


def _messages(
    conn: Connection, conversation_id: ConversationId, limit: int, before: int | None
) -> list[Entry]:
    if conn.scalar(select(conversations.c.id).where(conversations.c.id == conversation_id)) is None:
        raise NotFound("there is no such session")
    wanted = (
        select(messages, runs.c.status.label("run_status"), runs.c.result.label("run_result"))
        .outerjoin(runs, runs.c.id == messages.c.run_id)
        .where(messages.c.conversation_id == conversation_id)
    )
    if before is not None:
        wanted = wanted.where(messages.c.id < before)
    rows = conn.execute(wanted.order_by(messages.c.id.desc()).limit(limit)).all()
    return [
        Entry(row.id, row.role, row.name, row.text, row.at, row.run_id, _status(row), _pictures(row))
        for row in reversed(rows)
    ]


def _pictures(row: Row[Any]) -> tuple[Attached, ...]:
    """What is shown with a message: the answer of a turn has the pictures that its tools brought."""
    return pictures_in(row.run_result) if row.role == "assistant" else ()


def _status(row: Row[Any]) -> str:
    """A message that waits for its answer is `pending`; the others are what was kept of them."""
    awaited = row.role == "user" and row.run_status in {"queued", "running", "waiting_human"}
    return "pending" if awaited else str(row.status)
