"""A person changes a message of theirs: there is one answer, and it is to the last text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, select, update

from bot.domain.conversation import Inbound
from bot.domain.ports import Clock
from bot.domain.run import Run, RunId
from bot.runs import queue
from bot.runs.states import ENDED
from bot.store.engine import Store
from bot.store.tables import conversations, deliveries, inbox, messages, runs
from bot.turn import gathering, summaries
from memory.store import forget_messages

# An edit that comes so soon after the answer is answered anew.
AFTER = timedelta(seconds=60)

# `same`: nothing was changed that is read. `waiting`: the new text will be answered. `working`: the
# answer that is being written is begun anew. `answered`: it was answered already, and is again. `late`:
# too long ago for another answer. `unknown`: the message was not taken in.
Fate = Literal["same", "waiting", "working", "answered", "late", "unknown"]


@dataclass(frozen=True, slots=True)
class Revision:
    """What came of an edit. `run` is set where this process is to answer now.

    `outdated` are the channel's ids of the messages with the answer to the old text.
    """

    fate: Fate
    run_id: RunId | None = None
    run: Run | None = None
    outdated: tuple[str, ...] = ()


class Editing:
    """Takes edits, and knows which turns of this process they come too late or just in time for."""

    def __init__(self, store: Store, clock: Clock, holder: str, stop: Callable[[RunId], bool]) -> None:
        """`stop` ends the answer that is being written to a turn."""
        self._store = store
        self._clock = clock
        self._holder = holder
        self._stop = stop
        self._edited: dict[RunId, Inbound | None] = {}  # of the turns under way

    @contextmanager
    def working(self, run_id: RunId) -> Iterator[None]:
        """A turn is under way in this process."""
        self._edited[run_id] = None
        try:
            yield
        finally:
            self._edited.pop(run_id, None)

    def take(self, run_id: RunId) -> Inbound | None:
        """The edit that came since the turn was read, once."""
        edited = self._edited.get(run_id)
        if edited is not None:
            self._edited[run_id] = None
        return edited

    async def opened(self, run: Run) -> Run:
        """A run as it stands now: its message may have grown or been changed since it was claimed."""
        if "pieces" not in run.payload:
            return run
        return replace(run, payload=await self._store.write(gathering.begin, run))

    async def revise(self, inbound: Inbound, *, again: bool = False) -> Revision:
        """Keep the new text; `again` for one that was kept but came too late for its turn."""
        now = self._clock.now()
        revision = await self._store.write(revise, inbound, now, self._holder, again)
        if revision.fate == "working" and revision.run_id in self._edited:
            self._edited[revision.run_id] = inbound
            self._stop(revision.run_id)
        return revision


def revise(conn: Connection, inbound: Inbound, now: datetime, holder: str, again: bool = False) -> Revision:
    """Put another text in the place of a message, and see that it is answered if that is due."""
    row = _turn_of(conn, inbound)
    if row is None:
        return Revision("unknown")
    if "pieces" not in row.payload:
        return Revision("late")
    payload = gathering.replaced(row.payload, inbound)
    if payload is None and not again:
        return Revision("same", RunId(row.id))
    payload = payload or dict(row.payload)
    conn.execute(update(runs).where(runs.c.id == row.id).values(payload=payload))
    gathering.rewrite_message(conn, row.id, payload)
    mine = select(messages.c.id).where(messages.c.run_id == row.id)
    summaries.drop_covering(conn, row.conversation_id, set(conn.scalars(mine)))
    if row.status == "queued":
        return Revision("waiting", RunId(row.id))
    if row.status not in ENDED:
        return Revision("working", RunId(row.id))
    ended_at = row.finished_at or now
    if row.status == "cancelled" or now - ended_at > AFTER or not is_latest(conn, row):
        return Revision("late", RunId(row.id))
    return anew(conn, row, payload, now, holder)


def _turn_of(conn: Connection, inbound: Inbound) -> Row[Any] | None:
    known = (inbox.c.channel == inbound.conversation.channel) & (inbox.c.external_id == inbound.external_id)
    run_id = conn.scalar(select(inbox.c.run_id).where(known))
    if run_id is None:
        return None
    return conn.execute(select(runs).where(runs.c.id == run_id).with_for_update()).one_or_none()


def is_latest(conn: Connection, row: Row[Any]) -> bool:
    """Whether nothing was said after the turn, and the conversation did not begin anew."""
    newest = conn.scalar(
        select(messages.c.run_id)
        .where(messages.c.conversation_id == row.conversation_id, messages.c.role == "user")
        .order_by(messages.c.id.desc())
        .limit(1)
    )
    session = conn.scalar(select(conversations.c.session).where(conversations.c.id == row.conversation_id))
    return bool(newest == row.id and session == row.payload["session"])


def anew(conn: Connection, row: Row[Any], payload: dict[str, Any], now: datetime, holder: str) -> Revision:
    """A new turn for the new text; the old answer is taken back."""
    run_id = queue.new_id("turn")
    mine = messages.c.run_id == row.id
    forget_messages(conn, row.conversation_id, list(conn.scalars(select(messages.c.id).where(mine))))
    conn.execute(delete(messages).where(mine, messages.c.role == "assistant"))
    conn.execute(update(messages).where(mine).values(run_id=run_id))
    conn.execute(update(inbox).where(inbox.c.run_id == row.id).values(run_id=run_id))
    under_way = select(runs.c.id).where(runs.c.kind == "delivery", runs.c.key == row.id)
    for delivery in conn.scalars(under_way).all():
        queue.cancel(conn, RunId(delivery), now)
    refs = conn.scalars(
        select(deliveries.c.message_ref).where(deliveries.c.turn_id == row.id).order_by(deliveries.c.part)
    )
    draft = queue.RunDraft(
        kind="turn", key=f"{row.key}~{run_id}", payload=payload, conversation_id=row.conversation_id
    )
    run = queue.enqueue(conn, draft, now, holder=holder, run_id=run_id)
    claimed = run if run is not None and run.status == "running" else None
    return Revision("answered", run_id, claimed, tuple(refs))
