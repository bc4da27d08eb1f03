"""What became of firings: done, tried again with growing pauses, or given up and told once."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, bindparam, func, or_, select, update

from bot.events.types import Event, JobFailed, JobPaused, JobSucceeded
from bot.runs.states import ENDED
from bot.schedule import firing, telling
from bot.schedule import jobs as store
from bot.schedule.firing import Rules
from bot.schedule.jobs import EVERYTHING, Job
from bot.store.tables import firings, jobs, runs

# So many attempts in a row may fail; then the job is paused and its owner told. With pauses of
# min(2^n, 300) seconds that is about eight minutes.
MAX_FAILURES = 8
_LOOK = 64

_WELL = (
    update(firings)
    .where(firings.c.job_id == bindparam("its_job"), firings.c.due == bindparam("its_due"))
    .values(state="done", ended_at=bindparam("now"))
)
_deliveries = runs.alias("deliveries_of_turns")


@dataclass(slots=True)
class Settled:
    """What one look found; `events` are to be recorded after it."""

    count: int = 0
    events: list[Event] = field(default_factory=list)


def is_due(conn: Connection, now: datetime) -> bool:
    """Whether `settle` or `retry` may find something: cheap, and takes no lock."""
    ended = _ended().where(firings.c.state == "open").limit(1)
    if conn.execute(ended).first() is not None:
        return True
    later = select(firings.c.job_id).where(firings.c.state == "open", firings.c.retry_at <= now).limit(1)
    return conn.execute(later).first() is not None


def _ended() -> Any:
    """Open firings whose run has ended, and with it the delivery of what it said."""
    over = list(ENDED)
    return (
        select(
            firings,
            runs.c.status.label("run_status"),
            runs.c.result.label("run_result"),
            runs.c.error.label("run_error"),
            _deliveries.c.status.label("delivery_status"),
            _deliveries.c.result.label("delivery_result"),
            _deliveries.c.error.label("delivery_error"),
        )
        .outerjoin(runs, runs.c.id == firings.c.run_id)
        .outerjoin(_deliveries, and_(_deliveries.c.kind == "delivery", _deliveries.c.key == firings.c.run_id))
        .where(
            firings.c.state == "open",
            firings.c.retry_at.is_(None),
            or_(runs.c.id.is_(None), runs.c.status.in_(over)),
            or_(_deliveries.c.id.is_(None), _deliveries.c.status.in_(over)),
        )
    )


def settle(conn: Connection, rules: Rules, now: datetime) -> Settled:
    """Note what became of firings whose runs have ended."""
    settled = Settled()
    wanted = _ended().limit(_LOOK).with_for_update(skip_locked=True, of=firings)
    well = []
    for row in conn.execute(wanted).all():
        settled.count += 1
        if error := _error_of(row):
            _failed(conn, row, error, rules, now, settled)
        else:
            well.append(row)
            settled.events.append(JobSucceeded(kind=row.kind))
    if well:
        conn.execute(_WELL, [{"its_job": row.job_id, "its_due": row.due, "now": now} for row in well])
        firing.complete(conn, [row.job_id for row in well], now)
    return settled


def _error_of(row: Row[Any]) -> str:
    """Why a firing failed; "" where it went well."""
    if row.run_status is None or row.run_status == "cancelled":
        return "cancelled"
    for status, result, error in (
        (row.run_status, row.run_result, row.run_error),
        (row.delivery_status, row.delivery_result, row.delivery_error),
    ):
        if status == "failed":
            return error or "internal"
        if status == "cancelled":
            return "cancelled"
        if isinstance(result, dict) and result.get("undelivered"):
            return str(result["undelivered"])
    return ""


def _failed(
    conn: Connection, row: Row[Any], error: str, rules: Rules, now: datetime, settled: Settled
) -> None:
    at = telling.find(conn, row.job_id)
    job = at.job
    settled.events.append(JobFailed(kind=row.kind, code=error[:80]))
    if error == "cancelled":  # a person stopped it
        _end(conn, row, "failed", error, now)
        firing.complete(conn, [job.id], now)
        return
    failures = job.failures + 1
    conn.execute(update(jobs).where(jobs.c.id == job.id).values(failures=failures, last_error=error))
    if at.unreachable:
        _end(conn, row, "failed", error, now)
        store.pause(conn, EVERYTHING, job.id, now, "unreachable")
        settled.events.append(JobPaused(kind=job.kind, reason="unreachable"))
    elif failures >= MAX_FAILURES:
        _end(conn, row, "failed", error, now)
        _give_up(conn, job, rules, now)
        settled.events.append(JobPaused(kind=job.kind, reason="failures"))
    elif row.kind == "agent" and job.state == "active":
        wait = timedelta(seconds=min(2**failures, 300))
        again = {"retry_at": now + wait, "error": error}
        conn.execute(update(firings).where(*_this(row)).values(**again))
    else:
        # The outbox has tried a reminder again and again already; the channel does not take it.
        _end(conn, row, "failed", error, now)
        if job.next_due is None:
            failed = telling.find(conn, job.id)
            line = telling.failed_line(failed.job, f"failed:{job.id}:{row.due.isoformat()}")
            telling.tell(conn, failed, line, now, rules.pushes)
            conn.execute(update(jobs).where(jobs.c.id == job.id).values(state="completed", updated_at=now))


def _give_up(conn: Connection, job: Job, rules: Rules, now: datetime) -> None:
    """Pause a job that fails again and again, and tell its owner once."""
    conn.execute(
        update(jobs)
        .where(jobs.c.id == job.id)
        .values(state="paused", reason="failures", next_due=None, snoozed_until=None, updated_at=now)
    )
    paused = telling.find(conn, job.id)
    line = telling.paused_line(paused.job, f"paused:{job.id}:{now.isoformat()}", now)
    telling.tell(conn, paused, line, now, rules.pushes)


def retry(conn: Connection, rules: Rules, now: datetime) -> int:
    """Begin the next attempts of firings whose pause is over; how many."""
    wanted = (
        select(firings)
        .where(firings.c.state == "open", firings.c.retry_at <= now)
        .limit(rules.batch)
        .with_for_update(skip_locked=True, of=firings)
    )
    count = 0
    for row in conn.execute(wanted).all():
        at = telling.find(conn, row.job_id)
        if at.job.state != "active":
            _end(conn, row, "failed", row.error, now)
            continue
        attempt = row.attempt + 1
        task = firing.task_of(conn, at, row.due, attempt, now)
        run_id = rules.start_turn(conn, task, at.job.id, now)
        values = {"run_id": run_id, "attempt": attempt, "retry_at": None}
        conn.execute(update(firings).where(*_this(row)).values(**values))
        count += 1
    return count


def _end(conn: Connection, row: Row[Any], state: store.FiringState, error: str, now: datetime) -> None:
    values = {"state": state, "error": error, "ended_at": now, "retry_at": None}
    conn.execute(update(firings).where(*_this(row)).values(**values))


def _this(row: Row[Any]) -> tuple[Any, Any]:
    return firings.c.job_id == row.job_id, firings.c.due == row.due


def counts(conn: Connection, now: datetime) -> dict[str, int]:
    """How many jobs there are, are active, are due, and how many firings went well or not."""
    states = _by_state(conn, jobs)
    ended = _by_state(conn, firings)
    due = select(func.count()).where(jobs.c.state == "active", jobs.c.next_due <= now)
    return {
        "jobs_total": sum(states.values()),
        "jobs_active": states.get("active", 0),
        "jobs_due": conn.scalar(due) or 0,
        "scheduler_runs_ok_total": ended.get("done", 0),
        "scheduler_runs_err_total": ended.get("failed", 0),
    }


def _by_state(conn: Connection, table: Table) -> dict[str, int]:
    rows = conn.execute(select(table.c.state, func.count()).group_by(table.c.state))
    return {row[0]: row[1] for row in rows}


def last_error(conn: Connection) -> str:
    """Why the newest of the firings that failed did; "" where none did."""
    newest = (
        select(firings.c.error)
        .where(firings.c.state == "failed")
        .order_by(firings.c.ended_at.desc())
        .limit(1)
    )
    return conn.scalar(newest) or ""
