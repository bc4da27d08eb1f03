"""Codes held in memory find what a comparison of them all finds, whatever happens to the table meanwhile."""

import random
from array import array
from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from bot.store.engine import Store
from bot.store.open import open_store
from memory.index.base import Embedded, Within
from memory.index.codes import Codes
from memory.index.sqlite import SqliteIndex
from memory.index.terms import hash64
from memory.record import MemoryId, Scope
from tests.memory.build import ANN, BEN, draft, keep
from tests.memory.fakes import NOW, FakeClock

MODEL = "m"
ANNS, BENS = hash64(ANN), hash64(BEN)
SIZE = 72  # signs: more than one word of 64, and not a whole number of them
ASKED = bytes(range(0, 90, 10))


def vector(rng: random.Random) -> "array[float]":
    return array("f", [rng.choice((-1.0, 1.0)) for _ in range(SIZE)])


async def embedded(store: Store, rng: random.Random, count: int, scope: Scope = ANN) -> list[MemoryId]:
    """So many memories with a code each; the older a memory the lower its id."""
    keys = await keep(store, *(draft(f"number {number}", scope) for number in range(count)))
    await put(store, rng, keys, scope)
    return keys


async def put(store: Store, rng: random.Random, keys: Sequence[MemoryId], scope: Scope = ANN) -> None:
    rows = [Embedded(key, scope, NOW - timedelta(days=1000 - key), vector(rng)) for key in keys]
    await store.write(SqliteIndex().put_vectors, MODEL, rows)


async def delete(store: Store, keys: Sequence[MemoryId]) -> None:
    def run(conn: Connection) -> None:
        for key in keys:
            conn.exec_driver_sql("DELETE FROM memories WHERE id = ?", (key,))

    await store.write(run)


def compared(
    conn: Connection, scopes: Sequence[int], count: int, since: int | None = None, bits: bytes = ASKED
) -> list[int]:
    """The nearest by the table itself."""
    marks = ", ".join("?" * len(scopes))
    rows = conn.exec_driver_sql(
        f"SELECT memory_id, at, bits FROM memory_codes WHERE model = ? AND scope IN ({marks})",
        (hash64(MODEL), *scopes),
    )
    asked = int.from_bytes(bits, "big")
    ranked = sorted(
        ((int.from_bytes(row.bits, "big") ^ asked).bit_count(), -row.memory_id)
        for row in rows
        if since is None or row.at >= since
    )
    return [-key for _, key in ranked[:count]]


def asked(
    conn: Connection, codes: Codes, scopes: Sequence[int], count: int = 7, since: int | None = None
) -> list[int] | None:
    marks = ", ".join("?" * len(scopes))
    stored = conn.exec_driver_sql(
        f"SELECT * FROM memory_code_counts WHERE model = ? AND scope IN ({marks})", (hash64(MODEL), *scopes)
    )
    return codes.nearest(conn, stored.all(), ASKED, since, count)


async def same(
    store: Store, codes: Codes, *scopes: int, count: int = 7, since: int | None = None
) -> list[int]:
    """What the codes in memory find, which is what the table says."""

    def both(conn: Connection) -> tuple[list[int] | None, list[int]]:
        return asked(conn, codes, scopes, count, since), compared(conn, scopes, count, since)

    held, table = await store.read(both)
    assert held == table
    return table


async def test_the_nearest_are_those_of_the_table_of_equal_ones_the_newest(sqlite_store: Store) -> None:
    rng = random.Random(1)
    await embedded(sqlite_store, rng, 300)
    await embedded(sqlite_store, rng, 200, BEN)
    codes = Codes()
    for count in (1, 7, 160, 299, 300, 1000):
        await same(sqlite_store, codes, ANNS, count=count)
        await same(sqlite_store, codes, ANNS, BENS, count=count)
    assert len(await same(sqlite_store, codes, ANNS, BENS, count=1000)) == 500


async def test_what_was_said_before_a_moment_is_left_out(sqlite_store: Store) -> None:
    keys = await embedded(sqlite_store, random.Random(2), 60)

    def moment(conn: Connection) -> int:
        found = "SELECT at FROM memory_codes WHERE memory_id = ?"
        return int(conn.exec_driver_sql(found, (keys[40],)).scalar_one())

    since = await sqlite_store.read(moment)
    assert sorted(await same(sqlite_store, Codes(), ANNS, count=100, since=since)) == keys[40:]


