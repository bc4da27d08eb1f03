"""The row of a conversation, for the rooms in which one may begin."""

from datetime import datetime

from sqlalchemy import Connection, insert

from bot.domain.conversation import Conversation, SpeakerId
from bot.store.tables import conversations


def begin(conn: Connection, where: Conversation, title: str, person_id: SpeakerId, now: datetime) -> None:
    """Keep a conversation that was not known, in its first session; who began it is its person."""
    conn.execute(
        insert(conversations).values(
            id=where.id,
            channel=where.channel,
            chat_id=where.chat_id,
            thread_id=where.thread_id,
            kind=where.kind,
            title=title,
            session=1,
            person_id=person_id,
            created_at=now,
            updated_at=now,
        )
    )
