"""Where people's decisions about calls are taken, whatever door they come through."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.config.policy import PolicySettings
from bot.domain.conversation import ConversationId, Inbound
from bot.domain.message import Reply, Text
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.events.log import EventLog
from bot.events.types import HumanReviewCompleted, RunCancelled
from bot.policy import approvals
from bot.policy.approvals import Approval, Decided, Decider, Decision
from bot.store.engine import Store
from bot.turn.consent_words import command_of, may_decide


class Desk:
    """Takes decisions, and sees that the turn goes on."""

    def __init__(self, store: Store, events: EventLog, clock: Clock, settings: PolicySettings) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._settings = settings
        self._take: Callable[[RunId], Awaitable[None]] | None = None
        self._restart: Callable[[RunId], object] = lambda run_id: None
        self._wait: Callable[[RunId], Awaitable[Reply]] | None = None

    def employ(
        self,
        take: Callable[[RunId], Awaitable[None]],
        restart: Callable[[RunId], object],
        wait: Callable[[RunId], Awaitable[Reply]],
    ) -> None:
        """`take` goes on with a turn, `restart` begins its stream anew, and `wait` brings its reply."""
        self._take, self._restart, self._wait = take, restart, wait

    async def decide(self, approval_id: str, decision: Decision, who: Decider) -> Decided:
        """Take one decision; the turn goes on when nothing else of it waits."""
        decided = await self._store.write(
            approvals.decide,
            approval_id,
            decision,
            who,
            self._clock.now(),
            self._settings.approver_min_role,
        )
        if decided.outcome in {"approved", "denied"} and decided.approval is not None:
            self._record(decided.approval, decision, who)
        if decided.resumed and decided.approval is not None:
            await self._store.durable()
            self._restart(decided.approval.run_id)
            if self._take is not None:
                await self._take(decided.approval.run_id)
        return decided

    async def goes_on(self, run_id: RunId) -> Reply:
        """The reply of a turn that was decided on."""
        if self._wait is None:
            raise RuntimeError("the desk is not employed")
        return await self._wait(run_id)

    async def pending(self, conversation_id: ConversationId | str = "") -> list[Approval]:
        """What waits for a decision: in one conversation, or anywhere."""
        now = self._clock.now()
        return await self._store.read(
            lambda conn: approvals.pending(conn, now, conversation_id=conversation_id)
        )

    async def withdraw(self, conversation_id: ConversationId, run_id: RunId | None = None) -> int:
        """Cancel the turns of a conversation that wait, or that one of them; how many."""
        now = self._clock.now()
        if not await self.pending(conversation_id):
            return 0
        stopped = await self._store.write(approvals.withdraw, now, conversation_id, run_id or "")
        for gone in stopped:
            self._events.record(
                RunCancelled(run_id=gone, conversation_id=conversation_id, kind="turn", reason="stopped")
            )
        return len(stopped)

    async def as_command(self, inbound: Inbound) -> Inbound | None:
        """A bare yes or no, or an "all of them", as the command it stands for, where this person is asked
        something here, and was so when it was said."""
        if not may_decide(inbound.text) or not inbound.is_for_the_bot:
            return None
        asked = await self.pending(inbound.conversation.id)
        mine = [
            one.id
            for one in asked
            if one.person_id == inbound.speaker.id and approvals.may_mean(one, inbound.at)
        ]
        decided = "" if not mine else command_of(inbound.text, mine)
        return replace(inbound, parts=(Text(decided),)) if decided else None

    def _record(self, asked: Approval, decision: Decision, who: Decider) -> None:
        self._events.record(
            HumanReviewCompleted(
                run_id=asked.run_id,
                conversation_id=asked.conversation_id,
                person_id=who.person_id,
                tool=asked.tool,
                toolset=asked.toolset,
                call_id=asked.id,
                effect=asked.effect,
                approval=asked.id,
                decision=decision,
            )
        )
