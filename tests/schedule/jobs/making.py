"""Small things that the tests of jobs are made of."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import jobs, plan
from bot.schedule.engine import Scheduler
from bot.schedule.firing import Rules
from bot.schedule.jobs import EVERYTHING, FiringState, Job, JobDraft, Kind
from bot.schedule.plan import Plan
from bot.schedule.room import Jobs, JobSettings
from bot.store.engine import Store
from bot.turn import tasks
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House

ANN = SpeakerId("telegram:1")
BEN = SpeakerId("telegram:2")
CHAT = Conversation("telegram", "1")
BERLIN = "Europe/Berlin"


def at(written: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(written).astimezone(UTC)


def in_minutes(minutes: float) -> Plan:
    return plan.once(START + timedelta(minutes=minutes), "UTC")


def daily(hour: int, zone: str = "UTC") -> Plan:
    return plan.by_cron(f"0 {hour} * * *", zone)


def wish(
    when: Plan,
    text: str = "drink water",
    *,
    kind: Kind = "reminder",
    owner: SpeakerId = ANN,
    where: Conversation = CHAT,
) -> JobDraft:
    return JobDraft(where, owner, kind, text, when)


def make(conn: Connection, draft: JobDraft, now: datetime = START) -> Job:
    return jobs.create(conn, draft, now, most=64)


PUSH = Conversation("push", "7")
OWNER = SpeakerId("push:7")


class Planner:
    """A running bot with a scheduler that looks when a test says so."""

    def __init__(
        self, store: Store, clock: ManualClock, model: ScriptedModel | None = None, **wanted: Any
    ) -> None:
        self.house = House(store, clock, model)
        self.store, self.clock = store, clock
        self.chat = self.house.chat
        rules = Rules(tasks.start, self.house.outbox.channels.keys(), woken=self.house.worker.wake, **wanted)
        self.scheduler = Scheduler(store, self.house.events, clock, rules)
        self.jobs = Jobs(store, clock, rules, JobSettings(), self.scheduler.wake)

    async def wish(self, when: Plan, text: str = "drink water", kind: Kind = "reminder") -> Job:
        return await self.jobs.create(JobDraft(PUSH, OWNER, kind, text, when))

    async def pass_to(self, written: str) -> None:
        """It is so late, and the scheduler looks once."""
        self.clock.set_forward((at(written) - self.clock.now()).total_seconds())
        await self.look()

    async def look(self) -> None:
        """The scheduler looks, and what it began ends."""
        await self.scheduler.tick()
        await self.house.until(lambda: not self.house.open_runs())
        await self.scheduler.tick()

    async def job(self, job: Job) -> Job:
        return await self.jobs.get(EVERYTHING, job.id)

    async def firings(self, job: Job) -> list[tuple[datetime, FiringState]]:
        return [(firing.due, firing.state) for firing in await self.jobs.history(EVERYTHING, job.id)]
