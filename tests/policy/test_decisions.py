"""Decisions that several processes take at once about calls of one turn."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import Connection, Engine, insert, make_url, text

from bot.domain.conversation import SpeakerId
from bot.policy import approvals
from bot.policy.approvals import Decided, Decider
from bot.runs import queue
from bot.store.backends import PostgresBackend
from bot.store.tables import tool_calls
from tests.contracts.stores import postgres
from tests.fakes.clock import START
from tests.fakes.postgres import Postgres
from tests.runs.samples import ANN, add, draft, make_conversations

__all__ = ["postgres"]

LATER = START + timedelta(minutes=15)
WHO = Decider(SpeakerId("http:ann"), "owner")


@pytest.fixture
def engine(postgres: Postgres) -> Iterator[Engine]:
    made = PostgresBackend(make_url(postgres.emptied())).write_engine()
    yield made
    made.dispose()


def park_with_two_calls(conn: Connection) -> list[str]:
    """A turn that waits for two decisions; the questions."""
    make_conversations(conn)
    run = add(conn, draft("one", ANN), holder="here")
    for place, name in enumerate(("tc-one", "tc-two")):
        conn.execute(
            insert(tool_calls).values(
                id=name,
                run_id=run.id,
                conversation_id=ANN,
                person_id="http:ann",
                round=0,
                place=place,
                call_id=name,
                tool="send",
                arguments={},
                digest=name,
                status="pending_approval",
                expires_at=LATER,
                created_at=START,
                updated_at=START,
            )
        )
    queue.park(conn, run, LATER)
    return [one.id for one in approvals.pending(conn, START)]


def decide(conn: Connection, question: str) -> Decided:
    return approvals.decide(conn, question, "once", WHO, START)


async def test_of_two_decisions_at_once_the_later_one_lets_the_turn_go_on(engine: Engine) -> None:
    with engine.begin() as conn:
        one, two = park_with_two_calls(conn)

    def other() -> Decided:
        with engine.begin() as conn:
            return decide(conn, two)

    def waits_for_lock(watching: Connection) -> bool:
        wanted = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        return bool(watching.scalar(text(wanted)))

    with ThreadPoolExecutor(1) as pool, engine.connect() as watching:
        with engine.begin() as conn:
            first = decide(conn, one)
            second = pool.submit(other)
            while not second.done() and not waits_for_lock(watching):
                watching.rollback()
                await asyncio.sleep(0.01)
        results = [first.resumed, second.result().resumed]
    assert results == [False, True]
