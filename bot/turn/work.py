"""The work of one turn: read what is needed, build the prompt, ask the model, end the turn."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.agent.react import WaitsForPerson
from bot.delivery.outbox import Outbox
from bot.delivery.sinks import StatusSink, Tee
from bot.domain.conversation import ConversationId, ConversationKind, Inbound
from bot.domain.message import ModelRequest, Reply
from bot.domain.ports import ChatModel, Clock, Sink
from bot.domain.run import Run
from bot.errors import ModelError, XiaomaolvError
from bot.events.log import EventLog
from bot.events.types import ContextBuilt, MemoryRead, MemoryReadFailed
from bot.i18n.catalogue import NATIVE_NAMES, translate
from bot.store.engine import Store
from bot.tools.mcp.servers import Servers
from bot.tools.shelf import Shelf
from bot.turn import attachments, history, rooms, skills, summaries, tasks
from bot.turn.attachments import Attachments
from bot.turn.begun import Begun
from bot.turn.chat_settings import settings_of
from bot.turn.compaction import Compaction
from bot.turn.hands import Hands, Place, after_stop
from bot.turn.inbox import kind_of
from bot.turn.prompt import Budget, Prompt, build, company_note, summary_note
from bot.turn.reply import stream_reply
from bot.turn.rooms import Rooms
from bot.turn.streams import TurnStream
from memory.learn import Mode
from memory.people import is_paused
from memory.record import Hit, MemoryDraft, RecallQuery, Shown, scope_of, told_in
from skills.room import Skills

log = structlog.get_logger(__name__)

PreviewFor = Callable[[Run, Inbound], Sink | None]


class Recaller(Protocol):
    """What a turn needs of memory."""

    def anticipate(self, query: RecallQuery) -> None: ...

    async def recall(self, query: RecallQuery) -> tuple[Hit, ...]: ...


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """What the operator set of a turn; `compaction` is None where long histories are not shortened."""

    alias: str
    persona: str
    history_turns: int
    budget: Budget
    memories: int
    lookback_days: int
    recall_mode: str  # hybrid, keyword or off, for the record
    learning: Mode = "off"
    compaction: Compaction | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """The rooms a turn works with.

    `recall` is None where memory is off. `previews` holds, by channel, what shows an answer while it
    is written; `attachments` reads what came with a message; `rooms` knows the groups. `mcp` and
    `skills` are None where they are off; `shelf` holds what tools brought.
    """

    store: Store
    events: EventLog
    clock: Clock
    model: ChatModel
    recall: Recaller | None
    outbox: Outbox
    settings: TurnSettings
    previews: dict[str, PreviewFor] = field(default_factory=dict)
    attachments: Attachments = field(default_factory=Attachments)
    rooms: Rooms = field(default_factory=Rooms)
    mcp: Servers | None = None
    hands: Hands | None = None  # None: no tools at all
    skills: Skills | None = None
    shelf: Shelf | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a turn knows of what went before: the kind of the conversation as it stands, what was said
    lately, and what is noted of the rest."""

    kind: ConversationKind
    past: history.Recent
    note: str = ""  # of the group it is in, of what was said before, and the skills of the message
    skill: str = ""  # the active one
    foreign: bool = False  # others wrote what a skill says
    memories: tuple[str, ...] = ()  # what is remembered that belongs to the message


async def read(run: Run, inbound: Inbound, tools: Tools) -> attachments.Read:
    """A message with its files read; what was read is kept."""
    found = await tools.attachments.read(inbound)
    if found.inbound is not inbound and inbound.conversation.kind != "stateless":
        await tools.store.write(attachments.keep, run, found.inbound)
    return found


async def answer(
    run: Run, found: attachments.Read, stream: TurnStream, tools: Tools, begun: "Begun[Context]"
) -> tuple[Inbound, Reply]:
    """Answer one message that was read: it, with the reply that is to be kept and delivered.

    The stream is not closed. `begun` holds the context, where it was read when the turn was claimed.
    """
    known, inbound = begun.take(run.id), found.inbound
    if tasks.is_broken(run):
        return inbound, Reply(translate("turn.internal", inbound.locale), "failed", error_code="interrupted")
    make_preview = tools.previews.get(inbound.conversation.channel)
    sink = Tee(stream, make_preview(run, inbound) if make_preview else None)
    if found.line:
        reply = Reply(found.line)
    else:
        context = known or await _context(run, inbound, tools)
        context = await _found(run, inbound, context, tools)
        try:
            reply = await _act(run, inbound, context, sink, stream.stop, tools)
        except WaitsForPerson as waits:
            await sink.close_preview(Reply(waits.text, "waiting"))
            raise
    await sink.close_preview(reply)
    return inbound, reply


