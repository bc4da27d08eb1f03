"""Conversations as people see them; and gone means gone."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from bot.domain.conversation import ConversationId
from bot.errors import NotFound
from bot.store.engine import Store
from bot.store.tables import metadata
from bot.tools.guards.workspace import Quota
from bot.tools.shelf import Shelf, folder_of
from bot.turn.sessions import Sessions
from memory.record import MemoryDraft, Scope
from memory.store import remember
from tests.fakes.clock import ManualClock
from tests.turn.house import House

ANN = ConversationId("http:ann")


def cells(store: Store) -> str:
    """Everything that stands in any row of any table, as one text."""

    def read(conn: Connection) -> str:
        rows = [row for table in metadata.sorted_tables for row in conn.execute(select(table)).all()]
        return "\n".join(str(tuple(row)) for row in rows)

    return store.read_now(read)


async def test_conversations_are_listed_newest_first_with_what_they_hold(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        await house.ask("first words", chat="a")
        clock.set_forward(60)
        await house.ask("other words", chat="b")
        clock.set_forward(60)
        await house.ask("more words", chat="a")
        await house.ask("elsewhere", chat="c", channel="push", kind="group")
        page = await house.sessions.page("http")
        assert [(item.id, item.title, item.message_count) for item in page] == [
            ("a", "first words", 4),
            ("b", "other words", 2),
        ]
        assert [item.running_turn for item in page] == [None, None]
        (older,) = await house.sessions.page("http", before=page[0].updated_at)
        assert older.id == "b"
        assert [item.id for item in await house.sessions.page("http", limit=1)] == ["a"]
        assert await house.sessions.page("http", person_id="http:nobody") == []


async def test_the_messages_of_a_conversation_are_read_backwards_in_pages(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        for number in range(3):
            await house.ask(f"{number}")
        last = await house.sessions.messages(ANN, limit=3)
        assert [(entry.role, entry.text) for entry in last] == [
            ("assistant", "echo: 1"),
            ("user", "2"),
            ("assistant", "echo: 2"),
        ]
        before = await house.sessions.messages(ANN, limit=10, before=last[0].id)
        assert [entry.text for entry in before] == ["0", "echo: 0", "1"]


async def test_a_message_that_waits_for_its_answer_says_so(store: Store, clock: ManualClock) -> None:
    house = House(store, clock)
    received = await house.receive("anybody there?")
    (waiting,) = await house.sessions.messages(ANN)
    assert waiting.status == "pending"
    assert (await house.sessions.get(ANN)).running_turn == received.run_id
    async with house.running():
        await house.reply(received)
        asked, _ = await house.sessions.messages(ANN)
        assert asked.status == "complete"


async def test_a_deleted_conversation_leaves_no_word_behind(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        await house.ask("my secret is rosebud")
        await house.ask("good morning", chat="other")
        if store.dialect == "sqlite":
            ann = Scope("person:http:ann")
            note = MemoryDraft(ann, "user", "rosebud", clock.now(), conversation_id=ANN, source="test")
            store.write_now(remember, [note], clock.now())
        assert "rosebud" in cells(store)
        await house.sessions.delete(ANN)
        await house.events.flush()
        assert "rosebud" not in cells(store)
        assert [item.id for item in await house.sessions.page("http")] == ["other"]
        for gone in (house.sessions.get(ANN), house.sessions.messages(ANN), house.sessions.delete(ANN)):
            with pytest.raises(NotFound):
                await gone


async def test_a_deleted_conversation_takes_its_files_along(
    store: Store, clock: ManualClock, tmp_path: Path
) -> None:
    root = tmp_path / "workspaces"
    shelf, other = Shelf(root, Quota()), ConversationId("http:other")
    async with House(store, clock).running() as house:
        await house.ask("hello")
        for conversation in (ANN, other):
            await shelf.keep(conversation, "fetch", "rosebud", clock.now())
        sessions = Sessions(store, house.events, clock, shelf)
        with pytest.raises(NotFound):  # what is no conversation takes no files along
            await sessions.delete(other)
        await sessions.delete(ANN)
    assert not folder_of(root, ANN).exists()
    assert folder_of(root, other).exists()


async def test_a_conversation_can_be_deleted_while_it_is_answered(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        door = asyncio.Event()
        house.model.script([door])
        received = await house.receive("my secret is rosebud")
        await house.model.until_asked()
        await house.sessions.delete(ANN)
        door.set()
        assert (await house.reply(received)).status in {"stopped", "empty"}
        await house.until(lambda: not house.worker.in_flight("turn"))
        await house.events.flush()
        assert "rosebud" not in cells(store)
        assert await house.ask("hello again") == "echo: hello again"


async def test_a_repeat_after_the_deletion_is_still_a_repeat(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        await house.reply(await house.receive("hi", id="7"))
        await house.sessions.delete(ANN)
        assert (await house.receive("hi", id="7")).repeated
        assert house.said() == []


async def test_a_new_session_hides_the_older_words_from_the_model_and_not_from_people(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        await house.ask("before")
        assert await house.ask("/new") == "A new conversation. What I remember stays."
        await house.ask("after")
        assert [text for role, text in house.prompt() if role != "system"] == ["after"]
        assert [text for _, text in house.said()] == ["before", "echo: before", "after", "echo: after"]
