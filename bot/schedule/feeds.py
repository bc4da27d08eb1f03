"""The secret addresses at which calendars read a person's jobs."""

import hashlib
import re
import secrets
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from bot.domain.conversation import SpeakerId
from bot.errors import NotFound
from bot.store.tables import job_feeds

SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


def open_feed(conn: Connection, person_id: SpeakerId, now: datetime) -> str:
    """A new secret for a person's calendar; the one before opens nothing any more."""
    conn.execute(delete(job_feeds).where(job_feeds.c.person_id == person_id))
    secret = secrets.token_urlsafe(32)
    conn.execute(insert(job_feeds).values(secret_hash=_hash(secret), person_id=person_id, created_at=now))
    return secret


def close_feed(conn: Connection, person_id: SpeakerId) -> bool:
    """Let a person's address open nothing any more; False where there was none."""
    return conn.execute(delete(job_feeds).where(job_feeds.c.person_id == person_id)).rowcount > 0


def owner_of(conn: Connection, secret: str) -> SpeakerId:
    """Whose calendar a secret opens; `NotFound` for any other."""
    found = conn.scalar(select(job_feeds.c.person_id).where(job_feeds.c.secret_hash == _hash(secret)))
    if found is None:
        raise NotFound("there is no such calendar")
    return SpeakerId(found)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
