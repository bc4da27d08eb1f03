"""A person's jobs, all of them: to be shown, and to be erased."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from bot.domain.conversation import SpeakerId
from bot.schedule import feeds, jobs
from bot.schedule.jobs import STATES, Scope
from bot.schedule.talk import drafts, whereabouts
from bot.schedule.told import told_job
from bot.store.tables import jobs as table


def export(conn: Connection, person_id: SpeakerId, now: datetime) -> list[dict[str, Any]]:
    """Every job that a person owns, as JSON."""
    rows = conn.execute(select(table).where(table.c.person_id == person_id).order_by(table.c.created_at))
    return [told_job(job, jobs.next_firings(job, now)) for job in map(jobs.job_of, rows)]


def erase(conn: Connection, person_id: SpeakerId, now: datetime) -> int:
    """Delete every job that a person owns, and close the calendar; how many jobs those were.

    What they were asked about wishes, and where they said that they are, is forgotten, too.
    """
    feeds.close_feed(conn, person_id)
    drafts.erase(conn, person_id)
    whereabouts.erase(conn, person_id)
    hers = Scope(person_id=person_id)
    count = 0
    while found := jobs.page(conn, hers, states=STATES):
        for job in found:
            jobs.remove(conn, hers, job.id, now)
        count += len(found)
    return count
