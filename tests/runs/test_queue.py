"""The contract of the queue, on each database."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from bot.domain.run import Run, RunStatus
from bot.errors import Conflict
from bot.runs import queue
from bot.runs.states import ENDED, TRANSITIONS, allows
from bot.store.engine import Store
from tests.fakes.clock import START
from tests.runs.samples import ANN, BEN, add, draft, make_conversations, statuses


@pytest.fixture(autouse=True)
def two_conversations(store: Store) -> None:
    store.write_now(make_conversations)


def claim(store: Store, holder: str = "one", *, at: float = 0, limit: int = 10) -> list[str]:
    taken = store.write_now(
        queue.claim, ["turn", "delivery"], holder, START + timedelta(seconds=at), limit=limit
    )
    return [run.key for run in taken]


def take(store: Store, holder: str = "one") -> Run:
    (run,) = store.write_now(queue.claim, ["turn"], holder, START, limit=1)
    return run


def test_the_same_wish_twice_is_one_run(store: Store) -> None:
    store.write_now(add, draft("a"))
    assert store.write_now(queue.enqueue, draft("a"), START) is None
    assert store.write_now(queue.enqueue, draft("a", kind="delivery"), START) is not None


async def test_the_same_wish_many_times_at_once_is_one_run(store: Store) -> None:
    wishes = (store.write(queue.enqueue, draft("a"), START) for _ in range(8))
    made = await asyncio.gather(*wishes)
    assert len([run for run in made if run is not None]) == 1


def test_runs_are_claimed_oldest_first_and_each_once(store: Store) -> None:
    for number in (3, 1, 2):
        store.write_now(add, draft(f"{number}"), START + timedelta(seconds=number))
    assert claim(store, at=10, limit=2) == ["1", "2"]
    assert claim(store, "two", at=10) == ["3"]
    assert claim(store, at=10) == []


def test_a_run_for_later_is_not_due_before_its_time(store: Store) -> None:
    store.write_now(add, draft("later", available_at=START + timedelta(seconds=5)))
    assert not store.read_now(queue.is_due, ["turn"], START + timedelta(seconds=4))
    assert claim(store, at=4) == []
    assert store.read_now(queue.is_due, ["turn"], START + timedelta(seconds=5))
    assert claim(store, at=5) == ["later"]


def test_only_the_wanted_kinds_are_claimed(store: Store) -> None:
    store.write_now(add, draft("learn", kind="learn"))
    assert claim(store) == []
    assert not store.read_now(queue.is_due, ["turn"], START)


async def test_many_claimers_never_get_the_same_run(store: Store) -> None:
    for number in range(20):
        store.write_now(add, draft(f"{number:02}"))
    claims = (store.write(queue.claim, ["turn"], f"holder {n}", START, limit=7) for n in range(6))
    taken = [run.key for runs in await asyncio.gather(*claims) for run in runs]
    taken += claim(store)
    assert sorted(taken) == [f"{number:02}" for number in range(20)]


def test_a_conversation_is_worked_on_by_one_holder_at_a_time(store: Store) -> None:
    store.write_now(add, draft("ann 1", ANN), START)
    store.write_now(add, draft("ann 2", ANN), START + timedelta(seconds=1))
    store.write_now(add, draft("ben 1", BEN), START + timedelta(seconds=2))
    assert claim(store, "one", at=5) == ["ann 1", "ben 1"]
    assert claim(store, "two", at=5) == []
    assert claim(store, "one", at=5) == ["ann 2"]  # its lane keeps the order


def test_a_delivery_does_not_wait_for_the_turns_of_its_conversation(store: Store) -> None:
    store.write_now(add, draft("ann 1", ANN))
    store.write_now(add, draft("ann 1", ANN, kind="delivery"), START + timedelta(seconds=1))
    assert claim(store, at=5) == ["ann 1", "ann 1"]


def test_a_run_that_waits_for_its_time_keeps_its_place_in_the_conversation(store: Store) -> None:
    store.write_now(add, draft("first", ANN, available_at=START + timedelta(minutes=1)))
    store.write_now(add, draft("second", ANN), START + timedelta(seconds=1))
    assert claim(store, at=5) == []
    assert claim(store, at=61) == ["first"]
    assert claim(store, at=61) == ["second"]


def test_a_run_is_claimed_as_it_is_made_unless_others_come_before_it(store: Store) -> None:
    assert store.write_now(add, draft("1", ANN), holder="one").status == "running"
    assert store.write_now(add, draft("2", ANN), holder="one").status == "running"
    assert store.write_now(add, draft("3", ANN), holder="two").status == "queued"
    assert store.write_now(add, draft("4", ANN), holder="one").status == "queued"
    assert store.write_now(add, draft("5", BEN), holder="two").status == "running"


def test_a_control_run_waits_for_none(store: Store) -> None:
    store.write_now(add, draft("1", ANN))
    assert store.write_now(add, draft("stop", ANN, control=True), holder="one").status == "running"


def test_an_older_token_writes_nothing(store: Store) -> None:
    store.write_now(add, draft("a"))
    stale = take(store, "one")
    store.write_now(queue.recover, ["one"], START)
    fresh = take(store, "two")
    assert fresh.token > stale.token
    assert fresh.attempt == 2
    for write in (
        lambda conn: queue.end(conn, stale, "completed", START),
        lambda conn: queue.hand_back(conn, stale, START),
    ):
        with pytest.raises(Conflict):
            store.write_now(write)
    store.write_now(queue.end, fresh, "completed", START, result={"by": "two"})
    found = store.read_now(queue.find, fresh.id)
    assert found is not None
    assert (found.status, found.result) == ("completed", {"by": "two"})


def test_a_run_ends_once(store: Store) -> None:
    store.write_now(add, draft("a"))
    run = take(store)
    store.write_now(queue.end, run, "completed", START)
    with pytest.raises(Conflict):
        store.write_now(queue.end, run, "failed", START)
    with pytest.raises(ValueError, match="not an end"):
        store.write_now(queue.end, run, "queued", START)


def test_a_lease_that_nobody_renews_ends(store: Store) -> None:
    store.write_now(add, draft("a"))
    run = take(store, "silent")
    soon, late = START + queue.LEASE, START + queue.LEASE + timedelta(seconds=1)
    assert store.write_now(queue.recover, [], soon) == 0
    assert store.write_now(queue.renew, "silent", START + timedelta(seconds=10)) == {run.id}
    assert store.write_now(queue.recover, [], late) == 0
    assert store.write_now(queue.recover, [], late + timedelta(seconds=10)) == 1
    assert store.write_now(queue.renew, "silent", late) == set()
    assert claim(store, "other", at=99) == ["a"]


def test_the_runs_of_a_dead_process_return_at_once_and_no_others(store: Store) -> None:
    store.write_now(add, draft("a"), holder="dead")
    store.write_now(add, draft("b"), holder="alive")
    assert store.read_now(queue.holders) == {"dead", "alive"}
    assert store.write_now(queue.recover, ["dead"], START) == 1
    assert store.read_now(statuses) == {"a": "queued", "b": "running"}


def test_a_process_gives_back_only_what_it_holds_itself(store: Store) -> None:
    mine = store.write_now(add, draft("mine"), holder="one")
    other = store.write_now(add, draft("other"), holder="two")
    assert store.write_now(queue.release, "one", [mine.id, other.id], START) == 1
    assert store.read_now(statuses) == {"mine": "queued", "other": "running"}


def test_what_was_taken_away_is_told_from_what_ended(store: Store) -> None:
    runs = {key: store.write_now(add, draft(key), holder="one") for key in "abcd"}
    store.write_now(queue.end, runs["a"], "completed", START)
    store.write_now(queue.cancel, runs["b"].id, START)
    store.write_now(queue.release, "one", [runs["c"].id], START)
    assert store.read_now(queue.taken_away, list(runs.values())) == [runs["b"], runs["c"]]
    claim(store, "two")
    assert store.read_now(queue.taken_away, [runs["c"]]) == [runs["c"]]


def test_a_run_that_was_handed_back_waits_and_counts_its_failures(store: Store) -> None:
    store.write_now(add, draft("a"))
    run = take(store)
    store.write_now(queue.hand_back, run, START + timedelta(seconds=4), failed=True, error="Oops")
    assert store.read_now(queue.failures, run.id) == 1
    assert claim(store, at=3) == []
    assert claim(store, at=4) == ["a"]


@pytest.mark.parametrize("status", ["queued", "running"])
def test_an_open_run_can_be_cancelled_once_and_its_holder_writes_nothing(store: Store, status: str) -> None:
    run = store.write_now(add, draft("a"), holder="one" if status == "running" else None)
    assert store.write_now(queue.cancel, run.id, START)
    assert not store.write_now(queue.cancel, run.id, START)
    with pytest.raises(Conflict):
        store.write_now(queue.end, run, "completed", START)
    assert store.read_now(statuses) == {"a": "cancelled"}


def test_the_depth_of_the_queue_counts_what_waits_and_what_works(store: Store) -> None:
    store.write_now(add, draft("a"))
    store.write_now(add, draft("b"), holder="one")
    store.write_now(add, draft("c", kind="delivery"))
    store.write_now(queue.cancel, store.write_now(add, draft("d")).id, START)
    assert store.read_now(queue.waiting) == {"turn": 2, "delivery": 1}


async def test_two_processes_that_accept_at_once_do_not_share_a_conversation(store: Store) -> None:
    """The conversation's row is what they wait for, as `inbox.accept` does."""

    def accept(conn: Connection, key: str, holder: str) -> Run:
        conn.exec_driver_sql("UPDATE conversations SET title = 'x' WHERE id = 'http:ann'")
        return add(conn, draft(key, ANN), holder=holder)

    runs = await asyncio.gather(*(store.write(accept, f"{n}", f"holder {n % 2}") for n in range(8)))
    working = {store.read_now(queue.holders).pop() for run in runs if run.status == "running"}
    assert len(working) == 1
    assert len(store.read_now(queue.holders)) == 1


def test_no_way_leads_out_of_an_end() -> None:
    states: list[RunStatus] = list(TRANSITIONS)
    assert {state for state in states if not TRANSITIONS[state]} == ENDED
    assert all(not allows(end, state) for end in ENDED for state in states)
    assert all(any(allows(state, end) for end in ENDED) for state in states if state not in ENDED)
