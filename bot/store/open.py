"""Open the database that `storage.url` names, brought to this version's schema."""

import asyncio
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from bot.domain.ports import Clock
from bot.errors import ConfigError
from bot.store.backends import PostgresBackend, SqliteBackend
from bot.store.engine import Backend, Store, data_folder, temporary_folder
from bot.store.migrate import migrate
from bot.store.sqlite import cure_of

_IN_MEMORY = frozenset({"sqlite::memory:", "sqlite://", "sqlite:///:memory:"})


async def open_store(url: str, clock: Clock) -> Store:
    """Open (and make, and migrate) the database at `url`.

    `sqlite:///data/bot.db` is relative to the working directory, `sqlite:////var/bot.db` absolute,
    `sqlite://` or `sqlite::memory:` a database that is gone at the end. `postgresql://…` is a server.
    """
    backend, temporary = _backend(url)
    store = Store(backend, temporary=temporary)
    try:
        engine = backend.write_engine()
        try:
            await asyncio.to_thread(migrate, engine, backend.path, clock.now())
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        await store.close()
        raise _unopened(url, error) from error
    except BaseException:
        await store.close()
        raise
    return store


def _backend(url: str) -> tuple[Backend, Path | None]:
    if url in _IN_MEMORY:
        folder = temporary_folder()
        return SqliteBackend(folder / "bot.db"), folder
    if (path := database_file(url)) is not None:
        data_folder(path)
        return SqliteBackend(path), None
    parsed = _parsed(url)
    if parsed.get_backend_name() in {"postgresql", "postgres"}:
        return PostgresBackend(parsed), None
    raise ConfigError(
        f"storage.url names {parsed.get_backend_name()!r}; only sqlite and postgresql are known",
        hint="for example sqlite:///data/bot.db",
    )


def database_file(url: str) -> Path | None:
    """The file of a SQLite address, be it there or not; None for a database in memory or on a server.

    Raises `ConfigError` for what is no address.
    """
    if url in _IN_MEMORY or (parsed := _parsed(url)).get_backend_name() != "sqlite":
        return None
    return Path(parsed.database or "data/bot.db")


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError as error:
        raise ConfigError(
            "storage.url is not a database address",
            hint="for example sqlite:///data/bot.db or postgresql://user:password@host/name",
        ) from error


def _unopened(url: str, error: SQLAlchemyError) -> ConfigError:
    """Why, in SQLite's words: they name no more than the fault. A server's may name accounts."""
    reason = type(error).__name__
    if database_file(url) is not None and isinstance(error, DBAPIError):
        reason = str(error.orig)
    return ConfigError(f"the database at {_shown(url)} cannot be opened: {reason}", hint=cure_of(reason))


def _shown(url: str) -> str:
    parsed: URL = make_url(url)
    return parsed.render_as_string(hide_password=True)
