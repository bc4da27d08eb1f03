import pytest

from bot.store.engine import Store
from tests.contracts.stores import clock, sqlite_store

__all__ = ["clock", "sqlite_store"]


@pytest.fixture
def store(sqlite_store: Store) -> Store:
    """What is tested here is no matter of the database."""
    return sqlite_store
