"""Jobs: what people wish for later. Every function is one step of a transaction.

A `Scope` says whose jobs a caller may see; for any other id there is "no such task".
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, literal, select, update

from bot.domain.conversation import Conversation, ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.errors import Conflict, InputError, NotFound
from bot.runs import queue
from bot.schedule import plan as plans
from bot.schedule.plan import Plan
from bot.schedule.zones import wall_of, zone_of
from bot.store.conversations import begin
from bot.store.tables import UtcTime, conversations, firings, jobs, runs

Kind = Literal["reminder", "agent"]
# `missed`: it was due longer ago than it may be made up for; `completed`: it will not fire again.
State = Literal["active", "paused", "completed", "missed"]
# Why a job is paused: a person did it, it failed again and again, its chat can't be written to, or its
# owner may not talk to the bot any more.
Reason = Literal["", "failures", "unreachable", "denied"]
FiringState = Literal["open", "done", "failed", "missed"]

MAX_TEXT_CHARS = 4000
STATES: tuple[State, ...] = ("active", "paused", "completed", "missed")
OPEN_STATES: tuple[State, ...] = ("active", "paused")
PAGE = 50
_KEYED_DIGITS = 24  # of the id of a job that was made with a key
_LAST = datetime(9999, 1, 1, tzinfo=UTC)  # later than any due time


@dataclass(frozen=True, slots=True)
class Job:
    """A wish for later.

    `kind` reminder: `text` is said in the conversation. Agent: `text` is a prompt, worked on as if its
    owner had said it there. `next_due` is None where it will not fire by itself.
    """

    id: str
    conversation_id: ConversationId
    person_id: SpeakerId  # the owner
    kind: Kind
    text: str
    plan: Plan
    state: State
    next_due: datetime | None
    created_at: datetime
    updated_at: datetime
    locale: str = ""
    for_name: str = ""  # of another member whom it is for
    reason: Reason = ""
    snoozed_until: datetime | None = None
    last_due: datetime | None = None
    last_error: str = ""
    failures: int = 0  # in a row
    fired: int = 0


@dataclass(frozen=True, slots=True)
class Firing:
    """One due time of a job, and what became of it. The pair (job, `due`) is unique."""

    job_id: str
    due: datetime
    state: FiringState
    at: datetime  # when it fired
    run_id: str | None = None
    attempt: int = 0
    error: str = ""
    retry_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class JobDraft:
    """A job that is to be made. `conversation` must be known to the store, or is made with it."""

    conversation: Conversation
    person_id: SpeakerId
    kind: Kind
    text: str
    plan: Plan
    locale: str = ""
    for_name: str = ""
    key: str = ""  # of the asker's: the same key makes no second job while the first is kept


@dataclass(frozen=True, slots=True)
class JobChanges:
    """What of a job is to be another; None leaves it."""

    text: str | None = None
    plan: Plan | None = None
    kind: Kind | None = None
    locale: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose jobs: all that is given must hold. Nothing given means every job (the operator's view)."""

    person_id: str = ""
    conversation_id: str = ""
    channel: str = ""

    def where(self) -> list[ColumnElement[bool]]:
        """The conditions on the table of jobs."""
        found = []
        if self.person_id:
            found.append(jobs.c.person_id == self.person_id)
        if self.conversation_id:
            found.append(jobs.c.conversation_id == self.conversation_id)
        if self.channel:
            here = select(conversations.c.id).where(conversations.c.channel == self.channel)
            found.append(jobs.c.conversation_id.in_(here))
        return found


EVERYTHING = Scope()


def _id_of(draft: JobDraft) -> str:
    if not draft.key:
        return f"task-{secrets.token_hex(4)}"
    told = f"{draft.person_id}\0{draft.key}".encode()
    return f"task-{hashlib.sha256(told).hexdigest()[:_KEYED_DIGITS]}"


def create(conn: Connection, draft: JobDraft, now: datetime, *, most: int) -> Job:
    """Make a job.

    A draft whose key made one before gives that one. Raises `InputError` for a text that is empty or too
    long or a time that is not to come, `Conflict` where its owner has `most` open jobs.
    """
    job_id = _id_of(draft)
    before = conn.execute(select(jobs).where(jobs.c.id == job_id)).one_or_none() if draft.key else None
    if before is not None:
        return job_of(before)
    text = _checked_text(draft.text, draft.kind)
    next_due = plans.next_after(draft.plan, now)
    if next_due is None:
        raise InputError("this time has passed", field="at" if draft.plan.at else "rrule")
    owned = select(func.count()).where(jobs.c.person_id == draft.person_id, jobs.c.state.in_(OPEN_STATES))
    if (conn.scalar(owned) or 0) >= most:
        raise Conflict(f"there are {most} open tasks already; delete one first")
    _ensure_conversation(conn, draft, now)
    job = Job(
        id=job_id,
        conversation_id=draft.conversation.id,
        person_id=draft.person_id,
        kind=draft.kind,
        text=text,
        plan=draft.plan,
        state="active",
        next_due=next_due,
        created_at=now,
        updated_at=now,
        locale=draft.locale,
        for_name=draft.for_name,
    )
    conn.execute(insert(jobs).values(**_row(job), created_at=now))
    return job


