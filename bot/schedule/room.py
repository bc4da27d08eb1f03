"""The door of this room: jobs for everybody who stands above, each call one durable transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bot.domain.ports import Clock
from bot.schedule import firing, jobs
from bot.schedule.firing import Rules
from bot.schedule.jobs import OPEN_STATES, PAGE, Firing, Job, JobChanges, JobDraft, Scope, State
from bot.store.engine import Store

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JobSettings:
    """What the operator set: the zone of people who told none, and how many open jobs one may have."""

    zone: str = "UTC"
    most: int = 64


class Jobs:
    """Jobs, as doors and turns use them. Who may see what stands in the `Scope` of each call."""

    def __init__(
        self, store: Store, clock: Clock, rules: Rules, settings: JobSettings, woken: Callable[[], None]
    ) -> None:
        """`woken` is called when a job may be due earlier than before."""
        self._store = store
        self._clock = clock
        self._rules = rules
        self._woken = woken
        self.settings = settings

    async def create(self, draft: JobDraft) -> Job:
        """See `jobs.create`."""
        return await self._write(jobs.create, draft, self._clock.now(), most=self.settings.most)

    async def get(self, scope: Scope, job_id: str) -> Job:
        """See `jobs.get`."""
        return await self._store.read(jobs.get, scope, job_id)

    async def page(
        self, scope: Scope, *, states: Sequence[State] = OPEN_STATES, limit: int = PAGE, after: str = ""
    ) -> list[Job]:
        """See `jobs.page`."""
        return await self._store.read(jobs.page, scope, states=states, limit=limit, after=after)

    async def change(self, scope: Scope, job_id: str, changes: JobChanges) -> Job:
        """See `jobs.change`."""
        return await self._write(jobs.change, scope, job_id, changes, self._clock.now())

    async def pause(self, scope: Scope, job_id: str) -> Job:
        """See `jobs.pause`."""
        return await self._write(jobs.pause, scope, job_id, self._clock.now())

    async def resume(self, scope: Scope, job_id: str) -> Job:
        """See `jobs.resume`."""
        return await self._write(jobs.resume, scope, job_id, self._clock.now())

    async def remove(self, scope: Scope, job_id: str) -> Job:
        """See `jobs.remove`."""
        return await self._write(jobs.remove, scope, job_id, self._clock.now())

    async def snooze(self, scope: Scope, job_id: str, until: datetime) -> Job:
        """See `jobs.snooze`."""
        return await self._write(jobs.snooze, scope, job_id, until, self._clock.now())

    async def done(self, scope: Scope, job_id: str) -> Job:
        """See `jobs.done`."""
        return await self._write(jobs.done, scope, job_id, self._clock.now())

    async def run_now(self, scope: Scope, job_id: str) -> Job:
        """See `firing.run_now`."""
        job = await self._write(firing.run_now, scope, job_id, self._rules, self._clock.now())
        self._rules.woken()
        return job

    async def history(self, scope: Scope, job_id: str, *, limit: int = 20) -> list[Firing]:
        """See `jobs.history`."""
        return await self._store.read(jobs.history, scope, job_id, limit=limit)

    def next_firings(self, job: Job, count: int = 3) -> list[datetime]:
        """See `jobs.next_firings`."""
        return jobs.next_firings(job, self._clock.now(), count)

    async def _write(
        self, step: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        done = await self._store.write(step, *args, **kwargs)
        await self._store.durable()
        self._woken()
        return done
