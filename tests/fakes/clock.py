"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta

from bot.clock import SystemClock

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class ManualClock:
    """`now` is what the test says; who sleeps wakes when `advance` has passed that moment."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = 0

    @property
    def sleepers(self) -> int:
        """How many are asleep."""
        return sum(not future.done() for _, _, future in self._sleepers)

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._order += 1
        heapq.heappush(self._sleepers, (self._now + timedelta(seconds=seconds), self._order, future))
        await future

    def set_forward(self, seconds: float) -> None:
        """Move the time on without giving anybody a chance to act in between."""
        self._now += timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            future = heapq.heappop(self._sleepers)[2]
            if not future.done():
                future.set_result(None)

    async def advance(self, seconds: float) -> None:
        """Move the time on, and let those act who were waiting for it."""
        self.set_forward(seconds)
        for _ in range(5):
            await asyncio.sleep(0)


class ShiftedClock:
    """The clock of the machine, which a test sets wrong: waits last as long as ever."""

    def __init__(self) -> None:
        self.wrong_by = timedelta()
        self._right = SystemClock()

    def now(self) -> datetime:
        return self._right.now() + self.wrong_by

    async def sleep(self, seconds: float) -> None:
        await self._right.sleep(seconds)
