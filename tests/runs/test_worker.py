"""The worker: each run ends, waits or goes back; lanes keep their order; nothing is held for ever."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, select
from structlog.testing import capture_logs

from bot.domain.run import Run, RunId
from bot.errors import Conflict, Unavailable
from bot.events.log import EventLog
from bot.runs import queue
from bot.runs import worker as working
from bot.runs.holder import Holder
from bot.runs.worker import Done, Ended, Later, Outcome, Worker
from bot.store import tables
from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.runs.samples import ANN, BEN, add, draft, make_conversations, statuses

BOUND_S = 30.0


class Office:
    """One process: a worker whose handler does what a test says, and what it did."""

    def __init__(self, store: Store, clock: ManualClock, limit: int = 4) -> None:
        self.store = store
        self.clock = clock
        self.holder = Holder(store.path)
        self.events = EventLog(store, clock)
        self.began: list[str] = []
        self.ended: list[str] = []
        self.active = 0
        self.most_active = 0
        self.doors: dict[str, asyncio.Event] = {}
        self.outcomes: dict[str, Callable[[Run], Outcome]] = {}
        self.worker = Worker(
            store,
            self.events,
            clock,
            self.holder,
            {"turn": (self.handle, limit), "delivery": (self.handle, 2)},
        )
        self._task: asyncio.Task[None] | None = None

    async def handle(self, run: Run) -> Outcome:
        self.began.append(run.key)
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            if door := self.doors.get(run.key):
                await door.wait()
            outcome = self.outcomes.get(run.key)
            return Done() if outcome is None else outcome(run)
        finally:
            self.active -= 1
            self.ended.append(run.key)

    def lock(self, *keys: str) -> None:
        """Let the runs with these keys wait in the middle until `open`."""
        self.doors.update({key: asyncio.Event() for key in keys})

    def open(self, *keys: str) -> None:
        for key in keys:
            self.doors[key].set()

    def accept(self, key: str, conversation_id: Any = None, **payload: Any) -> Run:
        """What a door does: claim in the accepting transaction, then submit."""
        wanted = draft(key, conversation_id, **payload)
        run = self.store.write_now(add, wanted, self.clock.now(), holder=self.holder.id)
        if run.status == "running":
            self.worker.submit(run)
        return run

    def taken_by(self, other: str, count: int = 1) -> None:
        """Let another process take this one for dead, and its runs: at once, or this one takes them again."""

        def take(conn: Connection) -> None:
            queue.recover(conn, [self.holder.id], self.clock.now())
            for _ in range(count):
                queue.claim(conn, ["turn"], other, self.clock.now(), limit=1)

        self.store.write_now(take)

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self.worker.run())

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(BOUND_S):
            while not condition():  # noqa: ASYNC110 - what is looked at tells nobody when it changes
                await asyncio.sleep(0.002)

    async def until_status(self, key: str, status: str) -> None:
        await self.until(lambda: self.store.read_now(statuses).get(key) == status)

    async def until_failed(self, run: Run, times: int) -> None:
        await self.until(lambda: self.store.read_now(queue.failures, run.id) == times)

    async def beats(self, count: int = 1) -> None:
        """Let the worker's heart beat; each time, wait until it sleeps again."""
        for _ in range(count):
            await self.until(lambda: self.clock.sleepers > 0)
            await self.clock.advance(working.BEAT_S)
        await self.until(lambda: self.clock.sleepers > 0)

    async def aclose(self, grace_s: float = 0.0) -> None:
        if self._task is not None:
            await self.worker.stop(grace_s)
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self.holder.close()


@pytest.fixture
async def office(store: Store, clock: ManualClock) -> AsyncIterator[Office]:
    store.write_now(make_conversations)
    opened = Office(store, clock)
    yield opened
    await opened.aclose()


async def test_what_was_queued_before_the_start_is_done(office: Office) -> None:
    office.store.write_now(add, draft("waiting"))
    office.start()
    await office.until_status("waiting", "completed")


async def test_what_is_submitted_is_done_and_its_result_kept(office: Office) -> None:
    office.start()
    office.outcomes["a"] = lambda _: Done({"answer": 42})
    run = office.accept("a")
    await office.until_status("a", "completed")
    found = office.store.read_now(queue.find, run.id)
    assert found is not None and found.result == {"answer": 42}


