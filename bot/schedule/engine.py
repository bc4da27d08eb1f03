"""The scheduler of one process: it sleeps until something is due, and sees to it.

Any number of processes may run one on the same database.
"""

import asyncio
from datetime import timedelta

import structlog

from bot.domain.ports import Clock
from bot.events.log import EventLog
from bot.schedule import firing, settling
from bot.schedule.firing import Rules
from bot.schedule.wake import Alarm
from bot.store.engine import Store

log = structlog.get_logger(__name__)

# A clock that goes back by more than this was set back.
_SET_BACK = timedelta(seconds=30)
_HOUSEKEEPING = timedelta(seconds=60)


class Scheduler:
    """Fires jobs, for as long as `run` is awaited."""

    def __init__(
        self, store: Store, events: EventLog, clock: Clock, rules: Rules, *, tick_s: float = 2.0
    ) -> None:
        """`tick_s`: how often, in seconds, it looks for what other processes have changed."""
        self._store = store
        self._events = events
        self._clock = clock
        self._rules = rules
        self._alarm = Alarm(tick_s, self._ring)
        self._wake = asyncio.Event()
        self._begun = asyncio.Event()
        self._seen = clock.now()
        self._housekept = clock.now() - _HOUSEKEEPING

    def begin(self) -> None:
        """The doors are open: what is due may fire."""
        self._begun.set()

    def wake(self) -> None:
        """Look at once: something was changed."""
        self._wake.set()

    async def _ring(self) -> None:
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled, from `begin` on."""
        await self._begun.wait()
        await self._alarm.start()
        try:
            while True:
                self._wake.clear()
                try:
                    await self.tick()
                except Exception:  # a full disk or a lost server: it may come back
                    log.exception("schedule.tick_failed")
                await self._wake.wait()
        finally:
            self._alarm.stop()

    async def tick(self) -> None:
        """Do everything that is due now."""
        now = self._clock.now()
        if now < self._seen - _SET_BACK:
            count = await self._store.write(firing.rewind, now)
            log.warning("schedule.clock_set_back", jobs=count)
        self._seen = now
        if now - self._housekept >= _HOUSEKEEPING or now < self._housekept:
            self._housekept = now
            await self._keep_house()
        await self._settle()
        while (due := await self._store.read(firing.next_due)) is not None and due <= now:
            looked = await self._store.write(firing.fire_due, self._rules, now)
            for event in looked.events:
                self._events.record(event)
            if looked.fired:
                self._rules.woken()
            if not looked.more:
                break
        self._alarm.set(due if due is None or due > now else await self._store.read(firing.next_due, now))

    async def _settle(self) -> None:
        now = self._clock.now()
        while await self._store.read(settling.is_due, now):
            settled = await self._store.write(settling.settle, self._rules, now)
            for event in settled.events:
                self._events.record(event)
            retried = await self._store.write(settling.retry, self._rules, now)
            if retried:
                self._rules.woken()
            if not settled.count and not retried:  # another process was quicker
                return

    async def _keep_house(self) -> None:
        if await self._store.read(firing.can_reopen):
            reopened = await self._store.write(firing.reopen, self._clock.now())
            log.info("schedule.resumed", jobs=len(reopened))
