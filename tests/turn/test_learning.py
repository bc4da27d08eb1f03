"""What a conversation leaves behind: facts, learnt after the answer, each once and with the right person."""

from dataclasses import replace

import pytest

from bot.config.memory import MemorySettings
from bot.store.engine import Store
from bot.store.tables import memories
from memory.recall import Recall
from memory.record import Memory
from memory.store import columns, selected
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import SETTINGS, House

RULES = replace(SETTINGS, learning="rules")
GROUP = {"chat": "g", "kind": "group", "addressed": True}


def learning_house(store: Store, clock: ManualClock, model: ScriptedModel | None = None) -> House:
    settings = replace(SETTINGS, learning="model") if model else RULES
    return House(store, clock, model, settings=settings, recall=Recall(store, MemorySettings()))


def facts(store: Store) -> list[Memory]:
    wanted = columns().where(memories.c.slot != "").order_by(memories.c.id)
    return store.read_now(lambda conn: selected(conn, wanted))


async def settled(house: House) -> None:
    """Wait until every run has ended."""
    house.worker.wake()
    await house.until(lambda: not house.open_runs())


@pytest.mark.pain("57")
async def test_the_newer_name_holds_and_the_older_is_history(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("My name is Ann")
        await settled(house)
        await clock.advance(60 * 86_400)
        await house.ask("I go by Anna now", at=clock.now())
        await settled(house)
        found = {memory.value: memory.status for memory in facts(store)}
        assert found == {"Ann": "superseded", "Anna": "active"}
        answer = await house.ask("what is my name?", chat="new", at=clock.now())
        assert answer
        system = house.prompt()[0][1]
        assert "I go by Anna now" in system


async def test_what_was_to_be_remembered_is_known_in_another_chat_the_next_day(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("Remember that my favourite colour is teal.")
        await house.ask("/new")
        await settled(house)
        await clock.advance(86_400)
        await house.ask("what is my favourite colour?", chat="other", at=clock.now())
        assert "teal" in house.prompt()[0][1]
    assert [memory.text for memory in facts(store)] == ["my favourite colour is teal"]


async def test_small_talk_and_answers_make_no_facts_and_repeats_make_one(
    store: Store, clock: ManualClock
) -> None:
    told = ["I like tea", "I live in Berlin", "my sister is called Eva", "I am vegan"]
    async with learning_house(store, clock, None).running() as house:
        house.model.script(*["I like coffee. My name is Bot. I live in the cloud."] * 40)
        for number in range(12):
            await house.ask(f"how are you today, number {number}?")
        for text in [*told, *told[:2], "I'm from Ohio", "I'm allergic to nuts"]:
            await house.ask(text)
        await settled(house)
    found = facts(store)
    assert sorted(memory.value for memory in found) == ["Berlin", "Eva", "Ohio", "like", "nuts", "vegan"]
    assert all(memory.role == "user" and memory.provenance for memory in found)


@pytest.mark.pain("27")
async def test_two_people_in_a_group_are_told_apart(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("remember I like tea", user="ann", **GROUP)
        await house.ask("remember I like coffee", user="ben", **GROUP)
        await settled(house)
    assert {(memory.person_id, memory.text, memory.scope) for memory in facts(store)} == {
        ("http:ann", "I like tea", "conversation:http:g"),
        ("http:ben", "I like coffee", "conversation:http:g"),
    }


async def test_a_model_reads_what_the_rules_do_not(store: Store, clock: ManualClock) -> None:
    fact = '{"about": "home", "value": "Porto", "quote": "settled in Porto"}'
    model = ScriptedModel("How nice.", f'{{"facts": [{fact}]}}')
    async with learning_house(store, clock, model).running() as house:
        await house.ask("Last year we settled in Porto, at last")
        await settled(house)
    (memory,) = facts(store)
    assert (memory.slot, memory.value, memory.confidence) == ("home", "Porto", 0.7)


async def test_a_learning_that_is_repeated_changes_nothing(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("I like tea")
        await settled(house)
        before = facts(store)
        await clock.advance(60)
        store.write_now(
            lambda conn: conn.exec_driver_sql(
                "UPDATE runs SET status = 'queued', available_at = 0, holder = NULL WHERE kind = 'learn'"
            )
        )
        await settled(house)
    assert facts(store) == before
