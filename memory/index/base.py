"""What an index of memories can do, whatever database it lives in.

All are plain functions of a connection: adding runs inside the caller's transaction, searching on a
reader. An index returns ids only; `memory.recall` loads and judges.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from memory.index.terms import Term
from memory.record import MemoryId, Scope


@dataclass(frozen=True, slots=True)
class Ranked:
    """One place of a ranking, best first. `score` compares within one ranking only."""

    id: MemoryId
    score: float


@dataclass(frozen=True, slots=True)
class Embedded:
    """A memory's vector, of unit length."""

    id: MemoryId
    scope: Scope
    at: datetime
    vector: "array[float]"


@dataclass(frozen=True, slots=True)
class Within:
    """What a search is confined to."""

    scopes: tuple[Scope, ...]
    since: datetime | None  # said at this moment or later
    limit: int


@dataclass(frozen=True, slots=True)
class Matches:
    """Where the terms of a question stand: for each term, in order, the memories that hold it.

    A term of many memories may come with some of them only: the newest, and those that hold a rarer
    term as well. `total` is how many memories there are to tell apart, as far as that is counted.
    """

    of: tuple[frozenset[MemoryId], ...]
    total: int


class MemoryIndex(Protocol):
    """Words and vectors of the memories in one database."""

    @property
    def searches_vectors(self) -> bool:
        """Whether `nearest` can find anything here."""
        ...

    def add(self, conn: Connection, rows: Sequence[tuple[MemoryId, Scope, str]]) -> None:
        """Make new memories (id, scope, text) findable by their words."""
        ...

    def move(self, conn: Connection, ids: Sequence[MemoryId], scope: Scope) -> None:
        """Find these memories in another scope from now on; their rows have it already."""
        ...

    def matches(self, conn: Connection, terms: Sequence[Term], within: Within) -> Matches:
        """Which memories hold which of the terms."""
        ...

    def nearest(
        self,
        conn: Connection,
        model_id: str,
        vector: "array[float]",
        within: Within,
        also: Sequence[MemoryId] = (),
    ) -> list[Ranked]:
        """The `within.limit` memories whose vectors of this model are closest, and those of `also`
        that have one; the score is the cosine, -1 to 1.

        Empty where the model has no vectors yet, or where this database cannot search vectors.
        """
        ...

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        """Keep vectors of one model, replacing those of the same memories; memories that are gone
        meanwhile are skipped."""
        ...
