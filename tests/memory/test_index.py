"""What every index of memories promises, on each implementation; and where vectors cannot be had."""

import asyncio
from array import array
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.config.memory import MemorySettings
from bot.store import sqlite
from bot.store.engine import Store
from memory.centred import Centred
from memory.index.base import Embedded, MemoryIndex, Within
from memory.index.plain import PlainIndex
from memory.index.sqlite import SqliteIndex
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import MemoryId, RecallQuery
from memory.store import erase, index_for
from tests.memory.build import ANN, BEN, draft, keep, ranked_by_words, texts
from tests.memory.fakes import NOW, FakeClock, FakeEmbedder

ANNS = Within((ANN,), None, 10)


@pytest.fixture(params=[SqliteIndex, PlainIndex])
def index(request: pytest.FixtureRequest) -> MemoryIndex:
    made: MemoryIndex = request.param()
    return made


def direction(*numbers: float) -> "array[float]":
    length = sum(x * x for x in numbers) ** 0.5
    return array("f", [x / length for x in (*numbers, *[0.0] * (16 - len(numbers)))])


async def put(store: Store, index: MemoryIndex, keys: list[MemoryId], *vectors: "array[float]") -> None:
    rows = [Embedded(key, ANN, NOW, vector) for key, vector in zip(keys, vectors, strict=True)]
    await store.write(index.put_vectors, "m", rows)


async def test_the_memory_with_more_of_the_words_comes_first(store: Store, index: MemoryIndex) -> None:
    one, two, _, _ = await keep(
        store, "green tea only", "green tea with lemon cake", "nothing", draft("green tea, lemon cake", BEN)
    )
    ranked = await store.read(ranked_by_words, index, "lemon cake tea", ANNS)
    assert ranked == [two, one]


async def test_two_characters_find_their_place_in_a_run(store: Store, index: MemoryIndex) -> None:
    (key, _) = await keep(store, "今天讨论了部署方案", "今天下雨")
    assert await store.read(ranked_by_words, index, "部署", ANNS) == [key]


@pytest.mark.parametrize("text", ["%", "_", "\\", "'", '"*', "🎉", ""])
async def test_no_text_is_an_error_or_a_wildcard(store: Store, index: MemoryIndex, text: str) -> None:
    await keep(store, "anything at all")
    assert await store.read(ranked_by_words, index, text, ANNS) == []


async def test_the_nearest_vector_comes_first_with_its_cosine(store: Store, index: MemoryIndex) -> None:
    keys = await keep(store, "a", "b", "c")
    await put(store, index, keys, direction(1, 0), direction(1, 1), direction(-1, 0))
    ranked = await store.read(index.nearest, "m", direction(1, 0), ANNS)
    assert [item.id for item in ranked] == keys
    assert [round(item.score, 3) for item in ranked] == [1.0, 0.707, -1.0]


async def test_a_vector_put_again_replaces_the_first(store: Store, index: MemoryIndex) -> None:
    keys = await keep(store, "a")
    await put(store, index, keys, direction(1, 0))
    await put(store, index, keys, direction(0, 1))
    (item,) = await store.read(index.nearest, "m", direction(0, 1), ANNS)
    assert round(item.score, 3) == 1.0


async def test_other_scopes_models_and_times_stay_outside(store: Store, index: MemoryIndex) -> None:
    keys = await keep(store, draft("tea", days_ago=5))
    row = Embedded(keys[0], ANN, NOW - timedelta(days=5), direction(1))
    await store.write(index.put_vectors, "m", [row])
    late = replace(ANNS, since=NOW - timedelta(days=1))
    for model, within in (("other", ANNS), ("m", late), ("m", replace(ANNS, scopes=(BEN,)))):
        assert await store.read(index.nearest, model, direction(1), within) == []
    assert await store.read(ranked_by_words, index, "tea", late) == []
    assert (
        len(await store.read(ranked_by_words, index, "tea", replace(late, since=NOW - timedelta(days=9))))
        == 1
    )


async def test_a_vector_for_a_memory_that_is_gone_is_skipped(store: Store, index: MemoryIndex) -> None:
    keys = await keep(store, "a", "b")
    person = draft("a").person_id
    assert person is not None
    await store.write(erase, person)
    await put(store, index, keys, direction(1), direction(1))
    assert await store.read(index.nearest, "m", direction(1), ANNS) == []


def test_a_server_is_searched_by_plain_scans() -> None:
    assert isinstance(index_for("postgresql"), PlainIndex)


@pytest.mark.pain("P122")
async def test_without_the_vector_extension_words_serve_and_nothing_is_embedded(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = replace(sqlite.driver(), extensions=False, vec_version="")
    monkeypatch.setattr("memory.index.sqlite.driver", lambda: found)
    await keep(store, "my car is red")
    embedder = FakeEmbedder()
    centred = Centred(embedder, store)
    await Indexer(store, centred, FakeClock()).run()
    hits = await Recall(store, MemorySettings(), centred).recall(RecallQuery("car", (ANN,), NOW))
    assert texts(hits) == ["my car is red"]
    assert embedder.calls == []


@pytest.mark.pain("P123")
async def test_searches_go_on_while_memories_are_written(store: Store) -> None:
    await keep(store, "the first car")
    embedder = FakeEmbedder()
    centred = Centred(embedder, store)
    indexer = Indexer(store, centred, FakeClock())
    await indexer.catch_up()
    recall = Recall(store, MemorySettings(), centred, embedding_limit_s=10)
    query = RecallQuery("first car", (ANN,), NOW)

    async def search() -> None:
        for _ in range(25):
            assert "the first car" in texts(await recall.recall(query))

    async def write(number: int) -> None:
        for n in range(25):
            await keep(store, f"house {number} {n}", draft(f"house {number} {n}", BEN))
            await indexer.catch_up()

    async with asyncio.TaskGroup() as group:
        for number in range(4):
            group.create_task(search())
            group.create_task(write(number))
    counts = await store.read(lambda conn: conn.exec_driver_sql("SELECT count(*) FROM memory_fts").scalar())
    assert counts == 201
