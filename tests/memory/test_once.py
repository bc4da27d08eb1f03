"""What is over counts less and says so; a fact and the message it came from are not both told."""

from dataclasses import replace

from bot.store.engine import Store
from memory.facts import state
from memory.record import Hit, RecallQuery
from memory.times import asks_of_past
from tests.memory.build import ANN, by_words, draft, keep, texts
from tests.memory.fakes import NOW
from tests.memory.test_facts import fact


async def told(store: Store, text: str) -> tuple[Hit, ...]:
    return await by_words(store).recall(RecallQuery(text, (ANN,), NOW))


async def test_a_fact_and_its_message_are_told_once(store: Store) -> None:
    await keep(store, draft("Remember that my parrot is called Polly, please", message_id=1))
    await store.write(state, fact("my parrot is called Polly", "note:parrot", "Polly"), NOW)
    assert len(await told(store, "what is my parrot called?")) == 1


async def test_two_facts_of_one_message_are_both_told(store: Store) -> None:
    await store.write(state, fact("my parrot is called Polly", "note:parrot", "Polly"), NOW)
    await store.write(state, fact("my parrot is green", "note:colour", "green"), NOW)
    assert len(await told(store, "tell me of my parrot")) == 2


async def test_what_is_over_is_told_after_what_holds_and_marked(store: Store) -> None:
    await keep(store, draft("my home is in Oslo now", days_ago=60, message_id=1))
    await store.write(state, fact("my home is in Oslo", "home", "Oslo", days_ago=60), NOW)
    await store.write(state, fact("my home is in Bergen", "home", "Bergen", days_ago=1, number=2), NOW)
    hits = await told(store, "where is my home?")
    assert texts(hits)[0] == "my home is in Bergen"
    (old,) = [hit for hit in hits if "Oslo" in hit.text]
    assert "superseded" in old.reasons
    assert "(–" in old.text


async def test_a_question_on_the_past_does_not_hide_what_is_over(store: Store) -> None:
    await store.write(state, fact("my home is in Oslo", "home", "Oslo", days_ago=60), NOW)
    await store.write(state, fact("my home is in Bergen", "home", "Bergen", days_ago=59, number=2), NOW)
    now_first, then = await told(store, "where is my home?"), await told(store, "where was my home before?")
    held = {hit.text: hit.score for hit in then}
    assert texts(now_first)[0] == "my home is in Bergen"
    assert any("Oslo" in text for text in held)


def test_the_past_is_heard_in_five_languages() -> None:
    asked = [
        "where did I live before?",
        "我以前住在哪里？",
        "¿dónde vivía antes?",
        "मैं पहले कहाँ रहता था?",
        "أين كنت أسكن سابقا؟",
    ]
    assert all(asks_of_past(text) for text in asked)
    assert not asks_of_past("where do I live?")


async def test_without_a_fact_every_message_is_told(store: Store) -> None:
    first = draft("my parrot is called Polly", message_id=1)
    await keep(store, first, replace(first, text="the parrot Polly sings", message_id=2))
    assert len(await told(store, "parrot Polly")) == 2
