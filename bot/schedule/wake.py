"""The alarm clock: APScheduler rings at the next due time, and every so often in between.

It only wakes. What is due, and what was done, stands in our tables.
"""

import asyncio
import importlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

_NEXT, _POLL = "next", "poll"


class Alarm:
    """Rings at `set` moments and every `every_s` seconds, until `stop`."""

    def __init__(self, every_s: float, ring: Callable[[], Awaitable[None]]) -> None:
        """`ring` is awaited in the running loop; it does not overlap itself."""
        self._every_s = every_s
        self._ring = ring
        self._scheduler: AsyncIOScheduler | None = None

    async def start(self) -> None:
        """Begin to ring. The library is loaded here, so that no start of the program waits for it."""
        library: Any = await asyncio.to_thread(importlib.import_module, "apscheduler.schedulers.asyncio")
        # Never too late to ring: what was missed is decided by whoever is woken.
        defaults = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        scheduler: AsyncIOScheduler = library.AsyncIOScheduler(timezone=UTC, job_defaults=defaults)
        scheduler.start()
        scheduler.add_job(self._ring, "interval", seconds=self._every_s, id=_POLL)
        self._scheduler = scheduler

    def set(self, at: datetime | None) -> None:
        """Ring at this moment, and not at the one that was set before."""
        if self._scheduler is None:
            return
        if at is not None:
            self._scheduler.add_job(self._ring, "date", run_date=at, id=_NEXT, replace_existing=True)
        elif self._scheduler.get_job(_NEXT) is not None:
            self._scheduler.remove_job(_NEXT)

    def stop(self) -> None:
        """Ring no more."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None
