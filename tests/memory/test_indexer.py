"""Every memory gets a vector: after restarts, failures and a change of model."""

import asyncio
import functools
from array import array
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, func, select, table, text
from structlog.testing import capture_logs

from bot.config.memory import MemorySettings
from bot.errors import Unavailable
from bot.store.engine import Store
from bot.store.tables import memory_vectors
from memory.centred import Centred
from memory.index.base import Embedded
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import MemoryId, RecallQuery
from memory.store import forget_conversation
from memory.vectors import former_models, pending, pending_count, put_vectors
from tests.memory.build import ANN, by_both, draft, keep, texts
from tests.memory.fakes import NOW, FakeClock, FakeEmbedder

QUERY = RecallQuery("automobile", (ANN,), NOW)


def vectors(conn: Connection) -> dict[str, int]:
    """How many vectors each model has; every vector has what its database finds it by."""
    if conn.dialect.name == "postgresql":  # both counts of one moment: the indexer writes meanwhile
        conn.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
    rows = conn.execute(
        select(memory_vectors.c.model_id, func.count()).group_by(memory_vectors.c.model_id)
    ).all()
    beside = "memory_codes" if conn.dialect.name == "sqlite" else "memory_embeddings"
    assert conn.execute(select(func.count()).select_from(table(beside))).scalar() == sum(
        row[1] for row in rows
    )
    return {str(row[0]): int(row[1]) for row in rows}


