"""A person's word for one call: asked in the chat it came from, bound to its arguments, given once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, insert, select, update

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.domain.tool import Effect, PersonRole
from bot.policy.digests import question
from bot.runs import queue
from bot.store.tables import tool_calls, tool_grants

Decision = Literal["once", "always", "deny"]
# What became of a decision. `late`: nobody decided in time; `taken`: somebody had decided before.
Outcome = Literal["approved", "denied", "late", "taken", "not_yours", "unknown"]

# What a channel says of the time of a message is cut to whole seconds, and comes from another clock.
CLOCKS_APART = timedelta(seconds=2)

_RANK: Mapping[PersonRole, int] = {"stranger": 0, "member": 1, "admin": 2, "owner": 3}


@dataclass(frozen=True, slots=True)
class Approval:
    """What is asked. `doubt`: it may have happened already; `person_id` is in whose name it is wished.
    `id` is that of the question, not of the call: see `digests.question`."""

    id: str
    run_id: RunId
    conversation_id: ConversationId | None
    person_id: SpeakerId
    tool: str
    toolset: str
    effect: Effect
    arguments: Mapping[str, Any]
    digest: str
    reason: str
    doubt: bool
    asked_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides."""

    person_id: SpeakerId
    role: PersonRole


@dataclass(frozen=True, slots=True)
class Decided:
    """`resumed`: the turn goes on; else it waits for more decisions."""

    outcome: Outcome
    approval: Approval | None = None
    resumed: bool = False


def pending(
    conn: Connection, now: datetime, *, conversation_id: str = "", run_id: str = ""
) -> list[Approval]:
    """What waits for a decision, oldest first: all of it, or that of a conversation or a turn."""
    wanted = select(tool_calls).where(
        tool_calls.c.status == "pending_approval", tool_calls.c.expires_at > now
    )
    if conversation_id:
        wanted = wanted.where(tool_calls.c.conversation_id == conversation_id)
    if run_id:
        wanted = wanted.where(tool_calls.c.run_id == run_id)
    order = tool_calls.c.created_at, tool_calls.c.run_id, tool_calls.c.round, tool_calls.c.place
    return [_approval(row) for row in conn.execute(wanted.order_by(*order))]


def may_decide(asked: Approval, who: Decider, min_role: PersonRole) -> bool:
    """The one in whose name it is wished, with enough of a role, or who manages the bot."""
    if _RANK[who.role] >= _RANK["admin"]:
        return True
    return who.person_id == asked.person_id and _RANK[who.role] >= _RANK[min_role]


def may_mean(asked: Approval, said_at: datetime) -> bool:
    """Whether a word that names no question can be about this one: it was there when the word was said."""
    return asked.asked_at <= said_at + CLOCKS_APART


def decide(
    conn: Connection,
    approval_id: str,
    decision: Decision,
    who: Decider,
    now: datetime,
    min_role: PersonRole = "member",
) -> Decided:
    """Take a decision, once; when nothing else of the turn waits, it goes back to the queue."""
    call_id = approval_id.rpartition("-")[0]
    row = conn.execute(select(tool_calls).where(tool_calls.c.id == call_id).with_for_update()).one_or_none()
    if row is None or row.expires_at is None:
        return Decided("unknown")
    asked = _approval(row)
    if not may_decide(asked, who, min_role):
        return Decided("not_yours", asked)
    # Another question about the same call stands there now: this one was decided, whatever came of it.
    if row.status != "pending_approval" or asked.id != approval_id:
        return Decided("late" if row.status in {"expired", "cancelled"} else "taken", asked)
    if row.expires_at <= now:
        return Decided("late", asked)
    status = "denied" if decision == "deny" else "approved"
    change = update(tool_calls).where(tool_calls.c.id == call_id, tool_calls.c.status == "pending_approval")
    conn.execute(change.values(status=status, decided_by=who.person_id, decided_at=now, updated_at=now))
    if decision == "always" and asked.conversation_id is not None:
        _grant(conn, asked, who, now)
    return Decided("denied" if decision == "deny" else "approved", asked, _resume(conn, asked.run_id, now))


def withdraw(conn: Connection, now: datetime, conversation_id: str, run_id: str = "") -> list[RunId]:
    """Cancel the turns of a conversation that wait for a person, or that one; which those were."""
    asked = pending(conn, now, conversation_id=conversation_id, run_id=run_id)
    stopped = []
    for waits in dict.fromkeys(one.run_id for one in asked):
        waiting = (tool_calls.c.run_id == waits) & (tool_calls.c.status == "pending_approval")
        conn.execute(update(tool_calls).where(waiting).values(status="cancelled", updated_at=now))
        if queue.cancel(conn, waits, now):
            stopped.append(waits)
    return stopped


def grants(conn: Connection, conversation_id: str) -> list[str]:
    """The tools that were approved for good in a conversation."""
    wanted = select(tool_grants.c.tool).where(tool_grants.c.conversation_id == conversation_id)
    return sorted(conn.scalars(wanted))


def revoke(conn: Connection, conversation_id: str) -> int:
    """Take back what was approved for good in a conversation; how many tools."""
    return conn.execute(delete(tool_grants).where(tool_grants.c.conversation_id == conversation_id)).rowcount


def _resume(conn: Connection, run_id: RunId, now: datetime) -> bool:
    queue.lock(conn, run_id)  # of two decisions at once the later one sees both
    left = select(tool_calls.c.id).where(
        tool_calls.c.run_id == run_id, tool_calls.c.status == "pending_approval"
    )
    return conn.scalar(left.limit(1)) is None and queue.resume(conn, run_id, now)


def _grant(conn: Connection, asked: Approval, who: Decider, now: datetime) -> None:
    key = (
        (tool_grants.c.conversation_id == asked.conversation_id)
        & (tool_grants.c.toolset == asked.toolset)
        & (tool_grants.c.tool == asked.tool)
    )
    if conn.scalar(select(tool_grants.c.at).where(key)) is None:
        conn.execute(
            insert(tool_grants).values(
                conversation_id=asked.conversation_id,
                toolset=asked.toolset,
                tool=asked.tool,
                person_id=who.person_id,
                at=now,
            )
        )


def _approval(row: Row[Any]) -> Approval:
    return Approval(
        id=question(row.id, row.digest, row.attempts),
        run_id=RunId(row.run_id),
        conversation_id=None if row.conversation_id is None else ConversationId(row.conversation_id),
        person_id=SpeakerId(row.person_id),
        tool=row.tool,
        toolset=row.toolset,
        effect=row.effect,
        arguments=row.arguments or {},
        digest=row.digest,
        reason=row.reason,
        doubt=row.doubt,
        asked_at=row.updated_at,
        expires_at=row.expires_at,
    )
