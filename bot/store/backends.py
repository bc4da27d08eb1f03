"""The two databases: one SQLite file, or a PostgreSQL server."""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosqlite
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool, QueuePool

from bot.store import sqlite

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

POSTGRES_WRITERS = 4
# The tables that hold people's words.
SPOKEN = ("messages", "memories", "memory_vectors", "memory_codes", "runs", "conversations", "group_states")


def _async_engine(*args: Any, **options: Any) -> "AsyncEngine":
    """`create_async_engine`; it brings SQLAlchemy's whole ORM along, so only streaming loads it."""
    engine: AsyncEngine = importlib.import_module("sqlalchemy.ext.asyncio").create_async_engine(
        *args, **options
    )
    return engine


class SqliteBackend:
    """One file. One writer; SQLite knows no more, and several only starve each other."""

    writers = 1

    def __init__(self, path: Path) -> None:
        self.path: Path | None = path

    def write_engine(self) -> Engine:
        engine = self._engine(read_only=False)

        @event.listens_for(engine, "begin")
        def take_the_write_lock(connection: Any) -> None:
            # A deferred transaction that turns into a writing one may fail at once; this one waits.
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        return engine

    def read_engine(self) -> Engine:
        engine = self._engine(read_only=True)

        @event.listens_for(engine, "begin")
        def take_a_snapshot(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN")

        return engine

    def stream_engine(self) -> "AsyncEngine":
        async def open_async() -> aiosqlite.Connection:
            return await aiosqlite.Connection(
                lambda: sqlite.connect(str(self.path), read_only=True), iter_chunk_size=64
            )

        return _async_engine("sqlite+aiosqlite://", async_creator=open_async, poolclass=NullPool)

    def scrub(self, engine: Engine) -> bool:
        """Empty the log into the file; False where somebody reads an older state for too long."""
        connection = sqlite.connect(str(self.path))
        try:
            busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            connection.close()
        return not busy

    def _engine(self, *, read_only: bool) -> Engine:
        return create_engine(
            "sqlite://",
            creator=lambda: sqlite.connect(str(self.path), read_only=read_only),
            module=sqlite.driver().module,
            poolclass=QueuePool,
            pool_size=1 if not read_only else 4,
            max_overflow=4,
            pool_reset_on_return="rollback",
        )


class PostgresBackend:
    """A server; transactions run in a small pool of threads."""

    writers = POSTGRES_WRITERS
    path: Path | None = None

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername="postgresql+psycopg")

    def write_engine(self) -> Engine:
        return create_engine(self._url, pool_size=POSTGRES_WRITERS + 1, pool_pre_ping=True)

    def read_engine(self) -> Engine:
        return create_engine(self._url, pool_pre_ping=True, execution_options={"postgresql_readonly": True})

    def scrub(self, engine: Engine) -> bool:
        """Clear up the tables that hold what people say."""
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"VACUUM {', '.join(SPOKEN)}")
        return True

    def stream_engine(self) -> "AsyncEngine":
        return _async_engine(self._url, pool_pre_ping=True)
