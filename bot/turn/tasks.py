"""Turns that nobody says: what a scheduled task asks of the bot, in its owner's name."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from bot.domain.conversation import Conversation, Inbound, SpeakerId
from bot.domain.run import Run, RunId
from bot.runs import queue
from bot.store.tables import conversations, messages
from bot.turn import codec
from bot.turn.gate import Rules, role_of
from bot.turn.inbox import message_row

# A task whose process ended so often in the middle of it is not begun again: it may be what ends it.
MAX_BEGINNINGS = 3


def start(conn: Connection, inbound: Inbound, job_id: str, now: datetime) -> RunId:
    """Queue the turn of a task; the id of what is said makes a repeat the same turn."""
    session = conn.scalar(
        select(conversations.c.session).where(conversations.c.id == inbound.conversation.id)
    )
    run_id = queue.new_id("turn")
    draft = queue.RunDraft(
        kind="turn",
        key=f"{inbound.conversation.channel}:{inbound.external_id}",
        payload={"inbound": codec.dump(inbound), "session": session or 1, "control": False, "job": job_id},
        conversation_id=inbound.conversation.id,
    )
    queue.enqueue(conn, draft, now, run_id=run_id)
    conn.execute(insert(messages).values(**message_row(inbound, session or 1, run_id, now)))
    return run_id


def admits(rules: Rules) -> Callable[[Connection, Conversation, SpeakerId], bool]:
    """Whether a person may still ask the bot for something in a conversation."""

    def admitted(conn: Connection, where: Conversation, person_id: SpeakerId) -> bool:
        if where.kind == "group" or where.channel in rules.open_channels:
            return True
        return role_of(conn, person_id, rules) != "stranger"

    return admitted


def is_task(run: Run) -> bool:
    """Whether a turn was begun by the scheduler."""
    return bool(run.payload.get("job"))


def is_broken(run: Run) -> bool:
    """Whether a task was begun so often that it is to fail."""
    return is_task(run) and run.attempt > MAX_BEGINNINGS


def withdraw(conn: Connection, run: Run) -> None:
    """Take back what a task asked: it failed, which is told apart from what people talk about."""
    conn.execute(delete(messages).where(messages.c.run_id == run.id))