def get(conn: Connection, scope: Scope, job_id: str) -> Job:
    """One job; `NotFound` where there is none in the scope."""
    row = conn.execute(select(jobs).where(jobs.c.id == job_id, *scope.where())).one_or_none()
    if row is None:
        raise NotFound("no such task")
    return job_of(row)


def page(
    conn: Connection,
    scope: Scope,
    *,
    states: Sequence[State] = OPEN_STATES,
    limit: int = PAGE,
    after: str = "",
) -> list[Job]:
    """Jobs by their next due time, those without one last; `after` is the last id of the page before."""
    order = func.coalesce(jobs.c.next_due, literal(_LAST, UtcTime))
    wanted = select(jobs).where(jobs.c.state.in_(states), *scope.where())
    if after:
        last = conn.execute(
            select(order.label("due")).where(jobs.c.id == after, *scope.where())
        ).one_or_none()
        if last is None:
            raise NotFound("no such task")
        wanted = wanted.where((order > last.due) | ((order == last.due) & (jobs.c.id > after)))
    return [job_of(row) for row in conn.execute(wanted.order_by(order, jobs.c.id).limit(limit))]


def change(conn: Connection, scope: Scope, job_id: str, changes: JobChanges, now: datetime) -> Job:
    """Change a job; another time makes one that had ended active again. `NotFound`, `InputError`."""
    job = get(conn, scope, job_id)
    kind = changes.kind or job.kind
    text = job.text if changes.text is None else changes.text
    locale = job.locale if changes.locale is None else changes.locale
    job = replace(job, kind=kind, text=_checked_text(text, kind), locale=locale)
    if changes.plan is not None:
        next_due = plans.next_after(changes.plan, now)
        if next_due is None:
            raise InputError("this time has passed", field="at" if changes.plan.at else "rrule")
        ended = job.state not in OPEN_STATES
        job = replace(
            job,
            plan=changes.plan,
            next_due=None if job.state == "paused" else next_due,
            snoozed_until=None,
            state="active" if ended else job.state,
            failures=0,
        )
    return _save(conn, job, now)


def pause(conn: Connection, scope: Scope, job_id: str, now: datetime, reason: Reason = "") -> Job:
    """Let it fire no more until `resume`; a job that has ended stays as it is. `NotFound`."""
    job = get(conn, scope, job_id)
    if job.state != "active":
        return job
    return _save(conn, replace(job, state="paused", reason=reason, next_due=None, snoozed_until=None), now)


def resume(conn: Connection, scope: Scope, job_id: str, now: datetime) -> Job:
    """Let a paused job fire again, from its next time on; what was due meanwhile is not made up for.

    Raises `NotFound`, and `Conflict` for one whose time has passed or that has ended.
    """
    job = get(conn, scope, job_id)
    if job.state == "active":
        return job
    next_due = plans.next_after(job.plan, now)
    if next_due is None:
        raise Conflict("the time of this task has passed; give it another")
    resumed = replace(job, state="active", reason="", next_due=next_due, failures=0, last_error="")
    return _save(conn, resumed, now)


def remove(conn: Connection, scope: Scope, job_id: str, now: datetime) -> Job:
    """Delete a job with its record, and cancel what of it is under way. `NotFound`."""
    job = get(conn, scope, job_id)
    under_way = select(firings.c.run_id).where(firings.c.job_id == job_id, firings.c.state == "open")
    deliveries = select(runs.c.id).where(runs.c.kind == "delivery", runs.c.key.in_(under_way))
    for run_id in [*conn.scalars(deliveries), *conn.scalars(under_way)]:
        queue.cancel(conn, RunId(run_id), now)
    conn.execute(delete(jobs).where(jobs.c.id == job_id))
    return job


def snooze(conn: Connection, scope: Scope, job_id: str, until: datetime, now: datetime) -> Job:
    """Fire once more at `until`, beside its own times; one that had ended comes back for it.

    Raises `NotFound`, and `InputError` where `until` is not to come.
    """
    job = get(conn, scope, job_id)
    if until <= now:
        raise InputError("this time has passed", field="until")
    until = until.replace(microsecond=0)
    own = plans.next_after(job.plan, now) if job.state == "active" else None
    snoozed = replace(
        job,
        state="active",
        reason="",
        snoozed_until=until,
        next_due=until if own is None else min(own, until),
    )
    if job.state == "paused" and job.plan.is_recurring:
        raise Conflict("this task is paused; resume it first")
    return _save(conn, snoozed, now)


def done(conn: Connection, scope: Scope, job_id: str, now: datetime) -> Job:
    """What it reminded of is done: a snooze is dropped, a single time is over. `NotFound`."""
    job = get(conn, scope, job_id)
    job = replace(job, snoozed_until=None)
    if not job.plan.is_recurring:
        return _save(conn, replace(job, state="completed", next_due=None), now)
    next_due = plans.next_after(job.plan, now) if job.state == "active" else job.next_due
    return _save(conn, replace(job, next_due=next_due), now)


