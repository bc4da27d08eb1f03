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

    def keyword(self, conn: Connection, text: str, within: Within) -> list[Ranked]:
        """Memories that share telling words with `text`; no text is an error."""
        ...

    def nearest(
        self, conn: Connection, model_id: str, vector: "array[float]", within: Within
    ) -> list[Ranked]:
        """Memories whose vectors of this model are closest; the score is the cosine, -1 to 1.

        Empty where the model has no vectors yet, or where this database cannot search vectors.
        """
        ...

    def put_vectors(self, conn: Connection, model_id: str, rows: Sequence[Embedded]) -> None:
        """Keep vectors of one model, replacing those of the same memories; memories that are gone
        meanwhile are skipped."""
        ...
