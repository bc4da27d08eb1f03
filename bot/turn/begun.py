"""What was read for a turn when it was claimed, kept until the turn begins, a moment later.

A transaction of its own costs a turn a millisecond before its first word. What was read along is good
only for a turn that no other of its conversation was ahead of: nothing can be said between the two.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from sqlalchemy import Connection

from bot.domain.conversation import Inbound
from bot.domain.run import Run, RunId

T = TypeVar("T")

KEPT = 256  # a turn that waits while so many others are claimed reads anew


class Begun(Generic[T]):
    """What was read for the turns that were just claimed by this process; each is given out once."""

    def __init__(self, read: Callable[[Connection, Run, Inbound], T]) -> None:
        """`read` is called within the transaction that claims the turn."""
        self.read = read
        self._read: OrderedDict[RunId, T] = OrderedDict()

    def keep(self, run_id: RunId, found: T) -> None:
        self._read[run_id] = found
        if len(self._read) > KEPT:
            self._read.popitem(last=False)

    def take(self, run_id: RunId) -> T | None:
        return self._read.pop(run_id, None)
