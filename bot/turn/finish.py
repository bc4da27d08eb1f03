"""The end of a turn: reply, memory, events, the run's end and its delivery, in one transaction."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from bot.delivery import outbox
from bot.delivery.buttons import Rows
from bot.delivery.outbox import Delivery, SentPart
from bot.domain.conversation import ConversationId, Inbound
from bot.domain.message import Attached, Choice, Reply, Usage
from bot.domain.run import Run, RunStatus
from bot.events import log as event_log
from bot.events.types import Event, MemoryRejected, MemoryWritten
from bot.i18n.catalogue import translate
from bot.runs import queue
from bot.store.tables import conversations, messages
from bot.turn import rooms, tasks, wishes
from bot.turn.compaction import Compaction, enqueue_if_long
from bot.turn.work import Tools, to_remember
from memory import learn
from memory.store import Kept, keep

_ADD_MESSAGE = insert(messages)
NOTHING = Kept(())


@dataclass(frozen=True, slots=True)
class Written:
    """A reply, and the message it answers as it was read.

    `keep` is false for what is no part of the conversation, such as the answer to a command; it may bring
    `buttons` of its own. `remember` is false for what is part of it and no statement of people. With
    `in_place` the message whose button was pressed is edited to show the reply.
    """

    inbound: Inbound
    reply: Reply
    keep: bool = True
    buttons: Rows = ()
    remember: bool = True
    in_place: bool = False

    def with_choices(self) -> "Written":
        """The same with its buttons in the reply, for those who read it from the turn."""
        choices = tuple(Choice(button.label, button.data) for row in self.buttons for button in row)
        return replace(self, reply=replace(self.reply, choices=choices)) if choices else self


@dataclass(frozen=True, slots=True)
class Ending:
    """What a turn leaves behind.

    `deliver` is for channels that push. `remember` is false where memory is off, and `learning` says
    whether facts are drawn from it. `room` is the group with the answer in it, and `compaction` how a
    long history is shortened.
    """

    run: Run
    written: Written
    deliver: bool
    remember: bool
    learning: learn.Mode
    events: list[tuple[datetime, Event]]
    room: rooms.Page | None = None
    compaction: Compaction | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of it: the delivery, where this process is to do it now, and what is remembered."""

    delivery: Run | None
    kept: Kept = NOTHING


async def conclude(run: Run, written: Written, tools: Tools, holder: str) -> Run | None:
    """End a turn, safely on disk; the delivery that is to follow.

    `Conflict` if the turn is not held here any more.
    """
    room = await _room(written, tools)
    taken = tools.events.take()
    remembering = tools.recall is not None and not tasks.is_task(run)  # which nobody said
    ending = Ending(
        run,
        written,
        deliver=written.inbound.conversation.channel in tools.outbox.channels and bool(written.reply.text),
        remember=remembering,
        learning=tools.settings.learning if remembering else "off",
        events=taken,
        room=room,
        compaction=tools.settings.compaction,
    )
    try:
        ended = await tools.store.write(finish, ending, tools.clock.now(), holder)
    except Exception:  # not when cancelled: the transaction is done all the same
        tools.events.give_back(taken)
        raise
    where: dict[str, Any] = {"run_id": run.id, "conversation_id": run.conversation_id}
    if ended.kept.ids:
        tools.events.record(MemoryWritten(**where, count=len(ended.kept.ids)))
    if ended.kept.rejected:
        tools.events.record(MemoryRejected(**where, reasons=list(ended.kept.rejected)))
    await tools.store.durable()
    return ended.delivery


async def _room(written: Written, tools: Tools) -> rooms.Page | None:
    """The group in which something was answered, as it is to be kept."""
    where = written.inbound.conversation
    if where.kind != "group" or not written.keep or not written.reply.text:
        return None
    kept = await tools.store.read(rooms.look, where, tools.rooms.version(where))
    return tools.rooms.answered(written.inbound, kept, written.reply.text, tools.clock.now())


