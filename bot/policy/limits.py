"""How much one person and one chat may ask: so many turns a minute, counted in this process's memory."""

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Literal

WINDOW_S = 60.0
MAX_KEYS = 10_000

Standing = Literal["free", "first", "silent"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Turns a minute; 0 is no limit."""

    per_person: int = 20
    per_chat: int = 60


class RateLimits:
    """Looks back one minute from each message's own time, so that what waited offline is no flood."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._taken: OrderedDict[str, deque[float]] = OrderedDict()
        self._told: OrderedDict[str, float] = OrderedDict()

    def standing(self, person: str, chat: str, t: float) -> Standing:
        """Whether another turn is free. `first`: it is not, and this is the first time within a minute
        that the person is to be told; asking counts as telling."""
        if self._within(f"person {person}", self._limits.per_person, t) and self._within(
            f"chat {chat}", self._limits.per_chat, t
        ):
            return "free"
        key = f"{person} {chat}"
        if t - self._told.get(key, float("-inf")) < WINDOW_S:
            return "silent"
        self._told[key] = t
        _bound(self._told)
        return "first"

    def take(self, person: str, chat: str, t: float) -> None:
        """Count a turn."""
        for key in (f"person {person}", f"chat {chat}"):
            times = self._taken.setdefault(key, deque())
            times.append(t)
            self._taken.move_to_end(key)
        _bound(self._taken)

    def _within(self, key: str, limit: int, t: float) -> bool:
        times = self._taken.get(key)
        if not limit or times is None:
            return True
        while times and t - times[0] >= WINDOW_S:
            times.popleft()
        return len(times) < limit


def _bound(kept: OrderedDict[str, float] | OrderedDict[str, deque[float]]) -> None:
    while len(kept) > MAX_KEYS:
        kept.popitem(last=False)
