"""A person's rights over what is remembered of them, for doors that know a session and not a command."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from bot.domain.conversation import ConversationId, ConversationKind, SpeakerId
from bot.domain.ports import Clock
from bot.errors import InputError, NotFound
from bot.events.log import EventLog
from bot.events.types import MemoryDeleted, MemoryExported, MemoryRead, MemoryUpdated
from bot.store.engine import Store
from bot.store.tables import conversations, memories
from bot.tools.shelf import Shelf
from bot.turn import forgetting
from bot.turn.forgetting import Selection
from bot.turn.work import Recaller
from memory import own
from memory.facts import correct
from memory.own import Whose
from memory.people import is_paused, pause
from memory.record import Memory, MemoryId, RecallQuery, readable
from memory.store import columns, exported, selected

NOWHERE = ConversationId("")


@dataclass(frozen=True, slots=True)
class Kept:
    """Memories of a person, and whether they paused."""

    memories: tuple[Memory, ...]
    paused: bool = False


@dataclass(frozen=True, slots=True)
class OfPerson:
    """All that is a person's own, wherever they said it: what a page of theirs shows."""

    id: SpeakerId


Where = ConversationId | OfPerson


@dataclass(frozen=True, slots=True)
class _Session:
    """Whose a session is, and what may be told in it."""

    whose: Whose
    kind: ConversationKind
    id: ConversationId | None


class Rights:
    """What may be asked in a session, or by a person on their own. `NotFound` where there is no such
    session, or memory of it."""

    def __init__(
        self,
        store: Store,
        events: EventLog,
        clock: Clock,
        recall: Recaller | None,
        shelf: Shelf | None = None,
    ) -> None:
        """`shelf` holds what tools brought."""
        self._shelf = shelf
        self._store = store
        self._events = events
        self._clock = clock
        self._recall = recall

    async def page(self, where: Where, *, limit: int, before: int | None = None, facts: bool = False) -> Kept:
        """What is kept, newest first; `facts`: only the facts that hold."""
        session = await self._session(where)
        if facts:
            now = self._clock.now()
            found = await self._store.read(own.facts, session.whose, limit=limit, before=before, now=now)
        else:
            found = await self._store.read(own.page, session.whose, limit=limit, before=before)
        return await self._kept(session, found)

    async def search(self, where: Where, query: str, *, limit: int) -> Kept:
        """What belongs to a question, the best first: what recall finds, else what holds its words."""
        session = await self._session(where)
        whose = session.whose
        ids: list[MemoryId] = []
        if self._recall is not None:
            scopes = readable(session.kind, whose.person_id, session.id or NOWHERE)
            hits = await self._recall.recall(RecallQuery(query, scopes, self._clock.now(), limit=limit))
            ids = [hit.id for hit in hits]
        mine = {memory.id: memory for memory in await self._store.read(own.of_ids, whose, ids)}
        found = [mine[key] for key in ids if key in mine]
        for memory in await self._store.read(own.matching, whose, own.Phrase(query)):
            if memory.id not in mine and len(found) < limit:
                found.append(memory)
        return await self._kept(session, found)

    async def export(self, where: Where) -> list[Mapping[str, Any]]:
        """Everything of theirs, oldest first, fit for JSON."""
        session = await self._session(where)

        def read(conn: Connection) -> list[Mapping[str, Any]]:
            wanted = columns().where(session.whose.condition()).order_by(memories.c.at, memories.c.id)
            return [exported(memory) for memory in selected(conn, wanted)]

        records = await self._store.read(read)
        self._events.record(MemoryExported(conversation_id=session.id, count=len(records)))
        return records

    async def pause(self, where: Where, *, paused: bool) -> None:
        """Remember nothing new of the person, or do so again."""
        session = await self._session(where)
        await self._store.write(pause, session.whose.person_id, self._clock.now(), paused=paused)
        self._events.record(MemoryUpdated(conversation_id=session.id, paused=paused))

    async def correct(self, where: Where, number: int, text: str) -> Memory:
        """Put another text in the place of a memory; `InputError` where it may not be kept."""
        session = await self._session(where)
        found = await self._store.read(own.of_ids, session.whose, [MemoryId(number)])
        if not found:
            raise NotFound("there is no such memory")
        new = await self._store.write(correct, found[0], text, self._clock.now())
        if new is None:
            raise InputError("that may not be kept: it looks like a secret", field="text")
        self._events.record(MemoryUpdated(conversation_id=session.id, count=1))
        (memory,) = await self._store.read(own.of_ids, session.whose, [new])
        return memory

    async def forget(self, where: Where | None, number: int, channel: str) -> None:
        """Forget one memory for good, with its message and the answer.

        Without a session it is that of whoever in this channel it belongs to.
        """
        whose = await (self._store.read(_owner_in, number, channel) if where is None else self._whose(where))
        if whose is None or not await self._store.read(own.of_ids, whose, [MemoryId(number)]):
            raise NotFound("there is no such memory")
        selection, now = Selection((number,)), self._clock.now()
        gone = await forgetting.forget_for_good(self._store, self._shelf, whose, selection, now)
        told = MemoryDeleted(memories=gone.memories, messages=gone.messages, everything=False)
        self._events.record(told)

    async def _whose(self, where: Where) -> Whose:
        return (await self._session(where)).whose

    async def _session(self, where: Where) -> _Session:
        if isinstance(where, OfPerson):
            return _Session(Whose(where.id), "private", None)
        session = await self._store.read(_read_session, where)
        if session is None:
            raise NotFound("there is no such session")
        return session

    async def _kept(self, session: _Session, found: list[Memory]) -> Kept:
        paused = await self._store.read(is_paused, session.whose.person_id)
        self._events.record(MemoryRead(conversation_id=session.id, hits=len(found), mode="own", ms=0.0))
        return Kept(tuple(found), paused)


def _read_session(conn: Connection, where: ConversationId) -> _Session | None:
    wanted = select(conversations.c.person_id, conversations.c.kind).where(conversations.c.id == where)
    row = conn.execute(wanted).one_or_none()
    if row is None or row.person_id is None:
        return None
    # Of a session that several share it is what the one who began it said there.
    return _Session(Whose.asking(row.kind, SpeakerId(row.person_id), where), row.kind, where)


def _owner_in(conn: Connection, number: int, channel: str) -> Whose | None:
    owner = conn.scalar(select(memories.c.person_id).where(memories.c.id == number))
    mine = owner is not None and str(owner).startswith(f"{channel}:")
    return Whose(SpeakerId(owner)) if mine and owner is not None else None
