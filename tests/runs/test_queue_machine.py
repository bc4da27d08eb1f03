"""Any order of steps over the queue: no run is ever held by two, and what has ended never changes."""

from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import create_engine, delete, select
from sqlalchemy.pool import StaticPool
from typing_extensions import override

from bot.domain.run import Run, RunStatus
from bot.errors import Conflict
from bot.runs import queue
from bot.runs.states import ENDED, allows
from bot.store import sqlite
from bot.store.tables import metadata, runs
from tests.fakes.clock import START
from tests.runs.samples import ANN, BEN, draft, make_conversations

HOLDERS = st.sampled_from(["one", "two", "three"])
CONVERSATIONS = st.sampled_from([None, ANN, BEN])
ENDS = st.sampled_from(sorted(ENDED))

_engine = create_engine(
    "sqlite://",
    creator=lambda: sqlite.connect(":memory:"),
    module=sqlite.driver().module,
    poolclass=StaticPool,
)
metadata.create_all(_engine)


class Queue(RuleBasedStateMachine):
    """Three processes that may die, sleep, and come back with what they once held."""

    def __init__(self) -> None:
        super().__init__()
        self.conn = _engine.connect()
        self.conn.execute(delete(runs))
        self.conn.exec_driver_sql("DELETE FROM conversations")
        make_conversations(self.conn)
        self.now = START
        self.count = 0
        self.tickets: list[tuple[str, Run]] = []  # everything any holder ever got
        self.ended: dict[str, Any] = {}
        self.before: dict[str, RunStatus] = {}

    @override
    def teardown(self) -> None:
        self.conn.rollback()
        self.conn.close()

    @rule(seconds=st.sampled_from([1, 10, 29, 31]))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(where=CONVERSATIONS, holder=st.none() | HOLDERS, wait=st.sampled_from([0, 5]))
    def enqueue(self, where: Any, holder: str | None, wait: int) -> None:
        self.count += 1
        wanted = draft(f"{self.count}", where, available_at=self.now + timedelta(seconds=wait))
        run = queue.enqueue(self.conn, wanted, self.now, holder=holder)
        assert run is not None
        if run.status == "running":
            assert holder is not None
            self.tickets.append((holder, run))

    @rule(holder=HOLDERS, limit=st.integers(1, 3))
    def claim(self, holder: str, limit: int) -> None:
        for run in queue.claim(self.conn, ["turn"], holder, self.now, limit=limit):
            self.tickets.append((holder, run))

    @rule(holder=HOLDERS)
    def renew(self, holder: str) -> None:
        queue.renew(self.conn, holder, self.now)

    @rule(dead=st.lists(HOLDERS, unique=True))
    def recover(self, dead: list[str]) -> None:
        queue.recover(self.conn, dead, self.now)

    @rule(data=st.data(), status=ENDS)
    def end(self, data: st.DataObject, status: RunStatus) -> None:
        self._write(data, lambda run: queue.end(self.conn, run, status, self.now, result={"t": run.token}))

    @rule(data=st.data(), wait=st.sampled_from([0, 7]))
    def hand_back(self, data: st.DataObject, wait: int) -> None:
        later = self.now + timedelta(seconds=wait)
        self._write(data, lambda run: queue.hand_back(self.conn, run, later, failed=True))

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        if self.tickets:
            _, run = data.draw(st.sampled_from(self.tickets))
            queue.cancel(self.conn, run.id, self.now)

    def _write(self, data: st.DataObject, write: Any) -> None:
        """A holder writes for a run it once got: it counts only with the newest ticket, while it runs."""
        if not self.tickets:
            return
        _, run = data.draw(st.sampled_from(self.tickets))
        now = queue.find(self.conn, run.id)
        assert now is not None
        is_holder = now.status == "running" and now.token == run.token
        try:
            write(run)
        except Conflict:
            assert not is_holder
        else:
            assert is_holder

    @invariant()
    def each_claim_got_a_token_of_its_own(self) -> None:
        tokens = [(run.id, run.token) for _, run in self.tickets]
        assert len(set(tokens)) == len(tokens)

    @invariant()
    def a_conversation_is_in_one_process_at_a_time(self) -> None:
        held = self.conn.execute(
            select(runs.c.conversation_id, runs.c.holder).where(
                runs.c.status == "running", runs.c.conversation_id.is_not(None)
            )
        ).all()
        by_conversation: dict[str, set[str]] = {}
        for row in held:
            by_conversation.setdefault(row.conversation_id, set()).add(row.holder)
        assert all(len(holders) == 1 for holders in by_conversation.values())

    @invariant()
    def every_step_is_allowed_and_an_end_is_an_end(self) -> None:
        for row in self.conn.execute(select(runs)).all():
            before = self.before.get(row.id, "queued")
            # A rule may be several steps of the table: claimed as it is made, for instance.
            assert row.status == before or allows(before, row.status)
            self.before[row.id] = row.status
            assert (row.status == "running") == (row.holder is not None) == (row.lease_until is not None)
            if row.status in ENDED:
                assert self.ended.setdefault(row.id, row) == row


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
