"""The contract of the store, on each database."""

import asyncio
import contextlib
import threading
from contextlib import aclosing

import pytest
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from bot.errors import Unavailable
from bot.store.engine import Store
from bot.store.open import open_store
from bot.store.tables import inbox, people
from tests.fakes.clock import START, ManualClock


def add(conn: Connection, name: str) -> str:
    conn.execute(
        insert(people).values(
            id=f"test:{name}",
            channel="test",
            user_id=name,
            name=name,
            role="member",
            created_at=START,
            updated_at=START,
        )
    )
    return name


def names(conn: Connection) -> list[str]:
    return sorted(conn.scalars(select(people.c.name)))


async def test_what_was_written_can_be_read_and_streamed(store: Store) -> None:
    assert await store.write(add, "Ann") == "Ann"
    await store.write(add, "Ben")
    assert await store.read(names) == ["Ann", "Ben"]
    async with aclosing(store.rows(select(people.c.name).order_by(people.c.name), chunk=1)) as rows:
        assert [row.name async for row in rows] == ["Ann", "Ben"]


async def test_times_come_back_to_the_microsecond_and_in_utc(store: Store) -> None:
    at = START.replace(microsecond=123_456)
    await store.write(
        lambda conn: conn.execute(insert(inbox).values(channel="t", external_id="1", run_id="r", at=at))
    )
    assert await store.read(lambda conn: conn.scalar(select(inbox.c.at))) == at


async def test_an_exception_undoes_the_whole_transaction_and_reaches_the_caller(store: Store) -> None:
    def half(conn: Connection) -> None:
        add(conn, "Ann")
        raise LookupError("changed my mind")

    with pytest.raises(LookupError, match="changed my mind"):
        await store.write(half)
    assert await store.read(names) == []


async def test_a_broken_rule_of_the_schema_is_a_programming_error_and_undoes_the_transaction(
    store: Store,
) -> None:
    def twice(conn: Connection) -> None:
        add(conn, "Ann")
        add(conn, "Ann")

    with pytest.raises(IntegrityError):
        await store.write(twice)
    assert await store.read(names) == []


async def test_a_reader_may_not_write(store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)cannot be written|read-only transaction"):
        await store.read(add, "Ann")
    assert await store.read(names) == []


async def test_a_cancelled_caller_neither_undoes_a_transaction_nor_prevents_it(
    url: str, clock: ManualClock
) -> None:
    store = await open_store(url, clock)
    began, go_on = threading.Event(), threading.Event()

    def slowly(conn: Connection) -> None:
        began.set()
        assert go_on.wait(5)
        add(conn, "running")

    running = asyncio.ensure_future(store.write(slowly))
    assert await asyncio.to_thread(began.wait, 5)
    waiting = [asyncio.ensure_future(store.write(add, f"waiting {n}")) for n in range(5)]
    await asyncio.sleep(0)
    for task in (running, *waiting):
        task.cancel()
    go_on.set()
    results = await asyncio.gather(running, *waiting, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    await store.close()  # waits for what is under way
    store = await open_store(url, clock)
    assert store.read_now(names) == ["running", *(f"waiting {n}" for n in range(5))]
    await store.close()


async def test_readers_see_the_last_commit_while_a_transaction_is_open(store: Store) -> None:
    await store.write(add, "Ann")
    began, go_on = threading.Event(), threading.Event()

    def slowly(conn: Connection) -> None:
        add(conn, "Ben")
        began.set()
        assert go_on.wait(5)

    writing = asyncio.ensure_future(store.write(slowly))
    assert await asyncio.to_thread(began.wait, 5)
    assert await store.read(names) == ["Ann"]
    go_on.set()
    await writing
    assert await store.read(names) == ["Ann", "Ben"]


@pytest.mark.pain("59")
async def test_many_writers_and_a_long_reader_do_not_disturb_each_other(store: Store) -> None:
    for number in range(30):
        await store.write(add, f"old {number:02}")
    async with aclosing(store.rows(select(people.c.name), chunk=1)) as rows:
        first = await anext(rows)
        await asyncio.gather(*(store.write(add, f"new {number:02}") for number in range(50)))
        rest = [row.name async for row in rows]
    assert len([first.name, *rest]) >= 30
    assert await store.read(lambda conn: conn.scalar(select(func.count()).select_from(people))) == 80


async def test_two_who_insert_the_same_key_at_once_both_go_through_with_one_row(store: Store) -> None:
    def once(conn: Connection) -> str:
        if conn.scalar(select(people.c.id).where(people.c.id == "test:Ann")) is None:
            add(conn, "Ann")
            return "new"
        return "known"

    results = await asyncio.gather(*(store.write(once) for _ in range(8)))
    assert sorted(results) == ["known"] * 7 + ["new"]


async def test_a_commit_can_be_waited_for_until_it_is_on_the_disk(store: Store) -> None:
    await store.durable()  # nothing was written: nothing to wait for
    await asyncio.gather(*(store.write(add, f"{number}") for number in range(5)))
    await asyncio.gather(*(store.durable() for _ in range(5)))
    assert len(await store.read(names)) == 5


async def test_a_closed_store_says_so_and_closes_only_once(store: Store) -> None:
    await store.close()
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.write(add, "Ann")


async def test_the_same_functions_run_on_the_calling_thread(store: Store, clock: ManualClock) -> None:
    with contextlib.suppress(LookupError):
        store.write_now(lambda conn: (_ for _ in ()).throw(LookupError()))
    assert store.write_now(add, "Ann") == "Ann"
    assert store.read_now(names) == ["Ann"]
