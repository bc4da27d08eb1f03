"""Check, do, record: what was done is not done again."""

import pytest

from bot.domain.run import Run
from bot.errors import Conflict
from bot.runs import queue
from bot.runs.steps import InDoubt, once
from bot.store.engine import Store
from tests.fakes.clock import START, ManualClock
from tests.runs.samples import add, draft


class Work:
    """Something to do, that counts how often it was done and fails when told."""

    def __init__(self) -> None:
        self.done = 0
        self.fails = False

    async def __call__(self) -> dict[str, int]:
        self.done += 1
        if self.fails:
            raise OSError("the line broke")
        return {"number": self.done}


@pytest.fixture
def run(store: Store) -> Run:
    return store.write_now(add, draft("a"), holder="one")


def taken_up_again(store: Store) -> Run:
    store.write_now(queue.recover, ["one"], START)
    (run,) = store.write_now(queue.claim, ["turn"], "one", START, limit=1)
    return run


async def test_a_recorded_step_gives_its_result_and_is_not_done_again(
    store: Store, clock: ManualClock, run: Run
) -> None:
    work = Work()
    assert await once(store, clock, run, "fetch", work) == {"number": 1}
    assert await once(store, clock, run, "fetch", work) == {"number": 1}
    assert await once(store, clock, taken_up_again(store), "fetch", work) == {"number": 1}
    assert await once(store, clock, taken_up_again(store), "other", work) == {"number": 2}


async def test_a_step_that_failed_is_done_again_if_it_only_reads(
    store: Store, clock: ManualClock, run: Run
) -> None:
    work = Work()
    work.fails = True
    with pytest.raises(OSError, match="broke"):
        await once(store, clock, run, "fetch", work)
    work.fails = False
    assert await once(store, clock, run, "fetch", work) == {"number": 2}


async def test_a_step_that_acts_and_was_cut_short_is_in_doubt_and_not_repeated(
    store: Store, clock: ManualClock, run: Run
) -> None:
    work = Work()
    work.fails = True
    with pytest.raises(OSError, match="broke"):
        await once(store, clock, run, "send", work, effect=True)
    with pytest.raises(InDoubt):
        await once(store, clock, taken_up_again(store), "send", work, effect=True)
    assert work.done == 1


async def test_a_step_that_acts_and_was_recorded_is_not_in_doubt(
    store: Store, clock: ManualClock, run: Run
) -> None:
    work = Work()
    await once(store, clock, run, "send", work, effect=True)
    assert await once(store, clock, taken_up_again(store), "send", work, effect=True) == {"number": 1}


async def test_a_holder_that_lost_its_run_records_nothing(store: Store, clock: ManualClock, run: Run) -> None:
    taken_up_again(store)
    work = Work()
    with pytest.raises(Conflict):
        await once(store, clock, run, "send", work, effect=True)
    assert work.done == 0
    with pytest.raises(Conflict):
        await once(store, clock, run, "fetch", work)
