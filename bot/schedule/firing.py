"""Firing what is due. Every function is one step of a transaction, and any number of processes may do it.

A firing is a row that is unique by job and due time. It is written in the transaction that moves the job
on to its next time and queues the run that does the work; that run has the lease and the fencing token.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from bot.domain.conversation import Inbound, Speaker
from bot.domain.message import Text
from bot.domain.run import RunId
from bot.events.types import Event, JobFired, JobMissed, JobPaused
from bot.schedule import jobs as store
from bot.schedule import plan as plans
from bot.schedule import telling
from bot.schedule.jobs import EVERYTHING, Job, job_of
from bot.schedule.telling import Placed, placed
from bot.store.tables import conversations, firings, jobs, people

# From this delay on it is said that a firing is late.
LATE = timedelta(seconds=60)
# Rows of one look; those that are missed do not count as fired.
_LOOK = 64
_TINY = timedelta(microseconds=1)

# Queues the turn of an agent job: what is said, the job, and now. `bot.app` brings it.
StartTurn = Callable[[Connection, Inbound, str, datetime], RunId]


@dataclass(frozen=True, slots=True)
class Rules:
    """How firing goes. `pushes` are the channels whose messages are brought to people."""

    start_turn: StartTurn
    pushes: Collection[str]
    catch_up_max: timedelta = timedelta(hours=24)
    batch: int = 8  # firings of one transaction; agent jobs under way at once
    woken: Callable[[], None] = lambda: None  # called when there is work in the queue of runs


@dataclass(slots=True)
class Looked:
    """What one look did. `more`: others may be due at once. `events` are to be recorded after it."""

    fired: int = 0
    more: bool = False
    events: list[Event] = field(default_factory=list)
    missed: dict[str, list[tuple[Placed, datetime]]] = field(default_factory=lambda: defaultdict(list))


def next_due(conn: Connection, after: datetime | None = None) -> datetime | None:
    """When the next job is due (after a moment, where one is given); None where none waits."""
    wanted = select(func.min(jobs.c.next_due)).where(jobs.c.state == "active")
    if after is not None:
        wanted = wanted.where(jobs.c.next_due > after)
    found: datetime | None = conn.scalar(wanted)
    return found


def fire_due(conn: Connection, rules: Rules, now: datetime) -> Looked:
    """Fire up to `rules.batch` due jobs, each once, and move them on to their next time."""
    looked = Looked()
    room = rules.batch - _agents_open(conn)
    wanted = (
        select(jobs, *telling.CHAT)
        .join(conversations, conversations.c.id == jobs.c.conversation_id)
        .where(jobs.c.state == "active", jobs.c.next_due <= now)
        .order_by(jobs.c.next_due)
        .limit(_LOOK)
        .with_for_update(skip_locked=True, of=jobs)
    )
    if room <= 0:
        wanted = wanted.where(jobs.c.kind != "agent")
    rows = conn.execute(wanted).all()
    for place, row in enumerate(rows):
        if looked.fired >= rules.batch:
            looked.more = True
            break
        if row.kind == "agent" and room <= 0:
            continue
        room -= _fire(conn, placed(row), rules, now, looked) and row.kind == "agent"
        looked.more = place == _LOOK - 1
    for missed in looked.missed.values():
        line = telling.missed_line([(at.job, due) for at, due in missed])
        telling.tell(conn, missed[0][0], line, now, rules.pushes)
    return looked


def _agents_open(conn: Connection) -> int:
    open_ones = select(func.count()).where(firings.c.state == "open", firings.c.kind == "agent")
    return conn.scalar(open_ones) or 0


def _fire(conn: Connection, at: Placed, rules: Rules, now: datetime, looked: Looked) -> bool:
    """Do what is right with one due job; whether it fired."""
    job = at.job
    if at.unreachable:
        store.pause(conn, EVERYTHING, job.id, now, "unreachable")
        looked.events.append(JobPaused(**_about(job), kind=job.kind, reason="unreachable"))
        return False
    due = _newest_due(job, now)
    _move_on(conn, job, due, now)
    if _is_known(conn, job, due):
        return False  # the clock was set back
    if now - due > rules.catch_up_max:
        _miss(conn, job, due, "too late", now)
        looked.missed[job.conversation_id].append((at, due))
        looked.events.append(JobMissed(**_about(job), kind=job.kind, reason="too late"))
        return False
    if _has_open(conn, job):
        _miss(conn, job, due, "the one before was still under way", now)
        looked.events.append(JobMissed(**_about(job), kind=job.kind, reason="overlap"))
        return False
    begin(conn, at, due, rules, now)
    looked.fired += 1
    late_s = round((now - due).total_seconds(), 3)
    looked.events.append(JobFired(**_about(job), kind=job.kind, late_s=late_s))
    return True


def _newest_due(job: Job, now: datetime) -> datetime:
    """Of all times that have come since the job last fired the newest: one firing makes up for all."""
    assert job.next_due is not None
    newest = plans.last_until(job.plan, job.next_due - _TINY, now) if job.plan.is_recurring else None
    return max(job.next_due, newest) if newest is not None else job.next_due


def _move_on(conn: Connection, job: Job, due: datetime, now: datetime) -> None:
    snoozed = job.snoozed_until if job.snoozed_until is not None and job.snoozed_until > now else None
    own = plans.next_after(job.plan, max(due, now))
    following = min((moment for moment in (own, snoozed) if moment is not None), default=None)
    conn.execute(update(jobs).where(jobs.c.id == job.id).values(next_due=following, snoozed_until=snoozed))


def begin(conn: Connection, at: Placed, due: datetime, rules: Rules, now: datetime) -> None:
    """Write the firing down and queue what does it."""
    job = at.job
    late = now - due > LATE
    key = f"{job.id}@{due.isoformat()}"
    if job.kind == "reminder":
        text = telling.reminder_text(job, due, late=late)
        run_id = telling.remind(conn, at, text, key, now, push=at.chat.channel in rules.pushes)
    else:
        run_id = rules.start_turn(conn, task_of(conn, at, due, 1, now), job.id, now)
    conn.execute(
        insert(firings).values(
            job_id=job.id,
            due=due,
            kind=job.kind,
            state="open" if run_id else "done",
            run_id=run_id,
            attempt=1,
            at=now,
            ended_at=None if run_id else now,
        )
    )
    conn.execute(update(jobs).where(jobs.c.id == job.id).values(last_due=due, fired=jobs.c.fired + 1))
    if run_id is None:
        complete(conn, job.id, now)


def task_of(conn: Connection, at: Placed, due: datetime, attempt: int, now: datetime) -> Inbound:
    """What an agent job says to the bot, in its owner's name."""
    job = at.job
    channel, _, user_id = job.person_id.partition(":")
    name = conn.scalar(select(people.c.name).where(people.c.id == job.person_id)) or ""
    return Inbound(
        external_id=f"{job.id}@{due.isoformat()}#{attempt}",
        conversation=at.chat,
        speaker=Speaker(channel, user_id, name, job.locale),
        at=now,
        parts=(Text(telling.prompt(job, due, late=now - due > LATE)),),
        locale=job.locale,
    )


