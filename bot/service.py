"""One turn, from the door to the answer. The order of the steps below is the product's behaviour."""

import asyncio

import structlog

from bot.agent.react import WaitsForPerson
from bot.commands import later, registry
from bot.commands.base import Context
from bot.domain.conversation import Conversation, Inbound
from bot.domain.message import Reply
from bot.domain.run import Run
from bot.errors import Conflict, NotFound
from bot.i18n.catalogue import translate
from bot.runs.holder import Holder
from bot.runs.worker import Ended, Outcome, Worker
from bot.schedule.talk.desk import Talk
from bot.turn import codec, doubt, gathering, parking, stop_words, work
from bot.turn.chat_news import ChatNews
from bot.turn.finish import Written, conclude
from bot.turn.gate import Rules
from bot.turn.gathering import Gather
from bot.turn.inbox import Accepted, Arrival
from bot.turn.reception import Arrived, Received, Reception
from bot.turn.revising import Revising
from bot.turn.streams import TurnStream
from bot.turn.tasks import is_task

log = structlog.get_logger(__name__)


class Service(Revising):
    """Takes messages from every channel and sees that each is answered once."""

    def __init__(self, tools: work.Tools, rules: Rules, holder: Holder, talk: Talk | None = None) -> None:
        super().__init__(tools.store, tools.clock, holder, rules)
        self._tools = tools
        self._holder = holder
        self.reception = Reception(tools, rules)
        known = tools.store, tools.clock, rules, self.stop, tools.rooms
        self.desk = None if tools.hands is None else tools.hands.desk
        more = tools.recall, tools.events, tools.mcp, self.desk, tools.skills
        self._context = Context(*known, talk, *more, shelf=tools.shelf)
        self.rooms = tools.rooms
        self.attachments = tools.attachments
        self.chats = ChatNews(tools.store, tools.events, tools.clock, tools.shelf)

    def employ(self, worker: Worker) -> None:
        """The worker that does the turns (it is made with this service's `handle`)."""
        self._worker = worker
        if self.desk is not None:
            self.desk.employ(worker.take, self.streams.restart, self.wait)

    async def receive(self, inbound: Inbound, gather: Gather | None = None) -> Received:
        """Take in a message. When this returns it is safe on disk, and the channel may acknowledge it.

        With `gather` its turn waits a little for more, or it is added to one that waits.
        """
        if self.is_writing(inbound.conversation) and (
            stop := stop_words.as_command(inbound, self.rooms.called_with(inbound))
        ):
            inbound, gather = stop, None
        elif self.desk is not None and (decided := await self.desk.as_command(inbound)):
            inbound, gather = decided, None
        arrived = await self.reception.judge(inbound, registry.arrival(inbound))
        arrival, gather = await self.reception.arrival(arrived, gather)
        if arrival is None:
            return Received(None, arrived.verdict)
        if arrival == "turn":
            work.anticipate(arrived.inbound, self._tools)
        # Shielded: a caller that goes away leaves no claimed run behind.
        accepted = await asyncio.shield(self._accept(arrived, arrival, gather))
        await self._tools.store.durable()
        run_id = None if arrival == "observe" else accepted.run_id
        return Received(run_id, arrived.verdict, accepted.repeated)

    async def _accept(self, arrived: Arrived, arrival: Arrival, gather: Gather | None) -> Accepted:
        accepted = await self.reception.accept(arrived, arrival, self._holder.id, gather)
        if self._worker is not None and accepted.run is not None:
            self._worker.submit(accepted.run)
        elif self._worker is not None and not accepted.repeated:
            self._worker.wake(accepted.waits_s)  # for its own start, or others of its conversation
        return accepted

    async def handle(self, run: Run) -> Outcome:
        """The handler of `turn` runs: answer, end the run, and only then tell those who watch."""
        with self._editing.working(run.id):
            run = await self._editing.opened(run)
            if not await doubt.is_due(run, self._tools):
                await self._tools.store.write(gathering.drop, run)
                return Ended()
            try:
                written = await self._reply(run)
                while self._editing.take(run.id) is not None:
                    self.streams.open(run.id).stop.clear()
                    run = await self._editing.opened(run)
                    written = await self._reply(run)
            except WaitsForPerson as waits:
                return await parking.park(run, waits.text, self._tools, self.streams.open(run.id))
            written = written.with_choices()
            delivery = await conclude(run, written, self._tools, self._holder.id)
            late = self._editing.take(run.id)
        if late is not None:
            await self._revise(late, again=True)  # which takes back the delivery
        else:
            self._submit(delivery)
        reply = written.reply
        await self.streams.open(run.id).close(reply)
        return Ended("failed", reply.error_code or "") if reply.status == "failed" else Ended()

    async def _reply(self, run: Run) -> Written:
        """The reply to a message, as it was read."""
        inbound = codec.load(run.payload["inbound"])
        stream = self.streams.restart(run.id)
        try:
            with self._writing.of(inbound.conversation, run):
                return await self._write(run, inbound, stream)
        except (Conflict, NotFound, WaitsForPerson):
            raise
        except Exception:
            log.exception("turn.failed", run_id=run.id)
            line = translate("turn.internal", inbound.locale)
            return Written(inbound, Reply(line, "failed", error_code="internal"))

    async def _write(self, run: Run, inbound: Inbound, stream: TurnStream) -> Written:
        answer = None if is_task(run) else await registry.try_run(inbound, self._context, run.id)
        if answer is not None:
            return answer.to(inbound)
        found = await work.read(run, inbound, self._tools)
        if self._writing.has_obeyed(inbound):
            return Written(found.inbound, Reply(translate("command.stopped", inbound.locale)), keep=False)
        if found.is_heard and (wished := await later.in_words(found.inbound, run.id, self._context)):
            return wished.to(found.inbound)
        written = Written(*await work.answer(run, found, stream, self._tools, self.reception.begun))
        return written if is_task(run) else await later.afterwards(written, run.id, self._context)

    async def heed(self, inbound: Inbound) -> None:
        """Listen to a recording that waits behind an answer: one that says "stop" ends that."""
        if await self._writing.is_told_to_stop(inbound, self.attachments):
            await self.stop(inbound.conversation)

    async def stop(self, conversation: Conversation) -> int:
        """End the answers being written in a conversation, with what there is of them; how many."""
        running = self._writing.turns(conversation)
        waiting = 0 if self.desk is None else await self.desk.withdraw(conversation.id)
        return waiting + sum(self.stop_turn(run_id) for run_id in running)
