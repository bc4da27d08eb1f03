"""The bot as a test needs it: the real rooms around a scripted model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import aiohttp

from bot.clock import SystemClock
from bot.config.memory import MemorySettings
from bot.config.settings import Settings
from bot.delivery.outbox import Outbox
from bot.domain.ports import ChatModel, Clock, Toolset
from bot.events.log import EventLog
from bot.events.metrics import Metrics
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor
from bot.runs.holder import Holder
from bot.runs.worker import Worker
from bot.schedule.engine import Scheduler
from bot.schedule.firing import Rules as JobRules
from bot.schedule.room import Jobs, JobSettings
from bot.schedule.talk.desk import Talk
from bot.schedule.talk.hand import TalkSettings
from bot.service import Service
from bot.store.engine import Store
from bot.store.open import open_store
from bot.tools.gate import Gated
from bot.tools.mcp.servers import Servers
from bot.tools.registry import Combined
from bot.tools.shelf import Shelf
from bot.turn import tasks
from bot.turn.gate import Rules
from bot.turn.hands import Hands
from bot.turn.prompt import Budget
from bot.turn.rights import Rights
from bot.turn.sessions import Sessions
from bot.turn.work import Tools, TurnSettings
from channels.web.server import Rooms, WebChannel
from memory.recall import Recall
from tests.fakes.models import ScriptedModel

IN_MEMORY = "sqlite://"
TURN = TurnSettings(
    alias="chat",
    persona="You are a test.",
    history_turns=16,
    budget=Budget(6000, 1000, 4),
    memories=8,
    lookback_days=90,
    recall_mode="off",
)


@dataclass(frozen=True, slots=True)
class Core:
    """Everything below the doors."""

    store: Store
    events: EventLog
    metrics: Metrics
    service: Service
    sessions: Sessions
    worker: Worker
    jobs: Jobs
    scheduler: Scheduler
    rights: Rights

    @property
    def rooms(self) -> Rooms:
        return Rooms(self.sessions, self.jobs, self.rights)


@asynccontextmanager
async def open_core(
    model: ChatModel,
    *,
    url: str = IN_MEMORY,
    clock: Clock | None = None,
    turns_at_once: int = 128,
    remembers: bool = False,
    toolsets: Sequence[Toolset] = (),
    talks: bool = False,
    shelf: Shelf | None = None,
) -> AsyncGenerator[Core]:
    """The service with its queue at work; memory only if it `remembers`, by words then.

    `talks`: reminders can be talked about. `shelf` holds what tools bring.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await open_store(url, clock)
        stack.push_async_callback(store.close)
        events = EventLog(store, clock)
        stack.push_async_callback(events.flush)
        metrics = Metrics()
        events.subscribe(metrics.observe)
        holder = Holder(store.path)
        stack.callback(holder.close)
        outbox = Outbox(store, events, clock, holder)
        recall = Recall(store, MemorySettings()) if remembers else None
        hands = Hands(store, events, clock, Rules({}))
        hands.employ(Gated(Combined(toolsets), Policy(), events, clock, Redactor(), shelf=shelf))
        parts = Tools(store, events, clock, model, recall, outbox, TURN, hands=hands, shelf=shelf)
        talk = Talk(store, clock, TalkSettings()) if talks else None
        service = Service(parts, Rules({}), holder, talk)
        worker = Worker(store, events, clock, holder, {"turn": (service.handle, turns_at_once)})
        service.employ(worker)
        rules = JobRules(tasks.start, outbox.channels.keys(), woken=worker.wake)
        scheduler = Scheduler(store, events, clock, rules)
        jobs = Jobs(store, clock, rules, JobSettings(), scheduler.wake)
        if talk is not None:
            talk.employ(jobs)
        sessions = Sessions(store, events, clock, shelf)
        rights = Rights(store, events, clock, recall, shelf)
        async with asyncio.TaskGroup() as group:
            work = group.create_task(worker.run())
            try:
                yield Core(store, events, metrics, service, sessions, worker, jobs, scheduler, rights)
            finally:
                await worker.stop(0)
                work.cancel()


@dataclass(frozen=True, slots=True)
class ModelState:
    """What the page is told of the model."""

    notice: str | None = None


@dataclass(frozen=True, slots=True)
class WebBot:
    """The bot behind its web channel, and a client of it."""

    core: Core
    channel: WebChannel
    client: aiohttp.ClientSession

    @property
    def url(self) -> str:
        return self.channel.url.rstrip("/")


@asynccontextmanager
async def open_web(
    model: ChatModel | None = None,
    *,
    url: str = IN_MEMORY,
    clock: Clock | None = None,
    web_clock: Clock | None = None,
    state: ModelState | None = None,
    remembers: bool = False,
    mcp: Servers | None = None,
    toolsets: Sequence[Toolset] = (),
    talks: bool = False,
    shelf: Shelf | None = None,
    **http: Any,
) -> AsyncGenerator[WebBot]:
    """The bot on a free port of this machine. `http` are settings of `channels.http`.

    `web_clock` moves the time of the channel alone, without that of the work behind it.
    """
    settings = Settings.model_validate({"app": {"bind": "127.0.0.1:0"}, "channels": {"http": http}})
    opening = open_core(
        model or ScriptedModel(),
        url=url,
        clock=clock,
        remembers=remembers,
        toolsets=toolsets,
        talks=talks,
        shelf=shelf,
    )
    async with opening as core:
        gate = Gated(Combined([] if mcp is None else [mcp]), Policy(), core.events, SystemClock(), Redactor())
        channel = WebChannel(
            settings,
            core.service,
            replace(core.rooms, mcp=mcp, tools=gate, shelf=shelf),
            core.store,
            core.metrics,
            state or ModelState(),
            web_clock or clock,
        )
        await channel.start()
        try:
            # Without a base address paths would have to be quoted twice in tests of hostile ones.
            async with aiohttp.ClientSession(channel.url) as client:
                yield WebBot(core, channel, client)
        finally:
            await channel.aclose()
