"""SQLite as this product needs it: an own driver where the standard one cannot load extensions,
sqlite-vec, WAL, foreign keys, and a writer that waits for its turn."""

import importlib
import importlib.util
import sqlite3
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.errors import ConfigError

# How long a statement waits for another process's write lock, in milliseconds.
BUSY_TIMEOUT_MS = 10_000
_DAMAGED = ("not a database", "malformed")


@dataclass(frozen=True, slots=True)
class Driver:
    """The DB-API module in use, and what the SQLite library inside it can do."""

    module: Any  # a DB-API 2.0 module: sqlite3, or pysqlite3.dbapi2
    name: str
    sqlite_version: str
    extensions: bool  # can load sqlite-vec
    fts5: bool
    vec_version: str  # version of sqlite-vec; "" where it cannot be loaded


@lru_cache(maxsize=1)
def driver() -> Driver:
    """Choose the driver: pysqlite3 where its wheel is installed, else the standard module."""
    module: Any = sqlite3
    name = "sqlite3"
    try:
        module = importlib.import_module("pysqlite3.dbapi2")
        name = "pysqlite3"
    except ImportError:
        pass
    connection = module.connect(":memory:")
    try:
        options = {row[0] for row in connection.execute("PRAGMA compile_options")}
        vec_version = _load_vec(connection)
    finally:
        connection.close()
    return Driver(
        module=module,
        name=name,
        sqlite_version=module.sqlite_version,
        extensions=bool(vec_version),
        fts5="ENABLE_FTS5" in options,
        vec_version=vec_version,
    )


def missing_vec_text() -> str:
    """What an operator is told where vector search cannot be had."""
    return (
        "this Python's sqlite3 cannot load extensions, so memory searches by words only; "
        "install pysqlite3-binary (Linux x86_64) or a Python built with loadable SQLite extensions"
    )


def connect(path: Path | str, *, read_only: bool = False) -> Any:
    """Open one connection, ready for use.

    Autocommit mode is set, so that transactions begin only where the engine says so. Any thread may
    use the connection, one at a time.
    """
    found = driver()
    if not found.fts5:
        raise ConfigError(
            f"SQLite {found.sqlite_version} ({found.name}) was built without FTS5",
            hint="install pysqlite3-binary, or a Python whose sqlite3 has FTS5",
        )
    connection = found.module.connect(
        str(path), isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000
    )
    if found.extensions:
        _load_vec(connection)
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # Commits do not wait for the disk one by one; `Store.durable` does that for many at once.
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA cache_size = -8192")
    # Deleted text is overwritten in the file: forgetting means gone, also for a hex editor.
    cursor.execute("PRAGMA secure_delete = ON")
    if read_only:
        cursor.execute("PRAGMA query_only = ON")
    cursor.close()
    return connection


def cure_of(fault: str) -> str:
    """What to do about a database that SQLite cannot open or read, by its words for why."""
    if any(words in fault for words in _DAMAGED):
        return (
            "the file is damaged, or no SQLite database: put the newest copy of the folder backups "
            "beside it in its place, or move it away to begin anew"
        )
    return "check storage.url, the rights of the folder and the free disk space"


def fault_of(path: Path) -> str:
    """Why the database in a file cannot be read, in SQLite's words; "" where it can, or is not there.

    Its first page and its schema are read, and nothing is written.
    """
    if not path.exists():
        return ""
    module = driver().module
    try:
        connection = module.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except module.Error as error:
        return str(error)
    return ""


@lru_cache(maxsize=1)
def _vec_path() -> str | None:
    """Where the library lies, without its suffix. The package itself would import numpy (20 MiB)."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        return None
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def _load_vec(connection: Any) -> str:
    """Load sqlite-vec into the connection; its version, or "" where that cannot be done."""
    if not hasattr(connection, "enable_load_extension"):
        return ""
    path = _vec_path()
    if path is None:
        return ""
    try:
        connection.enable_load_extension(True)
        connection.load_extension(path)
        connection.enable_load_extension(False)
    except (connection.Error, OSError):
        return ""
    row = connection.execute("SELECT vec_version()").fetchone()
    return str(row[0])
