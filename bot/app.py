"""The composition root, which alone sees everything: it builds, stacks, starts and stops the parts."""

import asyncio
import importlib
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import structlog

from bot.agent.react import Limits
from bot.clock import SystemClock
from bot.config.settings import Settings
from bot.delivery.outbox import Outbox
from bot.domain.message import Usage
from bot.domain.ports import Clock, Toolset
from bot.domain.run import RunKind
from bot.errors import XiaomaolvError
from bot.events.log import EventLog
from bot.events.metrics import Metrics
from bot.events.tracing import open_tracing
from bot.events.types import Event, MemoryWritten, ModelCallCompleted, ModelCallFailed
from bot.models.build import Models, build_models
from bot.models.embed import OwnedEmbedder, build_embedder
from bot.models.metered import ModelCall
from bot.models.transcribe import build_transcriber
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor, known_secrets
from bot.runs.holder import Holder
from bot.runs.worker import Handler, Worker
from bot.schedule.engine import Scheduler
from bot.schedule.firing import Rules
from bot.schedule.room import Jobs, JobSettings
from bot.schedule.talk.desk import Talk
from bot.schedule.talk.hand import TalkSettings
from bot.schedule.talk.model import ModelReader
from bot.schedule.tools import schedule_tools
from bot.schedule.zones import default_zone
from bot.service import Service
from bot.store.engine import Store
from bot.store.open import open_store
from bot.tools.gate import Gated
from bot.tools.mcp.registry import Registry
from bot.tools.mcp.servers import Servers
from bot.tools.registry import Combined
from bot.tools.sets.build import own_sets, shelf_of
from bot.tools.sets.downloads import Downloads
from bot.turn import gathering, persona, tasks
from bot.turn.attachments import Attachments
from bot.turn.compaction import Compactor
from bot.turn.hands import Hands
from bot.turn.prompt import Budget
from bot.turn.remembering import open_recall, reranked
from bot.turn.rights import Rights
from bot.turn.rooms import Rooms
from bot.turn.rules import compaction_of, knows_tools, price_of, room_rules_of, rules_of
from bot.turn.sessions import Sessions
from bot.turn.work import Tools, TurnSettings
from memory.centred import Centred
from memory.indexer import Indexer
from memory.learn import Learner
from memory.privacy import hide_secrets
from memory.recall import Recall
from memory.tools import memory_tools
from skills.room import open_skills
from skills.tools import toolset as skill_tools

log = structlog.get_logger(__name__)

ALIAS = "chat"
# What is under way at SIGTERM may finish for so long, in seconds; then it is handed over. The whole
# stop stays under ten seconds, after which Docker and systemd kill.
GRACE_S = 7.0
DELIVERIES_AT_ONCE = 32
LEARNING_AT_ONCE = 1


