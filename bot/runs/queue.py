"""The queue of runs: every function is one step of a transaction.

A run is claimed with a lease and a fencing token. The token grows with every claim, and whoever
writes for a run names the token it was given: a holder that was presumed dead and comes back
changes nothing (Kleppmann, "How to do distributed locking", 2016).
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    exists,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)

from bot.domain.conversation import ConversationId
from bot.domain.run import Run, RunId, RunKind, RunStatus
from bot.errors import Conflict
from bot.runs.states import ENDED, TRANSITIONS, allows
from bot.store.tables import runs

LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class RunDraft:
    """What is to be done. The pair (`kind`, `key`) is unique: the same wish twice is one run."""

    kind: RunKind
    key: str
    payload: Mapping[str, Any]
    conversation_id: ConversationId | None = None
    available_at: datetime | None = None  # None: at once


# Every turn pays for these; written once they cost a third of what building them each time does.
# Whether a wish is known, and what is unfinished of its kind in its conversation, in one question.
_LOOK = union_all(
    select(literal("known"), runs.c.holder).where(
        runs.c.kind == bindparam("kind"), runs.c.key == bindparam("key")
    ),
    select(runs.c.status, runs.c.holder)
    .where(
        runs.c.conversation_id == bindparam("conversation_id"),
        runs.c.kind == bindparam("kind"),
        or_(runs.c.status == "running", runs.c.status == "queued"),
    )
    .distinct(),
)
_ADD = insert(runs)
_FIND = select(runs).where(runs.c.id == bindparam("run_id"))
_END = (
    update(runs)
    .where(
        runs.c.id == bindparam("run_id"), runs.c.token == bindparam("held_token"), runs.c.status == "running"
    )
    .values(
        status=bindparam("new_status"),
        result=bindparam("new_result"),
        error=bindparam("new_error"),
        finished_at=bindparam("now"),
        holder=None,
        lease_until=None,
    )
    .returning(runs.c.conversation_id)
)


def new_id(kind: RunKind) -> RunId:
    """An id that nobody can guess: it opens the stream of a turn."""
    return RunId(f"{kind}-{secrets.token_hex(10)}")


def enqueue(
    conn: Connection,
    draft: RunDraft,
    now: datetime,
    *,
    holder: str | None = None,
    run_id: RunId | None = None,
) -> Run | None:
    """Add a run; None if one of this kind and key is there already.

    With `holder` it is claimed in the same step by that process, unless its conversation has a run
    of this kind in another process's hands or waiting before it. One whose payload says `control`
    waits for none.
    """
    ahead = _ahead(conn, draft)
    if ahead is None:
        return None
    claimed = holder is not None and all(found == ("running", holder) for found in ahead)
    fresh = run_id or new_id(draft.kind)
    row = {
        "id": fresh,
        "kind": draft.kind,
        "key": draft.key,
        "conversation_id": draft.conversation_id,
        "payload": dict(draft.payload),
        "status": "running" if claimed else "queued",
        "available_at": draft.available_at or now,
        "holder": holder if claimed else None,
        "lease_until": now + LEASE if claimed else None,
        "token": 1 if claimed else 0,
        "attempt": 1 if claimed else 0,
        "created_at": now,
    }
    conn.execute(_ADD, row)
    return Run(
        id=fresh,
        kind=draft.kind,
        key=draft.key,
        conversation_id=draft.conversation_id,
        payload=draft.payload,
        status="running" if claimed else "queued",
        token=1 if claimed else 0,
        attempt=1 if claimed else 0,
        created_at=now,
        alone=not ahead,
    )


def _ahead(conn: Connection, draft: RunDraft) -> list[tuple[str, str | None]] | None:
    """Status and holder of what is unfinished of this kind and conversation, as far as it is waited for.

    None where the wish itself is known.
    """
    where = None if draft.payload.get("control") else draft.conversation_id
    asked = {"kind": draft.kind, "key": draft.key, "conversation_id": where}
    found = [(status, holder) for status, holder in conn.execute(_LOOK, asked)]
    return None if any(status == "known" for status, _ in found) else found


def claim(conn: Connection, kinds: Iterable[RunKind], holder: str, now: datetime, *, limit: int) -> list[Run]:
    """Take up to `limit` due runs, oldest first; only the first of each conversation and kind."""
    earlier = runs.alias("earlier")
    blocked = exists(
        select(earlier.c.id).where(
            earlier.c.conversation_id == runs.c.conversation_id,
            earlier.c.kind == runs.c.kind,
            earlier.c.id != runs.c.id,
            or_(
                and_(earlier.c.status == "running", earlier.c.holder != holder),
                and_(
                    earlier.c.status == "queued",
                    or_(
                        earlier.c.created_at < runs.c.created_at,
                        and_(earlier.c.created_at == runs.c.created_at, earlier.c.id < runs.c.id),
                    ),
                ),
            ),
        )
    )
    due = (
        select(runs)
        .where(runs.c.status == "queued", runs.c.available_at <= now, runs.c.kind.in_(list(kinds)), ~blocked)
        .order_by(runs.c.created_at, runs.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    taken = [_claimed(conn, row, holder, now) for row in conn.execute(due).all()]
    return [run for run in taken if run is not None]


def is_due(conn: Connection, kinds: Iterable[RunKind], now: datetime) -> bool:
    """Whether `claim` may find something: cheap, and takes no lock."""
    due = select(runs.c.id).where(
        runs.c.status == "queued", runs.c.available_at <= now, runs.c.kind.in_(list(kinds))
    )
    return conn.scalar(select(exists(due))) or False


def renew(conn: Connection, holder: str, now: datetime) -> set[RunId]:
    """Prolong every lease of this process; the runs it holds."""
    held = and_(runs.c.holder == holder, runs.c.status == "running")
    conn.execute(update(runs).where(held).values(lease_until=now + LEASE))
    return {RunId(run_id) for run_id in conn.scalars(select(runs.c.id).where(held))}


def taken_away(conn: Connection, working: Sequence[Run]) -> list[Run]:
    """Which of the runs a process works on are no longer its own: cancelled, deleted, or claimed anew.

    One that has ended is not among them: its holder ended it a moment ago.
    """
    ids = [run.id for run in working]
    rows = conn.execute(select(runs.c.id, runs.c.token, runs.c.status).where(runs.c.id.in_(ids)))
    ours = {(row.id, row.token) for row in rows if row.status not in {"queued", "cancelled"}}
    return [run for run in working if (run.id, run.token) not in ours]


def release(conn: Connection, holder: str, ids: Iterable[RunId], now: datetime) -> int:
    """Return runs of a process to the queue that nothing in it works on; how many those were."""
    changed = conn.execute(
        update(runs)
        .where(runs.c.id.in_(list(ids)), runs.c.holder == holder, runs.c.status == "running")
        .values(status="queued", holder=None, lease_until=None, available_at=now)
    )
    return changed.rowcount


def end(
    conn: Connection, run: Run, status: RunStatus, now: datetime, *, result: Any = None, error: str = ""
) -> ConversationId | None:
    """Finish a run that this holder holds; `Conflict` if it was taken away or ended meanwhile.

    Returns the id its conversation has now: a chat may get another one while it is answered.
    """
    if status not in ENDED:
        raise ValueError(f"{status} is not an end")
    values = {
        "run_id": run.id,
        "held_token": run.token,
        "new_status": status,
        "new_result": result,
        "new_error": error,
        "now": now,
    }
    row = conn.execute(_END, values).one_or_none()
    if row is None:
        raise Conflict(f"run {run.id} is no longer held here")
    return None if row.conversation_id is None else ConversationId(row.conversation_id)


def hand_back(
    conn: Connection, run: Run, available_at: datetime, *, failed: bool = False, error: str = ""
) -> None:
    """Return a run to the queue: to wait, after a failure, or because this process stops."""
    values: dict[str, Any] = {"status": "queued", "available_at": available_at, "error": error}
    if failed:
        values["failures"] = runs.c.failures + 1
    _write(conn, run, {**values, "holder": None, "lease_until": None})


def require_held(conn: Connection, run: Run) -> None:
    """`Conflict` where a run is no longer held here."""
    held = select(runs.c.id).where(runs.c.id == run.id, runs.c.token == run.token, runs.c.status == "running")
    if conn.scalar(held) is None:
        raise Conflict(f"run {run.id} is no longer held here")


def lock(conn: Connection, run_id: RunId) -> None:
    """Keep other processes from changing a run until this transaction ends (SQLite has one writer anyway)."""
    conn.execute(select(runs.c.id).where(runs.c.id == run_id).with_for_update())


def park(conn: Connection, run: Run, until: datetime, *, result: Any = None) -> None:
    """Let a run wait for a person, until `until` at the longest; `result` is what is told meanwhile."""
    waiting = {"status": "waiting_human", "available_at": until, "result": result}
    _write(conn, run, {**waiting, "holder": None, "lease_until": None})


def resume(conn: Connection, run_id: RunId, now: datetime) -> bool:
    """Return a run that waits for a person to the queue; False where it does not wait."""
    changed = conn.execute(
        update(runs)
        .where(runs.c.id == run_id, runs.c.status == "waiting_human")
        .values(status="queued", available_at=now, result=None)
    )
    return changed.rowcount == 1


def take(conn: Connection, run_id: RunId, holder: str, now: datetime) -> Run | None:
    """Claim one run that is queued and due; None where another one of its conversation goes first."""
    row = conn.execute(select(runs).where(runs.c.id == run_id).with_for_update()).one_or_none()
    if row is None or row.status != "queued" or row.available_at > now:
        return None
    others = select(runs.c.id).where(
        runs.c.conversation_id == row.conversation_id,
        runs.c.kind == row.kind,
        runs.c.status == "running",
        runs.c.holder != holder,
    )
    if row.conversation_id is not None and conn.scalar(others.limit(1)) is not None:
        return None
    return _claimed(conn, row, holder, now)


def _claimed(conn: Connection, row: Row[Any], holder: str, now: datetime) -> Run | None:
    held = {"status": "running", "holder": holder, "lease_until": now + LEASE}
    changed = conn.execute(
        update(runs)
        .where(runs.c.id == row.id, runs.c.status == "queued")
        .values(**held, token=row.token + 1, attempt=row.attempt + 1)
    )
    if changed.rowcount != 1:
        return None
    return _run(row, status="running", token=row.token + 1, attempt=row.attempt + 1)


def resume_late(conn: Connection, now: datetime) -> int:
    """Return to the queue what waited for a person until its time was over; how many those were."""
    over = (runs.c.status == "waiting_human") & (runs.c.available_at <= now)
    return conn.execute(update(runs).where(over).values(status="queued", result=None)).rowcount


def is_late(conn: Connection, now: datetime) -> bool:
    """Whether `resume_late` would find something."""
    over = select(runs.c.id).where(runs.c.status == "waiting_human", runs.c.available_at <= now)
    return conn.scalar(select(exists(over))) or False


def failures(conn: Connection, run_id: RunId) -> int:
    """How many attempts of a run ended in an error (not: in the death of the process)."""
    return conn.scalar(select(runs.c.failures).where(runs.c.id == run_id)) or 0


def cancel(conn: Connection, run_id: RunId, now: datetime) -> bool:
    """Cancel a run wherever it stands, unless it has ended. Its holder finds out at its next write."""
    open_states = [state for state in TRANSITIONS if allows(state, "cancelled")]
    changed = conn.execute(
        update(runs)
        .where(runs.c.id == run_id, runs.c.status.in_(open_states))
        .values(status="cancelled", holder=None, lease_until=None, finished_at=now)
    )
    return changed.rowcount == 1


def holders(conn: Connection) -> set[str]:
    """Every process that holds a run."""
    found = conn.scalars(select(runs.c.holder).where(runs.c.status == "running").distinct())
    return {holder for holder in found if holder}


def recover(conn: Connection, dead: Sequence[str], now: datetime) -> int:
    """Return to the queue what dead processes held and what nobody renewed; how many that were."""
    lost = or_(runs.c.lease_until < now, runs.c.holder.in_(dead))
    changed = conn.execute(
        update(runs)
        .where(runs.c.status == "running", lost)
        .values(status="queued", holder=None, lease_until=None, available_at=now)
    )
    return changed.rowcount


def find(conn: Connection, run_id: str) -> Run | None:
    """One run as it stands."""
    row = conn.execute(_FIND, {"run_id": run_id}).one_or_none()
    return None if row is None else _run(row)


def waiting(conn: Connection) -> dict[str, int]:
    """How many runs of each kind wait or work, for the queue's depth."""
    found = conn.execute(select(runs.c.kind).where(runs.c.status.in_(["queued", "running"])))
    depth: dict[str, int] = {}
    for (kind,) in found:
        depth[kind] = depth.get(kind, 0) + 1
    return depth


def _write(conn: Connection, run: Run, values: dict[str, Any]) -> None:
    held = and_(runs.c.id == run.id, runs.c.token == run.token, runs.c.status == "running")
    if conn.execute(update(runs).where(held).values(**values)).rowcount != 1:
        raise Conflict(f"run {run.id} is no longer held here")


def _run(
    row: Row[Any], *, status: RunStatus | None = None, token: int | None = None, attempt: int | None = None
) -> Run:
    return Run(
        id=RunId(row.id),
        kind=row.kind,
        key=row.key,
        conversation_id=None if row.conversation_id is None else ConversationId(row.conversation_id),
        payload=row.payload,
        status=status or row.status,
        token=row.token if token is None else token,
        attempt=row.attempt if attempt is None else attempt,
        created_at=row.created_at,
        result=row.result,
    )
