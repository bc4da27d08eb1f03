"""A store in a file of its own."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.engine import Store
from bot.store.open import open_store
from tests.memory.fakes import FakeClock


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database at the newest schema; copying it is quicker than making one for each test."""
    path = tmp_path_factory.mktemp("template") / "bot.db"

    async def make() -> None:
        await (await open_store(f"sqlite:///{path}", FakeClock())).close()

    asyncio.run(make())
    return path


@pytest.fixture
async def store(tmp_path: Path, empty_database: Path) -> AsyncIterator[Store]:
    shutil.copyfile(empty_database, tmp_path / "bot.db")
    opened = await open_store(f"sqlite:///{tmp_path}/bot.db", FakeClock())
    yield opened
    await opened.close()
