"""Nothing that one circle of people said is found in another."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.conversation import ConversationId, SpeakerId
from bot.store.engine import Store
from memory.index.base import Ranked
from memory.judge import Asked, Limits, judge
from memory.recipe import RECIPE
from memory.record import RecallQuery, Scope, readable, scope_of
from memory.talk import places_of
from memory.words import ByWords
from tests.memory.build import ANN, BEN, GROUP, by_both, by_words, draft, keep, texts
from tests.memory.fakes import NOW, FakeEmbedder

PERSON, CHAT, ROOM = SpeakerId("telegram:1"), ConversationId("telegram:1"), ConversationId("telegram:-100")
ids = st.text(st.sampled_from("ab1:#-"), min_size=1, max_size=8)


def test_private_talk_belongs_to_the_person_and_group_talk_to_the_group() -> None:
    assert scope_of("private", PERSON, CHAT) == "person:telegram:1"
    assert scope_of("group", PERSON, ROOM) == "conversation:telegram:-100"
    assert scope_of("private", None, CHAT) == "conversation:telegram:1"


def test_a_stateless_conversation_leaves_and_finds_nothing() -> None:
    assert scope_of("stateless", PERSON, CHAT) is None
    assert readable("stateless", PERSON, CHAT) == ()


@given(ids, ids, ids, ids)
def test_two_conversations_share_a_scope_only_where_they_should(
    ann: str, ben: str, first: str, second: str
) -> None:
    private = readable("private", SpeakerId(ann), ConversationId(first))
    group = readable("group", SpeakerId(ann), ConversationId(second))
    assert not set(private) & set(group)
    if ann != ben:
        assert not set(private) & set(readable("private", SpeakerId(ben), ConversationId(first)))
    if first != second:
        assert not set(group) & set(readable("group", SpeakerId(ann), ConversationId(first)))


@pytest.mark.pain("26", "P048")
async def test_what_was_said_in_private_is_not_found_in_a_group_or_by_another(store: Store) -> None:
    await keep(store, draft("my secret is the blue parrot", ANN), draft("we like parrots here", GROUP))
    recall = await by_both(store, FakeEmbedder(), hybrid_min_score=0)
    query = RecallQuery("what is the secret of the blue parrot of Ann?", (GROUP,), NOW)
    assert texts(await recall.recall(query)) == ["we like parrots here"]
    assert texts(await recall.recall(replace(query, scopes=(BEN,)))) == []
    assert texts(await recall.recall(replace(query, scopes=()))) == []
    assert texts(await recall.recall(replace(query, scopes=(ANN,)))) == ["my secret is the blue parrot"]


@pytest.mark.pain("27")
async def test_in_a_group_each_memory_keeps_its_speaker(store: Store) -> None:
    said = [
        replace(draft("remember I like tea", GROUP, name=name), person_id=SpeakerId(f"telegram:{number}"))
        for number, name in enumerate(("Ann", "Ben"), start=1)
    ]
    await keep(store, *said)
    hits = await by_words(store).recall(RecallQuery("what does Ben like? tea?", (GROUP,), NOW))
    assert (hits[0].name, hits[0].person_id) == ("Ben", "telegram:2")


async def test_many_circles_with_planted_secrets_never_mix(store: Store) -> None:
    scopes = [Scope(f"person:telegram:{n}") for n in range(40)]
    scopes += [Scope(f"conversation:telegram:-{n}") for n in range(20)]
    await keep(store, *(draft(f"the code word is zebra {n}", scope) for n, scope in enumerate(scopes)))
    recall = await by_both(store, FakeEmbedder(), hybrid_min_score=0)
    for n, scope in enumerate(scopes):
        for text in ("what is the code word zebra?", f"zebra {(n + 1) % 60} of person:telegram:{n + 1}"):
            hits = await recall.recall(RecallQuery(text, (scope,), NOW))
            assert texts(hits) == [f"the code word is zebra {n}"]


async def test_an_index_that_names_a_foreign_memory_does_not_leak_it(store: Store) -> None:
    (secret,) = await keep(store, draft("a secret of Ben", BEN))
    query = RecallQuery("secret", (ANN,), NOW)
    places = await store.read(places_of, [secret])
    words = ByWords(places, {secret: 1.0}, {secret: 1.0})
    found = [Ranked(secret, 1.0)]
    assert await store.read(judge, Asked(query), words, found, Limits(0.0, 100, 8), RECIPE) == ()
