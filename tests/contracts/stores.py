"""The store on each database it supports: import the fixtures of this module in a conftest."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.store.backends import SqliteBackend
from bot.store.engine import Store
from bot.store.migrate import migrate
from bot.store.open import open_store
from tests.fakes.clock import START, ManualClock
from tests.fakes.postgres import Postgres, server


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def postgres(testrun_uid: str) -> Iterator[Postgres]:
    # Not below pytest's own folder, which it closes to the user that the server runs as under root.
    running = server(Path(tempfile.gettempdir()) / f"xiaomaolv-postgres-{testrun_uid[:8]}")
    yield running
    running.close()


@cache
def _template() -> bytes:
    """A migrated database without a row: copying it is ten times faster than making it."""
    with tempfile.TemporaryDirectory(prefix="xiaomaolv-test-") as folder:
        path = Path(folder) / "bot.db"
        engine = SqliteBackend(path).write_engine()
        migrate(engine, path, START)
        engine.dispose()
        return path.read_bytes()


def new_file(folder: Path) -> str:
    """The address of an empty, migrated database in `folder`."""
    path = folder / "bot.db"
    path.write_bytes(_template())
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind, migrated."""
    if request.param == "sqlite":
        return new_file(tmp_path)
    found: Postgres = request.getfixturevalue("postgres")
    return found.emptied()


@pytest.fixture
async def store(url: str, clock: ManualClock) -> AsyncIterator[Store]:
    """An open, empty store on each database."""
    opened = await open_store(url, clock)
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_store(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    """An open, empty store in a file."""
    opened = await open_store(new_file(tmp_path), clock)
    yield opened
    await opened.close()
