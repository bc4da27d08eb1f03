"""The store on each database it supports: import the fixtures of this module in a conftest."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store.engine import Store
from bot.store.open import open_store
from tests.fakes.clock import ManualClock
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


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'bot.db'}"
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
    opened = await open_store(f"sqlite:///{tmp_path / 'bot.db'}", clock)
    yield opened
    await opened.close()
