"""The sign codes of large scopes, held in memory: of a hundred thousand the nearest are found in a
millisecond, where reading them from their table takes thirty.

A scope is read when it is first searched, and again what came since; the counts that the database keeps
(`bot.store.search`) tell whether that is all that happened to it. What is held is at most as old as the
transaction that asks, or newer: a memory that is gone meanwhile has no vector to be compared.
"""

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, Row

# Of all scopes together; a code of 384 signs takes 64 bytes with its memory's id and time.
MOST_BYTES = 256 * 2**20
# A scope whose codes change all the time is not read again more often than one part in so many of the
# time; until then its table is scanned.
SELDOM = 20
_SPARE = 1.25  # room for what comes behind
_BESIDE = 16  # bytes of a code's id and time


class Codes:
    """The codes that one engine's connections search. Any thread may ask."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held: OrderedDict[tuple[int, int], _Scope] = OrderedDict()
        self._lock = Lock()

    def nearest(
        self, conn: Connection, stored: Sequence[Row[Any]], bits: bytes, since: int | None, count: int
    ) -> list[int] | None:
        """The ids of the `count` memories whose codes differ from `bits` in the fewest places; of equal
        ones the newest. Those from before `since`, a stored time, are left out.

        `stored`: the rows of `memory_code_counts` for the scopes to search, of one model.

        None where these scopes are too large to be held, or change too fast: scan them.
        """
        if sum(scope.codes for scope in stored) * (len(bits) + _BESIDE) > self._most_bytes:
            return None
        with self._lock:
            found = [self._scope(conn, row) for row in stored]
        parts = [part.nearest(bits, since, count) for part in found if part is not None]
        if not parts or len(parts) < len(found):
            return None
        ids = np.concatenate([ids for ids, _ in parts])
        distances = np.concatenate([distances for _, distances in parts])
        return [int(key) for key in ids[np.lexsort((-ids, distances))[:count]]]

    def _scope(self, conn: Connection, stored: Row[Any]) -> "_Scope | None":
        """A scope's codes as the database has them now; None where reading them all would be too much."""
        key = stored.model, stored.scope
        held = self._held.get(key)
        if held is not None and held.rewritten == stored.rewritten:
            if held.count < stored.codes:
                held.add(_rows(conn, *key, after=held.last))
        elif held is None or time.monotonic() >= held.again:
            begun = time.monotonic()
            self._held[key] = held = _Scope(_rows(conn, *key, after=-1), stored.rewritten)
            held.again = time.monotonic() + (time.monotonic() - begun) * SELDOM
        else:
            return None
        self._held.move_to_end(key)
        while len(self._held) > 1 and sum(scope.size for scope in self._held.values()) > self._most_bytes:
            self._held.popitem(last=False)
        return held


_OF: "WeakKeyDictionary[Engine, Codes]" = WeakKeyDictionary()
_OF_LOCK = Lock()


def codes_of(conn: Connection) -> Codes:
    """The codes held for a connection's engine."""
    with _OF_LOCK:
        return _OF.setdefault(conn.engine, Codes())


@dataclass(frozen=True, slots=True)
class _View:
    """What was held at some moment: ids and times by memory, and bits by word, then memory."""

    ids: NDArray[np.int64]
    at: NDArray[np.int64]
    words: NDArray[np.uint64]


class _Scope:
    """One scope's codes. Rows are only ever added behind those that a search may be looking at."""

    def __init__(self, rows: "_Rows", rewritten: int) -> None:
        self.rewritten = rewritten
        self.again = 0.0  # when it may be read anew, on the monotonic clock
        self.count = 0
        self._room = _View(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0), np.uint64))
        self.add(rows)

    @property
    def last(self) -> int:
        """The newest memory held; -1 where there is none."""
        return int(self._room.ids[self.count - 1]) if self.count else -1

    @property
    def size(self) -> int:
        return self._room.ids.nbytes + self._room.at.nbytes + self._room.words.nbytes

    def add(self, rows: "_Rows") -> None:
        """Hold further codes, of newer memories."""
        if not rows:
            return
        words = _words([bits for _, _, bits in rows])
        begin, end = self.count, self.count + len(rows)
        if end > len(self._room.ids):
            self._room = self._grown(int(end * _SPARE), len(words))
        self._room.ids[begin:end] = [key for key, _, _ in rows]
        self._room.at[begin:end] = [at for _, at, _ in rows]
        self._room.words[:, begin:end] = words
        self.count = end

    def nearest(
        self, bits: bytes, since: int | None, count: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
        """The nearest of the scope, in no order, with how many places each differs in."""
        held, room = self.count, self._room
        asked = _words([bits])[:, 0]
        distances = np.zeros(held, np.uint16)
        for word, column in zip(asked, room.words, strict=True):
            distances += np.bitwise_count(column[:held] ^ word)
        ids = room.ids[:held]
        if since is not None:
            late = room.at[:held] >= since
            ids, distances = ids[late], distances[late]
        if len(ids) <= count:
            return ids, distances
        farthest = np.partition(distances, count - 1)[count - 1]
        nearer = np.flatnonzero(distances < farthest)
        equal = np.flatnonzero(distances == farthest)[nearer.size - count :]
        chosen = np.concatenate([nearer, equal])
        return ids[chosen], distances[chosen]

    def _grown(self, size: int, words: int) -> _View:
        room = _View(np.empty(size, np.int64), np.empty(size, np.int64), np.empty((words, size), np.uint64))
        if held := self.count:
            room.ids[:held] = self._room.ids[:held]
            room.at[:held] = self._room.at[:held]
            room.words[:, :held] = self._room.words[:, :held]
        return room


_Rows = Sequence[tuple[int, int, bytes]]


def _rows(conn: Connection, model: int, scope: int, *, after: int) -> _Rows:
    """Ids, times and bits of a scope's codes behind a memory, in the order of their memories."""
    cursor = conn.exec_driver_sql(
        "SELECT memory_id, at, bits FROM memory_codes "
        "WHERE model = ? AND scope = ? AND memory_id > ? ORDER BY memory_id",
        (model, scope, after),
    )
    return [(row[0], row[1], row[2]) for row in cursor]


def _words(codes: Sequence[bytes]) -> NDArray[np.uint64]:
    """Codes as words of 64 bits: one row for each word, one column for each code."""
    size = len(codes[0])
    padded = np.zeros((len(codes), -(-size // 8) * 8), np.uint8)
    padded[:, :size] = np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), size)
    return np.ascontiguousarray(padded.view(np.uint64).T)