async def until(condition: Callable[[], bool]) -> None:
    """Let the others run until it holds, for at most ten seconds."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - a condition of the database, which has no event
            await asyncio.sleep(0.001)


def indexed(store: Store, count: int) -> bool:
    return store.read_now(vectors) == {"fake-1+centred1": count}


def indexer(store: Store, embedder: FakeEmbedder, batch: int = 2) -> Indexer:
    return Indexer(store, Centred(embedder, store), FakeClock(), batch=batch)


async def test_everything_is_indexed_newest_first_and_only_once(store: Store) -> None:
    await keep(store, *(f"note {n}" for n in range(5)))
    embedder = FakeEmbedder()
    worker = indexer(store, embedder)
    assert await worker.catch_up() == 5
    assert [call[1] for call in embedder.calls[2:]] == [
        ("note 4", "note 3"),
        ("note 2", "note 1"),
        ("note 0",),
    ]
    assert await worker.catch_up() == 0
    assert len(embedder.calls) == 5
    assert await store.read(vectors) == {"fake-1+centred1": 5}


async def test_a_restart_goes_on_where_the_last_run_ended(store: Store) -> None:
    await keep(store, *(f"note {n}" for n in range(5)))
    first = FakeEmbedder()
    worker = indexer(store, first)
    first.hold = asyncio.Event()
    first.hold.set()
    await Centred(first, store).prepare()
    model = Centred(first, store).model_id
    rows = await store.read(pending, model, 2)
    blank = array("f", [1.0] + [0.0] * 63)
    await store.write(put_vectors, model, [Embedded(r.id, r.scope, r.at, blank) for r in rows])
    assert await store.read(pending_count, model) == 3
    assert await worker.catch_up() == 3
    assert await store.read(pending_count, model) == 0


async def test_the_means_of_a_model_are_found_out_once(store: Store) -> None:
    embedder = FakeEmbedder()
    await Centred(embedder, store).prepare()
    await Centred(embedder, store).prepare()
    assert len(embedder.calls) == 2


async def test_an_unprepared_embedder_says_so(store: Store) -> None:
    with pytest.raises(Unavailable):
        await Centred(FakeEmbedder(), store).embed(["x"], purpose="query")


async def test_running_it_indexes_what_comes_and_ends_when_cancelled(store: Store) -> None:
    embedder = FakeEmbedder()
    worker = indexer(store, embedder)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(worker.run())
        for count in (1, 2):
            await keep(store, f"note {count}")
            worker.wake()
            await until(functools.partial(indexed, store, count))
        task.cancel()


async def test_a_failing_embedder_is_warned_of_once_and_tried_again(store: Store) -> None:
    await keep(store, "my car is red")
    embedder = FakeEmbedder()
    embedder.broken = True
    clock = FakeClock()
    worker = Indexer(store, Centred(embedder, store), clock)
    with capture_logs() as logs:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(worker.run())
            await until(lambda: len(clock.slept) >= 9)
            embedder.broken = False
            await until(lambda: indexed(store, 1))
            task.cancel()
    assert [entry["event"] for entry in logs].count("memory.indexing_failed") == 1
    assert clock.slept[:3] == [2.0, 4.0, 8.0]
    assert max(clock.slept) == 60.0


async def test_turns_under_way_go_first_but_indexing_is_never_starved(store: Store) -> None:
    await keep(store, "one", "two")
    clock = FakeClock()
    worker = Indexer(store, Centred(FakeEmbedder(), store), clock, busy=lambda: True, batch=1)
    assert await worker.catch_up() == 2
    assert 0 < sum(clock.slept) <= 3


@pytest.mark.pain("56")
@pytest.mark.pain("P121")
async def test_another_model_is_indexed_in_the_background_while_searches_work(store: Store) -> None:
    await keep(store, "my car is red", "an automobile on paper")
    await by_both(store, FakeEmbedder())
    wider = FakeEmbedder("fake-2", dimensions=128)
    centred = Centred(wider, store)
    await centred.prepare()
    recall = Recall(store, MemorySettings(), centred)
    assert texts(await recall.recall(QUERY)) == ["an automobile on paper"]
    assert await store.read(pending_count, centred.model_id) == 2
    await keep(store, "the automobile is new")
    assert len(await recall.recall(QUERY)) == 2

    await Indexer(store, centred, FakeClock(), batch=1).catch_up()
    assert len(await recall.recall(QUERY)) == 3
    assert await store.read(vectors) == {"fake-2+centred1": 3}


@pytest.mark.pain("56")
async def test_the_old_vectors_serve_until_the_new_ones_are_complete(store: Store) -> None:
    await keep(store, "my car is red", "we had soup")
    await by_both(store, FakeEmbedder())
    old, new = Centred(FakeEmbedder(), store), Centred(FakeEmbedder("fake-2", dimensions=128), store)
    await new.prepare()
    assert await store.read(former_models, new.model_id) == [old.model_id]
    recall = Recall(store, MemorySettings(), new, former=old)
    assert texts(await recall.recall(QUERY))[:1] == ["my car is red"], "no word of it is in the question"

    complete: list[bool] = []
    worker = Indexer(store, new, FakeClock(), complete=lambda: complete.append(True), batch=1)
    await worker.catch_up()
    recall.retire_former()
    assert complete == [True]
    assert texts(await recall.recall(QUERY))[:1] == ["my car is red"]
    assert await store.read(former_models, new.model_id) == []


async def test_an_old_embedder_that_fails_costs_nothing(store: Store) -> None:
    await keep(store, "my automobile is red")
    await by_both(store, FakeEmbedder())
    broken = FakeEmbedder()
    broken.broken = True
    new = Centred(FakeEmbedder("fake-2"), store)
    await new.prepare()
    recall = Recall(store, MemorySettings(), new, former=Centred(broken, store))
    assert texts(await recall.recall(QUERY)) == ["my automobile is red"]


@pytest.mark.pain("56")
async def test_vectors_of_the_old_model_stay_until_the_new_ones_are_complete(store: Store) -> None:
    await keep(store, "one", "two", "three")
    await by_both(store, FakeEmbedder())
    newer = FakeEmbedder("fake-2")
    worker = indexer(store, newer, batch=1)
    newer.broken = True
    with pytest.raises(Unavailable):
        await worker.catch_up()
    assert await store.read(vectors) == {"fake-1+centred1": 3}
    newer.broken = False
    await worker.catch_up()
    assert await store.read(vectors) == {"fake-2+centred1": 3}


async def test_a_vector_of_a_memory_deleted_meanwhile_is_not_kept(store: Store) -> None:
    (key,) = await keep(store, draft("gone"))
    conversation = draft("gone").conversation_id
    assert conversation is not None
    await store.write(forget_conversation, conversation)
    row = Embedded(key, ANN, datetime(2026, 1, 1, tzinfo=UTC), array("f", [1.0] + [0.0] * 63))
    await store.write(put_vectors, "m", [row])
    assert await store.read(vectors) == {}
    assert await keep(store, "another") > [MemoryId(key)]
