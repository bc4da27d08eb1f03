"""Chats that move, close and open, and what people think of answers."""

from typing import Any

import pytest
from sqlalchemy import Connection, Table, insert, select

from bot.domain.conversation import Conversation, ConversationId, Speaker
from bot.runs import queue
from bot.store.engine import Store
from bot.store.tables import conversations, deliveries, memories, messages, runs
from bot.turn.chat_news import move_chat, sentiment_of
from bot.turn.inbox import accept
from memory.index.base import Within
from memory.index.terms import Term
from memory.record import MemoryDraft, Scope
from memory.store import index_of, remember
from tests.fakes.clock import START, ManualClock
from tests.turn.house import House, inbound

GROUP: dict[str, Any] = {"chat": "-1", "kind": "group", "channel": "push"}
OLD, NEW = Scope("conversation:push:-1"), Scope("conversation:push:-2")


def chat(conn: Connection, conversation_id: str) -> Any:
    return conn.execute(select(conversations).where(conversations.c.id == conversation_id)).one_or_none()


def whose(conn: Connection, table: Table) -> list[str]:
    return list(conn.scalars(select(table.c.conversation_id)))


def held(conn: Connection, scope: Scope) -> int:
    return len(index_of(conn).matches(conn, [Term("peaches")], Within((scope,), None, 5)).of[0])


@pytest.mark.pain("17")
def test_a_group_that_gets_another_id_takes_everything_along(store: Store) -> None:
    said = store.write_now(accept, inbound("we like peaches", reply_ref="7", **GROUP), START, "me")
    draft = MemoryDraft(
        scope=OLD,
        role="user",
        text="we like peaches",
        at=START,
        conversation_id=ConversationId("push:-1"),
        source="test",
    )
    store.write_now(remember, [draft], START)
    assert store.write_now(move_chat, "push", "-1", "-2", START) == 1
    assert store.read_now(chat, "push:-1") is None
    assert store.read_now(chat, "push:-2").chat_id == "-2"
    assert [store.read_now(whose, table) for table in (messages, runs, memories)] == [["push:-2"]] * 3
    assert (store.read_now(held, OLD), store.read_now(held, NEW)) == (0, 1)
    run = store.read_now(queue.find, said.run_id)
    assert run is not None
    told = run.payload["inbound"]
    assert (told["conversation"]["chat_id"], told["reply_ref"]) == ("-2", "")
    assert store.write_now(move_chat, "push", "-1", "-2", START) == 0, "a second time changes nothing"


@pytest.mark.pain("17")
def test_a_move_to_a_chat_that_is_known_already_joins_the_two(store: Store) -> None:
    store.write_now(accept, inbound("before", **GROUP), START, "me")
    store.write_now(accept, inbound("after", **{**GROUP, "chat": "-2"}), START, "me")
    store.write_now(move_chat, "push", "-1", "-2", START)
    kept = store.read_now(lambda conn: conn.execute(select(messages).order_by(messages.c.id)).all())
    assert [(row.conversation_id, row.text) for row in kept] == [("push:-2", "before"), ("push:-2", "after")]


@pytest.mark.pain("7")
async def test_a_chat_that_is_closed_opens_again(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        await house.ask("hi")
        await house.service.chats.close("http", "ann", "blocked by the person")
        assert store.read_now(chat, "http:ann").unreachable == "blocked by the person"
        await house.service.chats.open("http", "ann")
        assert store.read_now(chat, "http:ann").unreachable == ""


async def test_a_reaction_to_an_answer_is_feedback_on_its_turn(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        received = await house.receive("hi")
        await house.reply(received)
        run_id = received.run_id
        row = {"turn_id": run_id, "part": 0, "message_ref": "5", "text_hash": "", "final": True, "at": START}
        store.write_now(lambda conn: conn.execute(insert(deliveries).values(**row)))
        where, ann = Conversation("http", "ann"), Speaker("http", "ann")
        seen: list[Any] = []
        house.events.subscribe(seen.append)
        assert await house.service.chats.react(where, ann, "5", ["👎"])
        assert not await house.service.chats.react(where, ann, "6", ["👎"])
        assert not await house.service.chats.react(where, ann, "5", [])
        (feedback,) = [event for event in seen if event.type == "user.feedback"]
        assert (feedback.run_id, feedback.sentiment, feedback.person_id) == (run_id, "negative", "http:ann")


@pytest.mark.parametrize(
    ("emoji", "sentiment"),
    [
        (["👍"], "positive"),
        (["❤️"], "positive"),
        (["👎"], "negative"),
        (["👍", "💩"], "negative"),
        (["👀"], "other"),
    ],
)
def test_reactions_say_what_people_think(emoji: list[str], sentiment: str) -> None:
    assert sentiment_of(emoji) == sentiment
