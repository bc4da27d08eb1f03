"""The event log: append now, keep with the next transaction, read per run in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, exists, insert, or_, select

from bot.domain.ports import Clock
from bot.events.types import Event
from bot.store.engine import Store
from bot.store.tables import conversations, events

log = structlog.get_logger(__name__)

Subscriber = Callable[[Event], None]

FLUSH_EVERY_S = 0.5

_COLUMNS = ("type", "run_id", "conversation_id", "person_id", "at", "payload")
_NEW = {name: bindparam(name, type_=events.c[name].type) for name in _COLUMNS}
_ADD = insert(events).from_select(
    _COLUMNS,
    select(*_NEW.values()).where(
        or_(
            _NEW["conversation_id"].is_(None),
            exists(select(conversations.c.id).where(conversations.c.id == _NEW["conversation_id"])),
        )
    ),
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it was kept."""

    seq: int
    type: str
    run_id: str | None
    at: datetime
    payload: dict[str, Any]


class EventLog:
    """Records what happens in this process.

    `record` costs no I/O: events wait for the next transaction that takes them (the end of a turn)
    or for the flusher. Subscribers (metrics, traces, live views) hear at once; one that fails is
    logged and does not disturb the work it watches.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._pending: list[tuple[datetime, Event]] = []
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def record(self, event: Event) -> None:
        self._pending.append((self._clock.now(), event))
        for subscriber in self._subscribers:
            try:
                subscriber(event)
            except Exception:
                log.exception("events.subscriber_failed", event_type=event.type)

    def take(self) -> list[tuple[datetime, Event]]:
        """The waiting events, for a transaction that keeps them; `give_back` if it failed."""
        taken, self._pending = self._pending, []
        return taken

    def give_back(self, taken: list[tuple[datetime, Event]]) -> None:
        self._pending = taken + self._pending

    async def flush(self) -> None:
        """Keep the waiting events now."""
        taken = self.take()
        if not taken:
            return
        try:
            await self._store.write(append, taken)
        except Exception:  # not when cancelled: the transaction is done all the same
            self.give_back(taken)
            raise

    async def run(self) -> None:
        """Flush now and then, for ever; owned by the application."""
        while True:
            await self._clock.sleep(FLUSH_EVERY_S)
            try:
                await self.flush()
            except Exception:
                log.exception("events.flush_failed", waiting=len(self._pending))


def append(conn: Connection, taken: Sequence[tuple[datetime, Event]]) -> None:
    """Keep events, in order. One of a conversation that was deleted meanwhile is dropped with it."""
    if taken:
        conn.execute(
            _ADD,
            [
                {
                    "type": event.type,
                    "run_id": event.run_id,
                    "conversation_id": event.conversation_id,
                    "person_id": event.person_id,
                    "at": at,
                    "payload": event.payload(),
                }
                for at, event in taken
            ],
        )


def of_run(conn: Connection, run_id: str) -> list[Recorded]:
    """The events of one run, in the order they happened."""
    found = conn.execute(select(events).where(events.c.run_id == run_id).order_by(events.c.seq))
    return [Recorded(row.seq, row.type, row.run_id, row.at, row.payload) for row in found]
