"""The messages of conversations: for the prompt, and for people who read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, select

from bot.domain.conversation import ConversationId
from bot.domain.message import Message
from bot.store.tables import messages
from bot.turn import codec
from bot.turn.wording import in_words

_OWN = select(messages.c.id).where(messages.c.run_id == bindparam("run_id"), messages.c.role == "user")
_COLUMNS: Select[Any] = select(
    messages.c.id,
    messages.c.role,
    messages.c.name,
    messages.c.text,
    messages.c.parts,
    messages.c.status,
    messages.c.run_id,
)
_BEFORE = (
    _COLUMNS
    .where(
        messages.c.conversation_id == bindparam("conversation_id"),
        messages.c.session == bindparam("session"),
        messages.c.id < bindparam("own"),
    )
    .order_by(messages.c.id.desc())
    .limit(bindparam("most"))
)
# What belongs to a turn, and what was only listened to.
_TURNS = _BEFORE.where(messages.c.run_id.is_not(None))
_OBSERVED = _BEFORE.where(messages.c.run_id.is_(None))
OBSERVED = 50  # messages of a group that are kept beside the turns


@dataclass(frozen=True, slots=True)
class Recent:
    """What was said lately in a session, oldest first; `oldest_id` is the first one's id."""

    messages: tuple[Message, ...]
    oldest_id: int | None


def recent(
    conn: Connection,
    conversation_id: ConversationId,
    session: int,
    run_id: str,
    *,
    turns: int,
    observed: int = 0,
) -> Recent:
    """The last `turns` turns before the message of turn `run_id`, each answer behind its question.

    With `observed`, up to so many messages of a group that were only listened to stand among them.
    Failed and empty answers are left out, so that a model does not learn to repeat them.
    """
    own = conn.scalar(_OWN, {"run_id": run_id})
    if own is None:
        return Recent((), None)
    where = {"conversation_id": conversation_id, "session": session, "own": own}
    if observed:
        before = list(conn.execute(_TURNS, {**where, "most": 2 * turns}).all())
        before += conn.execute(_OBSERVED, {**where, "most": observed}).all()
    else:
        before = list(conn.execute(_BEFORE, {**where, "most": 2 * turns}).all())
    rows = _in_order([*before, *_late_answers(conn, before, own)])[-2 * turns - observed :]
    kept = [row for row in rows if (row.text or row.parts) and row.status not in {"failed", "empty"}]
    oldest = min((row.id for row in kept), default=None)
    return Recent(tuple(Message.of(row.role, _words(row), row.name or None) for row in kept), oldest)


def _words(row: Row[Any]) -> str:
    """What was said, and what was attached as far as it was read."""
    attached = codec.load_parts(row.parts) if row.parts else ()
    return (str(row.text) + "".join(in_words(part) for part in attached)).strip("\n")


def prune_observed(conn: Connection, conversation_id: ConversationId) -> None:
    """Keep only the newest `OBSERVED` messages that were listened to."""
    here = messages.c.conversation_id == conversation_id, messages.c.run_id.is_(None)
    eldest = select(messages.c.id).where(*here).order_by(messages.c.id.desc()).offset(OBSERVED - 1).limit(1)
    conn.execute(delete(messages).where(*here, messages.c.id < eldest.scalar_subquery()))


def _late_answers(conn: Connection, before: Sequence[Row[Any]], own: int) -> Sequence[Row[Any]]:
    """Answers to earlier messages that were written after this one had come in."""
    answered = {row.run_id for row in before if row.role == "assistant"}
    asked = {row.run_id for row in before if row.role == "user" and row.run_id}
    if asked <= answered:
        return []
    late = _COLUMNS.where(
        messages.c.run_id.in_(asked - answered), messages.c.role == "assistant", messages.c.id > own
    )
    return conn.execute(late).all()


def _in_order(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    asked = {row.run_id: row.id for row in rows if row.role == "user" and row.run_id}

    def place(row: Row[Any]) -> tuple[int, int]:
        return (asked.get(row.run_id, row.id), row.id) if row.role == "assistant" else (row.id, 0)

    return sorted(rows, key=place)


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
