"""Learning: after the answer, as a run of its own, what a message states of its speaker is kept.

The run names the turn and holds no words: they are read from the message, so that what is forgotten or
edited meanwhile is not learnt. A run that is repeated after a crash finds its facts kept and changes
nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import structlog
from sqlalchemy import Connection, Row, select

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.ports import ChatModel, Clock
from bot.domain.run import Run
from bot.errors import ModelError
from bot.events.log import EventLog
from bot.events.types import MemoryRejected, MemorySuperseded, MemoryWritten
from bot.runs import queue
from bot.runs.queue import RunDraft
from bot.runs.worker import Done, Outcome
from bot.store.engine import Store
from bot.store.tables import conversations, messages
from memory.facts import Stated, state
from memory.learning import model as by_model
from memory.learning.rules import may_state, statements
from memory.learning.statement import Statement, labelled
from memory.people import is_paused
from memory.record import MemoryDraft, scope_of

log = structlog.get_logger(__name__)

Mode = Literal["off", "rules", "model"]
MIN_CHARS = 12  # of a message that a model is asked about
MAX_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody said, and where."""

    id: int
    kind: Literal["private", "group", "stateless"]
    conversation_id: ConversationId
    person_id: SpeakerId
    name: str
    text: str
    at: datetime


def is_worth_learning(text: str, mode: Mode) -> bool:
    """Whether a message is to have a run of learning: cheap, it is asked at the end of each turn."""
    if mode == "off" or text.startswith("/"):
        return False
    if mode == "model" and MIN_CHARS <= len(text) <= MAX_CHARS:
        return True
    return may_state(text) and bool(statements(text))


def enqueue(conn: Connection, turn_id: str, conversation_id: ConversationId | None, now: datetime) -> None:
    """Let be learnt from a turn, once; in the transaction that ends it."""
    draft = RunDraft("learn", turn_id, {"turn": turn_id}, conversation_id=conversation_id)
    queue.enqueue(conn, draft, now)


class Learner:
    """The handler of `learn` runs. With a `model`, private messages are read by it as well."""

    def __init__(
        self,
        store: Store,
        events: EventLog,
        clock: Clock,
        model: ChatModel | None = None,
        alias: str = "chat",
    ) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._model = model
        self._alias = alias

    async def handle(self, run: Run) -> Outcome:
        """Keep what the message of a turn states."""
        message = await self._store.read(said_in, run.payload["turn"])
        if message is None:
            return Done()
        found = statements(message.text, group=message.kind == "group")
        if self._model is not None and message.kind == "private":
            known = {statement.slot for statement in found}
            found += [more for more in await self._read(message, run) if more.slot not in known]
        if found:
            stated = await self._store.write(learn, message, found, self._clock.now())
            self._tell(run, found, stated)
        return Done()

    async def _read(self, message: Message, run: Run) -> list[Statement]:
        assert self._model is not None
        if not MIN_CHARS <= len(message.text) <= MAX_CHARS:
            return []
        try:
            return await by_model.ask(self._model, self._alias, message.text, run.id)
        except ModelError as error:  # the rules have read it; another attempt would cost as much again
            log.warning("memory.learning_failed", run_id=run.id, code=error.code)
            return []

    def _tell(self, run: Run, found: list[Statement], stated: list[Stated]) -> None:
        where: dict[str, Any] = {"run_id": run.id, "conversation_id": run.conversation_id}
        kept = sum(one.outcome in {"new", "changed", "past"} for one in stated)
        if kept:
            self._events.record(MemoryWritten(**where, count=kept))
        for statement, one in zip(found, stated, strict=False):
            if one.outcome == "changed" and one.id is not None:
                slot = statement.slot.partition(":")[0]
                self._events.record(MemorySuperseded(**where, memory=one.id, slot=slot))
        rejected = [one.outcome for one in stated if one.outcome == "rejected"]
        if rejected:
            self._events.record(MemoryRejected(**where, reasons=rejected))


def said_in(conn: Connection, turn_id: str) -> Message | None:
    """The message of a turn; None where it is gone, or was never kept."""
    row: Row[Any] | None = conn.execute(
        select(messages, conversations.c.kind)
        .join(conversations, conversations.c.id == messages.c.conversation_id)
        .where(messages.c.run_id == turn_id, messages.c.role == "user")
    ).first()
    if row is None or row.person_id is None or not row.text:
        return None
    where, who = ConversationId(row.conversation_id), SpeakerId(row.person_id)
    return Message(row.id, row.kind, where, who, row.name, row.text, row.at)


def learn(conn: Connection, message: Message, found: list[Statement], now: datetime) -> list[Stated]:
    """Keep statements, in order; nothing where their speaker paused memory."""
    scope = scope_of(message.kind, message.person_id, message.conversation_id)
    if scope is None or is_paused(conn, message.person_id):
        return []
    return [
        state(
            conn,
            MemoryDraft(
                scope=scope,
                role="user",
                text=labelled(statement),
                at=message.at,
                conversation_id=message.conversation_id,
                message_id=message.id,
                person_id=message.person_id,
                name=message.name,
                source="learnt",
                kind="procedural" if statement.slot.startswith("wish") else "semantic",
                importance=1.0,
                confidence=statement.confidence,
                provenance=(f"message:{message.id}",),
                slot=statement.slot,
                value=statement.value,
                true_from=message.at,
            ),
            now,
        )
        for statement in found
    ]
