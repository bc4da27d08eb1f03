"""The newest statement about something holds; the one before stays, with its end."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.conversation import SpeakerId
from bot.store.engine import Store
from memory.facts import correct, history, state
from memory.record import Memory, MemoryDraft, RecallQuery, Scope
from memory.store import columns, export, keep, load, selected
from tests.memory.build import ANN, GROUP, by_words, draft, found
from tests.memory.fakes import NOW


def fact(
    text: str, slot: str, value: str, *, days_ago: float = 0, scope: Scope = ANN, number: int = 1
) -> MemoryDraft:
    made = draft(text, scope, days_ago=days_ago, message_id=number)
    return replace(made, kind="semantic", slot=slot, value=value)


async def known(store: Store) -> list[Memory]:
    return await store.read(lambda conn: selected(conn, columns().where()))


@pytest.mark.pain("57")
async def test_a_new_name_holds_and_the_old_one_is_history(store: Store) -> None:
    first = await store.write(state, fact("My name is Ann", "name", "Ann", days_ago=60), NOW)
    second = await store.write(state, fact("I go by Anna now", "name", "Anna", number=2), NOW)
    assert (first.outcome, second.outcome) == ("new", "changed")
    assert second.id is not None
    (holding,) = (await store.read(load, [second.id])).values()
    versions = await store.read(history, holding)
    assert [(memory.value, memory.status, memory.version) for memory in versions] == [
        ("Anna", "active", 2),
        ("Ann", "superseded", 1),
    ]
    assert versions[0].supersedes == versions[1].id
    assert versions[1].true_until == NOW
    assert await found(store, "name Ann") == [f"My name is Ann (–{NOW:%Y-%m-%d})"]


@pytest.mark.pain("57")
async def test_love_and_hate_of_the_same_leave_the_newer_and_the_older_with_dates(store: Store) -> None:
    slot = "taste:chinese food"
    await store.write(state, fact("I love Chinese food", slot, "like", days_ago=7), NOW)
    await store.write(state, fact("I hate Chinese food", slot, "dislike", number=2), NOW)
    assert sorted(memory.text for memory in await known(store)) == [
        "I hate Chinese food",
        f"I love Chinese food (–{NOW:%Y-%m-%d})",
    ]


async def test_the_same_said_again_is_one_memory_with_two_origins(store: Store) -> None:
    first = await store.write(state, fact("I live in Berlin", "home", "Berlin"), NOW)
    again = await store.write(state, fact("i live in berlin.", "home", "berlin.", number=2), NOW)
    assert (again.outcome, again.id) == ("repeated", first.id)
    (memory,) = await known(store)
    assert memory.provenance == ("message:1", "message:2")


async def test_what_is_older_than_what_holds_becomes_history_at_once(store: Store) -> None:
    await store.write(state, fact("I live in Berlin", "home", "Berlin"), NOW)
    past = await store.write(state, fact("I live in Rome", "home", "Rome", days_ago=99, number=2), NOW)
    assert past.outcome == "past"
    assert {memory.value: memory.status for memory in await known(store)} == {
        "Berlin": "active",
        "Rome": "superseded",
    }


async def test_facts_of_two_people_in_a_group_do_not_contradict_each_other(store: Store) -> None:
    mine = fact("I like tea", "favourite:drink", "tea", scope=GROUP)
    theirs = replace(
        fact("I like coffee", "favourite:drink", "coffee", scope=GROUP), person_id=SpeakerId("b")
    )
    assert (await store.write(state, mine, NOW)).outcome == "new"
    assert (await store.write(state, theirs, NOW)).outcome == "new"


async def test_a_correction_takes_the_place_and_both_can_be_asked_for(store: Store) -> None:
    stated = await store.write(state, fact("I was born in May", "birthday", "May"), NOW - timedelta(days=2))
    assert stated.id is not None
    (memory,) = (await store.read(load, [stated.id])).values()
    new = await store.write(correct, memory, "I was born in June", NOW)
    assert new is not None
    (corrected,) = (await store.read(load, [new])).values()
    assert (corrected.text, corrected.source, corrected.version) == ("I was born in June", "person", 2)
    assert [version.text for version in await store.read(history, corrected)] == [
        "I was born in June",
        f"I was born in May (–{NOW:%Y-%m-%d})",
    ]
    assert await found(store, "born June") == ["I was born in June", f"I was born in May (–{NOW:%Y-%m-%d})"]


async def test_what_was_said_and_is_no_fact_can_be_corrected_too(store: Store) -> None:
    (key,) = (await store.write(keep, [draft("tee")], NOW)).ids
    (memory,) = (await store.read(load, [key])).values()
    new = await store.write(correct, memory, "tea", NOW)
    assert new is not None
    (corrected,) = (await store.read(load, [new])).values()
    assert [version.text for version in await store.read(history, corrected)] == [
        "tea",
        f"tee (–{NOW:%Y-%m-%d})",
    ]


async def test_an_export_tells_slots_versions_and_times(store: Store) -> None:
    await store.write(state, fact("My name is Ann", "name", "Ann", days_ago=60), NOW)
    await store.write(state, fact("I go by Anna now", "name", "Anna", number=2), NOW)
    records = await store.read(export, SpeakerId("telegram:1"))
    assert [(record["value"], record.get("status")) for record in records] == [
        ("Ann", "superseded"),
        ("Anna", None),
    ]
    assert records[0]["true_until"] == NOW.isoformat()


async def test_what_has_expired_is_told_to_nobody(store: Store) -> None:
    passing = replace(draft("the code word is plover"), kind="working", expires_at=NOW + timedelta(hours=1))
    await store.write(keep, [passing], NOW)
    assert await found(store, "plover") == ["the code word is plover"]
    late = RecallQuery("plover", (ANN,), NOW + timedelta(hours=2))
    assert await by_words(store).recall(late) == ()
