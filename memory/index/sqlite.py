"""The index on SQLite: FTS5 for words; for meaning a scan of bit codes, whose best are compared in full.

Plain tables hold the vectors, so that deleting a memory takes them along by foreign key, also where
sqlite-vec cannot be loaded. On 10,000 codes of one scope the scan was twice as fast as sqlite-vec's
own table asked for as many candidates.
"""

from array import array
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from bot.store.sqlite import driver
from bot.store.tables import UtcTime
from memory.index.base import Embedded, Ranked, Within
from memory.index.terms import asked_for, exact_expression, expressions, hash64, index_terms, scope_term
from memory.record import MemoryId, Scope

# Of the ten nearest by cosine, 98 % were among so many by bits (2,000 chat messages, centred vectors).
CANDIDATES = 160
# Memories that are scored for one question by their words: BM25 takes 0.8 µs for each.
MOST_SCORED = 4_000

_PUT_VECTOR = (
    "INSERT INTO memory_vectors (memory_id, model_id, vector) SELECT id, ?, ? FROM memories WHERE id = ? "
    "ON CONFLICT (memory_id, model_id) DO UPDATE SET vector = excluded.vector"
)
_PUT_CODE = (
    "INSERT INTO memory_codes (model, scope, memory_id, at, bits) "
    "SELECT ?, ?, id, ?, vec_quantize_binary(?) FROM memories WHERE id = ? "
    "ON CONFLICT (model, scope, memory_id) DO UPDATE SET bits = excluded.bits"
)


class SqliteIndex:
    """Searches by words in `memory_fts` and by meaning in `memory_codes` and `memory_vectors`."""

    @property
    def searches_vectors(self) -> bool:
        return bool(driver().vec_version)

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        conn.exec_driver_sql(
            "INSERT INTO memory_fts (rowid, scope, terms) VALUES (?, ?, ?)",
            [(memory_id, scope_term(scope), index_terms(text)) for memory_id, scope, text in rows],
        )

    def move(self, conn: Connection, ids: Sequence[MemoryId], scope: Scope) -> None:
        term, code = scope_term(scope), hash64(scope)
        for memory_id in ids:
            conn.exec_driver_sql("UPDATE memory_fts SET scope = ? WHERE rowid = ?", (term, memory_id))
            conn.exec_driver_sql("UPDATE memory_codes SET scope = ? WHERE memory_id = ?", (code, memory_id))

    def keyword(self, conn: Connection, text: str, within: Within) -> list[Ranked]:
        asked = expressions(_affordable(conn, asked_for(text), within.scopes), within.scopes)
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
        if not self.searches_vectors or not within.scopes:
            return []
        since, earliest = _since(conn, within, "at")
        blob = vector.tobytes()
        coarse = conn.exec_driver_sql(
            "SELECT memory_id, vec_distance_hamming(vec_bit(bits), vec_quantize_binary(?)) AS distance "
            f"FROM memory_codes WHERE model = ? AND scope IN ({_marks(within.scopes)}) {since} "
            "ORDER BY distance LIMIT ?",
            (blob, hash64(model_id), *map(hash64, within.scopes), *earliest, CANDIDATES),
        )
        ids = [row[0] for row in coarse]
        rows = conn.exec_driver_sql(
            "SELECT memory_id, 1 - vec_distance_cosine(vector, ?) AS cosine FROM memory_vectors "
            f"WHERE model_id = ? AND memory_id IN ({_marks(ids)}) ORDER BY cosine DESC LIMIT ?",
            (blob, model_id, *ids, within.limit),
        )
        return [Ranked(MemoryId(row[0]), row[1]) for row in rows if row[1] is not None]

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        model = hash64(model_id)
        conn.exec_driver_sql(_PUT_VECTOR, [(model_id, row.vector.tobytes(), row.id) for row in rows])
        conn.exec_driver_sql(
            _PUT_CODE,
            [
                (model, hash64(row.scope), _stored_time(conn, row.at), row.vector.tobytes(), row.id)
                for row in rows
            ],
        )


def _affordable(
    conn: Connection, phrases: list[tuple[str, bool]], scopes: Sequence[Scope]
) -> list[tuple[str, bool]]:
    """The rarest of the phrases in the scopes, as many as can be scored in time, in their order.

    What stands in thousands of memories tells next to nothing about one (its weight in BM25 goes to
    zero), and costs nearly all of the search.
    """
    if len(phrases) <= 1 or not scopes:
        return phrases
    asked = [exact_expression(phrase, scopes, cjk=cjk) for phrase, cjk in phrases]
    counted = sorted((_count(conn, expression), at) for at, expression in enumerate(asked))
    kept, scored = set[int](), 0
    for count, at in counted:
        scored += count
        if kept and scored > MOST_SCORED:
            break
        kept.add(at)
    return [phrase for at, phrase in enumerate(phrases) if at in kept]


def _count(conn: Connection, expression: str) -> int:
    """How many memories hold what is asked for; counted a little further than can be scored."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? LIMIT ?)"
    return int(conn.exec_driver_sql(counted, (expression, MOST_SCORED + 1)).scalar_one())


def _match(conn: Connection, expression: str, within: Within) -> list[Ranked]:
    join, condition = "", ""
    parameters: list[int | None] = []
    if within.since is not None and _reaches_back(conn, within):
        # CROSS: the full-text index goes first. The planner would ask it once for every memory.
        join = "CROSS JOIN memories AS m ON m.id = memory_fts.rowid"
        condition, parameters = _since(conn, within, "m.at")
    rows = conn.exec_driver_sql(
        f"SELECT memory_fts.rowid, -bm25(memory_fts, 0.0, 1.0) AS score FROM memory_fts {join} "
        f"WHERE memory_fts MATCH ? {condition} ORDER BY score DESC LIMIT ?",
        (expression, *parameters, within.limit),
    )
    return [Ranked(MemoryId(row[0]), row[1]) for row in rows]


def _reaches_back(conn: Connection, within: Within) -> bool:
    """Whether a scope holds memories from before the search's time; else there is no need to look."""
    return bool(
        conn.exec_driver_sql(
            f"SELECT EXISTS (SELECT 1 FROM memories WHERE scope IN ({_marks(within.scopes)}) AND at < ?)",
            (*within.scopes, _stored_time(conn, within.since) if within.since else None),
        ).scalar()
    )


def _since(conn: Connection, within: Within, column: str) -> tuple[str, list[int | None]]:
    """The condition on time and its parameters."""
    if within.since is None:
        return "", []
    return f"AND {column} >= ?", [_stored_time(conn, within.since)]


def _stored_time(conn: Connection, at: datetime) -> int | None:
    return UtcTime().process_bind_param(at, conn.dialect)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
