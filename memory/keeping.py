"""What is kept, as who runs the bot looks at it: all of it, or of one person or scope."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, true

from bot.domain.conversation import SpeakerId
from bot.store.tables import memories, memory_vectors
from memory.store import columns, exported, owned_by, selected


@dataclass(frozen=True, slots=True)
class Which:
    """What is looked at; everything where both are None."""

    person_id: str | None = None
    scope: str | None = None

    def condition(self) -> ColumnElement[bool]:
        """The condition on the table."""
        found: ColumnElement[bool] = true()
        if self.person_id is not None:
            found = found & owned_by(SpeakerId(self.person_id))
        if self.scope is not None:
            found = found & (memories.c.scope == self.scope)
        return found


def page(conn: Connection, which: Which, *, limit: int, after: int | None = None) -> list[Mapping[str, Any]]:
    """The latest, or with `after` those with greater ids in their order, fit for JSON."""
    wanted = columns().where(which.condition()).limit(limit)
    if after is None:
        wanted = wanted.order_by(memories.c.id.desc())
    else:
        wanted = wanted.where(memories.c.id > after).order_by(memories.c.id)
    return [{**exported(item), "person": item.person_id} for item in selected(conn, wanted)]


def stats(conn: Connection, which: Which) -> dict[str, Any]:
    """How much of what kind there is, of how many, since when, and how much of it has a vector."""
    here = which.condition()
    kinds = select(memories.c.kind, func.count()).where(here).group_by(memories.c.kind)
    by_kind: dict[str, int] = {row[0]: row[1] for row in conn.execute(kinds)}
    about = select(
        func.count(memories.c.scope.distinct()),
        func.count(memories.c.person_id.distinct()),
        func.min(memories.c.at),
        func.max(memories.c.at),
        func.count().filter(memories.c.status == "superseded"),
    )
    scopes, people, first, last, superseded = conn.execute(about.where(here)).one()
    indexed = select(func.count(memory_vectors.c.memory_id.distinct())).join(
        memories, memories.c.id == memory_vectors.c.memory_id
    )
    return {
        "memories": sum(by_kind.values()),
        "kinds": by_kind,
        "superseded": superseded,
        "scopes": scopes,
        "people": people,
        "first": first and first.isoformat(),
        "last": last and last.isoformat(),
        "vectors": conn.scalar(indexed.where(here)) or 0,
    }
