"""The index on SQLite: FTS5 for words; for meaning a scan of bit codes, whose best are compared in full.

Plain tables hold the vectors, so that deleting a memory takes them along by foreign key, also where
sqlite-vec cannot be loaded. On 10,000 codes of one scope the scan was twice as fast as sqlite-vec's
own table asked for as many candidates.
"""

import importlib
from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from heapq import nsmallest
from typing import TYPE_CHECKING, cast

from sqlalchemy import Connection

from bot.store.sqlite import driver
from bot.store.tables import UtcTime
from memory.index.base import Embedded, Matches, Ranked, Within
from memory.index.terms import Term, both, expression, hash64, index_terms, scope_term
from memory.record import MemoryId, Scope

if TYPE_CHECKING:
    from memory.index.codes import Codes

# Of the ten nearest by cosine, 98 % were among so many by bits (2,000 chat messages, centred vectors).
CANDIDATES = 160
# Below so many codes a scan of their table takes no longer than what is around it.
HELD_FROM = 4_000
# Memories taken for one term. What stands in more of them tells little about any, and reading all of
# them would be nearly all of the work.
MOST_MATCHED = 2_000
# The rarest terms of a question, with which what holds its common ones is looked for: each of them is
# searched anew for each common term, and a phrase of two common signs takes longest.
RAREST = 3
MOST_COUNTED = 20_000  # memories at most among which a term is rare or common, as on PostgreSQL

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

    def matches(self, conn: Connection, terms: Sequence[Term], within: Within) -> Matches:
        if not terms or not within.scopes:
            return Matches(tuple(frozenset[MemoryId]() for _ in terms), 0)
        if within.since is not None and not _reaches_back(conn, within):
            within = replace(within, since=None)
        total, others = _counted(conn, within.scopes)
        # To tell the scopes apart is most of the work, and needless where there are no others.
        narrowed = within.scopes if others else ()
        found = [_match(conn, expression([term], narrowed), within) for term in terms]
        for at, term in enumerate(terms):
            if not found[at] and term.has_prefix:
                found[at] = _match(conn, expression([term], narrowed, prefix=True), within)
        _common(conn, terms, found, narrowed, within)
        return Matches(tuple(frozenset(ids) for ids in found), min(total, MOST_COUNTED))

    def nearest(
        self,
        conn: Connection,
        model_id: str,
        vector: "array[float]",
        within: Within,
        also: Sequence[MemoryId] = (),
    ) -> list[Ranked]:
        if not self.searches_vectors or not within.scopes:
            return []
        blob = vector.tobytes()
        near = set(_candidates(conn, hash64(model_id), blob, within))
        ids = [*near.union(also)]
        rows = conn.exec_driver_sql(
            "SELECT memory_id, 1 - vec_distance_cosine(vector, ?) AS cosine FROM memory_vectors "
            f"WHERE model_id = ? AND memory_id IN ({_marks(ids)}) ORDER BY cosine DESC",
            (blob, model_id, *ids),
        )
        ranked = [Ranked(MemoryId(row[0]), row[1]) for row in rows if row[1] is not None]
        closest = [item.id for item in ranked if item.id in near][: within.limit]
        wanted = {*closest, *also}
        return [item for item in ranked if item.id in wanted]

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


def _candidates(conn: Connection, model: int, vector: bytes, within: Within) -> Sequence[int]:
    """The memories whose signs differ least from those of the vector; of equal ones the newest."""
    count, scopes = max(CANDIDATES, within.limit), [*map(hash64, within.scopes)]
    since, earliest = _since(conn, within, "at")
    bits = conn.exec_driver_sql("SELECT vec_quantize_binary(?)", (vector,)).scalar_one()
    stored = conn.exec_driver_sql(
        "SELECT model, scope, codes, rewritten FROM memory_code_counts "
        f"WHERE model = ? AND scope IN ({_marks(scopes)})",
        (model, *scopes),
    ).all()
    if sum(row.codes for row in stored) >= HELD_FROM:
        held = _held(conn).nearest(conn, stored, bits, earliest[0] if earliest else None, count)
        if held is not None:
            return held
    rows = conn.exec_driver_sql(
        "SELECT memory_id, vec_distance_hamming(vec_bit(bits), vec_bit(?)) AS distance "
        f"FROM memory_codes WHERE model = ? AND scope IN ({_marks(scopes)}) {since} "
        "ORDER BY distance, memory_id DESC LIMIT ?",
        (bits, model, *scopes, *earliest, count),
    )
    return rows.scalars().all()


def _held(conn: Connection) -> "Codes":
    """The codes in memory; loaded where there are many, as numpy takes 20 MB."""
    codes: Codes = importlib.import_module("memory.index.codes").codes_of(conn)
    return codes


def _counted(conn: Connection, scopes: Sequence[Scope]) -> tuple[int, bool]:
    """How many memories the scopes hold, and whether there are any in other scopes."""
    marks = _marks(scopes)
    row = conn.exec_driver_sql(
        f"SELECT (SELECT coalesce(sum(memories), 0) FROM memory_scopes WHERE scope IN ({marks})), "
        f"EXISTS (SELECT 1 FROM memory_scopes WHERE scope NOT IN ({marks}))",
        (*scopes, *scopes),
    ).one()
    return row[0], bool(row[1])


def _common(
    conn: Connection,
    terms: Sequence[Term],
    found: list[set[MemoryId]],
    narrowed: Sequence[Scope],
    within: Within,
) -> None:
    """Add to the terms of too many memories those that hold one of the rarest terms as well."""
    counts = [(len(ids), at) for at, ids in enumerate(found) if 0 < len(ids) < MOST_MATCHED]
    rare = [terms[at] for _, at in nsmallest(RAREST, counts)]
    for at, term in enumerate(terms):
        if len(found[at]) < MOST_MATCHED:
            continue
        # Without a rare one the others that are common take its place.
        beside = rare or [other for other in terms if other is not term]
        if beside:
            found[at].update(_match(conn, both([term], beside, narrowed), within))


def _match(conn: Connection, expression: str, within: Within) -> set[MemoryId]:
    """The newest memories for an expression."""
    join, condition = "", ""
    parameters: list[int | None] = []
    if within.since is not None:
        # CROSS: the full-text index goes first. The planner would ask it once for every memory.
        join = "CROSS JOIN memories AS m ON m.id = memory_fts.rowid"
        condition, parameters = _since(conn, within, "m.at")
    # As one text: thousands of rows would cost more on their way here than the search for them.
    found = conn.exec_driver_sql(
        f"SELECT group_concat(id) FROM (SELECT memory_fts.rowid AS id FROM memory_fts {join} "
        f"WHERE memory_fts MATCH ? {condition} ORDER BY memory_fts.rowid DESC LIMIT ?)",
        (expression, *parameters, MOST_MATCHED),
    ).scalar()
    # A call of `MemoryId` for each would take as long as all the rest.
    return set(cast("map[MemoryId]", map(int, found.split(",")))) if found else set()


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