async def test_whatever_happens_to_the_codes_is_seen(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.index.codes.SELDOM", 0)
    rng = random.Random(3)
    codes = Codes()
    keys = await embedded(sqlite_store, rng, 20)
    late = await keep(sqlite_store, *(f"late {number}" for number in range(5)))
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 20
    keys += await embedded(sqlite_store, rng, 30)  # more than there was room for
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 50
    await put(sqlite_store, rng, late)  # among the others
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 55
    await put(sqlite_store, rng, keys[:9])  # in place of others
    await same(sqlite_store, codes, ANNS)
    await delete(sqlite_store, keys[5:15])
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 45
    await sqlite_store.write(SqliteIndex().move, keys[30:35], BEN)
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 40
    assert sorted(await same(sqlite_store, codes, BENS)) == keys[30:35]


async def test_another_process_is_seen(sqlite_store: Store) -> None:
    rng, codes = random.Random(4), Codes()
    await embedded(sqlite_store, rng, 10)
    await same(sqlite_store, codes, ANNS)
    other = await open_store(f"sqlite:///{sqlite_store.path}", FakeClock())
    await embedded(other, rng, 10)
    await other.close()
    assert len(await same(sqlite_store, codes, ANNS, count=99)) == 20


async def test_codes_that_change_all_the_time_are_scanned_in_their_table(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.index.codes.SELDOM", 1e9)
    monkeypatch.setattr("memory.index.sqlite.HELD_FROM", 1)
    rng, codes = random.Random(5), Codes()
    keys = await embedded(sqlite_store, rng, 10)

    async def nearest() -> list[MemoryId]:
        within = Within((ANN,), None, 99)
        found = await sqlite_store.read(SqliteIndex().nearest, MODEL, vector(rng), within)
        return sorted(item.id for item in found)

    assert await sqlite_store.read(asked, codes, (ANNS,)) is not None
    assert await nearest() == keys
    await delete(sqlite_store, keys[:1])
    assert await sqlite_store.read(asked, codes, (ANNS,)) is None
    assert await nearest() == keys[1:]


async def test_scopes_too_large_are_scanned(sqlite_store: Store) -> None:
    await embedded(sqlite_store, random.Random(6), 10)
    assert await sqlite_store.read(asked, Codes(most_bytes=100), (ANNS,)) is None


async def test_of_many_scopes_those_not_asked_for_longest_make_room(sqlite_store: Store) -> None:
    rng, codes = random.Random(7), Codes(most_bytes=1500)
    scopes = [Scope(f"person:{number}") for number in range(5)]
    for scope in scopes:
        await embedded(sqlite_store, rng, 10, scope)
    for scope in [*scopes, *scopes]:
        await same(sqlite_store, codes, hash64(scope), count=4)
        assert sum(one.size for one in codes._held.values()) <= 1500


def counts(conn: Connection) -> tuple[object, object]:
    held = "SELECT model, scope, codes FROM memory_code_counts WHERE codes > 0 ORDER BY 1, 2"
    there = "SELECT model, scope, count(*) FROM memory_codes GROUP BY 1, 2 ORDER BY 1, 2"
    kept = "SELECT scope, memories FROM memory_scopes ORDER BY 1"
    said = "SELECT scope, count(*) FROM memories GROUP BY 1 ORDER BY 1"
    return (
        [conn.exec_driver_sql(statement).all() for statement in (held, kept)],
        [conn.exec_driver_sql(statement).all() for statement in (there, said)],
    )


async def test_the_counts_follow_every_change(sqlite_store: Store) -> None:
    rng = random.Random(8)
    keys = await embedded(sqlite_store, rng, 12)
    await embedded(sqlite_store, rng, 3, BEN)

    def move(conn: Connection) -> None:
        conn.exec_driver_sql("UPDATE memories SET scope = ? WHERE id = ?", (BEN, keys[0]))
        SqliteIndex().move(conn, keys[:1], BEN)

    def forget(conn: Connection) -> None:
        conn.exec_driver_sql("DELETE FROM memories WHERE scope = ?", (BEN,))

    for change in (lambda _conn: None, move, forget):
        await sqlite_store.write(change)
        counted, there = await sqlite_store.read(counts)
        assert counted == there
