"""What is at hand while a message about later is answered."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bot.domain.conversation import Inbound
from bot.domain.ports import Clock
from bot.schedule.intent import Asking
from bot.schedule.jobs import Scope
from bot.schedule.plan import DEFAULT_HOUR, Plan
from bot.schedule.room import Jobs
from bot.schedule.talk.drafts import Asked
from bot.schedule.talk.model import ModelReader
from bot.schedule.talk.state import Look, scope_of
from bot.schedule.talk.wish import Here, here
from bot.schedule.talk.wording import Voice
from bot.store.engine import Store

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TalkSettings:
    """What the operator set.

    `zone` is that of people who told none; `asks_zone`: where the channel tells none they are asked.
    `words`: wishes are understood in plain words. `confirm`: they are asked whether they were.
    """

    zone: str = "UTC"
    asks_zone: bool = True
    words: bool = True
    confirm: bool = True
    enabled: bool = True
    default_hour: int = DEFAULT_HOUR
    min_confidence: float = 0.78


@dataclass(frozen=True, slots=True)
class Hand:
    """One message, and the rooms that it is answered with."""

    inbound: Inbound
    asked: Asked
    voice: Voice
    here: Here
    look: Look
    jobs: Jobs
    store: Store
    clock: Clock
    settings: TalkSettings
    model: ModelReader | None = None  # for times that our reader can't read

    @property
    def now(self) -> datetime:
        return self.here.now

    @property
    def scope(self) -> Scope:
        return scope_of(self.inbound)

    @property
    def asking(self) -> Asking:
        """What times in words are read against."""
        return Asking(self.here.wall, self.inbound.locale or None, self.here.tz)

    async def transact(
        self, step: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do one step that may change when something is due; it is safe on disk then."""
        done = await self.store.write(step, *args, **kwargs)
        await self.store.durable()
        self.jobs.woken()
        return done

    @property
    def zone_is_known(self) -> bool:
        """Whether the person or their browser said where they are."""
        return bool(self.look.at.zone or self.inbound.zone)

    def here_for(self, plan: Plan) -> Here:
        """The person's now, in which words about `plan` are read.

        Where nobody told where they are it is the one of the plan: a program tells its zone with some
        messages, and a correction without it may not move the task to another.
        """
        if self.zone_is_known or plan.zone == self.here.zone:
            return self.here
        return here(self.now, plan.zone, self.here.default_hour)
