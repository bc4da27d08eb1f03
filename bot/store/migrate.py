"""Bring a database to this version's schema, with a copy of it made before anything changes."""

import importlib
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, inspect, text

from bot.errors import ConfigError
from bot.store import sqlite

log = structlog.get_logger(__name__)

# Two processes that start at once migrate one after the other; the second finds nothing to do.
_LOCK = 0x6D616F6C76  # any number that no other program takes on this database

_VERSIONS = Path(__file__).parent / "migrations" / "versions"


def head() -> str:
    """The newest revision, from the file names, so that a start without work never loads Alembic."""
    names = (path.name for path in _VERSIONS.iterdir())
    return max(match[1] for name in names if (match := re.match(r"(\d{4})_\w+\.py$", name)))


def revision(connection: Connection) -> str:
    """The revision a database is at; "" for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def migrate(engine: Engine, path: Path | None, now: datetime) -> Path | None:
    """Upgrade to `head`; the backup's path where one was made.

    A database of a newer version is refused: an older program must not write to it. A migration runs
    in one transaction; if it fails the database is as it was, and the copy lies beside it.
    """
    with engine.connect() as connection:
        found = revision(connection)
    if found == head():
        return None
    if found > head():
        raise ConfigError(
            f"the database is at revision {found}, this program knows only {head()}",
            hint="start the newer version again, or restore the backup made before its migration",
        )
    saved = _backup(path, found, now) if found else None
    with engine.begin() as connection:
        _upgrade(connection)
    log.info("store.migrated", before=found or "empty", after=head(), backup=str(saved or ""))
    return saved


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # SQLite's writer has its lock already
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    # Alembic costs a tenth of a second to import; most starts have nothing to migrate.
    command: Any = importlib.import_module("alembic.command")
    config: Any = importlib.import_module("alembic.config").Config()
    config.set_main_option("script_location", str(_VERSIONS.parent))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _backup(path: Path | None, found: str, now: datetime) -> Path | None:
    if path is None:
        log.warning("store.backup_skipped", reason="a PostgreSQL server is backed up by its own means")
        return None
    folder = path.parent / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / f"{path.stem}-{found}-{now:%Y%m%dT%H%M%S}.db"
    copy(path, target)
    return target


def copy(path: Path, target: Path) -> None:
    """Copy a SQLite database consistently, also while it is written to."""
    source = sqlite.connect(path)
    destination = sqlite.driver().module.connect(str(target))
    try:
        source.backup(destination)
    finally:
        destination.close()
        source.close()
    target.chmod(0o600)