def finish(conn: Connection, ending: Ending, now: datetime, holder: str) -> Ended:
    """Write everything. `Conflict` if the turn is not held here any more: then nothing is kept."""
    run, reply, kept = ending.run, ending.written.reply, NOTHING
    status: RunStatus = "failed" if reply.status == "failed" else "completed"
    where = queue.end(conn, run, status, now, result=dump_reply(reply), error=reply.error_code or "")
    if where is not None and where != run.conversation_id:
        ending = _moved(conn, ending, where)
        run = ending.run
    if status == "failed" and tasks.is_task(run):
        tasks.withdraw(conn, run)
        event_log.append(conn, ending.events)
        return Ended(None)
    if ending.written.keep and run.conversation_id is not None:
        if reply.text:  # or the bot chose to say nothing
            conn.execute(
                _ADD_MESSAGE,
                {
                    "conversation_id": run.conversation_id,
                    "session": run.payload["session"],
                    "role": "assistant",
                    "text": reply.text,
                    "run_id": run.id,
                    "status": reply.status,
                    "at": now,
                },
            )
        if ending.remember and ending.written.remember:
            kept = keep(conn, to_remember(conn, run, ending.written.inbound, reply), now)
            if kept.ids and learn.is_worth_learning(ending.written.inbound.text, ending.learning):
                learn.enqueue(conn, run.id, run.conversation_id, now)
        if ending.room is not None:
            rooms.save(conn, replace(ending.room, conversation_id=run.conversation_id), now)
        if ending.compaction is not None:
            enqueue_if_long(conn, run, ending.compaction, now)
    event_log.append(conn, ending.events)
    delivery = _deliver(conn, ending, now, holder) if ending.deliver else None
    return Ended(delivery, kept)


def _deliver(conn: Connection, ending: Ending, now: datetime, holder: str) -> Run | None:
    """Queue the delivery; its run where this process is to do it now."""
    run, reply, inbound = ending.run, ending.written.reply, ending.written.inbound
    if ending.written.in_place and inbound.pressed:
        outbox.record(conn, run.id, SentPart(0, inbound.pressed, "", final=False), now)
    buttons = ending.written.buttons
    if ending.written.keep and ending.written.remember:
        buttons = (*wishes.buttons(run.id, reply, inbound.locale), *buttons)
    delivery = Delivery(
        run.id,
        inbound.conversation,
        reply.text,
        inbound.reply_ref,
        buttons,
        reply.pictures,
        inbound.locale,
    )
    queued = queue.enqueue(conn, outbox.draft(delivery), now, holder=holder)
    return queued if queued is not None and queued.status == "running" else None


def _moved(conn: Connection, ending: Ending, where: ConversationId) -> Ending:
    """The ending in the chat that the conversation has become while it was answered."""
    row = conn.execute(select(conversations).where(conversations.c.id == where)).one()
    old = ending.run.conversation_id
    inbound = ending.written.inbound
    there = replace(inbound.conversation, chat_id=row.chat_id, thread_id=row.thread_id)
    events = [
        (at, replace(event, conversation_id=where) if event.conversation_id == old else event)
        for at, event in ending.events
    ]
    return replace(
        ending,
        run=replace(ending.run, conversation_id=where),
        written=replace(ending.written, inbound=replace(inbound, conversation=there, reply_ref="")),
        events=events,
    )


def find_turn(conn: Connection, run_id: str) -> Run | None:
    """A turn as it stands; None where there is none of that id."""
    run = queue.find(conn, run_id)
    return run if run is not None and run.kind == "turn" else None


def reply_of(run: Run | None) -> Reply | None:
    """The reply to a turn as its run stands in the store; None while it is awaited."""
    if run is None or run.status == "cancelled":  # its conversation was deleted
        return Reply("", "stopped")
    if run.result:
        return load_reply(run.result)
    if run.status == "failed":  # given up after many attempts, without a reply
        text = translate("turn.internal", run.payload["inbound"]["locale"])
        return Reply(text, "failed", error_code="internal")
    return None


def dump_reply(reply: Reply) -> dict[str, Any]:
    """A reply as JSON, the result of its turn."""
    return {
        "text": reply.text,
        "status": reply.status,
        "usage": {"input_tokens": reply.usage.input_tokens, "output_tokens": reply.usage.output_tokens},
        "error_code": reply.error_code,
        "choices": [[choice.label, choice.says] for choice in reply.choices],
        "pictures": [[one.path, one.mime, one.caption] for one in reply.pictures],
    }


def pictures_in(result: Any) -> tuple[Attached, ...]:
    """The pictures that go with a reply, from what `dump_reply` wrote; none of one that was forgotten."""
    return tuple(Attached(*one) for one in (result or {}).get("pictures", ()))


def load_reply(data: Any) -> Reply:
    """The reply that `dump_reply` wrote."""
    choices = tuple(Choice(*pair) for pair in data.get("choices", ()))
    usage = Usage(**data["usage"])
    return Reply(data["text"], data["status"], usage, data["error_code"], choices, pictures_in(data))
