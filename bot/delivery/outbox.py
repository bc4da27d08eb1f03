"""The durable outbox: a reply to a channel that pushes is a run, until the channel confirms it.

What was sent is decided from records (the message's id and a hash of the last text that the channel
confirmed), never from what a process remembers: a part that is recorded is edited or left alone, one
that is not is sent.
"""

import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

import structlog
from sqlalchemy import Connection, delete, insert, select, update

from bot.delivery.abilities import Abilities
from bot.delivery.buttons import Rows, dump_rows, load_rows
from bot.delivery.journal import Begun, Journal, Line
from bot.domain.conversation import Conversation, ConversationId
from bot.domain.message import Attached
from bot.domain.ports import Clock
from bot.domain.run import Run
from bot.errors import Unavailable
from bot.events.log import EventLog
from bot.events.types import MessageFailed, MessageSent
from bot.runs import queue
from bot.runs.holder import Holder
from bot.runs.queue import RunDraft
from bot.runs.worker import Done, Later, Outcome
from bot.store.engine import Store
from bot.store.tables import conversations, deliveries, runs

log = structlog.get_logger(__name__)

Content = Callable[[ConversationId, str], Awaitable[bytes | None]]


class Undeliverable(Exception):
    """The channel will never take this message. `reason` is shown to people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreachable(Undeliverable):
    """The chat cannot be written to any more: blocked, kicked, gone."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One reply on its way to a chat. `reply_ref` is the message it answers, `locale` of whom it answers.

    `buttons` stand under its last part, where the channel has buttons; `files` follow it, where the channel
    has pictures.
    """

    turn_id: str
    conversation: Conversation
    text: str
    reply_ref: str = ""
    buttons: Rows = ()
    files: tuple[Attached, ...] = ()
    locale: str = ""


@dataclass(frozen=True, slots=True)
class SentPart:
    """A part of a reply as the channel last confirmed it. Not `final`: a preview, still to be edited."""

    part: int
    message_ref: str
    text_hash: str
    final: bool


class Sender(Protocol):
    """What a channel that pushes gives the outbox."""

    async def deliver(self, delivery: Delivery) -> None:
        """Bring the whole reply to the chat: send or edit each part, noting each with `Outbox.note`.

        Raises `Unavailable` to wait (with the channel's own `retry_after_s`), `Unreachable` when the
        chat is gone, `Undeliverable` when only this message is not taken.
        """
        ...


def text_hash(text: str) -> str:
    """What tells two texts of a part apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def draft(delivery: Delivery) -> RunDraft:
    """The run that delivers a reply; one for each turn."""
    where = delivery.conversation
    return RunDraft(
        kind="delivery",
        key=delivery.turn_id,
        conversation_id=where.id,
        payload={
            "turn_id": delivery.turn_id,
            "conversation": {
                "channel": where.channel,
                "chat_id": where.chat_id,
                "thread_id": where.thread_id,
                "kind": where.kind,
            },
            "text": delivery.text,
            "reply_ref": delivery.reply_ref,
            "buttons": dump_rows(delivery.buttons),
            "files": [[one.path, one.mime, one.caption] for one in delivery.files],
            "locale": delivery.locale,
        },
    )


def enqueue_notice(
    conn: Connection, conversation: Conversation, text: str, key: str, now: datetime, buttons: Rows = ()
) -> None:
    """Queue a message that answers none; once for each `key`. The worker finds it."""
    run_id = queue.new_id("delivery")
    wanted = draft(Delivery(run_id, conversation, text, buttons=buttons))
    # Not tied to a conversation: the person may be a stranger, of whom no conversation is kept.
    queue.enqueue(conn, replace(wanted, key=key, conversation_id=None), now, run_id=run_id)


class Outbox:
    """Sends what is due, and remembers what was sent."""

    def __init__(
        self, store: Store, events: EventLog, clock: Clock, holder: Holder, content: Content | None = None
    ) -> None:
        """`content` brings what a file of a conversation holds; without one there are no files."""
        self._store = store
        self._events = events
        self._clock = clock
        self._holder = holder
        self._journal = Journal(store.path, holder.id)
        self._senders: dict[str, Sender] = {}
        self._doubts: dict[tuple[str, int], str] = {}  # what may be there or not: a message before it
        self._content = content
        self.abilities = Abilities(store, clock)

    def register(self, channel: str, sender: Sender) -> None:
        """Let `channel` receive replies."""
        self._senders[channel] = sender

    @property
    def channels(self) -> Mapping[str, Sender]:
        """The channels that push; the others fetch their replies."""
        return self._senders

    async def handle(self, run: Run) -> Outcome:
        """The handler of `delivery` runs."""
        delivery = _load(run.payload)
        channel = delivery.conversation.channel
        ids: dict[str, Any] = {"run_id": delivery.turn_id, "conversation_id": run.conversation_id}
        sender = self._senders.get(channel)
        if sender is None:  # switched off since; it may come back
            return Later(60.0, f"channel {channel} is off")
        try:
            await sender.deliver(delivery)
        except Undeliverable as error:
            if isinstance(error, Unreachable):
                await self._store.write(mark_unreachable, delivery.conversation.id, error.reason)
            self._events.record(MessageFailed(**ids, channel=channel, reason=error.reason))
            return Done({"undelivered": error.reason})
        except Unavailable as error:
            if error.retry_after_s is None:
                raise
            return Later(error.retry_after_s, "the channel asked to wait")
        return Done()

    async def note(self, delivery_id: str, sent: SentPart, *, channel: str, edited: bool = False) -> None:
        """Record that the channel confirmed a part of the reply to turn `delivery_id`.

        It is on record when this is called, not only when it returns.
        """
        self._journal.write(Line(delivery_id, sent.part, sent.message_ref, sent.text_hash, sent.final))
        self.clear(delivery_id, sent.part)
        await self._store.write(record, delivery_id, sent, self._clock.now())
        self._journal.committed()
        if sent.final:
            self._events.record(
                MessageSent(run_id=delivery_id, channel=channel, part=sent.part, edited=edited)
            )

    def begin(self, delivery_id: str, part: int, after_ref: str) -> None:
        """A part goes out as a new message, after the message `after_ref`.

        `note` or `clear` must follow. What they don't follow, for a kill or because the answer was lost
        (`leave_in_doubt`), is told by `doubt`.
        """
        self._journal.begin(Begun(delivery_id, part, after_ref))

    def leave_in_doubt(self, delivery_id: str, part: int, after_ref: str) -> None:
        """A part that was begun may be there or not: the channel's answer did not come."""
        self._doubts[delivery_id, part] = after_ref

    def doubt(self, delivery_id: str, part: int) -> str | None:
        """A message before the one that may be there without our knowing; None where nothing is in doubt."""
        return self._doubts.get((delivery_id, part))

    def clear(self, delivery_id: str, part: int) -> None:
        """It is known that a part that was begun is not there, or which message it is."""
        self._doubts.pop((delivery_id, part), None)
        self._journal.end(delivery_id, part)

    async def recorded(self, message_refs: Collection[str]) -> set[str]:
        """Which of these messages are known to be parts of some reply."""
        return await self._store.read(recorded_refs, message_refs)

    async def inherit(self) -> None:
        """Keep what processes that have ended wrote down and could not commit.

        To be awaited before their runs are taken up.
        """
        for path, lines in self._journal.left_behind(self._holder.is_dead):
            confirmed = [line for line in lines if isinstance(line, Line)]
            await self._store.write(_record_lines, confirmed, self._clock.now())
            for key, after_ref in _in_doubt(lines).items():
                self.begin(*key, after_ref)  # it outlives this process, too
                self.leave_in_doubt(*key, after_ref)
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Everything is committed; nothing more is sent."""
        self._journal.close()

    async def sent(self, delivery_id: str) -> dict[int, SentPart]:
        """What is known to have been sent of a turn's reply, by part."""
        return await self._store.read(sent_parts, delivery_id)

    async def content(self, delivery: Delivery, attached: Attached) -> bytes | None:
        """What a file that goes with a reply holds; None where it is gone."""
        return None if self._content is None else await self._content(delivery.conversation.id, attached.path)

    async def forget(self, delivery_id: str, part: int) -> None:
        """A message that was sent is gone (deleted by a person); it may be sent anew."""
        await self._store.write(forget_part, delivery_id, part)


def record(conn: Connection, turn_id: str, sent: SentPart, now: datetime) -> None:
    """Insert or renew the record of one part."""
    values = {"message_ref": sent.message_ref, "text_hash": sent.text_hash, "final": sent.final, "at": now}
    where = (deliveries.c.turn_id == turn_id) & (deliveries.c.part == sent.part)
    if conn.execute(update(deliveries).where(where).values(**values)).rowcount == 0:
        conn.execute(insert(deliveries).values(turn_id=turn_id, part=sent.part, **values))


def _record_lines(conn: Connection, lines: Sequence[Line], now: datetime) -> None:
    known = {line.turn_id for line in lines}
    there = set(conn.scalars(select(runs.c.id).where(runs.c.id.in_(known))))  # or deleted meanwhile
    for line in lines:
        if line.turn_id in there:
            record(conn, line.turn_id, SentPart(line.part, line.message_ref, line.text_hash, line.final), now)


def _in_doubt(lines: Sequence[Line | Begun]) -> dict[tuple[str, int], str]:
    """What was begun and not confirmed after it."""
    doubts: dict[tuple[str, int], str] = {}
    for line in lines:
        key = (line.turn_id, line.part)
        if isinstance(line, Begun):
            doubts[key] = line.after_ref
        else:
            doubts.pop(key, None)
    return doubts


def recorded_refs(conn: Connection, message_refs: Collection[str]) -> set[str]:
    """Which of these messages are recorded as parts of replies."""
    return set(
        conn.scalars(select(deliveries.c.message_ref).where(deliveries.c.message_ref.in_(message_refs)))
    )


def sent_parts(conn: Connection, turn_id: str) -> dict[int, SentPart]:
    """The records of a turn's reply, by part."""
    rows = conn.execute(select(deliveries).where(deliveries.c.turn_id == turn_id))
    return {row.part: SentPart(row.part, row.message_ref, row.text_hash, row.final) for row in rows}


def forget_part(conn: Connection, turn_id: str, part: int) -> None:
    """Drop the record of one part."""
    conn.execute(delete(deliveries).where(deliveries.c.turn_id == turn_id, deliveries.c.part == part))


def mark_unreachable(conn: Connection, conversation_id: str, reason: str) -> None:
    """Remember that a chat cannot be written to; its next message clears it."""
    conn.execute(
        update(conversations).where(conversations.c.id == conversation_id).values(unreachable=reason)
    )


def _load(payload: Mapping[str, Any]) -> Delivery:
    return Delivery(
        turn_id=payload["turn_id"],
        conversation=Conversation(**payload["conversation"]),
        text=payload["text"],
        reply_ref=payload["reply_ref"],
        buttons=load_rows(payload.get("buttons", ())),
        files=tuple(Attached(*one) for one in payload.get("files", ())),
        locale=payload.get("locale", ""),
    )
