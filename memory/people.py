"""What people set for what is remembered of them."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from bot.domain.conversation import SpeakerId
from bot.store.tables import memory_people, memory_wishes

OFFERED = timedelta(minutes=15)  # how long something that was shown may be confirmed

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


def offer(conn: Connection, person_id: SpeakerId, wish: Mapping[str, Any], now: datetime) -> str:
    """Note what a person was shown and may now confirm; the code to confirm it with.

    It holds for `OFFERED`. What they were shown before is off.
    """
    mine = memory_wishes.c.person_id == person_id
    conn.execute(delete(memory_wishes).where(or_(mine, memory_wishes.c.expires_at <= now)))
    code = secrets.token_hex(4)
    values = {"code": code, "person_id": person_id, "wish": dict(wish), "expires_at": now + OFFERED}
    conn.execute(insert(memory_wishes).values(**values))
    return code


def withdraw(conn: Connection, person_id: SpeakerId) -> None:
    """What a person was shown is off."""
    conn.execute(delete(memory_wishes).where(memory_wishes.c.person_id == person_id))


def take(conn: Connection, person_id: SpeakerId, code: str, now: datetime) -> Mapping[str, Any] | None:
    """What a person was shown under this code, once; None where there is none or it is too late."""
    mine = memory_wishes.c.person_id == person_id, memory_wishes.c.code == code
    row = conn.execute(select(memory_wishes).where(*mine)).one_or_none()
    if row is None:
        return None
    conn.execute(delete(memory_wishes).where(*mine))
    wish: Mapping[str, Any] = row.wish
    return wish if row.expires_at > now else None


def erase_settings(conn: Connection, person_id: SpeakerId) -> None:
    """Delete what a person set, and what they were shown."""
    conn.execute(delete(memory_people).where(memory_people.c.person_id == person_id))
    conn.execute(delete(memory_wishes).where(memory_wishes.c.person_id == person_id))
