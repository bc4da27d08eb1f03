"""Makes the parts of the product as the settings say; `bot.app` starts and stops them."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from bot.agent.react import Limits
from bot.config.mask import known_secrets
from bot.config.settings import Settings
from bot.delivery.outbox import Outbox
from bot.domain.message import Usage
from bot.domain.ports import Clock, Toolset
from bot.domain.run import RunKind
from bot.events.log import EventLog
from bot.events.metrics import Metrics
from bot.events.tracing import open_tracing
from bot.events.types import Event, ModelCallCompleted, ModelCallFailed
from bot.models.build import Models, build_models
from bot.models.embed import OwnedEmbedder, build_embedder
from bot.models.metered import ModelCall
from bot.models.transcribe import build_transcriber
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor
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
from bot.tools.gate import Gated
from bot.tools.mcp.registry import Registry
from bot.tools.mcp.servers import Servers
from bot.tools.registry import Combined
from bot.tools.sets.build import own_sets, shelf_of
from bot.tools.sets.downloads import Downloads
from bot.turn import persona, tasks
from bot.turn.attachments import Attachments
from bot.turn.compaction import Compactor
from bot.turn.hands import Hands
from bot.turn.prompt import Budget
from bot.turn.remembering import open_recall, reranked
from bot.turn.rooms import Rooms
from bot.turn.rules import compaction_of, knows_tools, price_of, room_rules_of, rules_of
from bot.turn.work import Tools, TurnSettings
from memory.centred import Centred
from memory.learn import Learner
from memory.privacy import hide_secrets
from memory.tools import memory_tools
from skills.room import open_skills
from skills.tools import toolset as skill_tools

ALIAS = "chat"
DELIVERIES_AT_ONCE = 32
LEARNING_AT_ONCE = 1


@dataclass(frozen=True, slots=True)
class Ground:
    """What every part stands on. What has to be closed at the end is put on `stack`.

    `environ`: where proxies, the MCP registry and skills are looked for; without it there are none.
    """

    settings: Settings
    clock: Clock
    environ: Mapping[str, str] | None
    stack: AsyncExitStack
    store: Store
    events: EventLog


@dataclass(frozen=True, slots=True)
class Assembled:
    """The parts that work behind the doors, put together and not started yet."""

    models: Models
    embedder: Centred | None
    tools: Tools
    service: Service
    worker: Worker
    jobs: Jobs
    scheduler: Scheduler
    gate: Gated


async def assemble(ground: Ground, *, claims: bool) -> Assembled:
    """Make and connect everything behind the doors. `claims`: whether work that waits is taken up."""
    holder = Holder(ground.store.path)
    ground.stack.callback(holder.close)
    models = _models(ground)
    owned, embedder = _embedder(ground)
    tools = await _tools(ground, models, owned, embedder, holder)
    service, talk = _service(ground, tools, holder)
    worker = _worker(ground, service, tools, holder, claims=claims)
    scheduler, jobs = _schedule(ground, tools, worker, talk)
    gate = _gate(ground, tools, jobs)
    return Assembled(models, embedder, tools, service, worker, jobs, scheduler, gate)


def watched(ground: Ground) -> Metrics:
    """What looks on from outside: metrics always, traces where the operator wants them."""
    metrics = Metrics()
    ground.events.subscribe(metrics.observe)
    endpoint = ground.settings.telemetry.otlp_endpoint
    if endpoint is not None:
        tracing = open_tracing(endpoint, ground.clock)
        ground.stack.push_async_callback(asyncio.to_thread, tracing.close)
        ground.events.subscribe(tracing.observe)
    return metrics


def jobs_of(settings: Settings, store: Store, clock: Clock, environ: Mapping[str, str] | None) -> Jobs:
    """The door to jobs for a process that fires none itself, such as a command."""
    telegram = settings.channels.telegram
    pushes = {"telegram"} if telegram.is_active else set()
    return Jobs(store, clock, _firing_rules(settings, pushes), _job_settings(settings, environ))


# --- models ---


def _models(ground: Ground) -> Models:
    """The models, each of whose calls is recorded."""
    models = build_models(
        ground.settings,
        ground.clock,
        lambda call: ground.events.record(_call_event(call)),
        environ=ground.environ,
    )
    ground.stack.push_async_callback(models.aclose)
    return models


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


def _embedder(ground: Ground) -> tuple[OwnedEmbedder | None, Centred | None]:
    """What turns texts into vectors, where that is wanted: as the model makes them, and for memories."""
    owned = build_embedder(ground.settings, ground.clock, environ=ground.environ)
    if owned is None:
        return None, None
    ground.stack.push_async_callback(owned.aclose)
    return owned, Centred(owned, ground.store)


def _attachments(ground: Ground, models: Models) -> Attachments:
    """What reads the files that come with messages."""
    transcription = ground.settings.channels.telegram.transcription
    hearing = build_transcriber(transcription, ground.clock, environ=ground.environ)
    if hearing is not None:
        ground.stack.push_async_callback(hearing.aclose)
    provider = ground.settings.providers.get(models.describe().provider)
    return Attachments(sees=provider is not None and provider.vision, hearing=hearing)


# --- turns ---


async def _tools(
    ground: Ground, models: Models, owned: OwnedEmbedder | None, embedder: Centred | None, holder: Holder
) -> Tools:
    """The rooms a turn works with."""
    settings, store, events, clock = ground.settings, ground.store, ground.events, ground.clock
    recall = await open_recall(settings, store, embedder, clock, ground.stack, ground.environ)
    shelf = shelf_of(settings.tools)
    outbox = Outbox(store, events, clock, holder, shelf.content)
    ground.stack.callback(outbox.close)
    downloads = Downloads(settings.tools)
    return Tools(
        store=store,
        events=events,
        clock=clock,
        model=models.chat,
        recall=reranked(recall, settings, models.chat, ALIAS, ground.stack),
        outbox=outbox,
        settings=_turn_settings(settings, models, embedder),
        attachments=_attachments(ground, models),
        rooms=Rooms(room_rules_of(settings)),
        mcp=_mcp(ground),
        hands=_hands(ground),
        skills=open_skills(settings.agent, ground.environ, clock, owned, models.chat, downloads),
        shelf=shelf,
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


def _service(ground: Ground, tools: Tools, holder: Holder) -> tuple[Service, Talk]:
    """What answers, and where wishes for later are understood before."""
    settings = ground.settings
    telegram = settings.channels.telegram
    wanted = TalkSettings(
        zone=_job_settings(settings, ground.environ).zone,
        asks_zone=not telegram.scheduler_default_timezone,
        words=telegram.scheduler_nl_enabled,
        confirm=telegram.scheduler_require_confirm,
        enabled=telegram.scheduler_enabled,
        min_confidence=telegram.scheduler_nl_min_confidence,
    )
    model = ModelReader(tools.model, ALIAS) if settings.providers else None
    talk = Talk(tools.store, tools.clock, wanted, model)
    return Service(tools, rules_of(settings), holder, talk), talk


def _worker(ground: Ground, service: Service, tools: Tools, holder: Holder, *, claims: bool) -> Worker:
    """Which handler takes which kind of run, and how many at once."""
    settings = ground.settings
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


# --- jobs ---


def _schedule(ground: Ground, tools: Tools, worker: Worker, talk: Talk) -> tuple[Scheduler, Jobs]:
    """What fires jobs, and the door to them, which `talk` uses, too."""
    settings, store, clock = ground.settings, ground.store, ground.clock
    rules = replace(_firing_rules(settings, tools.outbox.channels.keys()), woken=worker.wake)
    tick_s = settings.channels.telegram.scheduler_tick_secs
    scheduler = Scheduler(store, ground.events, clock, rules, tick_s=tick_s)
    jobs = Jobs(store, clock, rules, _job_settings(settings, ground.environ), scheduler.wake)
    talk.employ(jobs)
    return scheduler, jobs


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


# --- tools ---


def _mcp(ground: Ground) -> Servers | None:
    """The MCP servers of the registry files; none without an environment, which says where those are."""
    if ground.environ is None or not ground.settings.agent.mcp_enabled:
        return None
    return Servers(Registry(ground.environ), ground.store, ground.clock, ground.events)


def _hands(ground: Ground) -> Hands:
    """What gives turns their tools; the gate comes later, for tools may use what turns are made of."""
    settings = ground.settings
    limits = Limits(rounds=settings.agent.mcp_max_iterations, price=price_of(settings))
    return Hands(ground.store, ground.events, ground.clock, rules_of(settings), settings.policy, limits)


def _toolsets(ground: Ground, tools: Tools, jobs: Jobs) -> list[Toolset]:
    """Every origin of tools, in the order in which names are given."""
    settings, store, clock = ground.settings, ground.store, ground.clock
    most_chars = settings.agent.mcp_max_tool_result_chars
    toolsets: list[Toolset] = own_sets(settings.tools, clock, most_chars=most_chars)
    if settings.tools.sets.memory.enabled and tools.recall is not None:
        toolsets.append(memory_tools(store, clock, tools.recall))
    if settings.tools.sets.schedule.enabled:
        toolsets.append(schedule_tools(store, clock, jobs))
    if tools.mcp is not None:
        toolsets.append(tools.mcp)
    if tools.skills is not None:
        toolsets.append(skill_tools(tools.skills, scripts=settings.agent.skills_scripts_enabled))
    return toolsets


def _gate(ground: Ground, tools: Tools, jobs: Jobs) -> Gated:
    """All tools behind the policy."""
    settings = ground.settings
    gated = Gated(
        Combined(_toolsets(ground, tools, jobs)),
        Policy(settings.policy),
        ground.events,
        ground.clock,
        Redactor(known_secrets(settings), hide_secrets),
        most_chars=settings.agent.mcp_max_tool_result_chars,
        allowed_tools=None if tools.skills is None else tools.skills.narrowing,
        shelf=tools.shelf,
    )
    if tools.hands is not None and knows_tools(settings):
        tools.hands.employ(gated)
    return gated
