"""The messages of conversations: for the prompt, and for people who read them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from bot.domain.conversation import ConversationId
from bot.domain.message import Message
from bot.store.tables import messages


@dataclass(frozen=True, slots=True)
class Recent:
    """What was said lately in a session, oldest first; `oldest_id` is the first one's id."""

    messages: tuple[Message, ...]
    oldest_id: int | None


def recent(
    conn: Connection, conversation_id: ConversationId, session: int, run_id: str, *, turns: int
) -> Recent:
    """The last `turns` turns before the message of turn `run_id`.

    Failed and empty answers are left out, so
    that a model does not learn to repeat them.
    """
    own = (
        select(messages.c.id).where(messages.c.run_id == run_id, messages.c.role == "user").scalar_subquery()
    )
    rows = conn.execute(
        select(messages.c.id, messages.c.role, messages.c.name, messages.c.text, messages.c.status)
        .where(
            messages.c.conversation_id == conversation_id, messages.c.session == session, messages.c.id < own
        )
        .order_by(messages.c.id.desc())
        .limit(2 * turns)
    ).all()
    kept = [row for row in reversed(rows) if row.text and row.status not in {"failed", "empty"}]
    return Recent(
        tuple(Message.of(row.role, row.text, row.name or None) for row in kept), kept[0].id if kept else None
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One message as people read it back."""

    id: int
    role: str
    name: str
    text: str
    at: datetime
    run_id: str | None
    status: str


def ids_of_turn(conn: Connection, run_id: str) -> dict[str, int]:
    """The ids of a turn's messages, by role."""
    rows = conn.execute(select(messages.c.role, messages.c.id).where(messages.c.run_id == run_id))
    return {row.role: row.id for row in rows}
