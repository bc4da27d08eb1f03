"""The record of what a turn did with tools, so that a turn taken up again is the same turn.

What a model wished for is recorded before anything is done, each effect is prepared before it happens and
committed after it, and a person's decision stands at the call it is about. Nothing here decides anything.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, insert, select, update

from bot.domain.message import ToolCall, ToolResult, Usage
from bot.domain.ports import Clock
from bot.domain.run import Run
from bot.domain.tool import RunContext, Tool
from bot.errors import Conflict
from bot.policy import budgets, digests
from bot.runs import queue
from bot.store.engine import Store
from bot.store.tables import messages, steps, tool_calls, tool_grants

Status = Literal[
    "requested",
    "pending_approval",
    "approved",
    "running",
    "completed",
    "failed",
    "denied",
    "expired",
    "cancelled",
    "unknown",
]
CLOSED: frozenset[Status] = frozenset({
    "completed", "failed", "denied", "expired", "cancelled", "unknown",
})  # fmt: skip
HAPPENED: frozenset[Status] = frozenset({"completed", "unknown"})  # for certain, or perhaps

_WINDOW = 64  # messages of a conversation that a prompt may hold


@dataclass(frozen=True, slots=True)
class Entry:
    """One call as it stands in the record. `result` is there once it is closed."""

    id: str
    call: ToolCall
    status: Status
    digest: str = ""
    result: ToolResult | None = None
    untrusted: bool = False
    doubt: bool = False
    expires_at: datetime | None = None
    attempts: int = 0  # how often it was begun

    @property
    def question(self) -> str:
        """The id of what a person is asked about it."""
        return digests.question(self.id, self.digest, self.attempts)


@dataclass(frozen=True, slots=True)
class Round:
    """What a model said and wished for at once."""

    number: int
    text: str
    usage: Usage
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person is asked about a call."""

    tool: Tool
    digest: str
    reason: str
    doubt: bool = False


class Ledger:
    """The record of one run. Every write raises `Conflict` where the run is no longer held here."""

    def __init__(self, store: Store, clock: Clock, run: Run, context: RunContext) -> None:
        self._store = store
        self._clock = clock
        self._run = run
        self._context = context

    async def rounds(self) -> list[Round]:
        """Everything that is recorded of this run, in order."""
        return await self._store.read(_rounds, self._run.id)

    async def open_round(self, number: int, text: str, usage: Usage, calls: Sequence[ToolCall]) -> Round:
        """Record what a model wishes for, before any of it is done."""
        entries = tuple(Entry(f"tc-{secrets.token_hex(10)}", call, "requested") for call in calls)
        opened = Round(number, text, usage, entries)
        await self._store.write(_open, self._run, self._context, opened, self._clock.now())
        return opened

    async def prepare(self, entry: Entry, tool: Tool, digest: str) -> None:
        """An effect is about to happen; this is safe on disk when it returns."""
        values = {"status": "running", "attempts": tool_calls.c.attempts + 1, **_about(tool, digest)}
        await self._write(entry, values)
        await self._store.durable()

    async def close(
        self, entry: Entry, status: Status, result: ToolResult, tool: Tool | None = None
    ) -> Entry:
        """Record how a call ended."""
        # Also what a failing tool says was written by others.
        untrusted = tool is not None and (tool.untrusted or result.foreign)
        values: dict[str, Any] = {"status": status, "result": result.text, "is_error": result.is_error}
        about = {} if tool is None else {"toolset": tool.toolset, "effect": tool.effect}
        await self._write(entry, {**values, **about, "untrusted": untrusted})
        return replace(entry, status=status, result=result, untrusted=untrusted)

    async def ask(self, entry: Entry, asked: Asked, lasts_s: float) -> Entry:
        """A person is to decide; the question stands for so long."""
        expires = self._clock.now() + timedelta(seconds=lasts_s)
        values = {
            "status": "pending_approval",
            "reason": asked.reason,
            "doubt": asked.doubt,
            "expires_at": expires,
            **_about(asked.tool, asked.digest),
        }
        await self._write(entry, values)
        return replace(
            entry, status="pending_approval", digest=asked.digest, doubt=asked.doubt, expires_at=expires
        )

    def is_over(self, entry: Entry) -> bool:
        """Whether the time to decide is over."""
        return entry.expires_at is not None and entry.expires_at <= self._clock.now()

    async def is_granted(self, tool: Tool) -> bool:
        """Whether this tool was approved for good in this conversation."""
        return await self._store.read(_is_granted, self._context.conversation_id, tool)

    async def read_foreign_before(self) -> bool:
        """Whether an earlier turn that may still stand in the prompt has read what others wrote."""
        return await self._store.read(_read_foreign, self._context.conversation_id, self._run.id)

    async def used_today(self) -> budgets.Used:
        return await self._store.read(budgets.used, self._context.person_id, self._clock.now())

    async def spend(self, used: budgets.Used) -> None:
        """Count what a turn used up."""
        await self._store.write(budgets.spend, self._context.person_id, used, self._clock.now())

    async def _write(self, entry: Entry, values: Mapping[str, Any]) -> None:
        await self._store.write(_change, self._run, entry.id, values, self._clock.now())


