"""The full-text index of the memories on SQLite: tables that SQLAlchemy cannot describe."""

from sqlalchemy import Connection

from bot.store.sqlite import driver

# The first SQLite whose FTS5 can remove a row's words from the index at once, instead of noting that
# the row is gone and leaving the words in the file until some later merge.
SECURE_DELETE_SINCE = (3, 42)


def create_search(connection: Connection) -> None:
    """Make the index `memory_fts` (`rowid` is the memory's id) and what keeps it in step on deletion.

    The index holds words, split by `memory.index.terms`, so rows are added by `memory.store`; they go
    by a trigger, whoever deletes the memory. Nothing is done on other databases.
    """
    if connection.dialect.name != "sqlite":
        return
    connection.exec_driver_sql(
        "CREATE VIRTUAL TABLE memory_fts USING fts5("
        "scope, terms, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    if secure_delete_known():
        connection.exec_driver_sql("INSERT INTO memory_fts(memory_fts, rank) VALUES ('secure-delete', 1)")
    connection.exec_driver_sql(
        "CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN "
        "DELETE FROM memory_fts WHERE rowid = old.id; END"
    )


def secure_delete_known() -> bool:
    """Whether this SQLite's FTS5 can delete without leaving traces in the file."""
    version = tuple(int(part) for part in driver().sqlite_version.split(".")[:2])
    return version >= SECURE_DELETE_SINCE
