"""The parts of a bot put together by hand, on any store, with a model that a test scripts."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from sqlalchemy import select, text

from bot.agent.react import Limits
from bot.config.policy import PolicySettings
from bot.delivery.outbox import Delivery, Outbox, SentPart, text_hash
from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import Reply, Text
from bot.domain.ports import Toolset
from bot.domain.run import RunKind
from bot.events.log import EventLog
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor
from bot.runs.holder import Holder
from bot.runs.worker import Handler, Worker
from bot.schedule.firing import Rules as FiringRules
from bot.schedule.room import Jobs, JobSettings
from bot.schedule.talk.desk import Talk
from bot.schedule.talk.hand import TalkSettings
from bot.schedule.talk.model import ModelReader
from bot.service import Service
from bot.store.engine import Store
from bot.store.tables import messages, runs
from bot.tools.gate import Gated
from bot.tools.registry import Combined
from bot.turn import tasks
from bot.turn.compaction import Compactor
from bot.turn.gate import Rules
from bot.turn.hands import Hands
from bot.turn.prompt import Budget
from bot.turn.reception import Received
from bot.turn.rooms import RoomRules, Rooms
from bot.turn.sessions import Sessions
from bot.turn.work import Recaller, Tools, TurnSettings
from memory.learn import Learner
from skills.room import Skills
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel

BOUND_S = 30.0
SETTINGS = TurnSettings(
    alias="chat",
    persona="You are a donkey.",
    history_turns=10,
    budget=Budget(input_tokens=4_000, memory_tokens=800, min_recent=4),
    memories=5,
    lookback_days=90,
    recall_mode="keyword",
)

_numbers = itertools.count(1)


def inbound(
    text: str,
    *,
    chat: str = "ann",
    user: str = "ann",
    channel: str = "http",
    id: str | None = None,
    **changes: Any,
) -> Inbound:
    """A message as a channel hands it in; each is another one unless `id` says otherwise."""
    kind = changes.pop("kind", "private")
    name = changes.pop("name", user.title())
    return Inbound(
        external_id=id or f"m{next(_numbers)}",
        conversation=Conversation(channel=channel, chat_id=chat, kind=kind),
        speaker=Speaker(channel=channel, user_id=user, name=name, is_bot=changes.pop("is_bot", False)),
        at=changes.pop("at", START),
        parts=changes.pop("parts", (Text(text),)),
        **changes,
    )


class Chat:
    """A channel that pushes: a strict in-memory chat that the outbox delivers to."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []  # chat, text
        self.buttons: dict[str, list[str]] = {}  # the data of those under the last message of each chat
        self.troubles: list[Exception] = []
        self.outbox: Outbox | None = None

    async def deliver(self, delivery: Delivery) -> None:
        assert self.outbox is not None
        if 0 in await self.outbox.sent(delivery.turn_id):
            return
        if self.troubles:
            raise self.troubles.pop(0)
        self.shown.append((delivery.conversation.chat_id, delivery.text))
        rows = delivery.buttons
        self.buttons[delivery.conversation.chat_id] = [button.data for row in rows for button in row]
        part = SentPart(0, str(len(self.shown)), text_hash(delivery.text), final=True)
        await self.outbox.note(delivery.turn_id, part, channel="push")

    def texts(self, chat: str) -> list[str]:
        return [text for where, text in self.shown if where == chat]


