"""What only a database file can suffer: other processes, a full disk, a folder that is not ours."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from bot.errors import ConfigError, Unavailable, XiaomaolvError
from bot.store import backends, engine, sqlite
from bot.store.engine import Store
from bot.store.migrate import copy
from bot.store.open import open_store
from bot.store.tables import inbox
from tests.fakes.clock import START, ManualClock

HOLD_THE_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("COMMIT")
"""

NOBODY = 65534


def add(conn: Connection, name: str, size: int = 1) -> None:
    conn.execute(insert(inbox).values(channel="test", external_id=name, run_id="x" * size, at=START))


def names(conn: Connection) -> list[str]:
    return sorted(conn.scalars(select(inbox.c.external_id)))


@contextlib.contextmanager
def another_process_that_writes(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD_THE_LOCK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.stdin.close()


@pytest.mark.pain("59")
async def test_a_writer_waits_while_another_process_writes(sqlite_store: Store) -> None:
    assert sqlite_store.path is not None
    with another_process_that_writes(sqlite_store.path) as process:
        waiting = asyncio.ensure_future(sqlite_store.write(add, "late"))
        assert await sqlite_store.read(names) == []  # readers are not held up
        assert process.stdin is not None
        process.stdin.close()
        await waiting
    assert await sqlite_store.read(names) == ["late"]


@pytest.mark.pain("59")
async def test_who_waits_too_long_is_told_to_come_back_and_not_that_it_is_locked(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 20)
    store = await open_store(f"sqlite:///{tmp_path / 'bot.db'}", clock)
    with another_process_that_writes(tmp_path / "bot.db"), pytest.raises(Unavailable) as caught:
        await store.write(add, "lost")
    assert caught.value.message == "the database is busy"
    assert caught.value.retry_after_s is not None
    await store.write(add, "after")
    assert await store.read(names) == ["after"]
    await store.close()


@pytest.mark.pain("59")
async def test_a_full_disk_undoes_the_transaction_and_is_named(sqlite_store: Store) -> None:
    await sqlite_store.write(add, "before")
    pages = await sqlite_store.write(lambda conn: conn.exec_driver_sql("PRAGMA page_count").scalar() or 0)

    def no_more(conn: Connection) -> None:
        conn.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")

    await sqlite_store.write(no_more)
    with pytest.raises(Unavailable, match="disk is full"):
        await sqlite_store.write(add, "too much", size=100_000)
    assert await sqlite_store.read(names) == ["before"]
    await sqlite_store.write(lambda conn: conn.exec_driver_sql("PRAGMA max_page_count = 1000000").scalar())
    await sqlite_store.write(add, "after", size=100_000)
    assert await sqlite_store.read(names) == ["after", "before"]


@contextlib.contextmanager
def folder_of_somebody_else() -> Iterator[Path]:
    """A folder that this process may read only; root is nobody for as long."""
    folder = Path(tempfile.mkdtemp(prefix="xiaomaolv-test-"))
    is_root = os.geteuid() == 0
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o700)
        shutil.rmtree(folder)


def give_up_rights(folder: Path) -> None:
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(NOBODY)


async def test_a_data_folder_that_cannot_be_made_is_a_mistake_of_the_settings(clock: ManualClock) -> None:
    with folder_of_somebody_else() as folder:
        give_up_rights(folder)
        with pytest.raises(ConfigError, match="cannot be made") as caught:
            await open_store(f"sqlite:///{folder / 'data' / 'bot.db'}", clock)
    assert "storage.url" in caught.value.hint


async def test_a_database_that_may_only_be_read_is_named_and_left_as_it_is(clock: ManualClock) -> None:
    with folder_of_somebody_else() as folder:
        path = folder / "bot.db"
        store = await open_store(f"sqlite:///{path}", clock)
        await store.close()
        before = path.read_bytes()
        give_up_rights(folder)
        with pytest.raises(XiaomaolvError) as caught:
            reopened = await open_store(f"sqlite:///{path}", clock)
            try:
                await reopened.write(add, "no")
            finally:
                await reopened.close()
        assert caught.value.hint
        if os.getuid() == 0:
            os.seteuid(0)
        assert path.read_bytes() == before


