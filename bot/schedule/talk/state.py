"""What a message is answered with: the person's open question, their zone, and what fired last."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from bot.domain.conversation import Inbound
from bot.schedule import jobs
from bot.schedule.jobs import Job, Scope
from bot.schedule.talk import drafts, whereabouts
from bot.schedule.talk.drafts import Asked, Draft
from bot.schedule.talk.whereabouts import Whereabouts

# For so long "that reminder" is the one that fired last.
RECENT = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Look:
    """`fired` is the job that fired last there, if that was not long ago."""

    draft: Draft | None
    at: Whereabouts
    fired: Job | None


def scope_of(inbound: Inbound) -> Scope:
    """A person's jobs: in a group those of that group, else all."""
    where = inbound.conversation
    return Scope(inbound.speaker.id, where.id if where.kind == "group" else "")


def look(conn: Connection, asked: Asked, now: datetime, *, pointing: bool = True) -> Look:
    """What is needed to understand a message; what fired last only where it points at a task."""
    fired = jobs.last_fired(conn, Scope(asked.person_id, asked.where)) if pointing else None
    if fired is not None and (fired.last_due is None or now - fired.last_due > RECENT):
        fired = None
    return Look(drafts.open_one(conn, asked, now), whereabouts.of(conn, asked.person_id, now), fired)
