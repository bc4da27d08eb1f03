"""A store of each kind, empty."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.engine import Store
from bot.store.open import open_store
from tests.contracts.stores import postgres as postgres
from tests.fakes.postgres import Postgres
from tests.memory.fakes import FakeClock


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database at the newest schema; copying it is quicker than making one for each test."""
    path = tmp_path_factory.mktemp("template") / "bot.db"

    async def make() -> None:
        await (await open_store(f"sqlite:///{path}", FakeClock())).close()

    asyncio.run(make())
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        shutil.copyfile(empty_database, tmp_path / "bot.db")
        return f"sqlite:///{tmp_path}/bot.db"
    found: Postgres = request.getfixturevalue("postgres")
    return found.emptied()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await open_store(url, FakeClock())
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_store(tmp_path: Path, empty_database: Path) -> AsyncIterator[Store]:
    """For what only SQLite has."""
    shutil.copyfile(empty_database, tmp_path / "bot.db")
    opened = await open_store(f"sqlite:///{tmp_path}/bot.db", FakeClock())
    yield opened
    await opened.close()
