"""The indexes of the memories: tables that SQLAlchemy cannot describe, each of one database only."""

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from bot.store.sqlite import driver

log = structlog.get_logger(__name__)

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
    forget_for_good(connection)
    connection.exec_driver_sql(
        "CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN "
        "DELETE FROM memory_fts WHERE rowid = old.id; END"
    )


def forget_for_good(connection: Connection) -> None:
    """Let the index overwrite what is deleted: a setting of its own, which no script of the schema holds."""
    if secure_delete_known():
        connection.exec_driver_sql("INSERT INTO memory_fts(memory_fts, rank) VALUES ('secure-delete', 1)")


def secure_delete_known() -> bool:
    """Whether this SQLite's FTS5 can delete without leaving traces in the file."""
    version = tuple(int(part) for part in driver().sqlite_version.split(".")[:2])
    return version >= SECURE_DELETE_SINCE


def create_postgres_search(connection: Connection) -> None:
    """Make the index of words on PostgreSQL, and that of vectors where the server has pgvector.

    Rows go with their memories by foreign key. Nothing is done on other databases.
    """
    if connection.dialect.name != "postgresql":
        return
    connection.exec_driver_sql(
        "CREATE TABLE memory_words (memory_id bigint PRIMARY KEY REFERENCES memories ON DELETE CASCADE, "
        "terms tsvector NOT NULL)"
    )
    connection.exec_driver_sql("CREATE INDEX ix_memory_words_terms ON memory_words USING gin (terms)")
    try:
        with connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
    except DBAPIError as error:  # not installed there, or this user may not
        log.warning("memory.pgvector_missing", error=type(error.orig).__name__)
        return
    connection.exec_driver_sql(
        "CREATE TABLE memory_embeddings (memory_id bigint, model_id varchar, model bigint NOT NULL, "
        "scope bigint NOT NULL, at bigint NOT NULL, embedding vector NOT NULL, "
        "PRIMARY KEY (memory_id, model_id), FOREIGN KEY (memory_id, model_id) "
        "REFERENCES memory_vectors (memory_id, model_id) ON DELETE CASCADE)"
    )
    connection.exec_driver_sql(
        "CREATE INDEX ix_memory_embeddings_model_scope ON memory_embeddings (model, scope)"
    )