def anticipate(inbound: Inbound, tools: Tools) -> None:
    """A message that will be answered has come: what takes long may begin while its turn is set up."""
    if tools.recall is not None:
        tools.recall.anticipate(_query(inbound, inbound.conversation.kind, tools))


async def _act(
    run: Run, inbound: Inbound, context: Context, sink: Sink, stop: asyncio.Event, tools: Tools
) -> Reply:
    """Answer with the tools that are there. Raises `WaitsForPerson` where a person has to decide first."""
    past = context.past
    place = Place(context.kind, past.messages, past.foreign or context.foreign, context.skill)
    acting = None if tools.hands is None else await tools.hands.take(run, inbound, place, tools.model)
    if acting is None:
        return await _answer(run, inbound, context, sink, stop, tools)
    if isinstance(sink, StatusSink):
        acting.tell = partial(_tell, sink, translate("turn.looking_up", inbound.locale))
    settings = tools.settings
    settings = replace(settings, budget=settings.budget.without(acting.tokens))
    reply = await _answer(run, inbound, context, sink, stop, replace(tools, model=acting, settings=settings))
    reply = await after_stop(acting, reply, inbound.locale)
    if tools.shelf is None or not acting.steps.calls or reply.status == "failed" or not reply.text:
        return reply
    return replace(reply, pictures=await tools.shelf.pictures(inbound.conversation.id, run.id))


async def _tell(sink: StatusSink, line: str, at_work: bool) -> None:
    """Show that tools are at work, where words would come otherwise."""
    await sink.status(line if at_work else "")


async def _answer(
    run: Run, inbound: Inbound, context: Context, sink: Sink, stop: asyncio.Event, tools: Tools
) -> Reply:
    inbound = skills.without_name(inbound)
    budget = tools.settings.budget
    prompt = _prompt(run, inbound, context, tools, budget)
    try:
        return await _ask(run, inbound, prompt, sink, stop, tools)
    except ModelError:  # too long for this model after all: with half as much, once
        prompt = _prompt(run, inbound, context, tools, budget.halved(prompt.tokens))
        try:
            return await _ask(run, inbound, prompt, sink, stop, tools)
        except ModelError as error:
            return Reply(translate(f"turn.{error.code}", inbound.locale), "failed", error_code=error.code)


async def _found(run: Run, inbound: Inbound, context: Context, tools: Tools) -> Context:
    """The context with what the message asks of memory, and the skills that it chooses."""
    async with asyncio.TaskGroup() as group:  # both wait for the same vector
        asking = skills.without_name(inbound)
        recalling = group.create_task(_recall(run, asking, context, tools))
        choosing = group.create_task(skills.choose(run, inbound, tools.skills, tools.events, tools.clock))
    chosen = choosing.result()
    return replace(
        context,
        note=context.note + chosen.section,
        skill=chosen.active,
        foreign=chosen.is_foreign,
        memories=tuple(recalling.result()),
    )


async def _context(run: Run, inbound: Inbound, tools: Tools) -> Context:
    if inbound.conversation.kind == "stateless":
        return Context("stateless", history.Recent(inbound.context, None))
    if inbound.conversation.kind == "group":
        return await _group_context(run, inbound, run.payload["session"], tools)

    def read(conn: Connection) -> Context:
        return read_context(conn, run, kind_of(conn, inbound.conversation.id), tools.settings)

    return await tools.store.read(read)


def read_context(conn: Connection, run: Run, kind: ConversationKind, settings: TurnSettings) -> Context:
    """The context of a turn in a conversation that is not a group: how it began, and its `kind` now."""
    where, session = run.conversation_id, run.payload["session"]
    assert where is not None  # a turn without one brings its own context
    past = history.recent(conn, where, session, run.id, turns=settings.history_turns)
    past = _shortened(conn, past, where, session, settings)
    return Context(kind, past, _summed_up(past))


def _shortened(
    conn: Connection, past: history.Recent, where: ConversationId, session: int, settings: TurnSettings
) -> history.Recent:
    if settings.compaction is None:
        return past
    return history.shortened(conn, past, summaries.current(conn, where, session), 2 * settings.history_turns)


def _summed_up(past: history.Recent) -> str:
    return summary_note(past.summary.text) if past.summary else ""