def _about(tool: Tool, digest: str) -> dict[str, Any]:
    # Its whole name, however the model called it: an approval for good is kept by it.
    return {"tool": tool.name, "toolset": tool.toolset, "effect": tool.effect, "digest": digest}


def _key(number: int) -> str:
    return f"tools:{number:04}"


def _read_foreign(conn: Connection, conversation_id: str, run_id: str) -> bool:
    here = messages.c.conversation_id == conversation_id
    late = select(messages.c.run_id).where(here, messages.c.run_id.is_not(None))
    window = late.order_by(messages.c.id.desc()).limit(_WINDOW).subquery()
    found = select(tool_calls.c.id).where(
        tool_calls.c.conversation_id == conversation_id,
        tool_calls.c.untrusted,
        tool_calls.c.run_id != run_id,
        tool_calls.c.run_id.in_(select(window.c.run_id)),
    )
    return conn.scalar(found.limit(1)) is not None


def _open(conn: Connection, run: Run, context: RunContext, opened: Round, now: datetime) -> None:
    queue.require_held(conn, run)
    said = {"text": opened.text, "usage": [opened.usage.input_tokens, opened.usage.output_tokens]}
    conn.execute(
        insert(steps).values(run_id=run.id, key=_key(opened.number), status="committed", result=said, at=now)
    )
    conn.execute(
        insert(tool_calls),
        [
            {
                "id": entry.id,
                "run_id": run.id,
                "conversation_id": run.conversation_id,
                "person_id": context.person_id,
                "round": opened.number,
                "place": place,
                "call_id": entry.call.id,
                "tool": entry.call.name,
                "arguments": None if entry.call.arguments is None else dict(entry.call.arguments),
                "raw": entry.call.raw,
                "status": entry.status,
                "created_at": now,
                "updated_at": now,
            }
            for place, entry in enumerate(opened.entries)
        ],
    )


def _change(conn: Connection, run: Run, entry_id: str, values: Mapping[str, Any], now: datetime) -> None:
    queue.require_held(conn, run)
    wanted = update(tool_calls).where(tool_calls.c.id == entry_id, tool_calls.c.run_id == run.id)
    if conn.execute(wanted.values(**values, updated_at=now)).rowcount != 1:
        raise Conflict(f"the call {entry_id} is gone")


def _rounds(conn: Connection, run_id: str) -> list[Round]:
    wanted = select(tool_calls).where(tool_calls.c.run_id == run_id)
    by_round: dict[int, list[Entry]] = {}
    for row in conn.execute(wanted.order_by(tool_calls.c.round, tool_calls.c.place)):
        by_round.setdefault(row.round, []).append(entry_of(row))
    said = select(steps.c.key, steps.c.result).where(steps.c.run_id == run_id, steps.c.key.like("tools:%"))
    results = {row.key: row.result for row in conn.execute(said)}
    return [
        Round(
            number,
            results[_key(number)]["text"],
            Usage(*results[_key(number)]["usage"]),
            tuple(entries),
        )
        for number, entries in by_round.items()
    ]


def entry_of(row: Row[Any]) -> Entry:
    """A row of the record."""
    call = ToolCall(row.call_id, row.tool, row.arguments, row.raw)
    result = None
    if row.result is not None:
        result = ToolResult(row.call_id, row.tool, row.result, row.is_error)
    return Entry(
        row.id,
        call,
        row.status,
        row.digest,
        result,
        row.untrusted,
        row.doubt,
        row.expires_at,
        row.attempts,
    )


def _is_granted(conn: Connection, conversation_id: str, tool: Tool) -> bool:
    found = select(tool_grants.c.at).where(
        tool_grants.c.conversation_id == conversation_id,
        tool_grants.c.toolset == tool.toolset,
        tool_grants.c.tool == tool.name,
    )
    return conn.scalar(found) is not None
