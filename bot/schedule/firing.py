"""Firing what is due. Every function is one step of a transaction, and any number of processes may do it.

A firing is a row that is unique by job and due time. It is written in the transaction that moves the job
on to its next time and queues the run that does the work; that run has the lease and the fencing token.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from bot.domain.conversation import Conversation, Inbound, Speaker, SpeakerId
from bot.domain.message import Text
from bot.domain.run import RunId
from bot.errors import InputError
from bot.events.types import Event, JobFired, JobMissed, JobPaused
from bot.schedule import jobs as store
from bot.schedule import plan as plans
from bot.schedule import telling
from bot.schedule.jobs import EVERYTHING, FiringState, Job, Reason, job_of
from bot.schedule.telling import Placed, placed
from bot.store.tables import conversations, firings, jobs, messages, people

# From this delay on it is said that a firing is late.
LATE = timedelta(seconds=60)
# Firings of a job that are kept.
_KEPT = timedelta(days=90)
# Rows of one look; those that are missed do not count as fired.
_LOOK = 64
_TINY = timedelta(microseconds=1)

# Queues the turn of an agent job: what is said, the job, and now. `bot.app` brings it.
StartTurn = Callable[[Connection, Inbound, str, datetime], RunId]


@dataclass(frozen=True, slots=True)
class Rules:
    """How firing goes. `pushes` are the channels whose messages are brought to people.

    `admits` tells whether a person may still have the bot work for them in a conversation.
    """

    start_turn: StartTurn
    pushes: Collection[str]
    catch_up_max: timedelta = timedelta(hours=24)
    batch: int = 8  # firings of one transaction; agent jobs under way at once
    admits: Callable[[Connection, Conversation, SpeakerId], bool] = lambda conn, where, person_id: True
    woken: Callable[[], None] = lambda: None  # called when there is work in the queue of runs


_MOVE = (
    update(jobs)
    .where(jobs.c.id == bindparam("job_id"))
    .values(
        next_due=bindparam("new_due"),
        snoozed_until=bindparam("new_snooze"),
        last_due=bindparam("new_last"),
        fired=bindparam("new_fired"),
        state=bindparam("new_state"),
        failures=bindparam("new_failures"),
        last_error=bindparam("new_error"),
    )
)
_ADD_FIRING = insert(firings)
_ADD_MESSAGE = insert(messages)


@dataclass(slots=True)
class Work:
    """Rows that are written together: one statement for many costs a third of one for each."""

    moves: list[dict[str, Any]] = field(default_factory=list)
    firings: list[dict[str, Any]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)

    def write(self, conn: Connection, now: datetime) -> None:
        """Write them all, and forget what these jobs did long ago."""
        for statement, rows in (
            (_MOVE, self.moves),
            (_ADD_FIRING, self.firings),
            (_ADD_MESSAGE, self.messages),
        ):
            if rows:
                conn.execute(statement, rows)
        begun = {row["job_id"] for row in self.firings}
        if begun:
            old = firings.c.job_id.in_(begun), firings.c.due < now - _KEPT, firings.c.state != "open"
            conn.execute(delete(firings).where(*old))


@dataclass(slots=True)
class Looked:
    """What one look did. `more`: others may be due at once. `events` are to be recorded after it."""

    fired: int = 0
    more: bool = False
    events: list[Event] = field(default_factory=list)
    missed: dict[str, list[tuple[Placed, datetime]]] = field(default_factory=lambda: defaultdict(list))
    work: Work = field(default_factory=Work)


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
    known = _known(conn, [row.id for row in rows], now)
    for place, row in enumerate(rows):
        if looked.fired >= rules.batch:
            looked.more = True
            break
        if row.kind == "agent" and room <= 0:
            continue
        at = placed(row)
        try:
            room -= _fire(conn, at, known[row.id], (rules, now), looked) and row.kind == "agent"
        except InputError as error:
            _give_up(conn, at, error, (rules, now), looked)
        looked.more = place == _LOOK - 1
    looked.work.write(conn, now)
    for missed in looked.missed.values():
        line = telling.missed_line([(at.job, due) for at, due in missed])
        telling.tell(conn, missed[0][0], line, now, rules.pushes)
    return looked


def _agents_open(conn: Connection) -> int:
    open_ones = select(func.count()).where(firings.c.state == "open", firings.c.kind == "agent")
    return conn.scalar(open_ones) or 0


def _fire(
    conn: Connection, at: Placed, known: dict[datetime, str], look: tuple[Rules, datetime], looked: Looked
) -> bool:
    """Do what is right with one due job, of which these firings are `known`; whether it fired."""
    rules, now = look
    job = at.job
    if (hindrance := _hindrance(conn, at, rules)) is not None:
        store.pause(conn, EVERYTHING, job.id, now, hindrance)
        looked.events.append(JobPaused(**_about(job), kind=job.kind, reason=hindrance))
        return False
    due = _newest_due(job, now)
    moved = _moved(job, due, now)
    if due in known:  # the clock was set back
        looked.work.moves.append(_move(replace(moved, state="active" if moved.next_due else "completed")))
        return False
    if now - due > rules.catch_up_max:
        looked.missed[job.conversation_id].append((at, due))
        _miss(moved, due, "too late", now, looked)
        return False
    if "open" in known.values():
        _miss(moved, due, "the one before was still under way", now, looked)
        return False
    begin(conn, replace(at, job=moved), due, look, looked.work)
    looked.fired += 1
    late_s = round((now - due).total_seconds(), 3)
    looked.events.append(JobFired(**_about(job), kind=job.kind, late_s=late_s))
    return True


def _give_up(
    conn: Connection, at: Placed, error: InputError, look: tuple[Rules, datetime], looked: Looked
) -> None:
    """Pause a job whose times can't be told any more, as when its zone left the zone data, and say so.

    It may not hold up the others.
    """
    rules, now = look
    stopped = {"state": "paused", "reason": "failures", "next_due": None, "snoozed_until": None}
    values = {**stopped, "last_error": error.message, "updated_at": now}
    conn.execute(update(jobs).where(jobs.c.id == at.job.id).values(**values))
    job = replace(at.job, last_error=error.message)
    line = telling.failed_line(job, f"unreadable:{job.id}:{now.isoformat()}")
    telling.tell(conn, at, line, now, rules.pushes)
    looked.events.append(JobPaused(**_about(job), kind=job.kind, reason="failures"))


def _hindrance(conn: Connection, at: Placed, rules: Rules) -> Reason | None:
    """Why a job cannot fire at all just now; None where it can."""
    if at.unreachable:
        return "unreachable"
    if at.job.kind == "agent" and not rules.admits(conn, at.chat, at.job.person_id):
        return "denied"
    return None


def _newest_due(job: Job, now: datetime) -> datetime:
    """Of all times that have come since the job last fired the newest: one firing makes up for all."""
    assert job.next_due is not None
    newest = plans.last_until(job.plan, job.next_due - _TINY, now) if job.plan.is_recurring else None
    return max(job.next_due, newest) if newest is not None else job.next_due


def _moved(job: Job, due: datetime, now: datetime) -> Job:
    """The job as it waits for its next time."""
    snoozed = job.snoozed_until if job.snoozed_until is not None and job.snoozed_until > now else None
    own = plans.next_after(job.plan, max(due, now))
    following = min((moment for moment in (own, snoozed) if moment is not None), default=None)
    return replace(job, next_due=following, snoozed_until=snoozed)


def _move(job: Job) -> dict[str, Any]:
    return {
        "job_id": job.id,
        "new_due": job.next_due,
        "new_snooze": job.snoozed_until,
        "new_last": job.last_due,
        "new_fired": job.fired,
        "new_state": job.state,
        "new_failures": job.failures,
        "new_error": job.last_error,
    }


def begin(conn: Connection, at: Placed, due: datetime, look: tuple[Rules, datetime], work: Work) -> None:
    """Queue what does a firing of the job, and put what is to be written down into `work`."""
    rules, now = look
    job = replace(at.job, last_due=due, fired=at.job.fired + 1)
    if job.kind == "reminder":
        text = telling.reminder_text(job, due, late=now - due > LATE)
        push = at.chat.channel in rules.pushes
        run_id = telling.deliver(conn, at, text, f"{job.id}@{due.isoformat()}", now) if push else None
        work.messages.append(telling.message_row(at, text, now, run_id=run_id))
    else:
        run_id = rules.start_turn(conn, task_of(conn, at, due, 1, now), job.id, now)
    if run_id is None:  # nobody has to be waited for
        job = replace(job, failures=0, last_error="")
        if job.state == "active" and job.next_due is None:
            job = replace(job, state="completed")
    work.moves.append(_move(job))
    work.firings.append(_firing_row(job, due, "open" if run_id else "done", now, run_id=run_id))


def _firing_row(
    job: Job, due: datetime, state: FiringState, now: datetime, *, run_id: str | None = None, error: str = ""
) -> dict[str, Any]:
    return {
        "job_id": job.id,
        "due": due,
        "kind": job.kind,
        "state": state,
        "run_id": run_id,
        "attempt": 0 if state == "missed" else 1,
        "error": error,
        "at": now,
        "ended_at": None if state == "open" else now,
    }


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


def complete(conn: Connection, job_ids: Collection[str], now: datetime) -> None:
    """Firings went well: what failed before is forgotten, and a job without a further time has ended."""
    these = jobs.c.id.in_(job_ids)
    conn.execute(update(jobs).where(these, jobs.c.failures > 0).values(failures=0, last_error=""))
    conn.execute(
        update(jobs)
        .where(these, jobs.c.state == "active", jobs.c.next_due.is_(None))
        .values(state="completed", updated_at=now)
    )


def _miss(job: Job, due: datetime, why: str, now: datetime, looked: Looked) -> None:
    """Let a due time go."""
    if job.next_due is None:
        job = replace(job, state="completed" if job.plan.is_recurring else "missed")
    looked.work.moves.append(_move(job))
    looked.work.firings.append(_firing_row(job, due, "missed", now, error=why))
    looked.events.append(JobMissed(**_about(job), kind=job.kind, reason=why))


def _known(conn: Connection, job_ids: Sequence[str], now: datetime) -> dict[str, dict[datetime, str]]:
    """The states of the newest firings and of the open ones, by job and due time."""
    found: dict[str, dict[datetime, str]] = defaultdict(dict)
    wanted = select(firings.c.job_id, firings.c.due, firings.c.state).where(
        firings.c.job_id.in_(job_ids), or_(firings.c.due > now - _KEPT, firings.c.state == "open")
    )
    for row in conn.execute(wanted) if job_ids else ():
        found[row.job_id][row.due] = row.state
    return found


def run_now(conn: Connection, scope: store.Scope, job_id: str, rules: Rules, now: datetime) -> Job:
    """Fire a job at once, beside its own times and whatever state it is in. `NotFound`."""
    store.get(conn, scope, job_id)
    known = _known(conn, [job_id], now)[job_id]
    due = now
    while due in known:
        due += _TINY
    work = Work()
    begin(conn, telling.find(conn, job_id), due, (rules, now), work)
    work.write(conn, now)
    return store.get(conn, scope, job_id)


def rewind(conn: Connection, now: datetime) -> int:
    """The clock was set back: recurring jobs wait for the first time that comes; how many waited too long.

    What has fired stays fired, for a firing is unique by job and due time.
    """
    count = 0
    waiting = select(jobs).where(jobs.c.state == "active", jobs.c.next_due > now, jobs.c.at.is_(None))
    for job in [job_of(row) for row in conn.execute(waiting)]:
        try:
            own = plans.next_after(job.plan, now)
        except InputError:  # it is paused when it is due
            continue
        if own is not None and job.next_due is not None and own < job.next_due:
            conn.execute(update(jobs).where(jobs.c.id == job.id).values(next_due=own))
            count += 1
    return count


_REACHABLE = (
    select(jobs)
    .join(conversations, conversations.c.id == jobs.c.conversation_id)
    .where(jobs.c.state == "paused", jobs.c.reason == "unreachable", conversations.c.unreachable == "")
    .limit(_LOOK)
)


def can_reopen(conn: Connection) -> bool:
    """Whether `reopen` would find something: most starts have nothing to write."""
    return conn.execute(_REACHABLE).first() is not None


def reopen(conn: Connection, now: datetime) -> list[Job]:
    """Resume the jobs that waited for a chat which can be written to again."""
    found = []
    for job in [job_of(row) for row in conn.execute(_REACHABLE)]:
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
