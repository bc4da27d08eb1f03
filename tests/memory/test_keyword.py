"""Searching by words, in every script, whatever people type."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.conversation import ConversationId
from bot.store.engine import Store
from bot.store.open import open_store
from bot.text.clean import clean
from bot.text.tokens import segments
from memory.index.base import Within
from memory.index.sqlite import SqliteIndex
from memory.index.terms import Term, asked_for, expression
from memory.record import RecallQuery, Scope
from memory.store import forget_conversation, remember
from tests.memory.build import ANN, BEN, by_words, draft, found, keep, ranked_by_words
from tests.memory.fakes import NOW, FakeClock

NOTES = ("步2 重跑gen-itgc后50条悬空引用清零", "今天讨论了部署方案", "设备清单(devices) NAS cdm-xxc")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for the many examples of a property, which clean up after themselves."""
    folder: Path = tmp_path_factory.mktemp("keyword")
    opened = asyncio.run(open_store(f"sqlite:///{folder}/bot.db", FakeClock()))
    yield opened
    asyncio.run(opened.close())


@pytest.mark.pain("55")
@pytest.mark.pain("P118")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("悬空", NOTES[0]),
        ("itgc", NOTES[0]),
        ("重跑gen-itgc后", NOTES[0]),
        ("部署", NOTES[1]),
        ("上次说的部署方案是什么？", NOTES[1]),
        ("设备", NOTES[2]),
        ("NAS", NOTES[2]),
        ("テスト", "テストを実行した"),
        ("会議", "明日の会議は十時です"),
        ("배포", "어제 배포를 했다"),
        ("กรุงเทพ", "ฉันอยู่ที่กรุงเทพ"),
        ("मौसम", "आज मौसम अच्छा है"),
        ("sunflower", "my garden is sunflower88"),
        ("sunflower88", "my garden is sunflower88"),
        ("iPhone15", "I bought an iPhone 15"),
        ("running", "she runs every morning"),
        ("cafe", "we met at the Café"),
        ("Sonnenblume", "Sonnenblumenkerne sind alle"),
        ("ＡＢＣ", "abc is a company"),
    ],
)
async def test_a_question_finds_its_memory_in_any_script(store: Store, question: str, answer: str) -> None:
    await keep(store, *NOTES, "something else entirely", "別の話です", answer)
    assert (await found(store, question))[0] == answer


async def test_words_that_say_nothing_find_nothing_where_others_are_asked(store: Store) -> None:
    await keep(store, "what is it that you do", "the parrot is called Rico")
    assert await found(store, "what is the parrot called?") == ["the parrot is called Rico"]


async def test_a_question_of_stop_words_alone_still_searches(store: Store) -> None:
    await keep(store, "to be or not to be")
    assert await found(store, "to be") == ["to be or not to be"]


@pytest.mark.parametrize(
    "text", ['"', "*", "a*", "NEAR(", "AND", "OR", "x:y", "-", "^a", "{scope}:a", "'; --", "(("]
)
async def test_search_syntax_in_a_question_is_only_words(store: Store, text: str) -> None:
    await keep(store, f"they wrote {text} there")
    await found(store, text)


async def test_a_question_cannot_reach_into_the_scope_column(store: Store) -> None:
    await keep(store, draft("a secret of Ben", BEN))
    assert asked_for('") OR scope : ("') == [Term("scope")]
    assert expression([Term('") OR scope : ("')], (ANN,)).endswith('terms : (""") OR scope : ("""))') is False
    assert await found(store, 'secret") OR terms : ("secret') == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_any_text_can_be_kept_and_asked_and_finds_itself(shared: Store, text: str) -> None:
    scope = Scope("person:property:1")
    made = draft(text, scope)
    kept = shared.write_now(remember, [made], NOW)
    question = clean(text)
    ranked = shared.read_now(ranked_by_words, SqliteIndex(), question, Within((scope,), None, 5))
    assert set(ranked) <= set(kept)
    if any(segment.text.isascii() or segment.cjk for segment in segments(question)):
        assert ranked == kept
    assert made.conversation_id is not None
    shared.write_now(forget_conversation, made.conversation_id)


def test_a_text_without_words_asks_for_nothing() -> None:
    assert asked_for("🎉 !!!") == []


async def test_a_word_of_too_many_memories_still_helps_to_choose_among_those_of_a_rare_one(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.index.sqlite.MOST_MATCHED", 3)
    (both, *_) = await keep(
        sqlite_store, "number of the harbour", *(f"number {n}" for n in range(5)), "the harbour"
    )
    await keep(sqlite_store, *(draft(f"a harbour {n}", BEN) for n in range(5)))  # common, but elsewhere
    within = Within((ANN,), None, 9)
    ranked = await sqlite_store.read(ranked_by_words, SqliteIndex(), "the number of the harbour", within)
    assert ranked[0] == both
    assert len(await sqlite_store.read(ranked_by_words, SqliteIndex(), "number", within)) == 3


async def test_a_blank_text_is_not_remembered(store: Store) -> None:
    assert await keep(store, " \n", "\x00\x01") == []


async def test_a_long_question_is_cut_to_its_first_words(store: Store) -> None:
    await keep(store, "the albatross has landed")
    question = "albatross " + " ".join(f"filler{n}" for n in range(5_000))
    assert len(await by_words(store, hybrid_min_score=0).recall(RecallQuery(question, (ANN,), NOW))) == 1


def test_the_conversation_of_a_draft_is_part_of_it() -> None:
    assert draft("x").conversation_id == ConversationId("telegram:1/chat")
