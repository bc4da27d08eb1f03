"""Answers that are wanted anew: a person changed their message, or asks for another answer."""

import asyncio

from bot.domain.conversation import Conversation, Inbound
from bot.domain.ports import Clock
from bot.domain.run import Run, RunId
from bot.runs.holder import Holder
from bot.runs.worker import Worker
from bot.store.engine import Store
from bot.turn.again import Again
from bot.turn.editing import Editing, Revision
from bot.turn.gate import Rules
from bot.turn.watching import Watching
from bot.turn.writing import Writing


class Revising(Watching):
    """What people may want of turns that there are."""

    def __init__(self, store: Store, clock: Clock, holder: Holder, rules: Rules) -> None:
        super().__init__(store)
        self.again = Again(store, clock, holder.id, rules)
        self._editing = Editing(store, clock, holder.id, self.stop_turn)
        self._writing = Writing()
        self._worker: Worker | None = None

    def is_writing(self, where: Conversation) -> bool:
        """Whether an answer is being written in a conversation, which the next message has to wait for."""
        return bool(self._writing.turns(where))

    async def revise(self, inbound: Inbound) -> Revision:
        """Take in a message that a person has changed; see `bot.turn.editing`."""
        revision = await asyncio.shield(self._revise(inbound))
        await self._store.durable()
        return revision

    async def regenerate(self, run_id: RunId) -> Revision:
        """Answer a message anew; see `bot.turn.again`."""
        revision = await self.again.regenerate(run_id)
        self._submit(revision.run)
        await self._store.durable()
        return revision

    async def _revise(self, inbound: Inbound, again: bool = False) -> Revision:
        revision = await self._editing.revise(inbound, again=again)
        self._submit(revision.run)
        return revision

    def _submit(self, run: Run | None) -> None:
        if self._worker is not None and run is not None:
            self._worker.submit(run)
