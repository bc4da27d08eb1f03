"""One turn, from the door to the answer. The order of the steps below is the product's behaviour."""

import asyncio

import structlog

from bot.commands import registry
from bot.commands.base import Context, parse
from bot.domain.conversation import Conversation, Inbound
from bot.domain.message import Reply
from bot.domain.run import Run, RunId
from bot.errors import Conflict, NotFound
from bot.i18n.catalogue import translate
from bot.runs.holder import Holder
from bot.runs.worker import Ended, Outcome, Worker
from bot.turn import codec, gate, gathering, work
from bot.turn.again import Again
from bot.turn.chat_news import ChatNews
from bot.turn.editing import Editing, Revision
from bot.turn.finish import conclude
from bot.turn.gate import Rules
from bot.turn.gathering import Gather
from bot.turn.inbox import Accepted, Arrival
from bot.turn.reception import Received, Reception
from bot.turn.watching import Watching

log = structlog.get_logger(__name__)


class Service(Watching):
    """Takes messages from every channel and sees that each is answered once."""

    def __init__(self, tools: work.Tools, rules: Rules, holder: Holder) -> None:
        super().__init__(tools.store)
        self._tools = tools
        self._rules = rules
        self._holder = holder
        self._reception = Reception(tools.store, tools.events, tools.clock, rules)
        self._worker: Worker | None = None
        self._running: dict[str, set[RunId]] = {}
        self.attachments = tools.attachments
        self.chats = ChatNews(tools.store, tools.events, tools.clock)
        self.again = Again(tools.store, tools.clock, holder.id, rules)
        self._editing = Editing(tools.store, tools.clock, holder.id, self.stop_turn)

    def employ(self, worker: Worker) -> None:
        """The worker that does the turns (it is made with this service's `handle`)."""
        self._worker = worker

    async def receive(self, inbound: Inbound, gather: Gather | None = None) -> Received:
        """Take in a message. When this returns it is safe on disk, and the channel may acknowledge it.

        With `gather` its turn waits a little for more, or it is added to one that waits.
        """
        verdict = await self._reception.judge(inbound)
        if verdict.decision == "pair":
            await self._reception.offer_pairing(inbound)
        arrival, gather = await self._reception.arrival(inbound, verdict, registry.arrival(inbound), gather)
        if arrival is None:
            return Received(None, verdict)
        # Shielded: a caller that goes away leaves no claimed run behind.
        accepted = await asyncio.shield(self._accept(inbound, arrival, gather))
        await self._tools.store.durable()
        return Received(None if arrival == "observe" else accepted.run_id, verdict, accepted.repeated)

    async def revise(self, inbound: Inbound) -> Revision:
        """Take in a message that a person has changed; see `bot.turn.editing`."""
        revision = await asyncio.shield(self._revise(inbound))
        await self._tools.store.durable()
        return revision

    async def regenerate(self, run_id: RunId) -> Revision:
        """Answer a message anew; see `bot.turn.again`."""
        revision = await self.again.regenerate(run_id)
        if self._worker is not None and revision.run is not None:
            self._worker.submit(revision.run)
        await self._tools.store.durable()
        return revision

    async def _revise(self, inbound: Inbound, again: bool = False) -> Revision:
        revision = await self._editing.revise(inbound, again=again)
        if self._worker is not None and revision.run is not None:
            self._worker.submit(revision.run)
        return revision

    async def _accept(self, inbound: Inbound, arrival: Arrival, gather: Gather | None) -> Accepted:
        accepted = await self._reception.accept(inbound, arrival, self._holder.id, gather)
        if self._worker is not None and accepted.run is not None:
            self._worker.submit(accepted.run)
        elif self._worker is not None and not accepted.repeated:
            self._worker.wake(accepted.waits_s)  # for its own start, or others of its conversation
        return accepted

    async def handle(self, run: Run) -> Outcome:
        """The handler of `turn` runs: answer, end the run, and only then tell those who watch."""
        with self._editing.working(run.id):
            run = await self._editing.opened(run)
            if run.payload.get("undecided"):
                await self._tools.store.write(gathering.drop, run)
                return Ended()
            inbound, reply, keep = await self._reply(run)
            while self._editing.take(run.id) is not None:
                self.streams.open(run.id).stop.clear()
                run = await self._editing.opened(run)
                inbound, reply, keep = await self._reply(run)
            delivery = await conclude(run, inbound, reply, self._tools, self._holder.id, keep=keep)
            late = self._editing.take(run.id)
        if late is not None:
            await self._revise(late, again=True)  # which takes back the delivery
        elif delivery is not None and self._worker is not None:
            self._worker.submit(delivery)
        await self.streams.open(run.id).close(reply)
        return Ended("failed", reply.error_code or "") if reply.status == "failed" else Ended()

    async def _reply(self, run: Run) -> tuple[Inbound, Reply, bool]:
        """A message as it was read, the reply, and whether both are part of the conversation."""
        inbound = codec.load(run.payload["inbound"])
        stream = self.streams.restart(run.id)
        running = self._running.setdefault(inbound.conversation.id, set())
        if not run.payload["control"]:
            running.add(run.id)
        try:
            reply = await self._command(inbound)
            if reply is not None:
                return inbound, reply, False
            return *await work.answer(run, inbound, run.payload["session"], stream, self._tools), True
        except (Conflict, NotFound):
            raise
        except Exception:
            log.exception("turn.failed", run_id=run.id)
            line = translate("turn.internal", inbound.locale)
            return inbound, Reply(line, "failed", error_code="internal"), True
        finally:
            running.discard(run.id)
            if not running:
                self._running.pop(inbound.conversation.id, None)

    async def stop(self, conversation: Conversation) -> int:
        """End the answers being written in a conversation, with what there is of them; how many."""
        running = self._running.get(conversation.id, set())
        return sum(self.stop_turn(run_id) for run_id in running)

    async def _command(self, inbound: Inbound) -> Reply | None:
        if parse(inbound.text) is None:
            return None
        tools = self._tools
        context = Context(tools.store, tools.clock, self._rules, self.stop)
        role = await tools.store.read(gate.role_in, inbound, self._rules)
        text = await registry.try_run(inbound, role, inbound.locale, context)
        return None if text is None else Reply(text)