async def test_a_run_that_is_queued_later_is_found_when_the_worker_is_woken(office: Office) -> None:
    office.start()
    await office.until(lambda: office.clock.sleepers > 0)
    office.store.write_now(add, draft("late"))
    office.worker.wake()
    await office.until_status("late", "completed")


@pytest.mark.pain("P054")
async def test_the_runs_of_one_conversation_happen_one_after_the_other_in_order(office: Office) -> None:
    office.lock("ann 1")
    office.start()
    for key in ("ann 1", "ann 2", "ann 3"):
        office.accept(key, ANN)
    await office.until(lambda: office.began == ["ann 1"])
    office.open("ann 1")
    await office.until_status("ann 3", "completed")
    assert office.began == ["ann 1", "ann 2", "ann 3"]
    assert office.most_active == 1


@pytest.mark.pain("P047")
async def test_conversations_do_not_wait_for_each_other(office: Office) -> None:
    office.lock("ann 1")
    office.start()
    office.accept("ann 1", ANN)
    office.accept("ben 1", BEN)
    await office.until_status("ben 1", "completed")
    assert office.store.read_now(statuses)["ann 1"] == "running"
    office.open("ann 1")


async def test_a_control_run_does_not_wait_for_its_conversation(office: Office) -> None:
    office.lock("ann 1")
    office.start()
    office.accept("ann 1", ANN)
    office.accept("stop", ANN, control=True)
    await office.until_status("stop", "completed")
    office.open("ann 1")


async def test_no_more_work_at_once_than_allowed_and_all_of_it_is_done(office: Office) -> None:
    office.start()
    for number in range(20):
        office.accept(f"{number}")
    await office.until(lambda: set(office.store.read_now(statuses).values()) == {"completed"})
    assert office.most_active <= 4


async def test_a_run_that_must_wait_is_done_when_its_time_has_come_and_nobody_failed(office: Office) -> None:
    office.outcomes["a"] = lambda run: Later(30.0, "asked to wait") if run.attempt == 1 else Done()
    office.start()
    run = office.accept("a")
    await office.until_status("a", "queued")
    office.worker.wake()
    await asyncio.sleep(0)
    assert office.began == ["a"]
    await office.clock.advance(30)
    office.worker.wake()
    await office.until_status("a", "completed")
    assert office.store.read_now(queue.failures, run.id) == 0


async def test_a_handler_that_fails_is_tried_again_with_growing_pauses_and_then_given_up(
    office: Office,
) -> None:
    def fail(run: Run) -> Outcome:
        raise ZeroDivisionError

    office.outcomes["a"] = fail
    office.start()
    run = office.accept("a")
    pauses = []
    for failed in range(1, working.MAX_FAILURES):
        await office.until_failed(run, failed)
        due = office.store.read_now(lambda conn: conn.scalar(select(tables.runs.c.available_at)))
        assert due is not None
        pause = (due - office.clock.now()).total_seconds()
        pauses.append(pause)
        office.clock.set_forward(pause)
        office.worker.wake()
    await office.until_status("a", "failed")
    assert pauses == [1, 2, 4, 8, 16]
    assert len(office.began) == working.MAX_FAILURES


async def test_what_is_only_unavailable_is_never_given_up(office: Office) -> None:
    def unavailable(run: Run) -> Outcome:
        if run.attempt <= 2 * working.MAX_FAILURES:
            raise Unavailable("the channel is down")
        return Done()

    office.outcomes["a"] = unavailable
    office.start()
    run = office.accept("a")
    for failed in range(1, 2 * working.MAX_FAILURES + 1):
        await office.until_failed(run, failed)
        office.clock.set_forward(300)
        office.worker.wake()
    await office.until_status("a", "completed")


async def test_an_unavailable_that_says_when_is_asked_again_then(office: Office) -> None:
    def flooded(run: Run) -> Outcome:
        raise Unavailable("slow down", retry_after_s=7.0)

    office.outcomes["a"] = flooded
    office.start()
    office.accept("a")
    await office.until_status("a", "queued")
    due = office.store.read_now(lambda conn: conn.scalar(select(tables.runs.c.available_at)))
    assert due == office.clock.now() + timedelta(seconds=7)


