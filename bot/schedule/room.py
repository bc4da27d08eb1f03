"""The door of this room: jobs for everybody who stands above, each call one durable transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bot.domain.conversation import SpeakerId
from bot.domain.ports import Clock
from bot.schedule import feeds, firing, ical, jobs, settling
from bot.schedule.firing import Rules
from bot.schedule.jobs import OPEN_STATES, PAGE, Firing, Job, JobChanges, JobDraft, Scope, State
from bot.store.engine import Store

CALENDAR_JOBS = 1000

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JobSettings:
    """What the operator set: the zone of people who told none, and how many open jobs one may have."""

    zone: str = "UTC"
    most: int = 64


def _nobody() -> None:
    """No scheduler in this process is to be woken; others look by themselves."""


class Jobs:
    """Jobs, as doors and turns use them. Who may see what stands in the `Scope` of each call."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rules: Rules,
        settings: JobSettings,
        woken: Callable[[], None] = _nobody,
    ) -> None:
        """`woken` is called when a job may be due earlier than before."""
        self._store = store
        self._clock = clock
        self._rules = rules
        self.woken = woken
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

    async def calendar(self, scope: Scope) -> str:
        """What is to come in the scope, as an iCalendar file."""
        found = await self._store.read(jobs.page, scope, states=("active",), limit=CALENDAR_JOBS)
        return ical.calendar(found, self._clock.now())

    async def open_feed(self, person_id: SpeakerId) -> str:
        """See `feeds.open_feed`."""
        return await self._write(feeds.open_feed, person_id, self._clock.now())

    async def close_feed(self, person_id: SpeakerId) -> bool:
        """See `feeds.close_feed`."""
        return await self._write(feeds.close_feed, person_id)

    async def feed(self, secret: str) -> str:
        """The calendar behind a secret address; `NotFound` for any other."""
        return await self.calendar(Scope(person_id=await self._store.read(feeds.owner_of, secret)))

    async def counts(self) -> dict[str, int]:
        """See `settling.counts`."""
        return await self._store.read(settling.counts, self._clock.now())

    async def last_error(self) -> str:
        """See `settling.last_error`."""
        return await self._store.read(settling.last_error)

    def now(self) -> datetime:
        """What time it is here."""
        return self._clock.now()

    def next_firings(self, job: Job, count: int = 3) -> list[datetime]:
        """See `jobs.next_firings`."""
        return jobs.next_firings(job, self._clock.now(), count)

    async def _write(
        self, step: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        done = await self._store.write(step, *args, **kwargs)
        await self._store.durable()
        self.woken()
        return done
