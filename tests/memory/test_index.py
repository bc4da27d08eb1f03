"""What every index of memories promises, on each implementation; and where vectors cannot be had."""

import asyncio
from array import array
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from bot.config.memory import MemorySettings
from bot.store import sqlite
from bot.store.engine import Store
from bot.store.open import open_store
from memory.centred import Centred
from memory.index.base import Embedded, MemoryIndex, Within
from memory.index.plain import PlainIndex
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import MemoryId, RecallQuery
from memory.store import erase, index_for
from tests.fakes.postgres import Postgres
from tests.memory.build import ANN, BEN, draft, keep, ranked_by_words, texts
from tests.memory.fakes import NOW, FakeClock, FakeEmbedder

ANNS = Within((ANN,), None, 10)


@pytest.fixture(params=["its own", "plain"])
def index(request: pytest.FixtureRequest, store: Store) -> MemoryIndex:
    """The index that goes with the store, and the one that any database can do."""
    return index_for(store.dialect) if request.param == "its own" else PlainIndex()


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


async def test_a_server_without_pgvector_is_searched_by_plain_scans(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.index.postgres._has_vectors", lambda _conn: False)
    keys = await keep(store, "a", "b")
    index = index_for(store.dialect)
    await put(store, index, keys, direction(1, 0), direction(0, 1))
    ranked = await store.read(index.nearest, "m", direction(1, 0), ANNS)
    assert [item.id for item in ranked] == keys


@pytest.mark.timeout(60)
async def test_a_graph_of_vectors_finds_the_nearest_of_one_scope(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(postgres.emptied(), FakeClock())
    keys = await keep(store, *(draft(f"number {n}", ANN if n % 2 else BEN) for n in range(40)))
    index = index_for(store.dialect)
    rows = [Embedded(key, ANN if n % 2 else BEN, NOW, direction(1, n / 40)) for n, key in enumerate(keys)]
    await store.write(index.put_vectors, "m", rows)

    def nearest(conn: Connection) -> list[MemoryId]:
        conn.exec_driver_sql("SET LOCAL enable_seqscan = off")
        conn.exec_driver_sql("DROP INDEX ix_memory_embeddings_model_scope")
        return [item.id for item in index.nearest(conn, "m", direction(1, 0), replace(ANNS, limit=3))]

    def undone(conn: Connection) -> list[MemoryId]:
        with conn.begin_nested() as point:
            found = nearest(conn)
            point.rollback()
        return found

    assert await store.write(undone) == [keys[1], keys[3], keys[5]]
    await store.close()


@pytest.mark.pain("P122")
async def test_without_the_vector_extension_words_serve_and_nothing_is_embedded(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = replace(sqlite.driver(), extensions=False, vec_version="")
    monkeypatch.setattr("memory.index.sqlite.driver", lambda: found)
    await keep(sqlite_store, "my car is red")
    embedder = FakeEmbedder()
    centred = Centred(embedder, sqlite_store)
    await Indexer(sqlite_store, centred, FakeClock()).run()
    hits = await Recall(sqlite_store, MemorySettings(), centred).recall(RecallQuery("car", (ANN,), NOW))
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
    counts = await store.read(lambda conn: conn.exec_driver_sql("SELECT count(*) FROM memories").scalar())
    assert counts == 201
