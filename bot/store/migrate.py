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
from bot.store.search import forget_for_good

log = structlog.get_logger(__name__)

# Two processes that start at once migrate one after the other; the second finds nothing to do.
_LOCK = 0x6D616F6C76  # any number that no other program takes on this database

_VERSIONS = Path(__file__).parent / "migrations" / "versions"
SNAPSHOT = Path(__file__).parent / "migrations" / "sqlite.sql"


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
        if not (found == "" and _create(connection)):
            upgrade(connection)
    log.info("store.migrated", before=found or "empty", after=head(), backup=str(saved or ""))
    return saved


def _create(connection: Connection) -> bool:
    """Make an empty SQLite database what all migrations would make of it; False where that is not known.

    A newcomer's first start would else load Alembic and run every migration: a fifth of its time.
    `make docs` writes the script, and a test compares it with the migrations.
    """
    if connection.dialect.name != "sqlite" or inspect(connection).get_table_names():
        return False
    comment, *statements = SNAPSHOT.read_text(encoding="utf-8").strip().split("\n\n")
    if not comment.endswith(head()):
        return False
    for statement in statements:
        connection.exec_driver_sql(statement)
    forget_for_good(connection)
    return True


def snapshot(connection: Connection) -> str:
    """The script that makes a SQLite database of the schema that this one has, at its revision."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
        "ORDER BY rowid"
    ).all()
    virtual = tuple(f"{name}_" for name, sql in rows if sql.startswith("CREATE VIRTUAL TABLE"))
    # A virtual table makes those behind it itself.
    made = [re.sub(r"\s*\n\s*", " ", sql) for name, sql in rows if not name.startswith(virtual)]
    found = revision(connection)
    parts = [f"-- Made by `make docs` from the migrations up to {found}", *made]
    return "\n\n".join([*parts, f"INSERT INTO alembic_version VALUES ('{found}')"]) + "\n"


def upgrade(connection: Connection) -> None:
    """Run every migration that this database has not had."""
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
