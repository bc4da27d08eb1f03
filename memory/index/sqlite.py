"""The index on SQLite: FTS5 for words."""

from array import array
from collections.abc import Sequence

from sqlalchemy import Connection

from bot.store.tables import UtcTime
from memory.index.base import Ranked, Within
from memory.index.terms import expressions, index_terms, scope_term
from memory.record import MemoryId, Scope


class SqliteIndex:
    """Searches by words in `memory_fts`, which `bot.store.search` makes."""

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        conn.exec_driver_sql(
            "INSERT INTO memory_fts (rowid, scope, terms) VALUES (?, ?, ?)",
            [(memory_id, scope_term(scope), index_terms(text)) for memory_id, scope, text in rows],
        )

    def keyword(self, conn: Connection, text: str, within: Within) -> list[Ranked]:
        asked = expressions(text, within.scopes)
        if asked is None:
            return []
        found = _match(conn, asked.exact, within)
        if len(found) < within.limit and asked.prefix:
            known = {ranked.id for ranked in found}
            more = _match(conn, asked.prefix, within)
            found += [ranked for ranked in more if ranked.id not in known][: within.limit - len(found)]
        return found

    def nearest(
        self, conn: Connection, model_id: str, vector: "array[float]", within: Within
    ) -> list[Ranked]:
        return []


def _match(conn: Connection, expression: str, within: Within) -> list[Ranked]:
    marks = ", ".join("?" * len(within.scopes))
    parameters: list[object] = [expression, *within.scopes]
    since = ""
    if within.since is not None:
        since = "AND m.at >= ? "
        parameters.append(UtcTime().process_bind_param(within.since, conn.dialect))
    rows = conn.exec_driver_sql(
        "SELECT m.id, -bm25(memory_fts, 0.0, 1.0) AS score FROM memory_fts "
        "JOIN memories AS m ON m.id = memory_fts.rowid "
        f"WHERE memory_fts MATCH ? AND m.scope IN ({marks}) {since}"
        "ORDER BY score DESC LIMIT ?",
        (*parameters, within.limit),
    )
    return [Ranked(MemoryId(row[0]), row[1]) for row in rows]
