"""What a channel confirmed is known after a kill, even if no transaction came to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.delivery import outbox as rooms
from bot.delivery.journal import Begun, Journal, Line
from bot.delivery.outbox import Outbox
from bot.domain.conversation import Conversation
from bot.events.log import EventLog
from bot.runs.holder import Holder
from bot.store.engine import Store
from bot.store.open import open_store
from tests.fakes.clock import ManualClock

WHERE = Conversation(channel="push", chat_id="1")


def line(turn_id: str, *, part: int = 0, ref: str = "7") -> Line:
    return Line(turn_id, part, ref, rooms.text_hash("hello"), final=True)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Store, Outbox]]:
    clock = ManualClock()
    store = await open_store(f"sqlite:///{folder}/bot.db", clock)
    holder = Holder(store.path)
    yield store, Outbox(store, EventLog(store, clock), clock, holder)
    holder.close()
    await store.close()


@pytest.mark.pain("P010")
async def test_a_line_of_a_dead_process_is_kept_and_its_file_goes(tmp_path: Path) -> None:
    async with opened(tmp_path) as (store, outbox):
        await store.write(rooms.enqueue_notice, WHERE, "hello", "key", ManualClock().now())
        notice = await store.read(lambda conn: conn.exec_driver_sql("SELECT id FROM runs").scalar_one())
        dead = Journal(store.path, "dead")
        dead.write(line(notice))
        dead.write(line("turn-that-was-deleted"))
        with (tmp_path / "bot.db-sent" / "dead").open("ab") as file:
            file.write(b'{"turn_id": "cut o')
        await outbox.inherit()
        sent = await outbox.sent(notice)
        assert sent[0].message_ref == "7"
        assert sent[0].final
        assert list((tmp_path / "bot.db-sent").iterdir()) == []


async def test_the_file_of_a_living_process_is_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as (store, outbox):
        living = Holder(store.path)
        journal = Journal(store.path, living.id)
        journal.write(line("turn-1"))
        await outbox.inherit()
        assert (tmp_path / "bot.db-sent" / living.id).exists()
        journal.committed()
        journal.close()
        assert not (tmp_path / "bot.db-sent" / living.id).exists()
        living.close()


def test_a_file_starts_anew_once_all_is_committed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "bot.db", "me")
    for number in range(2_000):
        journal.write(line(f"turn-{number}"))
        journal.committed()
    assert (tmp_path / "bot.db-sent" / "me").stat().st_size < 300_000
    journal.close()


def test_nothing_is_written_beside_a_server(tmp_path: Path) -> None:
    journal = Journal(None, "me")
    journal.write(line("turn-1"))
    journal.committed()
    assert list(journal.left_behind(lambda _: True)) == []
    journal.close()


@pytest.mark.pain("P010")
async def test_what_was_begun_and_not_confirmed_is_in_doubt_until_it_is_cleared(tmp_path: Path) -> None:
    async with opened(tmp_path) as (store, outbox):
        dead = Journal(store.path, "dead")
        dead.begin(Begun("turn-1", 0, "41"))
        dead.write(line("turn-1", ref="42"))
        dead.begin(Begun("turn-1", 1, "42"))
        dead.begin(Begun("turn-2", 0, "43"))
        await outbox.inherit()
        assert outbox.doubt("turn-1", 0) is None
        assert outbox.doubt("turn-1", 1) == "42"
        outbox.clear("turn-2", 0)
        assert outbox.doubt("turn-2", 0) is None


async def test_a_doubt_outlives_the_process_that_inherited_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as (store, outbox):
        Journal(store.path, "dead").begin(Begun("turn-1", 0, "41"))
        await outbox.inherit()
        outbox.close()
    async with opened(tmp_path) as (_, outbox):
        await outbox.inherit()
        assert outbox.doubt("turn-1", 0) == "41"
        outbox.clear("turn-1", 0)
        outbox.close()
        assert list((tmp_path / "bot.db-sent").iterdir()) == []
