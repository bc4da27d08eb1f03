"""The worker: takes runs, one lane at a time, and sees that each ends, waits or goes back.

A lane is what must not happen twice at once: the turns of one conversation, its deliveries. A run
that nothing ties to a conversation has a lane of its own.
"""

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import structlog

from bot.domain.ports import Clock
from bot.domain.run import Run, RunId, RunKind
from bot.errors import Conflict, Unavailable
from bot.events.log import EventLog
from bot.events.types import RunCompleted, RunFailed, RunRetried, RunStarted
from bot.runs import queue
from bot.runs.holder import Holder
from bot.store.engine import Store

log = structlog.get_logger(__name__)

POLL_S = 1.0
BEAT_S = queue.LEASE.total_seconds() / 3
MAX_FAILURES = 6


@dataclass(frozen=True, slots=True)
class Done:
    """The run is to be ended, with this result."""

    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The handler ended the run itself, in a transaction of its own; `code` says why it failed."""

    status: Literal["completed", "failed"] = "completed"
    code: str = ""


@dataclass(frozen=True, slots=True)
class Later:
    """The run must wait, for so many seconds; nobody failed."""

    after_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Parked:
    """The handler let the run wait for a person, in a transaction of its own."""


Outcome = Done | Ended | Later | Parked
Handler = Callable[[Run], Awaitable[Outcome]]


def lane_of(run: Run) -> str:
    """Runs of one lane happen one after the other. A run whose payload says `control` waits for none."""
    if run.conversation_id is None or run.payload.get("control"):
        return run.id
    return f"{run.kind} {run.conversation_id}"


class Worker:
    """Runs what is queued, for as long as `run` is awaited."""

    def __init__(  # noqa: PLR0913 - a constructor takes its collaborators
        self,
        store: Store,
        events: EventLog,
        clock: Clock,
        holder: Holder,
        handlers: Mapping[RunKind, tuple[Handler, int]],
        *,
        claims: bool = True,
        inherit: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`handlers` maps a kind to its handler and how many may work at once.

        With `claims` false it does only what is submitted: a process without doors must not take what
        another one could deliver. `inherit` is awaited before what processes that are gone held is
        taken up.
        """
        self._store = store
        self._events = events
        self._clock = clock
        self._holder = holder
        self._handlers = handlers
        self._claims = claims
        self._inherit = inherit
        self._lanes: dict[str, deque[Run]] = {}
        self._ready: dict[str, deque[str]] = defaultdict(deque)
        self._tasks: dict[tuple[RunId, int], asyncio.Task[None]] = {}  # by run and token
        self._active: dict[str, int] = defaultdict(int)
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False
        self._more = False
        self._gone: set[tuple[RunId, int]] = set()  # claims that were lost while they waited in a lane
        self._strays: set[RunId] = set()  # held by this process, but in no lane at the last beat
        self._group: asyncio.TaskGroup | None = None

    def in_flight(self, kind: RunKind) -> int:
        """How many runs of a kind are being worked on here."""
        return self._active[kind]

    def submit(self, run: Run) -> None:
        """Work on a run that this process has claimed."""
        lane = lane_of(run)
        waiting = self._lanes.get(lane)
        if waiting is not None:
            waiting.append(run)
            return
        self._lanes[lane] = deque([run])
        self._ready[run.kind].append(lane)
        self._idle.clear()
        self._start(run.kind)

    async def take(self, run_id: RunId) -> None:
        """Go on with a run that was put aside: here, also in a process that claims nothing by itself."""
        run = await self._store.write(queue.take, run_id, self._holder.id, self._clock.now())
        if run is None:
            self.wake()
        else:
            self.submit(run)

    def wake(self, after_s: float = 0.0) -> None:
        """Look into the queue, in so many seconds: something was added to it that is due then."""
        if after_s <= 0:
            self._wake.set()
        elif self._group is not None:
            self._group.create_task(self._wake_later(after_s), name="runs-wake")

    async def _wake_later(self, after_s: float) -> None:
        await self._clock.sleep(after_s)
        self._wake.set()

    async def run(self) -> None:
        """Take up what was left, then work until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                for kind in self._handlers:
                    self._start(kind)
                group.create_task(self._beat(), name="runs-beat")
                await self._poll()
        finally:
            self._group = None

    async def stop(self, grace_s: float) -> None:
        """Take nothing new; let what is under way finish for `grace_s` seconds, then hand it back.

        Call it before `run` is cancelled.
        """
        self._stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._idle.wait()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        left = [run for lane in self._lanes.values() for run in lane]
        for run in left:
            await self._hand_back(run, 0.0)

    def _start(self, kind: str) -> None:
        if self._group is None or self._stopping:
            return
        limit = self._handlers[kind][1]  # type: ignore[index]
        ready = self._ready[kind]
        while ready and self._active[kind] < limit:
            lane = ready.popleft()
            run = self._lanes[lane][0]
            self._active[kind] += 1
            self._tasks[run.id, run.token] = self._group.create_task(self._work(lane, run), name=run.id)

    async def _work(self, lane: str, run: Run) -> None:
        try:
            await self._attempt(run)
        except Exception:
            log.exception("run.lost", run_id=run.id, kind=run.kind)
        finally:
            self._tasks.pop((run.id, run.token), None)
            self._active[run.kind] -= 1
            self._leave(lane, run)
            self._start(run.kind)

    def _leave(self, lane: str, run: Run) -> None:
        waiting = self._lanes[lane]
        waiting.popleft()
        if waiting:
            self._ready[run.kind].append(lane)
        else:
            del self._lanes[lane]
        if self._more:
            self._wake.set()
        if not self._lanes or (self._stopping and not any(self._active.values())):
            self._idle.set()

    async def _attempt(self, run: Run) -> None:
        if (run.id, run.token) in self._gone:
            self._gone.discard((run.id, run.token))
            log.warning("run.fenced", run_id=run.id, kind=run.kind)
            return
        began = self._clock.now()
        waited = (began - run.created_at).total_seconds() * 1000
        ids: dict[str, Any] = {"run_id": run.id, "conversation_id": run.conversation_id, "kind": run.kind}
        self._events.record(RunStarted(**ids, attempt=run.attempt, waited_ms=round(waited, 1)))
        try:
            outcome = await self._handlers[run.kind][0](run)
        except asyncio.CancelledError:
            await asyncio.shield(self._hand_back(run, 0.0))
            raise
        except Conflict:
            log.warning("run.fenced", run_id=run.id, kind=run.kind)
            return
        except Exception as error:  # noqa: BLE001 - the boundary of a run
            await self._failed(run, ids, error)
            return
        try:
            await self._conclude(run, outcome, ids, began)
        except Conflict:  # somebody ended it, or took it over, while it was done
            log.warning("run.fenced", run_id=run.id, kind=run.kind)

    async def _conclude(self, run: Run, outcome: Outcome, ids: dict[str, Any], began: datetime) -> None:
        """Write down what a handler left to be written; `Conflict` where it is not held here any more."""
        ms = round((self._clock.now() - began).total_seconds() * 1000, 1)
        match outcome:
            case Done(result):
                await self._store.write(queue.end, run, "completed", self._clock.now(), result=result)
                self._events.record(RunCompleted(**ids, status="completed", ms=ms))
            case Ended("completed"):
                self._events.record(RunCompleted(**ids, status="completed", ms=ms))
            case Ended(code=code):
                self._events.record(RunFailed(**ids, code=code, ms=ms))
            case Later(after_s, reason):
                await self._hand_back(run, after_s)
                self._events.record(RunRetried(**ids, reason=reason, after_s=after_s))
            case Parked():
                log.info("run.parked", run_id=run.id, kind=run.kind)

    async def _failed(self, run: Run, ids: dict[str, Any], error: Exception) -> None:
        """Try again with growing pauses: min(2^n, 300) seconds.

        What is merely `Unavailable` is tried for ever: a disk that is full or a channel that is down
        for a night must not cost an answer. Any other error is given up at the `MAX_FAILURES`th time.
        """
        code = type(error).__name__
        known = await self._store.read(queue.failures, run.id)
        if known + 1 >= MAX_FAILURES and not isinstance(error, Unavailable):
            log.error("run.failed", run_id=run.id, kind=run.kind, exc_info=error)
            await self._store.write(queue.end, run, "failed", self._clock.now(), error=code)
            self._events.record(RunFailed(**ids, code=code, ms=0.0))
            return
        after_s = float(min(2 ** min(known, 9), 300))
        if isinstance(error, Unavailable) and error.retry_after_s is not None:
            after_s = error.retry_after_s
        log.warning("run.retried", run_id=run.id, kind=run.kind, after_s=after_s, exc_info=error)
        await self._hand_back(run, after_s, failed=True, error=code)
        self._events.record(RunRetried(**ids, reason=code, after_s=after_s))

    async def _hand_back(self, run: Run, after_s: float, *, failed: bool = False, error: str = "") -> None:
        available = self._clock.now() + timedelta(seconds=after_s)
        with contextlib.suppress(Conflict):
            await self._store.write(queue.hand_back, run, available, failed=failed, error=error)

    async def _poll(self) -> None:
        while True:
            try:
                await self._recover()
                break
            except Exception:
                log.exception("runs.recover_failed")
                await self._clock.sleep(POLL_S)
        while True:
            self._wake.clear()
            try:
                await self._claim()
            except Exception:  # a full disk or a lost server: it may come back
                log.exception("runs.claim_failed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()

    async def _claim(self) -> None:
        free = [kind for kind, (_, limit) in self._handlers.items() if self._active[kind] < limit]
        if self._stopping or not free or not self._claims:
            return
        now = self._clock.now()
        if not await self._store.read(queue.is_due, free, now):
            self._more = False
            return
        taken = await self._store.write(queue.claim, free, self._holder.id, now, limit=32)
        self._more = bool(taken)
        for run in taken:
            self.submit(run)

    async def _beat(self) -> None:
        while True:
            await self._clock.sleep(BEAT_S)
            try:
                await self._renew()
                await self._recover()
            except Exception:
                log.exception("runs.beat_failed")

    async def _renew(self) -> None:
        """Prolong the leases; let go of what was taken away, give back what nobody here works on."""
        ours = [run for lane in self._lanes.values() for run in lane]
        held = await self._store.write(queue.renew, self._holder.id, self._clock.now())
        missing = [run for run in ours if run.id not in held]
        if missing:
            for run in await self._store.read(queue.taken_away, missing):
                self._let_go(run)
        # A caller that was cancelled between the claim and `submit`, or an end that could not be
        # written: no lane has it. Twice seen so, it is nobody's.
        strays = held - {run.id for lane in self._lanes.values() for run in lane}
        lost, self._strays = strays & self._strays, strays - self._strays
        if lost:
            await self._store.write(queue.release, self._holder.id, lost, self._clock.now())
            log.warning("runs.released", count=len(lost))
            self._wake.set()

    def _let_go(self, run: Run) -> None:
        claim = (run.id, run.token)
        if task := self._tasks.get(claim):
            task.cancel()
        elif run in self._lanes.get(lane_of(run), ()):
            self._gone.add(claim)
        log.warning("run.lease_lost", run_id=run.id)

    async def _recover(self) -> None:
        """Return to the queue what belonged to processes that are gone."""
        if self._inherit is not None:
            await self._inherit()
        known = await self._store.read(queue.holders)
        dead = [holder for holder in known if self._holder.is_dead(holder)]
        count = await self._store.write(queue.recover, dead, self._clock.now())
        self._holder.bury()
        if count:
            log.info("runs.recovered", count=count)
            self._wake.set()
        now = self._clock.now()
        if self._claims and await self._store.read(queue.is_late, now):
            await self._store.write(queue.resume_late, now)
            self._wake.set()
