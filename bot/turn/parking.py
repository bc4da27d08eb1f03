"""A turn that waits for a person: the question goes to the chat it came from, and the run is put aside."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.delivery import outbox
from bot.domain.conversation import Conversation
from bot.domain.message import Reply
from bot.domain.run import Run
from bot.events import log as event_log
from bot.policy.approvals import Approval, pending
from bot.runs import queue
from bot.runs.worker import Parked
from bot.turn import asking, codec
from bot.turn.finish import dump_reply
from bot.turn.streams import TurnStream
from bot.turn.work import Tools


@dataclass(frozen=True, slots=True)
class _Notice:
    """What a channel that pushes is to show."""

    conversation: Conversation
    locale: str


async def park(run: Run, said: str, tools: Tools, stream: TurnStream) -> Parked:
    """Put a turn aside until a person has decided, and tell those who watch it what is asked.

    Where somebody decided in the meantime it goes back to the queue instead.
    """
    inbound = codec.load(run.payload["inbound"])
    taken = tools.events.take()
    pushes = inbound.conversation.channel in tools.outbox.channels
    notice = _Notice(inbound.conversation, inbound.locale) if pushes else None
    now = tools.clock.now()

    def put_aside(conn: Connection) -> Reply | None:
        queue.lock(conn, run.id)  # a decision comes before the look, or finds the run waiting
        event_log.append(conn, taken)
        asked = pending(conn, now, run_id=run.id)
        if not asked:
            queue.hand_back(conn, run, now)
            return None
        if notice is not None:
            _ask(conn, asked, notice, now)
        text = asking.in_words(asked, inbound.locale, now)
        reply = Reply(f"{said}\n\n{text}" if said.strip() else text, "waiting")
        queue.park(conn, run, min(one.expires_at for one in asked), result=dump_reply(reply))
        return reply

    try:
        reply = await tools.store.write(put_aside)
    except Exception:  # not when cancelled: the transaction is done all the same
        tools.events.give_back(taken)
        raise
    await tools.store.durable()
    if reply is not None:
        await stream.close(reply)
    return Parked()


def _ask(conn: Connection, asked: list[Approval], notice: _Notice, now: datetime) -> None:
    """One message for each question, once."""
    for one in asked:
        text = asking.question(one, notice.locale, now)
        key = f"approval:{one.id}:{int(one.expires_at.timestamp())}"
        outbox.enqueue_notice(conn, notice.conversation, text, key, now, asking.buttons(one, notice.locale))
