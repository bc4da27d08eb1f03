"""Where everything is kept: one writer that runs whole transactions, and readers beside it.

A transaction is one plain function of a connection. It is handed to `Store.write`, which runs it on
the writer's thread and commits; no `await` can stand inside it, so none is ever open across a model
call. `Store.read` does the same on a reader's thread and refuses writes; `Store.rows` streams a long
result without holding a thread.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

import structlog
from sqlalchemy import Connection, Engine, Row, Select
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from bot.errors import ConfigError, Unavailable, XiaomaolvError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

READERS = 3
# A flush waits so long for others to join it, while the work that was accepted is begun; PostgreSQL calls
# the like `commit_delay`.
GATHER_S = 0.003
# A transaction that lost against another process (SQLite busy, PostgreSQL serialization) runs again.
ATTEMPTS = 3


class Backend(Protocol):
    """What a database brings: engines for writing, reading and streaming."""

    @property
    def writers(self) -> int:
        """How many transactions may run at once."""
        ...

    @property
    def path(self) -> Path | None:
        """The file, where the database is one."""
        ...

    def write_engine(self) -> Engine: ...

    def read_engine(self) -> Engine: ...

    def scrub(self, engine: Engine) -> bool: ...

    def stream_engine(self) -> "AsyncEngine": ...


class Disk:
    """Flushes the write-ahead log for many transactions at once (group commit).

    SQLite in WAL mode with `synchronous = NORMAL` leaves the flush to the next checkpoint: a commit
    survives the process, not a power cut. Flushing the log's file makes it survive both.
    """

    def __init__(self, database: Path | None) -> None:
        self._log = None if database is None else database.with_name(database.name + "-wal")
        self._changes = 0
        self._flushed = 0
        self._lock = asyncio.Lock()

    def changed(self) -> None:
        self._changes += 1

    async def flushed(self) -> None:
        if self._log is None:  # a server flushes its own
            return
        wanted = self._changes
        await asyncio.sleep(GATHER_S)
        async with self._lock:
            if self._flushed >= wanted:
                return
            reached = self._changes
            await asyncio.to_thread(_flush, self._log)
            self._flushed = reached


def _flush(path: Path) -> None:
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:  # checkpointed and gone: it was flushed then
        return
    try:
        os.fsync(file)
    finally:
        os.close(file)


class Store:
    """The database of one process. Open it with `bot.store.open.open_store`."""

    def __init__(self, backend: Backend, *, temporary: Path | None = None) -> None:
        self._backend = backend
        self._temporary = temporary
        self._write_engine = backend.write_engine()
        self._read_engine = backend.read_engine()
        self._stream_engine: AsyncEngine | None = None
        self._writer = ThreadPoolExecutor(backend.writers, thread_name_prefix="store-write")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._disk = Disk(backend.path)
        self._closed = False

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._write_engine.dialect.name

    @property
    def path(self) -> Path | None:
        """The database file; None where the database is a server."""
        return self._backend.path

    async def write(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(connection, …)` as one transaction and commit it; what it returns comes back.

        An exception rolls back and is raised here. A caller that is cancelled while it waits neither
        undoes the transaction nor prevents it.
        """
        result: T = await self._on(self._writer, self.write_now, fn, *args, **kwargs)
        self._disk.changed()
        return result

    async def durable(self) -> None:
        """Wait until everything committed so far would survive a power cut.

        Callers wait together: one flush of the disk serves all of them. Acknowledge to the outside
        only after this.
        """
        await self._disk.flushed()

    async def scrub(self) -> bool:
        """Take the bytes of what was deleted out of the files; False where readers held them up.

        SQLite overwrites deleted rows at once, but its log has them until it is emptied. PostgreSQL
        keeps them until it is told to clear up.
        """
        return await self._on(self._writer, self._backend.scrub, self._write_engine)

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `fn(connection, …)` on a reader; writing in it is an error."""
        return await self._on(self._readers, self.read_now, fn, *args, **kwargs)

    def begin(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """`read` whose result is asked for later, or never."""
        if self._closed:
            raise Unavailable("the store is closed")
        begun: Future[T] = self._readers.submit(partial(self.read_now, fn, *args, **kwargs))
        return begun

    def write_now(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write`, on the calling thread: for start-up and the command line."""
        return self._attempt(self._write_engine.begin, fn, *args, **kwargs)

    def read_now(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read`, on the calling thread."""
        return self._attempt(self._read_engine.connect, fn, *args, **kwargs)

    async def rows(self, statement: Select[Any], *, chunk: int = 500) -> AsyncGenerator[Row[Any], None]:
        """Stream the rows of a SELECT, `chunk` at a time; wrap it in `aclosing()`."""
        if self._stream_engine is None:
            self._stream_engine = self._backend.stream_engine()
        async with self._stream_engine.connect() as connection:
            result = await connection.stream(statement, execution_options={"yield_per": chunk})
            async for row in result:
                yield row

    async def close(self) -> None:
        """Finish what is under way, then close every connection."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._writer.shutdown, wait=True)
        await asyncio.to_thread(self._readers.shutdown, wait=True)
        if self._stream_engine is not None:
            await self._stream_engine.dispose()
        self._read_engine.dispose()
        self._write_engine.dispose()
        if self._temporary is not None:
            await asyncio.to_thread(shutil.rmtree, self._temporary, ignore_errors=True)

    async def _on(self, pool: ThreadPoolExecutor, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        future: Future[T] = pool.submit(call, *args, **kwargs)
        # Cancelling a future that waits in the pool would take the work back, and one that runs not:
        # a caller could not tell which. Shielded, the work is always done.
        return await asyncio.shield(asyncio.wrap_future(future))

    def _attempt(
        self,
        begin: Callable[[], AbstractContextManager[Connection]],
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with begin() as connection:
                    return fn(connection, *args, **kwargs)
            except DBAPIError as error:
                if attempt == ATTEMPTS or not _lost_race(error):
                    raise _foreign(error) from error
                log.warning("store.retried", attempt=attempt, error=type(error.orig).__name__)
            except SQLAlchemyError as error:
                raise _foreign(error) from error
        raise AssertionError("unreachable")


# PostgreSQL's codes for a transaction that lost against another: serialization failure, deadlock, and
# a unique key that the other one took between our look and our insert. The second try sees its row.
_LOST_RACES = frozenset({"40001", "40P01", "23505"})


def _lost_race(error: DBAPIError) -> bool:
    code = getattr(error.orig, "sqlstate", None)
    return code in _LOST_RACES or "database is locked" in str(error.orig)


def _foreign(error: SQLAlchemyError) -> Exception:
    """Our error for what an operator can mend; a programming error stays what it is."""
    if not isinstance(error, OperationalError):
        return error
    text = str(error.orig).lower()
    if "full" in text:
        return Unavailable("the disk is full", hint="free some space; nothing that was accepted is lost")
    if "locked" in text:
        return Unavailable("the database is busy", retry_after_s=1.0)
    if "readonly" in text or "read-only" in text:
        return XiaomaolvError("the database cannot be written", hint="check the owner of the data folder")
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return Unavailable("the database cannot be reached", retry_after_s=1.0)
    return error


def temporary_folder() -> Path:
    """A folder for a database that nobody wants to keep."""
    return Path(tempfile.mkdtemp(prefix="xiaomaolv-"))


def data_folder(path: Path) -> Path:
    """Make the folder of a database file; a `ConfigError` says why it cannot be made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the data folder {path.parent} cannot be made: {error.strerror}",
            hint="set storage.url to a place this user may write to",
        ) from error
    return path.parent