class House:
    """A running bot."""

    def __init__(
        self,
        store: Store,
        clock: ManualClock,
        model: ScriptedModel | None = None,
        *,
        settings: TurnSettings = SETTINGS,
        recall: Recaller | None = None,
        rules: Rules | None = None,
        rooms: RoomRules | None = None,
        limit: int = 8,
        talk: TalkSettings | None = None,
        summarizer: ScriptedModel | None = None,
        toolsets: Sequence[Toolset] = (),
        policy: PolicySettings | None = None,
        rounds: int = 4,
        skills: Skills | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.model = model or ScriptedModel()
        self.events = EventLog(store, clock)
        self.holder = Holder(store.path)
        self.outbox = Outbox(store, self.events, clock, self.holder)
        self.chat = Chat()
        self.chat.outbox = self.outbox
        self.outbox.register("push", self.chat)
        self.rooms = Rooms(rooms)
        known = store, self.events, clock, self.model, recall, self.outbox, settings
        hands = self._hands(toolsets, rules or Rules({}), policy or PolicySettings(), rounds)
        tools = Tools(*known, rooms=self.rooms, hands=hands, skills=skills)
        times = ModelReader(self.model, "chat")
        self.talk = None if talk is None else Talk(store, clock, talk, times)
        self.service = Service(tools, rules or Rules({}), self.holder, self.talk)
        self.sessions = Sessions(store, self.events, clock)
        reader = self.model if settings.learning == "model" else None
        learner = Learner(store, self.events, clock, reader)
        handlers: dict[RunKind, tuple[Handler, int]] = {
            "turn": (self.service.handle, limit),
            "delivery": (self.outbox.handle, limit),
            "learn": (learner.handle, 1),
        }
        if settings.compaction is not None:
            compactor = Compactor(store, self.events, clock, settings.compaction, summarizer)
            handlers["compact"] = (compactor.handle, 1)
        self.worker = Worker(store, self.events, clock, self.holder, handlers)
        self.service.employ(self.worker)
        firing = FiringRules(tasks.start, self.outbox.channels.keys(), woken=self.worker.wake)
        self.jobs = Jobs(store, clock, firing, JobSettings(), lambda: None)
        if self.talk is not None:
            self.talk.employ(self.jobs)

    def _hands(self, toolsets: Sequence[Toolset], rules: Rules, policy: PolicySettings, rounds: int) -> Hands:
        known = Redactor(["s3cr3t-value"])
        hands = Hands(self.store, self.events, self.clock, rules, policy, Limits(rounds))
        hands.employ(Gated(Combined(toolsets), Policy(policy), self.events, self.clock, known))
        return hands

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["House"]:
        task = asyncio.get_running_loop().create_task(self.worker.run())
        try:
            yield self
        finally:
            await self.worker.stop(0.0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await self.events.flush()
            self.holder.close()

    async def receive(self, said: str, **changes: Any) -> Received:
        return await self.service.receive(inbound(said, **changes))

    async def reply(self, received: Received) -> Reply:
        """The whole reply to a message that was received."""
        assert received.run_id is not None
        async with asyncio.timeout(BOUND_S):
            return await self.service.wait(received.run_id)

    async def ask(self, text: str, **changes: Any) -> str:
        """Say something and wait for the answer."""
        return (await self.reply(await self.receive(text, **changes))).text

    def said(self, conversation_id: str = "http:ann") -> list[tuple[str, str]]:
        """What is kept of a conversation, as (role, text), in the order it was written."""
        wanted = (
            select(messages.c.role, messages.c.text)
            .where(messages.c.conversation_id == conversation_id)
            .order_by(messages.c.id)
        )
        return [(row.role, row.text) for row in self.store.read_now(lambda conn: conn.execute(wanted).all())]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return [tuple(row) for row in self.store.read_now(lambda conn: conn.execute(text(query)).all())]

    def open_runs(self) -> list[str]:
        wanted = select(runs.c.id).where(runs.c.status.in_(["queued", "running"]))
        return list(self.store.read_now(lambda conn: conn.scalars(wanted).all()))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(BOUND_S):
            while not condition():  # noqa: ASYNC110 - what is looked at tells nobody when it changes
                await asyncio.sleep(0.002)

    async def until_troubles(self, left: int) -> None:
        await self.until(lambda: len(self.chat.troubles) == left)

    def prompt(self, number: int = -1) -> list[tuple[str, str]]:
        """What the model was asked, as (role, text)."""
        return [(message.role, message.text) for message in self.model.requests[number].messages]
