"""A reply on its way to a chat: recorded, repeated without doubling, given up only when the chat is gone."""

from dataclasses import replace

import pytest
from sqlalchemy import Connection, insert, select

from bot.delivery import outbox as sending
from bot.delivery.outbox import Delivery, Outbox, SentPart, Unreachable, text_hash
from bot.delivery.sinks import Tee
from bot.domain.conversation import Conversation
from bot.domain.message import Reply, TextDelta
from bot.domain.run import Run
from bot.errors import Unavailable
from bot.events.log import EventLog
from bot.runs import queue
from bot.runs.holder import Holder
from bot.runs.worker import Done, Later
from bot.store.engine import Store
from bot.store.tables import conversations, runs
from tests.fakes.clock import START, ManualClock

WHERE = Conversation(channel="push", chat_id="7")
PART = SentPart(0, "m1", text_hash("hello"), final=True)


class Sender:
    """A channel that does what it is told."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble = trouble
        self.delivered: list[Delivery] = []

    async def deliver(self, delivery: Delivery) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.delivered.append(delivery)


def a_turn(conn: Connection) -> Run:
    """A turn that has ended, and its delivery, claimed."""
    conn.execute(
        insert(conversations).values(
            id=WHERE.id, channel="push", chat_id="7", kind="private", created_at=START, updated_at=START
        )
    )
    turn = queue.enqueue(conn, queue.RunDraft("turn", "t", {}, WHERE.id), START)
    assert turn is not None
    wanted = sending.draft(Delivery(turn.id, WHERE, "hello", reply_ref="99"))
    delivery = queue.enqueue(conn, wanted, START, holder="me")
    assert delivery is not None and delivery.status == "running"
    return delivery


@pytest.fixture
def outbox(store: Store, clock: ManualClock) -> Outbox:
    return Outbox(store, EventLog(store, clock), clock, Holder(None))


async def test_a_reply_reaches_the_channel_as_it_was_queued(store: Store, outbox: Outbox) -> None:
    sender = Sender()
    outbox.register("push", sender)
    run = store.write_now(a_turn)
    assert await outbox.handle(run) == Done()
    (delivery,) = sender.delivered
    assert (delivery.text, delivery.reply_ref, delivery.conversation) == ("hello", "99", WHERE)
    assert delivery.turn_id == run.key
    assert list(outbox.channels) == ["push"]


async def test_a_channel_that_is_off_is_waited_for(store: Store, outbox: Outbox) -> None:
    outcome = await outbox.handle(store.write_now(a_turn))
    assert isinstance(outcome, Later)
    assert outcome.after_s >= 30


async def test_a_channel_that_asks_to_wait_is_obeyed_and_nobody_failed(store: Store, outbox: Outbox) -> None:
    outbox.register("push", Sender(Unavailable("flood", retry_after_s=7.0)))
    assert await outbox.handle(store.write_now(a_turn)) == Later(7.0, "the channel asked to wait")


async def test_a_channel_that_is_down_is_a_failure_that_the_worker_repeats(
    store: Store, outbox: Outbox
) -> None:
    outbox.register("push", Sender(Unavailable("down")))
    with pytest.raises(Unavailable):
        await outbox.handle(store.write_now(a_turn))


@pytest.mark.pain("7")
async def test_a_chat_that_is_gone_ends_the_delivery_and_is_marked(store: Store, outbox: Outbox) -> None:
    outbox.register("push", Sender(Unreachable("bot was blocked by the user")))
    outcome = await outbox.handle(store.write_now(a_turn))
    assert outcome == Done({"undelivered": "bot was blocked by the user"})
    marked = store.read_now(lambda conn: conn.scalar(select(conversations.c.unreachable)))
    assert marked == "bot was blocked by the user"


async def test_what_the_channel_confirmed_is_remembered_by_part(store: Store, outbox: Outbox) -> None:
    turn = store.write_now(a_turn).key
    assert await outbox.sent(turn) == {}
    preview = replace(PART, text_hash=text_hash("hel"), final=False)
    await outbox.note(turn, preview, channel="push")
    await outbox.note(turn, PART, channel="push", edited=True)
    await outbox.note(turn, replace(PART, part=1, message_ref="m2"), channel="push")
    assert await outbox.sent(turn) == {0: PART, 1: replace(PART, part=1, message_ref="m2")}
    await outbox.forget(turn, 0)
    assert list(await outbox.sent(turn)) == [1]


def test_a_notice_is_queued_once_for_its_key(store: Store) -> None:
    for _ in range(2):
        store.write_now(sending.enqueue_notice, WHERE, "welcome", "welcome:1", START)
    store.write_now(sending.enqueue_notice, WHERE, "welcome", "welcome:2", START)
    kept = store.read_now(lambda conn: conn.execute(select(runs.c.kind, runs.c.conversation_id)).all())
    assert [tuple(row) for row in kept] == [("delivery", None)] * 2, "a stranger has no conversation"


async def test_a_notice_is_delivered_and_its_parts_noted(store: Store, outbox: Outbox) -> None:
    sender = Sender()
    outbox.register("push", sender)
    store.write_now(sending.enqueue_notice, WHERE, "welcome", "welcome:1", START)
    (run,) = store.write_now(queue.claim, ["delivery"], "me", START, limit=1)
    assert await outbox.handle(run) == Done()
    await outbox.note(sender.delivered[0].turn_id, PART, channel="push")
    assert await outbox.sent(sender.delivered[0].turn_id) == {0: PART}


def test_a_hash_tells_texts_apart_whatever_they_hold() -> None:
    assert text_hash("a") != text_hash("b")
    assert text_hash("\ud800") != text_hash("\udfff"), "also halves of a pair"


class Seen:
    """A sink that remembers, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.events: list[str] = []

    async def write(self, delta: TextDelta) -> None:
        self.events.append(delta.text)
        if self.fails:
            raise OSError("gone")

    async def close(self, reply: Reply) -> None:
        self.events.append(f"close {reply.text}")
        if self.fails:
            raise OSError("gone")


async def test_a_preview_shows_the_same_and_is_closed_before_the_reply() -> None:
    main, preview = Seen(), Seen()
    tee = Tee(main, preview)
    await tee.write(TextDelta("a"))
    await tee.close_preview(Reply("a"))
    await tee.close(Reply("a"))
    assert main.events == ["a", "close a"]
    assert preview.events == ["a", "close a"]


async def test_a_preview_that_fails_is_left_alone_and_harms_nothing() -> None:
    main, preview = Seen(), Seen(fails=True)
    tee = Tee(main, preview)
    for text in "ab":
        await tee.write(TextDelta(text))
    await tee.close_preview(Reply("ab"))
    await tee.close(Reply("ab"))
    assert main.events == ["a", "b", "close ab"]
    assert preview.events == ["a"]
    closing = Tee(Seen(), Seen(fails=True))
    await closing.close_preview(Reply(""))
    await Tee(Seen(), None).close_preview(Reply(""))