@dataclass(frozen=True, slots=True)
class App:
    """The running product, without its doors to the outside (see `serve_until`)."""

    settings: Settings
    clock: Clock
    store: Store
    events: EventLog
    metrics: Metrics
    models: Models
    outbox: Outbox
    tools: Tools
    service: Service
    sessions: Sessions
    worker: Worker
    jobs: Jobs
    scheduler: Scheduler
    gate: Gated
    doors: list[Any] = field(default_factory=list)

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
) -> AsyncGenerator[App, None]:
    """Build everything and start what works in the background; stop it in order at the end.

    `environ`: where proxies are looked for. Not `serving`: no doors, and no work of a process with doors.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await open_store(settings.storage.url, clock)
        stack.push_async_callback(store.close)
        events = EventLog(store, clock)
        stack.push_async_callback(events.flush)
        metrics = _watched(events, settings, clock, stack)
        models = _models(settings, events, clock, stack, environ)
        owned, embedder = _embedder(settings, store, clock, stack, environ)
        holder = Holder(store.path)
        stack.callback(holder.close)
        recall = await open_recall(settings, store, embedder, clock, stack, environ)
        tools = Tools(
            store=store,
            events=events,
            clock=clock,
            model=models.chat,
            recall=reranked(recall, settings, models.chat, ALIAS, stack),
            outbox=_outbox(store, events, clock, holder, stack),
            settings=_turn_settings(settings, models, embedder),
            attachments=_attachments(settings, models, clock, stack, environ),
            rooms=Rooms(room_rules_of(settings)),
            mcp=_mcp(settings, store, events, clock, environ),
            hands=_hands(settings, store, events, clock),
            skills=open_skills(settings.agent, environ, clock, owned, models.chat, Downloads(settings.tools)),
            shelf=shelf_of(settings.tools),
        )
        service, talk = _service(settings, tools, holder, environ)
        worker = _worker(service, tools, holder, settings, claims=serving)
        scheduler, jobs = _schedule(settings, tools, worker, talk, environ)
        app = App(
            settings=settings,
            clock=clock,
            store=store,
            events=events,
            metrics=metrics,
            models=models,
            outbox=tools.outbox,
            tools=tools,
            service=service,
            sessions=Sessions(store, events, clock, tools.shelf),
            worker=worker,
            jobs=jobs,
            scheduler=scheduler,
            gate=_gate(ToolParts(settings, store, events, clock, stack, environ or {}, jobs, tools)),
        )
        _open_doors(app, stack, environ, serving=serving)
        await stack.enter_async_context(_background(app, embedder, serving=serving))
        yield app


@dataclass(frozen=True, slots=True)
class ToolParts:
    """What toolsets are made of. What has to be closed at the end is put on `stack`."""

    settings: Settings
    store: Store
    events: EventLog
    clock: Clock
    stack: AsyncExitStack
    environ: Mapping[str, str]
    jobs: Jobs
    turns: Tools


def _toolsets(parts: ToolParts) -> list[Toolset]:
    """Every origin of tools, in the order in which names are given."""
    sets = parts.settings.tools.sets
    most_chars = parts.settings.agent.mcp_max_tool_result_chars
    toolsets: list[Toolset] = own_sets(parts.settings.tools, parts.clock, most_chars=most_chars)
    if sets.memory.enabled and parts.turns.recall is not None:
        toolsets.append(memory_tools(parts.store, parts.clock, parts.turns.recall))
    if sets.schedule.enabled:
        toolsets.append(schedule_tools(parts.store, parts.clock, parts.jobs))
    if parts.turns.mcp is not None:
        toolsets.append(parts.turns.mcp)
    if parts.turns.skills is not None:
        scripts = parts.settings.agent.skills_scripts_enabled
        toolsets.append(skill_tools(parts.turns.skills, scripts=scripts))
    return toolsets


def _hands(settings: Settings, store: Store, events: EventLog, clock: Clock) -> Hands:
    """What gives turns their tools; the gate comes later, for tools may use what turns are made of."""
    limits = Limits(rounds=settings.agent.mcp_max_iterations, price=price_of(settings))
    return Hands(store, events, clock, rules_of(settings), settings.policy, limits)


def _gate(parts: ToolParts) -> Gated:
    """All tools behind the policy."""
    hands = parts.turns.hands
    gated = Gated(
        Combined(_toolsets(parts)),
        Policy(parts.settings.policy),
        parts.events,
        parts.clock,
        Redactor(known_secrets(parts.settings), hide_secrets),
        most_chars=parts.settings.agent.mcp_max_tool_result_chars,
        allowed_tools=None if parts.turns.skills is None else parts.turns.skills.narrowing,
        shelf=parts.turns.shelf,
    )
    if hands is not None and knows_tools(parts.settings):
        hands.employ(gated)
    return gated


def _models(
    settings: Settings,
    events: EventLog,
    clock: Clock,
    stack: AsyncExitStack,
    environ: Mapping[str, str] | None,
) -> Models:
    """The models, each of whose calls is recorded."""
    models = build_models(settings, clock, lambda call: events.record(_call_event(call)), environ=environ)
    stack.push_async_callback(models.aclose)
    return models


def _outbox(store: Store, events: EventLog, clock: Clock, holder: Holder, stack: AsyncExitStack) -> Outbox:
    outbox = Outbox(store, events, clock, holder)
    stack.callback(outbox.close)
    return outbox


def _embedder(
    settings: Settings,
    store: Store,
    clock: Clock,
    stack: AsyncExitStack,
    environ: Mapping[str, str] | None,
) -> tuple[OwnedEmbedder | None, Centred | None]:
    """What turns texts into vectors, where that is wanted: as the model makes them, and for memories."""
    owned = build_embedder(settings, clock, environ=environ)
    if owned is None:
        return None, None
    stack.push_async_callback(owned.aclose)
    return owned, Centred(owned, store)


def _attachments(
    settings: Settings,
    models: Models,
    clock: Clock,
    stack: AsyncExitStack,
    environ: Mapping[str, str] | None,
) -> Attachments:
    """What reads the files that come with messages."""
    hearing = build_transcriber(settings.channels.telegram.transcription, clock, environ=environ)
    if hearing is not None:
        stack.push_async_callback(hearing.aclose)
    provider = settings.providers.get(models.describe().provider)
    return Attachments(sees=provider is not None and provider.vision, hearing=hearing)


def _worker(service: Service, tools: Tools, holder: Holder, settings: Settings, *, claims: bool) -> Worker:
    """Which handler takes which kind of run, and how many at once."""
    model = tools.model if tools.settings.learning == "model" else None
    learner = Learner(tools.store, tools.events, tools.clock, model, ALIAS)
    handlers: dict[RunKind, tuple[Handler, int]] = {
        "turn": (service.handle, settings.app.concurrency_limit),
        "delivery": (tools.outbox.handle, DELIVERIES_AT_ONCE),
        "learn": (learner.handle, LEARNING_AT_ONCE),
    }
    if (rules := tools.settings.compaction) is not None:
        summarizes = tools.model if settings.providers else None
        compactor = Compactor(tools.store, tools.events, tools.clock, rules, summarizes, ALIAS)
        handlers["compact"] = (compactor.handle, LEARNING_AT_ONCE)
    worker = Worker(
        tools.store, tools.events, tools.clock, holder, handlers, claims=claims, inherit=tools.outbox.inherit
    )
    service.employ(worker)
    return worker


def _service(
    settings: Settings, tools: Tools, holder: Holder, environ: Mapping[str, str] | None
) -> tuple[Service, Talk]:
    """What answers, and where wishes for later are understood before."""
    telegram = settings.channels.telegram
    wanted = TalkSettings(
        zone=_job_settings(settings, environ).zone,
        asks_zone=not telegram.scheduler_default_timezone,
        words=telegram.scheduler_nl_enabled,
        confirm=telegram.scheduler_require_confirm,
        enabled=telegram.scheduler_enabled,
        min_confidence=telegram.scheduler_nl_min_confidence,
    )
    model = ModelReader(tools.model, ALIAS) if settings.providers else None
    talk = Talk(tools.store, tools.clock, wanted, model)
    return Service(tools, rules_of(settings), holder, talk), talk


def _schedule(
    settings: Settings, tools: Tools, worker: Worker, talk: Talk, environ: Mapping[str, str] | None
) -> tuple[Scheduler, Jobs]:
    """What fires jobs, and the door to them, which `talk` uses, too."""
    telegram = settings.channels.telegram
    rules = replace(_firing_rules(settings, tools.outbox.channels.keys()), woken=worker.wake)
    scheduler = Scheduler(tools.store, tools.events, tools.clock, rules, tick_s=telegram.scheduler_tick_secs)
    jobs = Jobs(tools.store, tools.clock, rules, _job_settings(settings, environ), scheduler.wake)
    talk.employ(jobs)
    return scheduler, jobs


def jobs_of(settings: Settings, store: Store, clock: Clock, environ: Mapping[str, str] | None) -> Jobs:
    """The door to jobs for a process that fires none itself, such as a command."""
    telegram = settings.channels.telegram
    pushes = {"telegram"} if telegram.is_active else set()
    return Jobs(store, clock, _firing_rules(settings, pushes), _job_settings(settings, environ))


def _firing_rules(settings: Settings, pushes: Collection[str]) -> Rules:
    telegram = settings.channels.telegram
    return Rules(
        start_turn=tasks.start,
        admits=tasks.admits(rules_of(settings)),
        pushes=pushes,
        catch_up_max=timedelta(seconds=telegram.scheduler_catch_up_max_secs),
        batch=telegram.scheduler_batch_size,
    )


def _job_settings(settings: Settings, environ: Mapping[str, str] | None) -> JobSettings:
    telegram = settings.channels.telegram
    zone = default_zone(telegram.scheduler_default_timezone, (environ or {}).get("TZ", ""))
    return JobSettings(zone, telegram.scheduler_max_jobs_per_owner)


def _mcp(
    settings: Settings, store: Store, events: EventLog, clock: Clock, environ: Mapping[str, str] | None
) -> Servers | None:
    """The MCP servers of the registry files; none without an environment, which says where those are."""
    if environ is None or not settings.agent.mcp_enabled:
        return None
    return Servers(Registry(environ), store, clock, events)


def _watched(events: EventLog, settings: Settings, clock: Clock, stack: AsyncExitStack) -> Metrics:
    """What looks on from outside: metrics always, traces where the operator wants them."""
    metrics = Metrics()
    events.subscribe(metrics.observe)
    if settings.telemetry.otlp_endpoint is not None:
        tracing = open_tracing(settings.telemetry.otlp_endpoint, clock)
        stack.push_async_callback(asyncio.to_thread, tracing.close)
        events.subscribe(tracing.observe)
    return metrics


@asynccontextmanager
async def _background(app: App, embedder: Centred | None, *, serving: bool) -> AsyncGenerator[None, None]:
    """The work nobody waits for: the queue, the event log, the vectors of memories."""
    if serving and await app.store.read(gathering.is_any_parted):  # most starts have nothing to write
        await app.store.write(gathering.reopen, app.clock.now())
    jobs = [app.worker.run(), app.events.run(), app.models.warm()]
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


def _call_event(call: ModelCall) -> Event:
    """A call of a model, for the record."""
    about: dict[str, Any] = {
        "run_id": call.run_id or None,
        "provider": call.provider,
        "model": call.model,
        "ms": round(call.total_ms, 1),
    }
    if call.error_code is not None:
        return ModelCallFailed(**about, code=call.error_code, shown=call.first_token_ms is not None)
    usage = call.usage or Usage()
    return ModelCallCompleted(
        **about,
        first_token_ms=None if call.first_token_ms is None else round(call.first_token_ms, 1),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        finish=call.reason or "abandoned",
    )


def _turn_settings(settings: Settings, models: Models, embedder: Centred | None) -> TurnSettings:
    memory = settings.memory
    model = models.describe()
    window = model.context_window_tokens or memory.context_window_tokens
    # A small window keeps a quarter for the answer; the reserve of the settings is for large ones.
    room = window - min(memory.context_reserved_tokens, window // 4)
    share = room * memory.context_memory_budget_ratio // 100
    mode = "off" if memory.backend == "off" else "keyword" if embedder is None else "hybrid"
    return TurnSettings(
        alias=ALIAS,
        persona=settings.persona.text or (persona.DEMO if model.is_demo else persona.DEFAULT),
        history_turns=memory.max_recent_turns or settings.app.max_history,
        budget=Budget(room, share, memory.context_min_recent_messages),
        memories=memory.max_semantic_memories,
        lookback_days=memory.semantic_lookback_days,
        recall_mode=mode,
        learning=memory.learning,
        compaction=compaction_of(settings, room),
    )


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
        ),
        app.store,
        app.metrics,
        model,
        app.clock,
        {door.name: door for door in doors},
    )
    return [*doors, web]
