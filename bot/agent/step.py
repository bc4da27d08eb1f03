"""One call of a turn, brought as far as it goes: done, refused, or waiting for a person."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import structlog

from bot.domain.message import ToolCall, ToolResult
from bot.domain.tool import RunContext, Tool
from bot.events.types import HumanReviewCompleted, HumanReviewRequested, ToolCallRejected
from bot.policy.digests import canonical
from bot.policy.heard import Heard
from bot.policy.ledger import CLOSED, Asked, Entry, Ledger, Round, Status
from bot.policy.rules import Verdict, is_grave
from bot.tools.gate import Gated, Refused, Weighed

log = structlog.get_logger(__name__)

MOST_ALIKE = 3  # the third call with the same arguments is not made
HARMLESS = ("pure", "read")

REPEATED = (
    "You have called this tool with these arguments twice already; it was not called again. Answer with what "
    "you know."
)
OVER_BUDGET = "No more calls may be made: the budget is used up. Nothing was done."
DENIED = "The person did not approve this. Do not try it again, nor another way to the same end."
EXPIRED = "Nobody approved this in time. It was not done."
MAYBE = (
    "This was under way when the bot was interrupted. Whether it happened is not known, and it was not done "
    "again. Tell the person so."
)


class Steps:
    """Does the calls of one turn. Those that change nothing go side by side, the others one by one."""

    def __init__(
        self, gate: Gated, ledger: Ledger, context: RunContext, *, tainted: bool = False, said: str = ""
    ) -> None:
        """`said` is what the person said, now and before."""
        self.tainted = tainted  # the turn has read what others wrote
        self.mendable = 0  # rounds in a row in which nothing but faults came
        self.repeated = False
        self.calls = 0
        self.most_calls = gate.policy.settings.max_calls_per_turn  # of this turn, and of the day
        self.under_way: dict[str, tuple[Entry, Tool]] = {}  # effects that may be happening now
        self._said = said
        self._read: list[str] = []  # what tools brought
        self._gate = gate
        self._ledger = ledger
        self._context = context
        self._alike: Counter[str] = Counter()

    async def settle(self, opened: Round) -> list[Entry]:
        """Bring every call of a round as far as it goes, in its order.

        What was done by an earlier attempt is not done again. Entries that wait are not closed.
        """
        if not self.tainted and not self.calls:
            # Looked up with the first call: most turns have none.
            self.tainted = await self._ledger.read_foreign_before()
        weighed = [await self._weigh(entry) for entry in opened.entries]
        settled: list[Entry] = list(opened.entries)
        together = [place for place, one in enumerate(weighed) if _is_harmless(one)]
        async with asyncio.TaskGroup() as group:
            tasks = {
                place: group.create_task(self._step(opened.entries[place], weighed[place]))
                for place in together
            }
        for place, entry in enumerate(opened.entries):
            settled[place] = (
                tasks[place].result() if place in tasks else await self._step(entry, weighed[place])
            )
        self.tainted = self.tainted or any(entry.untrusted for entry in settled)
        self._read += [entry.result.text for entry in settled if entry.result is not None]
        faulty = bool(weighed) and all(isinstance(one, Refused) and one.mendable for one in weighed)
        self.mendable = self.mendable + 1 if faulty else 0
        return settled

    async def abandon(self, told: str) -> None:
        """Record of what was under way, when the turn is stopped, that nobody knows whether it happened."""
        for entry, tool in self.under_way.values():
            result = ToolResult(entry.call.id, entry.call.name, told, is_error=True)
            await self._ledger.close(entry, "unknown", result, tool)

    async def _weigh(self, entry: Entry) -> Weighed | Refused | None:
        """What the gate says of a call; None for one that is closed."""
        self.calls += 1
        alike = _likeness(entry.call)
        self._alike[alike] += 1
        if entry.status in CLOSED and entry.result is not None:
            self.tainted = self.tainted or entry.untrusted
            return None
        if entry.status == "requested" and (told := self._too_much(alike)):
            return Refused(ToolResult(entry.call.id, entry.call.name, told, is_error=True))
        heard = Heard(self._said, "\n".join(self._read))
        return await self._gate.weigh(entry.call, self._context, tainted=self.tainted, heard=heard)

    def _too_much(self, alike: str) -> str:
        """Why a call is not even weighed; "" where it is."""
        if self._alike[alike] >= MOST_ALIKE:
            self.repeated = True
            return REPEATED
        return OVER_BUDGET if self.calls > self.most_calls else ""

    async def _step(self, entry: Entry, weighed: Weighed | Refused | None) -> Entry:
        if weighed is None:
            return entry
        if entry.status == "denied":
            return await self._denied(entry)
        if isinstance(weighed, Refused):
            return await self._refuse(entry, weighed)
        match entry.status:
            case "pending_approval":
                return await self._await_decision(entry, weighed)
            case "running":  # whatever the tool counts as by now
                reason = "it was under way when the bot was interrupted, and may have happened"
                return await self._ask(
                    entry, weighed, Asked(weighed.tool, weighed.digest, reason, doubt=True)
                )
            case "approved" if entry.digest == weighed.digest:
                return await self._do(entry, weighed)
            case _ if entry.doubt or await self._needs_word(weighed):
                reason = _reason(weighed.verdict)
                return await self._ask(
                    entry, weighed, Asked(weighed.tool, weighed.digest, reason, doubt=entry.doubt)
                )
            case _:
                return await self._do(entry, weighed)

    async def _denied(self, entry: Entry) -> Entry:
        """A person said no, and the model does not know yet."""
        told = MAYBE if entry.doubt else DENIED
        result = ToolResult(entry.call.id, entry.call.name, told, is_error=True)
        return await self._ledger.close(entry, "unknown" if entry.doubt else "denied", result)

    async def _refuse(self, entry: Entry, refused: Refused) -> Entry:
        # One that was begun before may have happened, whatever is refused now.
        if entry.status == "running" or entry.doubt:
            told = replace(refused.result, text=MAYBE)
            return await self._ledger.close(entry, "unknown", told)
        return await self._ledger.close(entry, "failed" if refused.mendable else "denied", refused.result)

    async def _needs_word(self, weighed: Weighed) -> bool:
        """Whether a person has to approve it now. What was approved for good does not hold after reading
        what others wrote."""
        if weighed.verdict.decision != "ask":
            return False
        wary = self._gate.policy.settings.ask_after_untrusted and self.tainted
        if wary and is_grave(weighed.tool):
            return True
        return not await self._ledger.is_granted(weighed.tool)

    async def _ask(self, entry: Entry, weighed: Weighed, asked: Asked) -> Entry:
        lasts_s = self._gate.policy.settings.approval_expires_secs
        waiting = await self._ledger.ask(entry, asked, lasts_s)
        self._gate.note(
            HumanReviewRequested, weighed, self._context, approval=waiting.question, doubt=asked.doubt
        )
        return waiting

    async def _await_decision(self, entry: Entry, weighed: Weighed) -> Entry:
        if not self._ledger.is_over(entry):
            return entry
        about = {"approval": entry.question, "decision": "expired"}
        self._gate.note(HumanReviewCompleted, weighed, self._context, **about)
        self._gate.note(ToolCallRejected, weighed, self._context, reason="expired")
        told = MAYBE if entry.doubt else EXPIRED
        result = ToolResult(entry.call.id, entry.call.name, told, is_error=True)
        return await self._ledger.close(entry, "unknown" if entry.doubt else "expired", result)

    async def _do(self, entry: Entry, weighed: Weighed) -> Entry:
        tool = weighed.tool
        if tool.effect not in HARMLESS:
            self.under_way[entry.id] = (entry, tool)
            await self._ledger.prepare(entry, tool, weighed.digest)
        done = await self._gate.perform(weighed, self._context)
        # Shielded: what has happened is put on record even where the turn is stopped now.
        status: Status = "unknown" if done.unknown else "failed" if done.result.is_error else "completed"
        closing = asyncio.ensure_future(self._ledger.close(entry, status, done.result, tool))
        closed = await asyncio.shield(closing)
        self.under_way.pop(entry.id, None)
        return closed


def _reason(verdict: Verdict) -> str:
    """Why a person is asked: a word that is told in their language, or the operator's own."""
    if verdict.tainted:
        return "untrusted"
    return "effect" if verdict.rule is None else f"rule:{verdict.reason}"


def _is_harmless(weighed: Weighed | Refused | None) -> bool:
    return isinstance(weighed, Weighed) and weighed.tool.effect in HARMLESS


def _likeness(call: ToolCall) -> str:
    if call.arguments is None:
        return f"{call.name} {call.raw}"
    try:
        return f"{call.name} {canonical(call.arguments)}"
    except (ValueError, TypeError, RecursionError):
        return f"{call.name} {call.arguments!r}"


def waiting_of(entries: Sequence[Entry]) -> list[str]:
    """The ids of those that wait for a person."""
    return [entry.id for entry in entries if entry.result is None]
