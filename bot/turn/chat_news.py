"""What channels tell of chats beside messages: reactions, who was let in or thrown out, and moves."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, MetaData, Table, delete, insert, select, update

from bot.delivery import outbox
from bot.domain.conversation import Conversation, ConversationId, Speaker
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.events.log import EventLog
from bot.events.types import ConversationClosed, ConversationMoved, UserFeedback
from bot.store.engine import Store
from bot.store.tables import conversations, deliveries, runs
from bot.tools.shelf import Shelf
from memory.store import move_conversation

Sentiment = Literal["positive", "negative", "other"]

_POSITIVE = frozenset("👍❤🔥🎉👏😁🥰🤩🙏👌💯⚡🏆😍🤗🫡🤝😘🆒💘🤣😎🦄🕊🐳🍾💋🎃😇🎄☃✍🤪🗿")
_NEGATIVE = frozenset("👎🤬🤮💩😡🖕🥱🥴😢💔🤨😐🙉🙈🤡")


def sentiment_of(emoji: Collection[str]) -> Sentiment:
    """What reactions say of an answer."""
    signs = {sign[0] for sign in emoji if sign}
    if signs & _NEGATIVE:
        return "negative"
    return "positive" if signs & _POSITIVE else "other"


class ChatNews:
    """Keeps what is known of chats in step with the channel."""

    def __init__(self, store: Store, events: EventLog, clock: Clock, shelf: Shelf | None = None) -> None:
        """`shelf` holds the files of the conversations."""
        self._shelf = shelf
        self._store = store
        self._events = events
        self._clock = clock

    async def react(
        self, where: Conversation, speaker: Speaker, message_ref: str, emoji: Collection[str]
    ) -> bool:
        """Note what somebody thinks of an answer, by the reactions added; False if it is not ours."""
        turn_id = await self._store.read(turn_of, where.channel, where.chat_id, message_ref)
        if turn_id is None or not emoji:
            return False
        feedback = UserFeedback(
            run_id=turn_id,
            conversation_id=where.id,
            person_id=speaker.id,
            channel=where.channel,
            sentiment=sentiment_of(emoji),
        )
        self._events.record(feedback)
        return True

    async def close(self, channel: str, chat_id: str, reason: str) -> None:
        """A chat can't be written to any more: blocked, left. A message from there opens it again."""
        count = await self._store.write(mark, channel, chat_id, reason)
        if count and reason:
            self._events.record(ConversationClosed(channel=channel, reason=reason))

    async def open(self, channel: str, chat_id: str) -> None:
        """A chat can be written to again."""
        await self._store.write(mark, channel, chat_id, "")

    async def move(self, channel: str, old: str, new: str) -> None:
        """A chat goes on under another id; done twice it changes nothing."""
        if self._shelf is not None:
            for thread_id in await self._store.read(_threads, channel, old):
                here, there = (Conversation(channel, chat_id, thread_id).id for chat_id in (old, new))
                await self._shelf.move(here, there)
        count = await self._store.write(move_chat, channel, old, new, self._clock.now())
        await self._store.durable()
        if count:
            self._events.record(ConversationMoved(channel=channel, conversations=count))

    async def tell(self, where: Conversation, text: str, key: str) -> None:
        """Send a message that answers none; once for each `key`."""
        await self._store.write(outbox.enqueue_notice, where, text, key, self._clock.now())


def turn_of(conn: Connection, channel: str, chat_id: str, message_ref: str) -> RunId | None:
    """The turn whose answer is this message of a chat."""
    found = conn.scalar(
        select(deliveries.c.turn_id)
        .join(runs, runs.c.id == deliveries.c.turn_id)
        .join(conversations, conversations.c.id == runs.c.conversation_id)
        .where(
            deliveries.c.message_ref == message_ref,
            conversations.c.channel == channel,
            conversations.c.chat_id == chat_id,
        )
        .order_by(deliveries.c.at.desc())
        .limit(1)
    )
    return None if found is None else RunId(found)


