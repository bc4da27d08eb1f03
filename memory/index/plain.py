"""The index where a database brings none of its own: scans of one scope, in portable SQL.

It finds the same things and ranks them more plainly, and is meant for thousands of memories, not for
hundreds of thousands.
"""

from array import array
from collections.abc import Sequence
from operator import mul
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select

from bot.store.tables import memories, memory_vectors
from bot.text.tokens import spaced
from memory.index.base import Embedded, Ranked, Within
from memory.index.terms import MAX_INDEXED_CHARS, asked_for
from memory.record import MemoryId, Scope

# Vectors compared at most, the newest: each costs about 15 µs.
MAX_COMPARED = 2_000


class PlainIndex:
    """Searches the tables themselves; keeps nothing beside them."""

    @property
    def searches_vectors(self) -> bool:
        return True

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        """The text in its table is all that is needed."""

    def move(self, conn: Connection, ids: Sequence[MemoryId], scope: Scope) -> None:
        """The scope in the table is all that is needed."""

    def keyword(self, conn: Connection, text: str, within: Within) -> list[Ranked]:
        phrases = [phrase for phrase, _ in asked_for(text)]
        if not phrases:
            return []
        holding = [memories.c.text.icontains(phrase, autoescape=True) for phrase in phrases]
        rows = conn.execute(
            select(memories.c.id, memories.c.text)
            .where(*_within(within), or_(*holding))
            .order_by(memories.c.id.desc())
            .limit(within.limit)
        ).all()
        ranked = [Ranked(MemoryId(row.id), _share(phrases, row.text)) for row in rows]
        return sorted(ranked, key=lambda item: -item.score)

    def nearest(
        self, conn: Connection, model_id: str, vector: "array[float]", within: Within
    ) -> list[Ranked]:
        rows = conn.execute(
            select(memories.c.id, memory_vectors.c.vector)
            .join(memory_vectors, memory_vectors.c.memory_id == memories.c.id)
            .where(memory_vectors.c.model_id == model_id, *_within(within))
            .order_by(memories.c.id.desc())
            .limit(MAX_COMPARED)
        )
        ranked = [Ranked(MemoryId(row.id), sum(map(mul, vector, array("f", row.vector)))) for row in rows]
        return sorted(ranked, key=lambda item: -item.score)[: within.limit]

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        ids = [row.id for row in rows]
        there = set(conn.execute(select(memories.c.id).where(memories.c.id.in_(ids))).scalars())
        conn.execute(
            delete(memory_vectors).where(
                memory_vectors.c.memory_id.in_(ids), memory_vectors.c.model_id == model_id
            )
        )
        values = [
            {"memory_id": row.id, "model_id": model_id, "vector": row.vector.tobytes()}
            for row in rows
            if row.id in there
        ]
        if values:
            conn.execute(insert(memory_vectors), values)


def _within(within: Within) -> list[ColumnElement[Any]]:
    conditions: list[ColumnElement[Any]] = [memories.c.scope.in_(within.scopes)]
    if within.since is not None:
        conditions.append(memories.c.at >= within.since)
    return conditions


def _share(phrases: Sequence[str], text: str) -> float:
    held = spaced(text[:MAX_INDEXED_CHARS]).replace(" ", "")
    return sum(phrase in held for phrase in phrases) / len(phrases)
