"""Small things the tests of the queue are made of."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from bot.domain.conversation import ConversationId
from bot.domain.run import Run, RunKind
from bot.runs import queue
from bot.store.tables import conversations, runs
from tests.fakes.clock import START

ANN = ConversationId("http:ann")
BEN = ConversationId("http:ben")


def make_conversations(conn: Connection) -> None:
    for name in ("ann", "ben"):
        conn.execute(
            insert(conversations).values(
                id=f"http:{name}",
                channel="http",
                chat_id=name,
                kind="private",
                created_at=START,
                updated_at=START,
            )
        )


def draft(
    key: str,
    conversation_id: ConversationId | None = None,
    *,
    kind: RunKind = "turn",
    available_at: datetime | None = None,
    **payload: Any,
) -> queue.RunDraft:
    return queue.RunDraft(
        kind=kind,
        key=key,
        payload=payload,
        conversation_id=conversation_id,
        available_at=available_at,
    )


def add(conn: Connection, wanted: queue.RunDraft, now: datetime = START, holder: str | None = None) -> Run:
    run = queue.enqueue(conn, wanted, now, holder=holder)
    assert run is not None
    return run


def statuses(conn: Connection) -> dict[str, str]:
    """Each run's status, by key."""
    return {row.key: row.status for row in conn.execute(select(runs.c.key, runs.c.status))}
