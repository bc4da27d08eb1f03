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


# The counts go along with their rows by triggers, whoever adds and deletes them: foreign keys do, too.
# `rewritten` says whether codes that somebody keeps in memory are still these: it stays the same while new
# codes only come behind the others, in the order of their memories.
_MORE = (
    "INSERT INTO memory_scopes (scope, memories) VALUES (new.scope, 1) "
    "ON CONFLICT (scope) DO UPDATE SET memories = memories + 1; "
)
_FEWER = (
    "UPDATE memory_scopes SET memories = memories - 1 WHERE scope = old.scope; "
    "DELETE FROM memory_scopes WHERE scope = old.scope AND memories = 0; "
)
_CODE_MORE = (
    "INSERT INTO memory_code_counts (model, scope, codes, rewritten) VALUES (new.model, new.scope, 1, 0) "
    "ON CONFLICT (model, scope) DO UPDATE SET codes = codes + 1, rewritten = rewritten + (new.memory_id < "
    "(SELECT max(memory_id) FROM memory_codes WHERE model = new.model AND scope = new.scope)); "
)
_CODE_FEWER = (
    "UPDATE memory_code_counts SET codes = codes - 1, rewritten = rewritten + 1 "
    "WHERE model = old.model AND scope = old.scope; "
)
_CODE_OTHER = (
    "UPDATE memory_code_counts SET rewritten = rewritten + 1 WHERE model = new.model AND scope = new.scope; "
)
_COUNTING = (
    "CREATE TABLE memory_scopes (scope VARCHAR PRIMARY KEY, memories INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE memory_code_counts (model BIGINT NOT NULL, scope BIGINT NOT NULL, codes INTEGER NOT NULL, "
    "rewritten INTEGER NOT NULL, PRIMARY KEY (model, scope)) WITHOUT ROWID",
    "INSERT INTO memory_scopes SELECT scope, count(*) FROM memories GROUP BY scope",
    "INSERT INTO memory_code_counts SELECT model, scope, count(*), 0 FROM memory_codes GROUP BY model, scope",
    f"CREATE TRIGGER memories_counted AFTER INSERT ON memories BEGIN {_MORE}END",
    f"CREATE TRIGGER memories_uncounted AFTER DELETE ON memories BEGIN {_FEWER}END",
    f"CREATE TRIGGER memories_moved AFTER UPDATE OF scope ON memories BEGIN {_FEWER}{_MORE}END",
    f"CREATE TRIGGER codes_counted AFTER INSERT ON memory_codes BEGIN {_CODE_MORE}END",
    f"CREATE TRIGGER codes_uncounted AFTER DELETE ON memory_codes BEGIN {_CODE_FEWER}END",
    f"CREATE TRIGGER codes_rewritten AFTER UPDATE OF at, bits ON memory_codes BEGIN {_CODE_OTHER}END",
    f"CREATE TRIGGER codes_moved AFTER UPDATE OF scope ON memory_codes BEGIN {_CODE_FEWER}{_CODE_MORE}"
    f"{_CODE_OTHER}END",
)


def count_memories(connection: Connection) -> None:
    """Count what each scope holds from now on, in `memory_scopes` and `memory_code_counts`.

    Nothing is done on other databases.
    """
    if connection.dialect.name == "sqlite":
        for statement in _COUNTING:
            connection.exec_driver_sql(statement)


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