async def test_a_handler_that_ended_its_run_itself_is_believed(office: Office) -> None:
    def end(run: Run) -> Outcome:
        office.store.write_now(queue.end, run, "failed", office.clock.now(), result={"sorry": True})
        return Ended("failed", "timeout")

    office.outcomes["a"] = end
    office.start()
    office.accept("a")
    await office.until_status("a", "failed")
    await office.until(lambda: not office.worker.in_flight("turn"))
    types = [event.type for _, event in office.events.take()]
    assert types == ["run.started", "run.failed"]


@pytest.mark.parametrize("notices", [True, False])
async def test_a_handler_that_lost_its_run_leaves_it_to_the_new_holder(office: Office, notices: bool) -> None:
    def lose(run: Run) -> Outcome:
        office.taken_by("another")
        if notices:
            raise Conflict("taken")
        return Done()

    office.outcomes["a"] = lose
    with capture_logs() as logged:
        office.start()
        office.accept("a")
        await office.until(lambda: office.ended == ["a"] and not office.worker.in_flight("turn"))
    assert office.store.read_now(queue.holders) == {"another"}
    # A beat may have noticed before the handler was done, and then there is nothing to say.
    assert {entry["event"] for entry in logged} <= {"run.fenced"}


async def test_work_that_was_taken_away_is_cancelled_at_the_next_beat(office: Office) -> None:
    office.lock("ann 1")
    office.start()
    office.accept("ann 1", ANN)
    office.accept("ann 2", ANN)  # waits in the lane
    await office.until(lambda: office.began == ["ann 1"])
    other = Holder(office.store.path)
    office.taken_by(other.id, count=2)
    await office.beats()
    await office.until(lambda: not office.worker.in_flight("turn"))
    assert office.began == ["ann 1"], "what waited was not begun"
    assert office.store.read_now(queue.holders) == {other.id}
    other.close()


async def test_work_whose_conversation_was_deleted_is_cancelled(office: Office) -> None:
    office.lock("ann 1")
    office.start()
    office.accept("ann 1", ANN)
    await office.until(lambda: office.began == ["ann 1"])
    office.store.write_now(lambda conn: conn.execute(tables.conversations.delete()).rowcount)
    await office.beats()
    await office.until(lambda: office.ended == ["ann 1"])


async def test_a_beat_disturbs_neither_what_runs_nor_what_just_came_or_ended(office: Office) -> None:
    office.lock("long")
    office.start()
    run = office.accept("long")
    await office.until(lambda: office.began == ["long"])
    for beat in range(6):
        accepted = [office.accept(f"{beat} {n}") for n in range(5)]
        await office.beats()
        assert all(item.status == "running" for item in accepted)
    office.open("long")
    await office.until(lambda: set(office.store.read_now(statuses).values()) == {"completed"})
    assert sorted(office.began) == sorted(office.ended)
    assert len(office.began) == 31, "each was done once"
    assert run.attempt == 1


async def test_the_lease_of_long_work_is_prolonged(office: Office) -> None:
    office.lock("long")
    office.start()
    office.accept("long")
    await office.until(lambda: office.began == ["long"])
    await office.beats(6)  # twice as long as a lease
    office.open("long")
    await office.until_status("long", "completed")
    assert office.began == ["long"]


async def test_a_run_that_was_claimed_and_never_submitted_is_taken_up_after_two_beats(
    office: Office,
) -> None:
    office.start()
    office.store.write_now(add, draft("stray"), office.clock.now(), holder=office.holder.id)
    await office.beats(2)
    await office.until_status("stray", "completed")


