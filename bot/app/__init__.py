"""The composition root, which alone sees everything: it builds, stacks, starts and stops the parts."""

import asyncio
import importlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import structlog

from bot.app.assembly import Ground, assemble, jobs_of, watched
from bot.clock import SystemClock
from bot.config.settings import Settings
from bot.delivery.outbox import Outbox
from bot.domain.ports import Clock
from bot.errors import XiaomaolvError
from bot.events.log import EventLog
from bot.events.metrics import Metrics
from bot.events.types import MemoryWritten
from bot.models.build import Models
from bot.runs.worker import Worker
from bot.schedule.engine import Scheduler
from bot.schedule.room import Jobs
from bot.service import Service
from bot.store.engine import Store
from bot.store.open import open_store
from bot.tools.gate import Gated
from bot.tools.mcp.servers import Servers
from bot.turn import gathering
from bot.turn.rights import Rights
from bot.turn.sessions import Sessions
from bot.turn.work import Tools
from memory.centred import Centred
from memory.indexer import Indexer
from memory.recall import Recall

__all__ = ["App", "jobs_of", "open_app"]

log = structlog.get_logger(__name__)

# What is under way at SIGTERM may finish for so long, in seconds; then it is handed over. The whole
# stop stays under ten seconds, after which Docker and systemd kill.
GRACE_S = 7.0


@dataclass(frozen=True, slots=True)
class App:
    """The running product, without its doors to the outside (see `serve_until`)."""

    settings: Settings
    clock: Clock
    store: Store
    events: EventLog
    metrics: Metrics
    models: Models
    tools: Tools
    service: Service
    sessions: Sessions
    worker: Worker
    jobs: Jobs
    scheduler: Scheduler
    gate: Gated
    doors: list[Any] = field(default_factory=list)

    @property
    def outbox(self) -> Outbox:
        return self.tools.outbox

    @property
    def mcp(self) -> Servers | None:
        return self.tools.mcp

    async def serve_until(self, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
        """Open the doors, tell `ready` the address of the page, and close them when `stop` is set.

        Their connections stay open until the worker has stopped: what is being answered can still be
        delivered.
        """
        async with AsyncExitStack() as stack:
            for door in self.doors:
                stack.push_async_callback(door.stop)
                await door.start()
            url = next(door.url for door in self.doors if door.name == "web")
            log.info("app.started", url=url, doors=[door.name for door in self.doors])
            ready(url)
            self.scheduler.begin()
            if self.mcp is not None:
                self.mcp.begin()
            if self.tools.skills is not None:
                self.tools.skills.begin()
            await stop.wait()
            log.info("app.stopping")


@asynccontextmanager
async def open_app(
    settings: Settings,
    clock: Clock | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    serving: bool = True,
    answering: bool = True,
) -> AsyncGenerator[App, None]:
    """Build everything and start what works in the background; stop it in order at the end.

    `environ`: where proxies are looked for. Not `serving`: no doors, and no work of a process with doors.
    Not `answering`: nobody will talk to the model, so it is not loaded before somebody does.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await open_store(settings.storage.url, clock)
        stack.push_async_callback(store.close)
        events = EventLog(store, clock)
        stack.push_async_callback(events.flush)
        ground = Ground(settings, clock, environ, stack, store, events)
        metrics = watched(ground)
        parts = await assemble(ground, claims=serving)
        app = App(
            settings=settings,
            clock=clock,
            store=store,
            events=events,
            metrics=metrics,
            models=parts.models,
            tools=parts.tools,
            service=parts.service,
            sessions=Sessions(store, events, clock, parts.tools.shelf),
            worker=parts.worker,
            jobs=parts.jobs,
            scheduler=parts.scheduler,
            gate=parts.gate,
        )
        _open_doors(app, stack, environ, serving=serving)
        await stack.enter_async_context(
            _background(app, parts.embedder, serving=serving, answering=answering)
        )
        yield app


@asynccontextmanager
async def _background(
    app: App, embedder: Centred | None, *, serving: bool, answering: bool
) -> AsyncGenerator[None, None]:
    """The work nobody waits for: the queue, the event log, the vectors of memories."""
    if serving and await app.store.read(gathering.is_any_parted):  # most starts have nothing to write
        await app.store.write(gathering.reopen, app.clock.now())
    jobs = [app.worker.run(), app.events.run()]
    if answering:
        jobs.append(app.models.warm())
    if app.settings.channels.telegram.scheduler_enabled:
        jobs.append(app.scheduler.run())
    if app.mcp is not None:
        jobs.append(app.mcp.run())
    if app.tools.skills is not None:
        jobs.append(app.tools.skills.tend())
    if embedder is not None and isinstance(recall := app.tools.recall, Recall):
        busy, complete = (lambda: app.worker.in_flight("turn") > 0), recall.retire_former
        indexer = Indexer(app.store, embedder, app.clock, busy=busy, complete=complete)
        app.events.subscribe(lambda event: indexer.wake() if isinstance(event, MemoryWritten) else None)
        jobs.append(indexer.run())
    failed: XiaomaolvError | None = None
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(job) for job in jobs]
        try:
            yield
        except XiaomaolvError as error:  # the group would wrap what its user has to be told
            failed = error
        finally:
            await app.worker.stop(GRACE_S)
            for task in tasks:
                task.cancel()
    if failed is not None:
        raise failed


def _open_doors(app: App, stack: AsyncExitStack, environ: Mapping[str, str] | None, *, serving: bool) -> None:
    """Make the channels; before the worker starts, for what it finds to deliver needs its channel."""
    if not serving:
        if app.mcp is not None:
            app.mcp.begin()
        if app.tools.skills is not None:
            app.tools.skills.begin()
        return
    app.doors.extend(_doors(app, environ))
    for door in app.doors:
        stack.push_async_callback(door.aclose)


def _doors(app: App, environ: Mapping[str, str] | None) -> list[Any]:
    """The channels; their libraries are loaded only by a process that serves."""
    doors: list[Any] = []
    telegram = app.settings.channels.telegram
    if telegram.is_active:
        module = importlib.import_module("channels.telegram.adapter")
        doors.append(
            module.TelegramChannel(telegram, app.service, app.outbox, app.tools.previews, app.clock, environ)
        )
    module = importlib.import_module("channels.web.server")
    model = app.models.describe()
    web = module.WebChannel(
        app.settings,
        app.service,
        module.Rooms(
            app.sessions,
            app.jobs,
            Rights(app.store, app.events, app.clock, app.tools.recall, app.tools.shelf),
            app.mcp,
            app.gate,
            app.tools.shelf,
        ),
        app.store,
        app.metrics,
        model,
        app.clock,
        {door.name: door for door in doors},
    )
    return [*doors, web]
