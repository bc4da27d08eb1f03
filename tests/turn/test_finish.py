"""The end of a turn is one transaction: all of it, or nothing; and only by who holds the turn."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from bot.domain.message import Reply, Usage
from bot.domain.run import Run
from bot.errors import Conflict
from bot.events.log import of_run
from bot.events.types import ContextBuilt
from bot.runs import queue
from bot.store.engine import Store
from bot.store.tables import events, memories, messages, runs
from bot.turn import finish as ending
from bot.turn.finish import Ending, Written, dump_reply, finish, load_reply, reply_of
from bot.turn.inbox import accept
from tests.fakes.clock import START
from tests.turn.house import inbound

REPLY = Reply("hello Ann", "complete", Usage(3, 2))


def a_turn(store: Store, **changes: object) -> Ending:
    message = inbound("hi", **changes)  # type: ignore[arg-type]
    run = store.write_now(accept, message, START, "me").run
    assert run is not None
    built = ContextBuilt(run_id=run.id, messages=2, memories=0, tokens=10, dropped=0, ms=0.1)
    return Ending(run, Written(message, REPLY), False, False, "off", [(START, built)])


def counts(store: Store) -> dict[str, int]:
    tables = (messages, events, memories)
    return {
        table.name: store.read_now(
            lambda conn, table=table: conn.scalar(select(func.count()).select_from(table)) or 0  # type: ignore[misc]
        )
        for table in tables
    }


def found(store: Store, run: Run) -> Run:
    stored = store.read_now(queue.find, run.id)
    assert stored is not None
    return stored


def test_the_reply_the_events_and_the_end_are_kept_together(store: Store) -> None:
    turn = a_turn(store)
    assert store.write_now(finish, turn, START, "me").delivery is None
    assert counts(store) == {"messages": 2, "events": 1, "memories": 0}
    stored = found(store, turn.run)
    assert stored.status == "completed"
    assert reply_of(stored) == REPLY
    assert [event.type for event in store.read_now(of_run, turn.run.id)] == ["context.build.completed"]


def test_who_lost_the_turn_leaves_no_trace_of_its_end(store: Store) -> None:
    turn = a_turn(store, channel="push")
    store.write_now(queue.recover, ["me"], START)
    store.write_now(queue.claim, ["turn"], "other", START, limit=1)
    with pytest.raises(Conflict):
        store.write_now(finish, replace(turn, deliver=True), START, "me")
    assert counts(store) == {"messages": 1, "events": 0, "memories": 0}
    assert found(store, turn.run).status == "running"
    assert store.read_now(lambda conn: conn.scalar(select(func.count()).select_from(runs))) == 1


def test_a_failure_in_the_middle_leaves_the_turn_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("cut off")

    turn = a_turn(store)
    monkeypatch.setattr(ending.event_log, "append", broken)  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="cut off"):
        store.write_now(finish, turn, START, "me")
    monkeypatch.undo()
    assert counts(store)["messages"] == 1
    assert found(store, turn.run).status == "running"
    store.write_now(finish, turn, START, "me")


def test_on_a_channel_that_pushes_the_delivery_is_part_of_the_end(store: Store) -> None:
    turn = a_turn(store, channel="push", reply_ref="99")
    delivery = store.write_now(finish, replace(turn, deliver=True), START, "me").delivery
    assert delivery is not None
    assert (delivery.kind, delivery.key, delivery.status) == ("delivery", turn.run.id, "running")
    assert delivery.payload["text"] == "hello Ann"
    assert delivery.payload["reply_ref"] == "99"


def test_an_answer_to_a_command_is_the_runs_result_and_no_message(store: Store) -> None:
    turn = a_turn(store)
    store.write_now(finish, replace(turn, written=replace(turn.written, keep=False)), START, "me")
    assert counts(store)["messages"] == 1
    assert reply_of(found(store, turn.run)) == REPLY


def test_memory_is_written_in_the_same_transaction(sqlite_store: Store) -> None:
    turn = a_turn(sqlite_store)
    ended = sqlite_store.write_now(finish, replace(turn, remember=True), START, "me")
    assert len(ended.kept.ids) == 2
    kept = sqlite_store.read_now(lambda conn: conn.execute(select(memories).order_by(memories.c.id)).all())
    assert [(row.role, row.text) for row in kept] == [("user", "hi"), ("assistant", "hello Ann")]
    assert all(row.message_id for row in kept)


def test_of_a_failed_turn_only_what_the_person_said_is_remembered(sqlite_store: Store) -> None:
    turn = a_turn(sqlite_store)
    failed = Reply("Sorry.", "failed", error_code="timeout")
    turn = replace(turn, written=replace(turn.written, reply=failed), remember=True)
    sqlite_store.write_now(finish, turn, START, "me")
    kept = sqlite_store.read_now(lambda conn: list(conn.scalars(select(memories.c.text))))
    assert kept == ["hi"]
    assert found(sqlite_store, turn.run).status == "failed"


def test_the_state_of_a_run_tells_its_reply(store: Store) -> None:
    turn = a_turn(store)
    assert reply_of(turn.run) is None, "it is awaited"
    assert reply_of(None) == Reply("", "stopped"), "it was deleted"
    assert reply_of(replace(turn.run, status="cancelled")) == Reply("", "stopped")
    given_up = reply_of(replace(turn.run, status="failed"))
    assert given_up is not None
    assert (given_up.status, given_up.error_code) == ("failed", "internal")


@pytest.mark.parametrize(
    "reply", [REPLY, Reply(""), Reply("x", "cut"), Reply("y", "failed", Usage(), "rate_limited")]
)
def test_a_reply_comes_back_from_json_as_it_was(reply: Reply) -> None:
    assert load_reply(dump_reply(reply)) == reply
