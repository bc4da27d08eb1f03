"""What is asked of a person about a wish for later, kept until it is answered or expires.

A person has one open draft in a conversation; a new one takes its place. Every function is one step of a
transaction.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from bot.domain.conversation import Conversation
from bot.schedule import plan as plans
from bot.schedule.plan import Plan
from bot.store.tables import UtcTime, job_drafts, messages

# `create`: shall it be kept? `change`, `delete`: shall this be done with a job? `pick`: with which job?
# `zone`: which is your zone? `when`: at what time?
Kind = Literal["create", "change", "delete", "pick", "zone", "when"]
State = Literal["open", "offered", "confirmed", "cancelled", "replaced"]

LASTS = timedelta(hours=1)
KEPT = timedelta(days=2)  # so that a late press is told what became of it
# No letters or figures that look alike; a code goes into the data of a button.
_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"


# Written once: a message pays for it.
_OPEN = (
    select(job_drafts)
    .where(
        job_drafts.c.conversation_id == bindparam("where"),
        job_drafts.c.person_id == bindparam("person"),
        ((job_drafts.c.state == "open") & (job_drafts.c.expires_at > bindparam("now", type_=UtcTime)))
        | (job_drafts.c.run_id == bindparam("run")),
    )
    .order_by(job_drafts.c.created_at.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Draft:
    """`data` is JSON. `current`: nothing was said by the person since it was shown."""

    code: str
    conversation_id: str
    person_id: str
    kind: Kind
    state: State
    data: Mapping[str, Any]
    run_id: str
    expires_at: datetime
    current: bool = False

    def is_open(self, now: datetime) -> bool:
        """Whether an answer to it counts."""
        return self.state in {"open", "offered"} and self.expires_at > now


@dataclass(frozen=True, slots=True)
class Asked:
    """By whom, where, and in which turn something is asked; a press of a button has no turn of its own."""

    conversation: Conversation
    person_id: str
    run_id: str

    @property
    def where(self) -> str:
        return self.conversation.id


def put(
    conn: Connection,
    asked: Asked,
    kind: Kind,
    data: Mapping[str, Any],
    now: datetime,
    *,
    state: State = "open",
) -> Draft:
    """Ask something. What was open before is replaced; an offer replaces nothing."""
    conn.execute(delete(job_drafts).where(job_drafts.c.expires_at < now - KEPT))
    if state == "open":
        conn.execute(
            update(job_drafts).where(*_mine(asked), job_drafts.c.state == "open").values(state="replaced")
        )
    shown_in = _shown_in(conn, asked)
    code = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    draft = Draft(
        code, asked.where, asked.person_id, kind, state, dict(data), shown_in, now + LASTS, current=True
    )
    conn.execute(
        insert(job_drafts).values(
            code=code,
            conversation_id=draft.conversation_id,
            person_id=draft.person_id,
            kind=kind,
            state=state,
            data=dict(data),
            run_id=draft.run_id,
            created_at=now,
            expires_at=draft.expires_at,
        )
    )
    return draft


def find(conn: Connection, asked: Asked, code: str) -> Draft | None:
    """The draft of a code, where it is the person's own and of this conversation."""
    row = conn.execute(select(job_drafts).where(job_drafts.c.code == code, *_mine(asked))).one_or_none()
    return None if row is None else _draft(row)


def open_one(conn: Connection, asked: Asked, now: datetime) -> Draft | None:
    """The person's open draft, and whether it is what they talk about; or the one that this turn "
    "settled."""
    key = {"where": asked.where, "person": asked.person_id, "run": asked.run_id, "now": now}
    row = conn.execute(_OPEN, key).one_or_none()
    return None if row is None else _draft(row, current=_is_current(conn, asked, row.run_id))


def _shown_in(conn: Connection, asked: Asked) -> str:
    """The turn that shows a draft; for a command, which is no part of the talk, the turn before it."""
    mine = select(messages.c.id).where(messages.c.run_id == asked.run_id).limit(1)
    return asked.run_id if conn.scalar(mine) is not None else _last_turn(conn, asked)


def _is_current(conn: Connection, asked: Asked, shown_in: str) -> bool:
    """Whether the person said nothing else there between the turn that showed it and this one."""
    return _last_turn(conn, asked) == shown_in


def _last_turn(conn: Connection, asked: Asked) -> str:
    """The turn of what the person said last there before this turn; "" for talk that was only overheard."""
    last: str | None = conn.scalar(
        select(messages.c.run_id)
        .where(
            messages.c.conversation_id == asked.where,
            messages.c.person_id == asked.person_id,
            messages.c.role == "user",
            messages.c.run_id.is_distinct_from(asked.run_id),
        )
        .order_by(messages.c.id.desc())
        .limit(1)
    )
    return last or ""


def settle(conn: Connection, draft: Draft, state: State) -> bool:
    """End a draft; False where somebody else (a second press, another process) did so before."""
    changed = conn.execute(
        update(job_drafts)
        .where(job_drafts.c.code == draft.code, job_drafts.c.state.in_(["open", "offered"]))
        .values(state=state)
    )
    return changed.rowcount == 1


def note_result(conn: Connection, draft: Draft, asked: Asked, job_ids: Sequence[str]) -> None:
    """Which jobs came of a draft, and in which turn: that turn may be taken up again after a crash."""
    conn.execute(
        update(job_drafts)
        .where(job_drafts.c.code == draft.code)
        .values(run_id=asked.run_id, data={**draft.data, "kept": list(job_ids)})
    )


def rewrite(conn: Connection, draft: Draft, data: Mapping[str, Any], asked: Asked, now: datetime) -> Draft:
    """Ask the same thing anew, changed; its buttons from before still mean it."""
    shown_in = _shown_in(conn, asked)
    conn.execute(
        update(job_drafts)
        .where(job_drafts.c.code == draft.code)
        .values(data=dict(data), run_id=shown_in, expires_at=now + LASTS, state="open")
    )
    return Draft(
        draft.code,
        asked.where,
        asked.person_id,
        draft.kind,
        "open",
        data,
        shown_in,
        now + LASTS,
        current=True,
    )


def erase(conn: Connection, person_id: str) -> None:
    """Forget what a person was asked."""
    conn.execute(delete(job_drafts).where(job_drafts.c.person_id == person_id))


def _mine(asked: Asked) -> tuple[Any, ...]:
    return job_drafts.c.conversation_id == asked.where, job_drafts.c.person_id == asked.person_id


def _draft(row: Row[Any], *, current: bool = False) -> Draft:
    return Draft(
        row.code,
        row.conversation_id,
        row.person_id,
        row.kind,
        row.state,
        row.data,
        row.run_id,
        row.expires_at,
        current=current,
    )


def dump_plan(plan: Plan) -> dict[str, Any]:
    """A plan as JSON."""
    at = plan.at.isoformat() if plan.at is not None else None
    return {"zone": plan.zone, "at": at, "rrule": plan.rrule, "cron": plan.cron, "rest": plans.dump(plan)}


def load_plan(data: Mapping[str, Any]) -> Plan:
    """The plan that `dump_plan` wrote."""
    at = datetime.fromisoformat(data["at"]) if data["at"] else None
    return plans.load(data["zone"], at, data["rrule"], data["cron"], data["rest"])
