"""What a long conversation is given to a model with in place of its older turns."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain.conversation import ConversationId
from bot.store.tables import summaries

_COLUMNS = (
    summaries.c.conversation_id,
    summaries.c.session,
    summaries.c.first_id,
    summaries.c.last_id,
    summaries.c.text,
    summaries.c.messages,
)
_CURRENT = select(*_COLUMNS).where(
    summaries.c.conversation_id == bindparam("conversation_id"), summaries.c.session == bindparam("session")
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the turns whose questions have ids from `first_id` to `last_id`."""

    conversation_id: ConversationId
    session: int
    first_id: int
    last_id: int
    text: str
    messages: int  # how many it stands for

    def covers(self, question_id: int) -> bool:
        """Whether it stands for the turn of this question."""
        return self.first_id <= question_id <= self.last_id


def current(conn: Connection, conversation_id: ConversationId, session: int) -> Summary | None:
    """The summary of a session; None where there is none."""
    row = conn.execute(_CURRENT, {"conversation_id": conversation_id, "session": session}).one_or_none()
    return None if row is None else Summary(*row)


def save(conn: Connection, summary: Summary, now: datetime) -> None:
    """Put a summary in the place of the one before."""
    here = (
        summaries.c.conversation_id == summary.conversation_id,
        summaries.c.session == summary.session,
    )
    conn.execute(delete(summaries).where(*here))
    values = {
        "conversation_id": summary.conversation_id,
        "session": summary.session,
        "first_id": summary.first_id,
        "last_id": summary.last_id,
        "text": summary.text,
        "messages": summary.messages,
        "at": now,
    }
    conn.execute(insert(summaries).values(**values))


def drop_covering(conn: Connection, conversation_id: ConversationId, ids: Collection[int]) -> None:
    """Delete the summaries that hold what any of these messages said: it is gone, or other now."""
    if not ids:
        return
    found = conn.execute(select(*_COLUMNS).where(summaries.c.conversation_id == conversation_id))
    for summary in [Summary(*row) for row in found]:
        if any(summary.covers(key) for key in ids):
            here = summaries.c.conversation_id == conversation_id, summaries.c.session == summary.session
            conn.execute(delete(summaries).where(*here))