def history(conn: Connection, scope: Scope, job_id: str, *, limit: int = 20) -> list[Firing]:
    """The newest firings of a job, newest first. `NotFound`."""
    get(conn, scope, job_id)
    rows = conn.execute(
        select(firings).where(firings.c.job_id == job_id).order_by(firings.c.due.desc()).limit(limit)
    )
    return [firing_of(row) for row in rows]


def of_message(conn: Connection, scope: Scope, run_id: str) -> Job | None:
    """The job that a message was sent for, by the run that sent it; None for any other message."""
    job_id = conn.scalar(select(firings.c.job_id).where(firings.c.run_id == run_id))
    try:
        return None if job_id is None else get(conn, scope, job_id)
    except NotFound:
        return None


def last_fired(conn: Connection, scope: Scope) -> Job | None:
    """The job that fired last, for "stop that reminder"."""
    row = conn.execute(
        select(jobs)
        .where(jobs.c.last_due.is_not(None), *scope.where())
        .order_by(jobs.c.last_due.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else job_of(row)


def next_firings(job: Job, now: datetime, count: int = 3) -> list[datetime]:
    """The next moments at which it will fire, in UTC, a snooze among them."""
    if job.state != "active":
        return []
    try:
        found = list(islice(plans.moments(job.plan, now), count))
    except InputError:  # its zone is none any more: it is paused when it is due
        return []
    if job.snoozed_until is not None and job.snoozed_until > now:
        found = sorted({*found, job.snoozed_until})[:count]
    return found


def snooze_until(job: Job, wish: Literal["10m", "1h", "tomorrow"], now: datetime) -> datetime:
    """The moment that a snooze button means; tomorrow is the same time on the wall as now."""
    if wish != "tomorrow":
        return now + timedelta(minutes=10 if wish == "10m" else 60)
    zone = zone_of(job.plan.zone)
    wall = wall_of(now, zone)
    day = wall.date() + timedelta(days=1)
    at = plans.once(datetime.combine(day, time(wall.hour, wall.minute)), job.plan.zone).at
    assert at is not None
    return at


def job_of(row: Row[Any]) -> Job:
    """The job of a row of the table."""
    return Job(
        id=row.id,
        conversation_id=ConversationId(row.conversation_id),
        person_id=SpeakerId(row.person_id),
        kind=row.kind,
        text=row.text,
        plan=plans.load(row.zone, row.at, row.rrule, row.cron, row.plan),
        state=row.state,
        next_due=row.next_due,
        created_at=row.created_at,
        updated_at=row.updated_at,
        locale=row.locale,
        for_name=row.for_name,
        reason=row.reason,
        snoozed_until=row.snoozed_until,
        last_due=row.last_due,
        last_error=row.last_error,
        failures=row.failures,
        fired=row.fired,
    )


def firing_of(row: Row[Any]) -> Firing:
    """The firing of a row of the table."""
    return Firing(
        job_id=row.job_id,
        due=row.due,
        state=row.state,
        at=row.at,
        run_id=row.run_id,
        attempt=row.attempt,
        error=row.error,
        retry_at=row.retry_at,
        ended_at=row.ended_at,
    )


def _save(conn: Connection, job: Job, now: datetime) -> Job:
    conn.execute(update(jobs).where(jobs.c.id == job.id).values(**{**_row(job), "updated_at": now}))
    return replace(job, updated_at=now)


def _row(job: Job) -> dict[str, Any]:
    plan = job.plan
    return {
        "id": job.id,
        "conversation_id": job.conversation_id,
        "person_id": job.person_id,
        "for_name": job.for_name,
        "kind": job.kind,
        "text": job.text,
        "locale": job.locale,
        "state": job.state,
        "reason": job.reason,
        "zone": plan.zone,
        "at": plan.at,
        "rrule": plan.rrule,
        "cron": plan.cron,
        "plan": plans.dump(plan),
        "next_due": job.next_due,
        "snoozed_until": job.snoozed_until,
        "last_due": job.last_due,
        "last_error": job.last_error,
        "failures": job.failures,
        "fired": job.fired,
        "updated_at": job.updated_at,
    }


def _ensure_conversation(conn: Connection, draft: JobDraft, now: datetime) -> None:
    """A job may be the first thing that is known of a session of the HTTP interface."""
    where = draft.conversation
    if conn.scalar(select(conversations.c.id).where(conversations.c.id == where.id)) is None:
        begin(conn, where, where.title, draft.person_id, now)


def _checked_text(text: str, kind: Kind) -> str:
    plain = text.strip()
    if not plain:
        raise InputError("there is nothing to be done", field="text")
    if len(plain) > MAX_TEXT_CHARS:
        raise InputError(f"the text is longer than {MAX_TEXT_CHARS} characters", field="text")
    if kind == "agent" and plain.startswith("/"):
        raise InputError("a task is said in words, not as a command", field="text")
    return plain