@pytest.mark.parametrize("url", ["sqlite://", "sqlite::memory:", "sqlite:///:memory:"])
async def test_a_database_for_the_moment_works_and_is_gone_afterwards(url: str, clock: ManualClock) -> None:
    store = await open_store(url, clock)
    assert store.path is not None
    await store.write(add, "kept for now")
    assert await store.read(names) == ["kept for now"]
    await store.close()
    assert not store.path.parent.exists()


@pytest.mark.parametrize(
    ("url", "message"),
    [("nonsense", "not a database address"), ("mysql://localhost/bot", "only sqlite and postgresql")],
)
async def test_an_address_of_no_known_database_is_a_mistake_of_the_settings(
    url: str, message: str, clock: ManualClock
) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        await open_store(url, clock)
    assert "sqlite:///data/bot.db" in caught.value.hint


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    tmp_path: Path, clock: ManualClock
) -> None:
    path = tmp_path / "bot.db"
    path.write_text("these are my notes, not a database" * 100, encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be opened: file is not a database") as caught:
        await open_store(f"sqlite:///{path}", clock)
    assert "backups" in caught.value.hint
    assert path.read_text(encoding="utf-8").startswith("these are my notes")


async def test_a_server_that_is_not_there_is_named_without_its_password(clock: ManualClock) -> None:
    with pytest.raises(ConfigError) as caught:
        await open_store("postgresql://bot:s3cret@127.0.0.1:1/bot?connect_timeout=1", clock)
    assert "127.0.0.1" in caught.value.message
    assert "s3cret" not in str(caught.value)


@pytest.mark.pain("59")
async def test_a_copy_made_while_it_is_written_to_is_whole(sqlite_store: Store, tmp_path: Path) -> None:
    assert sqlite_store.path is not None
    writing = [asyncio.ensure_future(sqlite_store.write(add, f"{n:03}", 5_000)) for n in range(50)]
    await asyncio.to_thread(copy, sqlite_store.path, tmp_path / "copy.db")
    await asyncio.gather(*writing)
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = [row[0] for row in connection.execute("SELECT external_id FROM inbox ORDER BY 1")]
    assert found == [f"{n:03}" for n in range(len(found))]


async def test_deleted_words_are_gone_from_the_file(sqlite_store: Store) -> None:
    path = sqlite_store.path
    assert path is not None
    await sqlite_store.write(add, "a-very-private-word")
    await sqlite_store.write(lambda conn: conn.execute(inbox.delete()).rowcount)
    await sqlite_store.close()
    left = b"".join(file.read_bytes() for file in path.parent.glob("bot.db*"))
    assert b"a-very-private-word" not in left


async def test_a_flush_reaches_everybody_who_waits_for_it(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[Path] = []
    monkeypatch.setattr(engine, "_flush", flushed.append)
    await asyncio.gather(*(sqlite_store.write(add, f"{n}") for n in range(20)))
    await asyncio.gather(*(sqlite_store.durable() for _ in range(20)))
    assert len(flushed) == 1
    await sqlite_store.durable()
    assert len(flushed) == 1
    await sqlite_store.write(add, "one more")
    await sqlite_store.durable()
    assert len(flushed) == 2


async def test_flushing_a_log_that_was_checkpointed_away_is_no_error(tmp_path: Path) -> None:
    disk = engine.Disk(tmp_path / "gone.db")
    disk.changed()
    await disk.flushed()


def test_sqlite_knows_one_writer_and_a_server_several() -> None:
    assert backends.SqliteBackend.writers == 1
    assert backends.PostgresBackend.writers > 1
