"""The index where a database brings none of its own: scans of one scope, in portable SQL.

It finds the same things and ranks them more plainly, and is meant for thousands of memories, not for
hundreds of thousands.
"""

from array import array
from collections.abc import Sequence
from operator import mul
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, text

from bot.store.tables import memories, memory_vectors
from bot.text.tokens import spaced
from memory.index.base import Embedded, Matches, Ranked, Within
from memory.index.terms import MAX_INDEXED_CHARS, Term
from memory.record import MemoryId, Scope

# Vectors compared at most, the newest: each costs about 15 µs.
MAX_COMPARED = 2_000
MOST_MATCHED = 2_000

_PUT = text(
    "INSERT INTO memory_vectors (memory_id, model_id, vector) "
    "SELECT id, :model_id, :vector FROM memories WHERE id = :id "
    "ON CONFLICT (memory_id, model_id) DO UPDATE SET vector = excluded.vector"
)


class PlainIndex:
    """Searches the tables themselves; keeps nothing beside them."""

    @property
    def searches_vectors(self) -> bool:
        return True

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        """The text in its table is all that is needed."""

    def move(self, conn: Connection, ids: Sequence[MemoryId], scope: Scope) -> None:
        """The scope in the table is all that is needed."""

    def matches(self, conn: Connection, terms: Sequence[Term], within: Within) -> Matches:
        if not terms:
            return Matches((), 0)
        holding = [
            memories.c.text.icontains(term.text if term.cjk else phrase, autoescape=True)
            for term in terms
            for phrase in term.phrases
        ]
        rows = conn.execute(
            select(memories.c.id, memories.c.text)
            .where(*_within(within), or_(*holding))
            .order_by(memories.c.id.desc())
            .limit(MOST_MATCHED)
        ).all()
        held = [(MemoryId(row.id), f" {spaced(row.text[:MAX_INDEXED_CHARS])} ") for row in rows]
        needles = [[f" {phrase}" for phrase in term.phrases] for term in terms]
        total = conn.execute(select(func.count()).select_from(memories).where(*_within(within))).scalar_one()
        return Matches(
            tuple(
                frozenset(key for key, text in held if any(needle in text for needle in wanted))
                for wanted in needles
            ),
            total,
        )

    def nearest(
        self,
        conn: Connection,
        model_id: str,
        vector: "array[float]",
        within: Within,
        also: Sequence[MemoryId] = (),
    ) -> list[Ranked]:
        rows = conn.execute(
            select(memories.c.id, memory_vectors.c.vector)
            .join(memory_vectors, memory_vectors.c.memory_id == memories.c.id)
            .where(memory_vectors.c.model_id == model_id, *_within(within))
            .order_by(memories.c.id.desc())
            .limit(MAX_COMPARED)
        )
        ranked = [Ranked(MemoryId(row.id), sum(map(mul, vector, array("f", row.vector)))) for row in rows]
        ranked.sort(key=lambda item: -item.score)
        return [item for at, item in enumerate(ranked) if at < within.limit or item.id in also]

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        conn.execute(
            _PUT, [{"id": row.id, "model_id": model_id, "vector": row.vector.tobytes()} for row in rows]
        )


def _within(within: Within) -> list[ColumnElement[Any]]:
    conditions: list[ColumnElement[Any]] = [memories.c.scope.in_(within.scopes)]
    if within.since is not None:
        conditions.append(memories.c.at >= within.since)
    return conditions
