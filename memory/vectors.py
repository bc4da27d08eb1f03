"""The transaction functions of background indexing: what lacks a vector, and what no model needs any more."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, insert, select

from bot.store.tables import memories, memory_codes, memory_models, memory_vectors
from memory.index.base import Embedded
from memory.index.terms import hash64
from memory.record import MemoryId, Scope
from memory.store import index_of

_DROP_VECTOR = delete(memory_vectors).where(
    memory_vectors.c.memory_id == bindparam("id"), memory_vectors.c.model_id == bindparam("old")
)
_DROP_CODE = delete(memory_codes).where(
    memory_codes.c.memory_id == bindparam("id"), memory_codes.c.model == bindparam("old")
)


@dataclass(frozen=True, slots=True)
class Pending:
    """A memory that has no vector of the model in use."""

    id: MemoryId
    scope: Scope
    at: datetime
    text: str


def pending(conn: Connection, model_id: str, limit: int, after: int = 0) -> list[Pending]:
    """Memories with an id above `after` that lack a vector of this model, newest first."""
    rows = conn.execute(
        select(memories.c.id, memories.c.scope, memories.c.at, memories.c.text)
        .where(memories.c.id > after, ~_has_vector(model_id))
        .order_by(memories.c.id.desc())
        .limit(limit)
    )
    return [Pending(*row) for row in rows]


def pending_count(conn: Connection, model_id: str) -> int:
    """How many memories lack a vector of this model."""
    count = conn.execute(select(func.count()).select_from(memories).where(~_has_vector(model_id))).scalar()
    return count or 0


def newest(conn: Connection) -> int:
    """The highest id of a memory; 0 where there is none."""
    return conn.execute(select(func.max(memories.c.id))).scalar() or 0


def put_vectors(conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
    """Keep vectors of unit length of one model; memories deleted meanwhile are skipped."""
    if rows:
        index_of(conn).put_vectors(conn, model_id, rows)


def drop_others(conn: Connection, model_id: str, limit: int) -> int:
    """Delete up to `limit` vectors of other models; how many went. Call again until it is 0."""
    other = (
        select(memory_vectors.c.memory_id, memory_vectors.c.model_id)
        .where(memory_vectors.c.model_id != model_id)
        .limit(limit)
    )
    gone = [(memory_id, old, hash64(old)) for memory_id, old in conn.execute(other)]
    if gone:
        conn.execute(_DROP_VECTOR, [{"id": memory_id, "old": old} for memory_id, old, _ in gone])
        conn.execute(_DROP_CODE, [{"id": memory_id, "old": code} for memory_id, _, code in gone])
    return len(gone)


def means_of(conn: Connection, model_id: str) -> "tuple[array[float], array[float]] | None":
    """The stored mean vectors of everyday statements and questions; None where there are none yet."""
    row = conn.execute(
        select(memory_models.c.told, memory_models.c.asked).where(memory_models.c.model_id == model_id)
    ).one_or_none()
    return None if row is None else (array("f", row.told), array("f", row.asked))


def keep_means(conn: Connection, model_id: str, told: "array[float]", asked: "array[float]") -> None:
    """Store the means of a model; second ones of the same model are dropped."""
    if means_of(conn, model_id) is None:
        values = {"model_id": model_id, "told": told.tobytes(), "asked": asked.tobytes()}
        conn.execute(insert(memory_models), values)


def former_models(conn: Connection, model_id: str) -> list[str]:
    """The models beside this one whose vectors may still be here."""
    others = select(memory_models.c.model_id).where(memory_models.c.model_id != model_id)
    return list(conn.scalars(others))


def drop_other_means(conn: Connection, model_id: str) -> int:
    """Delete the means of other models, whose vectors are gone; how many."""
    return conn.execute(delete(memory_models).where(memory_models.c.model_id != model_id)).rowcount


def _has_vector(model_id: str) -> ColumnElement[bool]:
    return exists().where(memory_vectors.c.memory_id == memories.c.id, memory_vectors.c.model_id == model_id)