async def _group_context(run: Run, inbound: Inbound, session: int, tools: Tools) -> Context:
    """What was said in a group, the talk that was only listened to among it, and about its people."""
    where = inbound.conversation

    def read(conn: Connection, version: int) -> tuple[history.Recent, rooms.Kept, str]:
        turns = tools.settings.history_turns
        past = history.recent(conn, where.id, session, run.id, turns=turns, observed=history.OBSERVED)
        past = _shortened(conn, past, where.id, session, tools.settings)
        return past, rooms.look(conn, where, version), settings_of(conn, where).language

    past, kept, language = await tools.store.read(read, tools.rooms.version(where))
    called = tools.rooms.called(where, kept)
    note = company_note(called, NATIVE_NAMES.get(language, "")) + _summed_up(past)
    return Context("group", past, note)


def _query(inbound: Inbound, kind: ConversationKind, tools: Tools) -> RecallQuery:
    """What a message asks of memory, in a conversation of this kind."""
    return RecallQuery(
        text=inbound.text,
        scopes=told_in(kind, inbound.speaker.id, inbound.conversation.id),
        now=inbound.at,
        limit=tools.settings.memories,
        lookback_days=tools.settings.lookback_days,
        before_others=kind != "private",
    )


async def _recall(run: Run, inbound: Inbound, context: Context, tools: Tools) -> list[str]:
    query = _query(inbound, context.kind, tools)
    if tools.recall is None or not query.scopes or not inbound.text.strip():
        return []
    began = tools.clock.now()
    if (oldest := context.past.oldest_id) is not None:
        query = replace(query, shown=Shown(inbound.conversation.id, oldest))
    try:
        hits = await tools.recall.recall(query)
    except (XiaomaolvError, SQLAlchemyError) as error:  # a courtesy: better an answer without it than none
        log.exception("memory.recall_failed", run_id=run.id)
        failed = MemoryReadFailed(
            run_id=run.id, conversation_id=run.conversation_id, code=type(error).__name__
        )
        tools.events.record(failed)
        return []
    ms = (tools.clock.now() - began).total_seconds() * 1000
    tools.events.record(
        MemoryRead(
            run_id=run.id,
            conversation_id=run.conversation_id,
            hits=len(hits),
            mode=tools.settings.recall_mode,
            ms=round(ms, 2),
        )
    )
    return [f"{hit.at:%Y-%m-%d}, {hit.name or hit.role}: {hit.text}" for hit in hits]


def _prompt(run: Run, inbound: Inbound, context: Context, tools: Tools, budget: Budget) -> Prompt:
    began = tools.clock.now()
    group = context.kind == "group"
    persona = tools.settings.persona.strip() + context.note
    prompt = build(inbound, persona, context.past.messages, context.memories, budget, group=group)
    ms = (tools.clock.now() - began).total_seconds() * 1000
    tools.events.record(
        ContextBuilt(
            run_id=run.id,
            conversation_id=run.conversation_id,
            messages=len(prompt.messages),
            memories=prompt.memories,
            tokens=prompt.tokens,
            dropped=prompt.dropped,
            ms=round(ms, 2),
        )
    )
    return prompt


async def _ask(
    run: Run, inbound: Inbound, prompt: Prompt, sink: Sink, stop: asyncio.Event, tools: Tools
) -> Reply:
    request = ModelRequest(alias=tools.settings.alias, messages=prompt.messages, run_id=run.id)
    unasked = not inbound.is_for_the_bot
    return await stream_reply(tools.model, request, sink, stop, inbound.locale, may_be_silent=unasked)


def to_remember(conn: Connection, run: Run, inbound: Inbound, reply: Reply) -> list[MemoryDraft]:
    """What of a turn is kept in memory: what the person said, and a complete answer to it."""
    where = inbound.conversation
    if where.kind == "stateless":
        return []
    scope = scope_of(kind_of(conn, where.id), inbound.speaker.id, where.id)
    if scope is None or is_paused(conn, inbound.speaker.id):
        return []
    ids = history.ids_of_turn(conn, run.id)
    said = MemoryDraft(
        scope=scope,
        role="user",
        text=inbound.text,
        at=inbound.at,
        conversation_id=where.id,
        message_id=ids.get("user"),
        person_id=inbound.speaker.id,
        name=inbound.speaker.name,
    )
    if reply.status not in {"complete", "cut", "stopped"}:
        return [said]
    answered = MemoryDraft(
        scope=scope,
        role="assistant",
        text=reply.text,
        at=inbound.at,
        conversation_id=where.id,
        message_id=ids.get("assistant"),
        person_id=inbound.speaker.id,
    )
    return [said, answered]