def mark(conn: Connection, channel: str, chat_id: str, reason: str) -> int:
    """Note why a chat cannot be written to ("" for it can), in all its topics; how many those are."""
    here = conversations.c.channel == channel, conversations.c.chat_id == chat_id
    return conn.execute(update(conversations).where(*here).values(unreachable=reason)).rowcount


def move_chat(conn: Connection, channel: str, old: str, new: str, now: datetime) -> int:
    """Give a chat another id, with all that hangs on it; how many conversations (topics) that were."""
    here = conversations.c.channel == channel, conversations.c.chat_id == old
    moved = conn.execute(select(conversations).where(*here)).all()
    for row in moved:
        target = Conversation(channel, new, row.thread_id).id
        if conn.scalar(select(conversations.c.id).where(conversations.c.id == target)) is None:
            values = {**row._mapping, "id": target, "chat_id": new, "unreachable": "", "updated_at": now}  # noqa: SLF001 - the documented way to a row's names
            conn.execute(insert(conversations).values(**values))
        _move_rows(conn, conversations.metadata, ConversationId(row.id), target)
        _move_payloads(conn, target, old, new)
        move_conversation(conn, ConversationId(row.id), target)
        conn.execute(delete(conversations).where(conversations.c.id == row.id))
    _move_settings(conn, conversations.metadata, channel, old, new)
    return len(moved)


def _threads(conn: Connection, channel: str, chat_id: str) -> list[str]:
    """The topics of a chat, "" for none among them."""
    here = conversations.c.channel == channel, conversations.c.chat_id == chat_id
    return list(conn.scalars(select(conversations.c.thread_id).where(*here)))


def _move_settings(conn: Connection, metadata: MetaData, channel: str, old: str, new: str) -> None:
    """Every other table that names a chat; what was set in the old one holds."""
    for table in metadata.sorted_tables:
        if table is conversations or not {"channel", "chat_id"} <= set(table.c.keys()):
            continue
        here = table.c.channel == channel
        if conn.scalar(select(table.c.chat_id).where(here, table.c.chat_id == old).limit(1)) is None:
            continue
        conn.execute(delete(table).where(here, table.c.chat_id == new))
        conn.execute(update(table).where(here, table.c.chat_id == old).values(chat_id=new))


def _move_rows(conn: Connection, metadata: MetaData, old: ConversationId, new: ConversationId) -> None:
    """Every table that names its conversation, those added later among them."""
    for table in metadata.sorted_tables:
        if "conversation_id" not in table.c:
            continue
        if _is_key(table):  # at most one row a conversation: what stands under the new id is newer
            conn.execute(delete(table).where(table.c.conversation_id == new))
        conn.execute(update(table).where(table.c.conversation_id == old).values(conversation_id=new))


def _is_key(table: Table) -> bool:
    return table.c.conversation_id.primary_key or bool(table.c.conversation_id.unique)


def _move_payloads(conn: Connection, target: ConversationId, old: str, new: str) -> None:
    """The runs that are still to be done name their chat in their payload, too."""
    waiting = select(runs.c.id, runs.c.payload).where(
        runs.c.conversation_id == target, runs.c.status.in_(["queued", "running", "waiting_human"])
    )
    for row in conn.execute(waiting).all():
        payload: dict[str, Any] = dict(row.payload)
        holder = payload if "conversation" in payload else dict(payload.get("inbound", {}))
        if holder.get("conversation", {}).get("chat_id") != old:
            continue
        holder["conversation"] = {**holder["conversation"], "chat_id": new}
        if holder is not payload:
            # The message that it answers is not there under its old number.
            payload["inbound"] = {**holder, "reply_ref": ""}
        elif "reply_ref" in payload:
            payload["reply_ref"] = ""
        conn.execute(update(runs).where(runs.c.id == row.id).values(payload=payload))
