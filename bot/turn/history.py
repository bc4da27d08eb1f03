"""The messages of conversations: for the prompt, and for people who read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, select

from bot.domain.conversation import ConversationId
from bot.domain.message import Attached, Message, Role
from bot.store.tables import messages
from bot.turn import codec
from bot.turn.summaries import Summary
from bot.turn.wording import in_words

# The message that began a turn; where it is not kept nothing is before it.
_OWN = (
    select(messages.c.id)
    .where(messages.c.run_id == bindparam("own_run"), messages.c.role == "user")
    .scalar_subquery()
)
# The functions below unpack these in this order.
_Row = Row[int, Role, str, str, Any, str, str]
_COLUMNS: Select[int, Role, str, str, Any, str, str] = select(
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
        messages.c.id < _OWN,
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
    """What was said lately in a session, oldest first; `oldest_id` is the lowest id among it.

    `questions` are, for each message, the id of the message that began its turn. `summary` stands for
    what was said between them.
    """

    messages: tuple[Message, ...]
    oldest_id: int | None
    questions: tuple[int, ...] = ()
    summary: Summary | None = None
    foreign: bool = False  # files stand among them, which others may have written


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
    where = {"conversation_id": conversation_id, "session": session, "own_run": run_id}
    if observed:
        before = list(conn.execute(_TURNS, {**where, "most": 2 * turns}).all())
        before += conn.execute(_OBSERVED, {**where, "most": observed}).all()
    else:
        before = list(conn.execute(_BEFORE, {**where, "most": 2 * turns}).all())
    rows = _in_order([*before, *_late_answers(conn, before, run_id)])[-2 * turns - observed :]
    return _recent(rows)


def _recent(rows: Sequence[_Row]) -> Recent:
    said: list[Message] = []
    questions: list[int] = []
    asked: dict[str, int] = {}
    oldest: int | None = None
    for key, role, name, text, parts, status, run_id in rows:  # of each turn again: unpacked, in one pass
        place = asked.setdefault(run_id, key) if run_id else key
        if not (text or parts) or status in {"failed", "empty"}:
            continue
        oldest = key if oldest is None or key < oldest else oldest
        words = words_of(text, parts) if parts else text.strip("\n")
        said.append(Message.of(role, words, name or None))
        questions.append(place)
    return Recent(tuple(said), oldest, tuple(questions), foreign=any(row[4] for row in rows))


def shortened(conn: Connection, past: Recent, summary: Summary | None, most: int) -> Recent:
    """The same with a summary in the place of what it stands for; up to `most` messages before that."""
    if summary is None:
        return past
    left = [
        (message, key)
        for message, key in zip(past.messages, past.questions, strict=True)
        if key > summary.last_id
    ]
    head = _before_summary(conn, summary, most)
    return Recent(
        (*head.messages, *(message for message, _ in left)),
        min((key for _, key in left), default=summary.last_id + 1),
        (*head.questions, *(key for _, key in left)),
        summary,
        foreign=True,  # nobody knows any more whose words went into the summary
    )


def _before_summary(conn: Connection, summary: Summary, most: int) -> Recent:
    turns = select(messages.c.run_id).where(
        messages.c.conversation_id == summary.conversation_id,
        messages.c.session == summary.session,
        messages.c.id < summary.first_id,
        messages.c.role == "user",
        messages.c.run_id.is_not(None),
    )
    first = turns.order_by(messages.c.id).limit(most)
    return _recent(_in_order(conn.execute(_COLUMNS.where(messages.c.run_id.in_(first))).all())[:most])


def words_of(text: str, parts: Any) -> str:
    """What was said, and what was attached as far as it was read."""
    if not parts:
        return text.strip("\n")
    return (text + "".join(in_words(part) for part in codec.load_parts(parts))).strip("\n")


def prune_observed(conn: Connection, conversation_id: ConversationId) -> None:
    """Keep only the newest `OBSERVED` messages that were listened to."""
    here = messages.c.conversation_id == conversation_id, messages.c.run_id.is_(None)
    eldest = select(messages.c.id).where(*here).order_by(messages.c.id.desc()).offset(OBSERVED - 1).limit(1)
    conn.execute(delete(messages).where(*here, messages.c.id < eldest.scalar_subquery()))


def _late_answers(conn: Connection, before: Sequence[_Row], run_id: str) -> Sequence[_Row]:
    """Answers to earlier messages that were written after this one had come in."""
    answered, asked = set[str](), set[str]()
    for _, role, _, _, _, _, turn in before:
        if role == "assistant":
            answered.add(turn)
        elif role == "user" and turn:
            asked.add(turn)
    if asked <= answered:
        return []
    late = _COLUMNS.where(
        messages.c.run_id.in_(asked - answered), messages.c.role == "assistant", messages.c.id > _OWN
    )
    return conn.execute(late, {"own_run": run_id}).all()


def _in_order(rows: Sequence[_Row]) -> list[_Row]:
    asked: dict[str, int] = {row[6]: row[0] for row in rows if row[1] == "user" and row[6]}

    def place(row: _Row) -> tuple[int, int]:
        key: int = row[0]
        return (asked.get(row[6], key), key) if row[1] == "assistant" else (key, 0)

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
    pictures: tuple[Attached, ...] = ()


def ids_of_turn(conn: Connection, run_id: str) -> dict[str, int]:
    """The ids of a turn's messages, by role."""
    rows = conn.execute(select(messages.c.role, messages.c.id).where(messages.c.run_id == run_id))
    return {row.role: row.id for row in rows}
