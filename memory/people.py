"""What people set for what is remembered of them."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.domain.conversation import SpeakerId
from bot.store.tables import memory_people, memory_wishes

_PAUSED = select(memory_people.c.paused).where(memory_people.c.person_id == bindparam("person_id"))


def is_paused(conn: Connection, person_id: SpeakerId) -> bool:
    """Whether this person wants nothing new to be remembered of them."""
    return bool(conn.scalar(_PAUSED, {"person_id": person_id}))


def pause(conn: Connection, person_id: SpeakerId, now: datetime, *, paused: bool) -> None:
    """Remember nothing new of a person from here on, or do so again. What is kept stays."""
    mine = memory_people.c.person_id == person_id
    values = {"paused": paused, "updated_at": now}
    if not conn.execute(update(memory_people).where(mine).values(**values)).rowcount:
        conn.execute(insert(memory_people).values(person_id=person_id, **values))


def erase_settings(conn: Connection, person_id: SpeakerId) -> None:
    """Delete what a person set, and what they were shown."""
    conn.execute(delete(memory_people).where(memory_people.c.person_id == person_id))
    conn.execute(delete(memory_wishes).where(memory_wishes.c.person_id == person_id))