def complete(conn: Connection, job_id: str, now: datetime) -> None:
    """A firing went well: what failed before is forgotten, and a job without a further time has ended."""
    conn.execute(
        update(jobs).where(jobs.c.id == job_id, jobs.c.failures > 0).values(failures=0, last_error="")
    )
    conn.execute(
        update(jobs)
        .where(jobs.c.id == job_id, jobs.c.state == "active", jobs.c.next_due.is_(None))
        .values(state="completed", updated_at=now)
    )


def _miss(conn: Connection, job: Job, due: datetime, why: str, now: datetime) -> None:
    conn.execute(
        insert(firings).values(
            job_id=job.id, due=due, kind=job.kind, state="missed", error=why, at=now, ended_at=now
        )
    )
    conn.execute(
        update(jobs)
        .where(jobs.c.id == job.id, jobs.c.next_due.is_(None), jobs.c.at.is_not(None))
        .values(state="missed", updated_at=now)
    )


def _is_known(conn: Connection, job: Job, due: datetime) -> bool:
    known = select(firings.c.job_id).where(firings.c.job_id == job.id, firings.c.due == due)
    return conn.scalar(known) is not None


def _has_open(conn: Connection, job: Job) -> bool:
    known = select(firings.c.job_id).where(firings.c.job_id == job.id, firings.c.state == "open").limit(1)
    return conn.scalar(known) is not None


def run_now(conn: Connection, scope: store.Scope, job_id: str, rules: Rules, now: datetime) -> Job:
    """Fire a job at once, beside its own times and whatever state it is in. `NotFound`."""
    job = store.get(conn, scope, job_id)
    begin(conn, telling.find(conn, job_id), _free_due(conn, job, now), rules, now)
    return store.get(conn, scope, job_id)


def _free_due(conn: Connection, job: Job, now: datetime) -> datetime:
    """Now, or the first microsecond after it at which the job has not fired."""
    while _is_known(conn, job, now):
        now += _TINY
    return now


def rewind(conn: Connection, now: datetime) -> int:
    """The clock was set back: recurring jobs wait for the first time that comes; how many waited too long.

    What has fired stays fired, for a firing is unique by job and due time.
    """
    count = 0
    waiting = select(jobs).where(jobs.c.state == "active", jobs.c.next_due > now, jobs.c.at.is_(None))
    for job in [job_of(row) for row in conn.execute(waiting)]:
        own = plans.next_after(job.plan, now)
        if own is not None and job.next_due is not None and own < job.next_due:
            conn.execute(update(jobs).where(jobs.c.id == job.id).values(next_due=own))
            count += 1
    return count


def reopen(conn: Connection, now: datetime) -> list[Job]:
    """Resume the jobs that waited for a chat which can be written to again."""
    ready = (
        select(jobs)
        .join(conversations, conversations.c.id == jobs.c.conversation_id)
        .where(jobs.c.state == "paused", jobs.c.reason == "unreachable", conversations.c.unreachable == "")
        .limit(_LOOK)
    )
    found = []
    for job in [job_of(row) for row in conn.execute(ready)]:
        following = plans.next_after(job.plan, now)
        if following is None:  # its only time came while nobody could be told
            job = replace(job, state="missed", reason="")
            conn.execute(update(jobs).where(jobs.c.id == job.id).values(state="missed", reason=""))
        else:
            job = store.resume(conn, EVERYTHING, job.id, now)
        found.append(job)
    return found


def _about(job: Job) -> dict[str, Any]:
    return {"conversation_id": job.conversation_id, "person_id": job.person_id}
