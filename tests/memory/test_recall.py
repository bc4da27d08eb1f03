"""Recall by words and by meaning, in one ranking, under every failure of the embedder."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs
from typing_extensions import override

from bot.config.memory import MemorySettings
from bot.domain.conversation import ConversationId
from bot.errors import ModelError, Unavailable
from bot.store.engine import Store
from memory.centred import Centred
from memory.recall import Recall
from memory.record import RecallQuery, Shown
from tests.memory.build import ANN, by_both, by_words, draft, keep, texts
from tests.memory.fakes import NOW, FakeEmbedder

QUERY = RecallQuery("automobile", (ANN,), NOW)


async def test_a_meaning_is_found_where_no_word_is_shared(store: Store) -> None:
    await keep(store, "my car is red", "the parrot is called Rico", "we had soup")
    assert texts(await by_words(store).recall(QUERY)) == []
    hits = await (await by_both(store, FakeEmbedder())).recall(QUERY)
    assert hits[0].text == "my car is red"
    assert hits[0].reasons == ("meaning",)


async def test_what_both_searches_find_comes_first(store: Store) -> None:
    await keep(store, "the car", "an automobile is a car", "automobile dictionary entry for readers")
    hits = await (await by_both(store, FakeEmbedder(), hybrid_min_score=0)).recall(
        replace(QUERY, text="automobile car")
    )
    assert hits[0].text == "an automobile is a car"
    assert hits[0].reasons == ("words", "meaning")
    assert 0 < hits[0].score <= 1


@pytest.mark.parametrize("way", ["broken at first", "broken", "late", "never loaded"])
async def test_without_a_vector_words_serve_and_one_warning_is_given(
    store: Store, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(store, "my car is red", "an automobile")
    embedder = FakeEmbedder()
    centred = Centred(embedder, store)
    await centred.prepare()
    monkeypatch.setattr("memory.recall.LOADING_S", 0.0 if way == "never loaded" else 1_000.0)
    recall = Recall(store, MemorySettings(), centred, embedding_limit_s=0.01)
    with capture_logs() as logs:
        if way in {"broken", "late"}:
            await recall.recall(QUERY)
        embedder.broken = way.startswith("broken")
        embedder.hold = None if embedder.broken else asyncio.Event()
        assert texts(await recall.recall(QUERY)) == ["an automobile"]
        assert texts(await recall.recall(QUERY)) == ["an automobile"]
    assert [entry["event"] for entry in logs] == ["memory.embedding_failed"]
    assert "automobile" not in str(logs)


async def test_nobody_is_warned_of_an_embedder_that_is_being_loaded(store: Store) -> None:
    """A first message may come at once; what cannot be loaded is told by who loads it."""
    await keep(store, "my car is red", "an automobile")
    embedder = FakeEmbedder()
    centred = Centred(embedder, store)
    recall = Recall(store, MemorySettings(), centred, embedding_limit_s=0.01)
    with capture_logs() as logs:
        assert texts(await recall.recall(QUERY)) == ["an automobile"]
        await centred.prepare()
        embedder.hold = asyncio.Event()
        assert texts(await recall.recall(QUERY)) == ["an automobile"]
        embedder.hold = None
        assert texts(await recall.recall(QUERY)) == ["an automobile"]
    assert embedder.calls[-1] == ("query", ("automobile",))
    assert {entry["log_level"] for entry in logs} == {"debug"}


async def test_an_embedder_that_comes_and_goes_is_used_and_told_of_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = FakeEmbedder()
    await keep(store, "my car is red")
    recall = await by_both(store, embedder)
    with capture_logs() as logs:
        for _ in range(3):
            embedder.broken = True
            assert await recall.recall(QUERY) == ()
            embedder.broken = False
            assert texts(await recall.recall(QUERY)) == ["my car is red"]
        monkeypatch.setattr("memory.recall.STEADY_S", 0.0)
        assert texts(await recall.recall(QUERY)) == ["my car is red"]
        assert texts(await recall.recall(QUERY)) == ["my car is red"]
    told = [(entry["event"], entry.get("failures")) for entry in logs]
    assert told == [("memory.embedding_failed", None), ("memory.embedding_recovered", 3)]


async def test_a_cancelled_recall_stops_waiting_for_the_embedder(store: Store) -> None:
    embedder = FakeEmbedder()
    recall = await by_both(store, embedder)
    embedder.hold = asyncio.Event()
    task = asyncio.ensure_future(recall.recall(QUERY))
    async with asyncio.timeout(5):
        await embedder.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_the_prompt_shows_anyway_is_not_recalled(store: Store) -> None:
    chat = ConversationId("telegram:1/chat")
    await keep(store, draft("old car", message_id=3), draft("new car", message_id=9))
    query = replace(QUERY, text="car", shown=Shown(chat, 9))
    assert texts(await by_words(store).recall(query)) == ["old car"]
    assert len(await by_words(store).recall(replace(query, shown=Shown(ConversationId("other"), 0)))) == 2


async def test_a_long_session_that_is_shown_does_not_crowd_out_the_past(store: Store) -> None:
    chat = ConversationId("telegram:1/chat")
    await keep(store, draft("the car was sold to the neighbour in spring", days_ago=30, message_id=1))
    await keep(store, *(draft(f"car {n}", message_id=n) for n in range(10, 50)))
    query = replace(QUERY, text="car", shown=Shown(chat, 10))
    assert texts(await by_words(store).recall(query)) == ["the car was sold to the neighbour in spring"]


async def test_only_what_was_said_within_the_look_back_is_found(store: Store) -> None:
    await keep(store, draft("my old car", days_ago=100), draft("my new car", days_ago=80))
    recall = await by_both(store, FakeEmbedder())
    query = replace(QUERY, text="car", lookback_days=90)
    assert texts(await recall.recall(query)) == ["my new car"]
    assert sorted(texts(await recall.recall(replace(query, lookback_days=None)))) == [
        "my new car",
        "my old car",
    ]


async def test_a_newer_memory_comes_before_an_older_one_of_the_same_worth(store: Store) -> None:
    await keep(store, draft("the car is blue", days_ago=1), draft("the car is grey", days_ago=60))
    hits = await by_words(store).recall(replace(QUERY, text="car"))
    assert texts(hits) == ["the car is blue", "the car is grey"]
    assert hits[0].score > hits[1].score


async def test_the_same_text_is_given_once(store: Store) -> None:
    await keep(store, "I like tea", "i like tea ", "I like green tea")
    found = texts(await by_words(store).recall(replace(QUERY, text="tea")))
    assert sorted(text.lower() for text in found) == ["i like green tea", "i like tea"]


async def test_what_shares_one_word_of_many_is_below_the_threshold(store: Store) -> None:
    await keep(store, "the harbour was full of boats")
    question = replace(
        QUERY, text="quarterly revenue forecast spreadsheet macro export harbour pipeline broken"
    )
    assert await by_words(store).recall(question) == ()
    assert len(await by_words(store, hybrid_min_score=0).recall(question)) == 1


async def test_a_named_speaker_comes_first_in_a_group(store: Store) -> None:
    await keep(store, draft("the car is mine", name="Ben"), draft("the car is mine, too", name="Ann"))
    hits = await by_words(store).recall(replace(QUERY, text="what did Ben say about the car?"))
    assert hits[0].name == "Ben"
    assert "speaker" in hits[0].reasons


async def test_a_persons_words_come_before_the_bots(store: Store) -> None:
    await keep(store, draft("a car, I see", role="assistant"), draft("a car, I said"))
    assert (await by_words(store).recall(replace(QUERY, text="car")))[0].role == "user"


async def test_a_long_memory_is_cut_between_words(store: Store) -> None:
    await keep(store, "car " * 500)
    (hit,) = await by_words(store, hybrid_memory_snippet_max_chars=50).recall(replace(QUERY, text="car"))
    assert len(hit.text) <= 50
    assert hit.text.endswith("car…")


async def test_no_more_than_the_limit_comes_back(store: Store) -> None:
    await keep(store, *(f"car number {n}" for n in range(30)))
    recall = await by_both(store, FakeEmbedder())
    assert len(await recall.recall(replace(QUERY, text="car", limit=3))) == 3
    assert await recall.recall(replace(QUERY, text="car", limit=0)) == ()


@pytest.mark.parametrize("text", ["", "  ", "\x00", "\ud800", "🎉", "a" * 100_000, "汉" * 20_000])
async def test_any_question_is_answered(store: Store, text: str) -> None:
    await keep(store, "my car is red")
    await (await by_both(store, FakeEmbedder())).recall(replace(QUERY, text=text))


async def test_words_can_be_switched_off(store: Store) -> None:
    await keep(store, "my car is red")
    embedder = FakeEmbedder()
    recall = await by_both(store, embedder, hybrid_keyword_enabled=False)
    (hit,) = await recall.recall(replace(QUERY, text="red car"))
    assert hit.reasons == ("meaning",)


async def test_a_search_that_was_begun_finds_the_same_and_is_used_once(store: Store) -> None:
    await keep(store, "I live in Rome.", "The rent is due on Friday.")
    reads = 0

    class Counting(Recall):
        @override
        def _read(self, conn: Connection, query: RecallQuery) -> Any:
            nonlocal reads
            reads += 1
            return super()._read(conn, query)

    recall = Counting(store, MemorySettings(), FakeEmbedder())
    query = RecallQuery("When is the rent due?", (ANN,), NOW)
    recall.anticipate(query)
    recall.anticipate(replace(query, text="   "))
    first = await recall.recall(query)
    again = await recall.recall(query)
    assert texts(first) == texts(again) == ["The rent is due on Friday."]
    assert reads == 2


class Choosing:
    """A reranker that names what it was told to."""

    def __init__(self, *order: int | Exception) -> None:
        self.order_named = order
        self.asked: list[tuple[str, list[str]]] = []

    async def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        self.asked.append((question, list(texts)))
        for item in self.order_named:
            if isinstance(item, Exception):
                raise item
        return [item for item in self.order_named if isinstance(item, int)]


async def test_a_reranker_chooses_among_more_than_are_wanted(store: Store) -> None:
    await keep(store, *(f"green tea, cup {number}" for number in range(6)))
    recall, reranker = by_words(store), Choosing(4, 4, 2, 99, -1)
    query = RecallQuery("green tea", (ANN,), NOW, limit=3)
    before = texts(await recall.recall(replace(query, limit=6)))
    recall.rerank_by(reranker)
    assert texts(await recall.recall(query)) == [before[4], before[2], before[0]]
    assert reranker.asked == [("green tea", before)]


@pytest.mark.parametrize("error", [Unavailable("no"), ModelError("timeout", "slow"), TimeoutError()])
async def test_a_reranker_that_fails_costs_its_order_only(store: Store, error: Exception) -> None:
    await keep(store, *(f"green tea, cup {number}" for number in range(4)))
    recall = by_words(store)
    query = RecallQuery("green tea", (ANN,), NOW, limit=2)
    before = await recall.recall(query)
    recall.rerank_by(Choosing(error))
    assert await recall.recall(query) == before


async def test_a_reranker_that_is_late_is_not_waited_for(store: Store) -> None:
    class Late:
        async def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
            await asyncio.Event().wait()
            return []

    await keep(store, "green tea", "green tea with lemon")
    recall = by_words(store, rerank_timeout_ms=1)
    recall.rerank_by(Late())
    assert len(await recall.recall(RecallQuery("green tea", (ANN,), NOW))) == 2
