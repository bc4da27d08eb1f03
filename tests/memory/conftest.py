"""A store in a file of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.engine import Store
from bot.store.open import open_store
from tests.memory.fakes import FakeClock


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(f"sqlite:///{tmp_path}/bot.db", FakeClock())
    yield opened
    await opened.close()
