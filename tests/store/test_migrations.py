"""From nothing, from the last version, from a newer one."""

import asyncio
import shutil
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, insert, inspect, make_url, select, text

from bot.errors import ConfigError
from bot.store import migrate as migrating
from bot.store.backends import PostgresBackend, SqliteBackend
from bot.store.engine import Backend, Store
from bot.store.migrate import head, migrate, revision
from bot.store.open import open_store
from bot.store.tables import inbox, metadata
from tests.fakes.clock import START, ManualClock
from tests.fakes.postgres import Postgres
from tests.house.generate import schema

ADDS_A_COLUMN = '''
"""Adds a column."""
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("colour", sa.String, nullable=False, server_default="grey"))
'''

FAILS_HALF_WAY = ADDS_A_COLUMN + '    raise RuntimeError("half way")\n'

# What `bot.store.search` makes.
INDEXES = ("memory_fts", "memory_scopes", "memory_code_counts", "memory_words", "memory_embeddings")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'bot.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.fresh()


def with_a_newer_version(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    shutil.copytree(migrating._VERSIONS.parent, folder / "migrations")
    versions = folder / "migrations" / "versions"
    (versions / "9001_later.py").write_text(code.format(head=head()), encoding="utf-8")
    monkeypatch.setattr(migrating, "_VERSIONS", versions)


def add(conn: Connection, name: str) -> None:
    conn.execute(insert(inbox).values(channel="test", external_id=name, run_id="r", at=START))


def names(conn: Connection) -> list[str]:
    return sorted(conn.scalars(select(inbox.c.external_id)))


def is_ours(name: str | None, kind: str, _parents: object) -> bool:
    # The indexes of memories, and what counts them, each belong to one database only.
    return kind != "table" or not (name or "").startswith(INDEXES)


async def test_an_empty_database_gets_exactly_the_schema_of_the_tables(
    empty: str, clock: ManualClock
) -> None:
    store = await open_store(empty, clock)

    def differences(conn: Connection) -> list[object]:
        options = {"compare_type": True, "include_name": is_ours}
        return list(compare_metadata(MigrationContext.configure(conn, opts=options), metadata))

    assert store.read_now(differences) == []
    assert store.read_now(revision) == head()
    await store.close()


async def test_opening_again_changes_nothing_and_makes_no_backup(empty: str, clock: ManualClock) -> None:
    for name in ("first", "second"):
        store = await open_store(empty, clock)
        await store.write(add, name)
        await store.close()
    store = await open_store(empty, clock)
    assert await store.read(names) == ["first", "second"]
    if store.path is not None:
        assert not (store.path.parent / "backups").exists()
    await store.close()


@pytest.mark.pain("59")
async def test_a_database_of_the_last_version_is_brought_up_with_its_rows(
    empty: str, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(empty, clock)
    await store.write(add, "from before")
    await store.close()
    with_a_newer_version(tmp_path, monkeypatch, ADDS_A_COLUMN)
    store = await open_store(empty, clock)
    assert await store.read(names) == ["from before"]
    assert await store.read(lambda conn: conn.scalar(text("SELECT colour FROM inbox"))) == "grey"
    assert await store.read(revision) == "9001"
    await store.close()


@pytest.mark.pain("59")
async def test_before_a_migration_the_file_is_copied_for_its_owner_alone(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'bot.db'}"
    store = await open_store(url, clock)
    await store.write(add, "precious")
    await store.close()
    before = head()
    with_a_newer_version(tmp_path, monkeypatch, ADDS_A_COLUMN)
    await (await open_store(url, clock)).close()
    monkeypatch.undo()
    (saved,) = (tmp_path / "backups").iterdir()
    assert saved.name == f"bot-{before}-20260302T120000.db"
    assert saved.stat().st_mode & 0o777 == 0o600
    assert saved.parent.stat().st_mode & 0o777 == 0o700
    restored = await open_store(f"sqlite:///{saved}", clock)
    assert await restored.read(names) == ["precious"]
    await restored.close()


@pytest.mark.pain("59")
async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    empty: str, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(empty, clock)
    await store.write(add, "precious")
    await store.close()
    before = head()
    with_a_newer_version(tmp_path, monkeypatch, FAILS_HALF_WAY)
    with pytest.raises(RuntimeError, match="half way"):
        await open_store(empty, clock)
    monkeypatch.undo()
    store = await open_store(empty, clock)
    assert await store.read(names) == ["precious"]
    assert await store.read(revision) == before
    columns = await store.read(lambda conn: {column["name"] for column in inspect(conn).get_columns("inbox")})
    assert "colour" not in columns
    await store.close()


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    empty: str, clock: ManualClock
) -> None:
    store = await open_store(empty, clock)
    await store.write(add, "from the future")
    await store.write(lambda conn: conn.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    await store.close()
    with pytest.raises(ConfigError, match="revision 9999") as caught:
        await open_store(empty, clock)
    assert "newer version" in caught.value.hint
    left = Store(_backend(empty))
    assert left.read_now(names) == ["from the future"]
    await left.close()


@pytest.mark.timeout(60)
async def test_two_processes_that_start_at_once_migrate_once(empty: str, clock: ManualClock) -> None:
    engines: list[Engine] = [_backend(empty).write_engine() for _ in range(3)]
    try:
        await asyncio.gather(
            *(asyncio.to_thread(migrate, engine, _backend(empty).path, START) for engine in engines)
        )
        with engines[0].connect() as connection:
            assert revision(connection) == head()
    finally:
        for engine in engines:
            engine.dispose()


def _backend(url: str) -> Backend:
    if url.startswith("sqlite:///"):
        return SqliteBackend(Path(url.removeprefix("sqlite:///")))
    return PostgresBackend(make_url(url))


async def test_a_new_sqlite_database_has_the_schema_that_the_migrations_make(
    tmp_path: Path, clock: ManualClock
) -> None:
    assert migrating.SNAPSHOT.read_text(encoding="utf-8") == schema(), "run `make docs`"
    store = await open_store(f"sqlite:///{tmp_path / 'bot.db'}", clock)
    made = store.read_now(migrating.snapshot)
    await store.close()
    assert made == schema()


async def test_a_new_database_is_migrated_where_the_script_is_of_another_version(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = tmp_path / "older.sql"
    older.write_text("-- Made from the migrations up to 0001\n\nCREATE TABLE nothing (id INTEGER)\n")
    monkeypatch.setattr(migrating, "SNAPSHOT", older)
    store = await open_store(f"sqlite:///{tmp_path / 'bot.db'}", clock)
    assert store.read_now(migrating.snapshot) == schema()
    await store.close()
