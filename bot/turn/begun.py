"""What was read for a turn when it was claimed, kept until the turn begins, a moment later.

A transaction of its own costs a turn a millisecond before its first word. What was read along is good
only for a turn that no other of its conversation was ahead of: nothing can be said between the two.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from bot.domain.conversation import ConversationKind
from bot.domain.run import Run
from bot.text.kept import Once

T = TypeVar("T")

KEPT = 256  # a turn that waits while so many others are claimed reads anew


class Begun(Once[T]):
    """What was read for the turns that were just claimed by this process; each is given out once."""

    def __init__(self, read: Callable[[Connection, Run, ConversationKind], T]) -> None:
        """`read` is called within the transaction that claims the turn."""
        super().__init__(KEPT)
        self.read = read
