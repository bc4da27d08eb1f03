"""Events cost nothing when they happen, are kept in order, and never hold a person's words."""

import asyncio

import pytest
from sqlalchemy import insert

from bot.domain.conversation import ConversationId
from bot.errors import Unavailable
from bot.events.log import EventLog, append, of_run
from bot.events.types import Event, MessageReceived, RunCreated, RunStarted
from bot.store.engine import Store
from bot.store.tables import conversations
from tests.fakes.clock import START, ManualClock

RUN = "turn-1"


def created(number: int = 1) -> RunCreated:
    return RunCreated(run_id=f"turn-{number}", kind="turn")


async def test_what_was_recorded_is_kept_in_order_with_its_time(store: Store, clock: ManualClock) -> None:
    events = EventLog(store, clock)
    events.record(created())
    clock.set_forward(1)
    events.record(RunStarted(run_id=RUN, kind="turn", attempt=1, waited_ms=1000.0))
    events.record(created(2))
    assert store.read_now(of_run, RUN) == [], "nothing is written yet"
    await events.flush()
    first, second = store.read_now(of_run, RUN)
    assert (first.type, first.payload, first.at) == ("run.created", {"kind": "turn"}, START)
    assert (second.type, second.payload["waited_ms"]) == ("run.started", 1000.0)
    assert second.at > first.at
    assert second.seq > first.seq


async def test_flushing_nothing_writes_nothing(store: Store, clock: ManualClock) -> None:
    await EventLog(store, clock).flush()
    store.write_now(append, [])


async def test_what_a_transaction_took_and_could_not_keep_is_kept_later_and_in_order(
    store: Store, clock: ManualClock
) -> None:
    events = EventLog(store, clock)
    events.record(created())
    taken = events.take()
    events.record(RunStarted(run_id=RUN, kind="turn", attempt=1, waited_ms=0.0))
    events.give_back(taken)
    await events.flush()
    assert [event.type for event in store.read_now(of_run, RUN)] == ["run.created", "run.started"]


async def test_a_store_that_fails_loses_no_event(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(*_: object) -> None:
        raise Unavailable("the disk is full")

    events = EventLog(store, clock)
    events.record(created())
    monkeypatch.setattr(store, "write", write)
    with pytest.raises(Unavailable):
        await events.flush()
    monkeypatch.undo()
    await events.flush()
    assert len(store.read_now(of_run, RUN)) == 1


async def test_the_flusher_goes_on_after_a_failure(
    sqlite_store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def write(*_: object) -> None:
        asked.set()
        raise Unavailable("the disk is full")

    events = EventLog(sqlite_store, clock)
    events.record(created())
    monkeypatch.setattr(sqlite_store, "write", write)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(events.run())
        await asyncio.sleep(0)
        await clock.advance(1)
        await asyncio.wait_for(asked.wait(), 5)
        monkeypatch.undo()
        async with asyncio.timeout(5):
            while not sqlite_store.read_now(of_run, RUN):
                await clock.advance(1)
        running.cancel()


async def test_subscribers_hear_at_once_and_one_that_fails_disturbs_nobody(
    store: Store, clock: ManualClock
) -> None:
    heard: list[str] = []

    def broken(event: Event) -> None:
        raise ZeroDivisionError

    events = EventLog(store, clock)
    events.subscribe(broken)
    events.subscribe(lambda event: heard.append(event.type))
    events.record(created())
    assert heard == ["run.created"]
    assert len(events.take()) == 1


def test_an_event_of_a_conversation_that_is_gone_goes_with_it(store: Store, clock: ManualClock) -> None:
    def event(run: str, where: str | None) -> MessageReceived:
        return MessageReceived(
            run_id=run,
            conversation_id=None if where is None else ConversationId(where),
            channel="http",
            chars=5,
            attachments=0,
        )

    known = {"id": "http:ann", "channel": "http", "chat_id": "ann", "kind": "private"}
    values = {**known, "created_at": START, "updated_at": START}
    store.write_now(lambda conn: conn.execute(insert(conversations), values).rowcount)
    taken = [
        (START, event(run, where)) for run, where in (("a", "http:ann"), ("b", "http:gone"), ("c", None))
    ]
    store.write_now(append, taken)
    assert [len(store.read_now(of_run, run)) for run in "abc"] == [1, 0, 1]


def test_no_event_has_a_place_for_words_of_people() -> None:
    """Names that would hold them; ids, counts, kinds and times are fine."""
    forbidden = {"text", "texts", "message", "content", "reply", "prompt", "name", "title", "query"}

    def kinds(base: type[Event]) -> list[type[Event]]:
        return [base, *(kind for child in base.__subclasses__() for kind in kinds(child))]

    fields = {(kind.__name__, name) for kind in kinds(Event) for name in kind.__dataclass_fields__}
    assert [(kind, name) for kind, name in fields if name in forbidden] == []
    # Slots make a second class of the same name.
    classes = {(kind.type, kind.__name__) for kind in kinds(Event) if "type" in vars(kind)}
    assert len({name for name, _ in classes}) == len(classes), "one class a name"