async def test_the_worker_survives_a_store_that_fails_for_a_while(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy, broken = Store.write, asyncio.Event()

    async def write(self: Store, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if fn in {queue.claim, queue.renew}:
            broken.set()
            raise Unavailable("the disk is full")
        return await healthy(self, fn, *args, **kwargs)

    office.start()
    await office.until(lambda: office.clock.sleepers > 0)
    monkeypatch.setattr(Store, "write", write)
    office.store.write_now(add, draft("a"))
    office.worker.wake()
    await asyncio.wait_for(broken.wait(), BOUND_S)
    await office.beats()
    monkeypatch.undo()
    office.worker.wake()
    await office.until_status("a", "completed")


async def test_an_end_that_could_not_be_written_is_made_up_for(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    healthy = Store.write

    async def write(self: Store, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if fn in {queue.end, queue.hand_back}:
            raise Unavailable("the disk is full")
        return await healthy(self, fn, *args, **kwargs)

    office.start()
    await office.until(lambda: office.clock.sleepers > 0)
    monkeypatch.setattr(Store, "write", write)
    office.accept("a")
    await office.until(lambda: office.ended == ["a"] and not office.worker.in_flight("turn"))
    monkeypatch.undo()
    await office.beats(2)
    await office.until_status("a", "completed")


async def test_stopping_lets_short_work_finish_and_hands_long_work_over(
    office: Office, store: Store, clock: ManualClock
) -> None:
    office.lock("short", "long", "ann 1")
    office.start()
    for key in ("short", "long"):
        office.accept(key)
    office.accept("ann 1", ANN)
    clock.set_forward(1)
    office.accept("ann 2", ANN)
    await office.until(lambda: len(office.began) == 3)
    stopping = asyncio.ensure_future(office.worker.stop(0.2))
    office.open("short")
    await stopping
    found = store.read_now(statuses)
    assert found["short"] == "completed"
    assert {found["long"], found["ann 1"], found["ann 2"]} == {"queued"}
    assert office.active == 0

    async with contextlib.aclosing(Office(store, clock)) as heir:
        heir.start()
        await heir.until(lambda: set(store.read_now(statuses).values()) == {"completed"})
        assert heir.began.index("ann 1") < heir.began.index("ann 2")


async def test_stopping_with_nothing_to_do_does_not_wait(office: Office) -> None:
    office.start()
    await office.until(lambda: office.clock.sleepers > 0)
    await asyncio.wait_for(office.worker.stop(60), BOUND_S)


async def test_a_worker_that_stops_takes_nothing_new(office: Office, store: Store) -> None:
    office.start()
    await office.until(lambda: office.clock.sleepers > 0)
    await office.worker.stop(0)
    store.write_now(add, draft("late"))
    office.worker.wake()
    for _ in range(5):
        await asyncio.sleep(0)
    assert office.began == []


@pytest.mark.pain("11")
async def test_what_a_dead_process_held_is_taken_up_at_the_start(
    sqlite_store: Store, clock: ManualClock
) -> None:
    sqlite_store.write_now(make_conversations)
    dead = Holder(sqlite_store.path)
    sqlite_store.write_now(add, draft("orphan", ANN), clock.now(), holder=dead.id)
    dead.close()
    office = Office(sqlite_store, clock)
    office.start()
    await office.until_status("orphan", "completed")
    await office.aclose()


async def test_what_a_living_process_holds_is_left_to_it(sqlite_store: Store, clock: ManualClock) -> None:
    other = Holder(sqlite_store.path)
    sqlite_store.write_now(add, draft("theirs"), clock.now(), holder=other.id)
    office = Office(sqlite_store, clock)
    office.start()
    await office.until(lambda: clock.sleepers > 0)
    assert office.began == []
    other.close()
    await office.beats()
    await office.until_status("theirs", "completed")
    await office.aclose()


async def test_without_a_sign_of_life_the_lease_decides(office: Office) -> None:
    other = "a process on another machine"
    office.store.write_now(add, draft("theirs"), office.clock.now(), holder=other)
    office.holder.is_dead = lambda holder_id: False  # type: ignore[method-assign]
    office.start()
    await office.beats(3)
    assert office.began == []
    await office.beats(1)
    await office.until_status("theirs", "completed")


def test_a_lane_is_a_kind_of_work_in_one_conversation() -> None:
    def run(key: str, **values: Any) -> str:
        made = Run(
            id=RunId(key),
            kind=values.get("kind", "turn"),
            key=key,
            conversation_id=values.get("where"),
            payload=values.get("payload", {}),
            status="running",
            token=1,
            attempt=1,
            created_at=ManualClock().now(),
        )
        return working.lane_of(made)

    assert run("1", where=ANN) == run("2", where=ANN)
    assert run("1", where=ANN) != run("2", where=BEN)
    assert run("1", where=ANN) != run("2", where=ANN, kind="delivery")
    assert run("1") != run("2")
    assert run("1", where=ANN, payload={"control": True}) != run("2", where=ANN)
