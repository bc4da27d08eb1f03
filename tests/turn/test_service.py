"""The whole of a turn: taken in, answered once, told to who watches, kept."""

import asyncio
from contextlib import aclosing

import pytest
from sqlalchemy import update

from bot.domain.message import Finished, Reply, TextDelta, Usage
from bot.domain.run import RunId
from bot.errors import ModelError, NotFound, Unavailable
from bot.events.log import of_run
from bot.runs import queue
from bot.store.engine import Store
from bot.store.tables import runs
from bot.turn.streams import Closed, Delta, Started
from tests.fakes.clock import ManualClock
from tests.fakes.models import Beat, ScriptedModel
from tests.turn.house import House, inbound


async def test_a_message_is_answered_and_both_are_kept(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, ScriptedModel("Hello Ann")).running() as house:
        received = await house.receive("hi")
        assert await house.reply(received) == Reply("Hello Ann", "complete", Usage(7, 2))
        assert house.said() == [("user", "hi"), ("assistant", "Hello Ann")]
        await house.until(lambda: house.open_runs() == [])


@pytest.mark.pain("12")
async def test_a_message_that_comes_twice_is_answered_once(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        first = await house.receive("hi", id="update 7")
        again = await asyncio.gather(*(house.receive("hi", id="update 7") for _ in range(5)))
        assert {item.run_id for item in again} == {first.run_id}
        assert all(item.repeated for item in again)
        assert (await house.reply(again[0])).text == "echo: hi"
        assert len(house.model.requests) == 1
        assert (await house.receive("hi", id="update 7")).repeated, "also after it was answered"


@pytest.mark.pain("12")
async def test_a_message_that_comes_many_times_at_once_is_answered_once(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        same = await asyncio.gather(*(house.receive("hi", id="update 7") for _ in range(8)))
        assert [item.repeated for item in same].count(False) == 1
        assert len({item.run_id for item in same}) == 1
        await house.reply(same[0])
        assert house.said() == [("user", "hi"), ("assistant", "echo: hi")]


@pytest.mark.pain("P054")
async def test_two_messages_in_a_moment_are_both_answered_in_order(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        for number in range(20):
            pair = await asyncio.gather(house.receive(f"first {number}"), house.receive(f"second {number}"))
            for item in pair:
                await house.reply(item)
        assert house.model.most_active == 1
        answers = [text for role, text in house.said() if role == "assistant"]
        assert sorted(answers) == sorted(
            f"echo: {place} {number}" for number in range(20) for place in ("first", "second")
        )


async def test_what_came_in_while_an_answer_was_written_is_answered_knowing_that_answer(
    store: Store, clock: ManualClock
) -> None:
    door = asyncio.Event()
    slow: list[Beat] = [TextDelta("Paris"), door, Finished("stop")]
    async with House(store, clock, ScriptedModel(slow)).running() as house:
        first = await house.receive("capital of France?")
        await house.model.until_asked()
        second = await house.receive("and of Spain?")
        third = await house.receive("and of Italy?")
        door.set()
        for item in (first, second, third):
            await house.reply(item)
        assert [text for role, text in house.prompt(1) if role != "system"] == [
            "capital of France?",
            "Paris",
            "and of Spain?",
        ]
        assert [text for role, text in house.prompt(2) if role != "system"] == [
            "capital of France?",
            "Paris",
            "and of Spain?",
            "echo: and of Spain?",
            "and of Italy?",
        ]


@pytest.mark.pain("P047")
async def test_nobody_waits_for_the_turn_of_another_conversation(store: Store, clock: ManualClock) -> None:
    door = asyncio.Event()
    async with House(store, clock, ScriptedModel([door, Finished("stop")])).running() as house:
        ann = await house.receive("think long")
        await house.model.until_asked()
        assert await house.ask("what is 2+2?", chat="ben", user="ben") == "echo: what is 2+2?"
        door.set()
        await house.reply(ann)


async def test_stop_ends_the_running_answer_with_what_there_is_of_it(
    store: Store, clock: ManualClock
) -> None:
    endless: list[Beat] = [TextDelta("Once upon a time"), asyncio.Event()]
    async with House(store, clock, ScriptedModel(endless)).running() as house:
        story = await house.receive("tell me a story")
        await house.model.until_asked()
        stream = house.service.streams.find(story.run_id or RunId(""))
        assert stream is not None
        await house.until(lambda: stream.text == "Once upon a time")
        assert await house.ask("/stop") == "Stopped."
        reply = await house.reply(story)
        assert (reply.text, reply.status) == ("Once upon a time\n\n(stopped)", "stopped")
        assert await house.ask("/stop") == "There is nothing to stop."
        assert house.said() == [("user", "tell me a story"), ("assistant", reply.text)]


async def test_one_turn_can_be_stopped_by_its_id(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, ScriptedModel([asyncio.Event()])).running() as house:
        received = await house.receive("think")
        await house.model.until_asked()
        assert received.run_id is not None
        assert house.service.stop_turn(received.run_id)
        assert (await house.reply(received)).status == "stopped"
        assert not house.service.stop_turn(received.run_id)
        assert not house.service.stop_turn(RunId("turn-unknown"))


@pytest.mark.parametrize("code", ["auth_failed", "rate_limited", "unavailable", "timeout", "bad_request"])
async def test_a_model_that_fails_is_told_in_one_honest_line_and_kept_as_failed(
    sqlite_store: Store, clock: ManualClock, code: str
) -> None:
    model = ScriptedModel(ModelError(code, "secret details of the provider"))  # type: ignore[arg-type]
    async with House(sqlite_store, clock, model).running() as house:
        received = await house.receive("hi")
        reply = await house.reply(received)
        assert (reply.status, reply.error_code) == ("failed", code)
        assert reply.text
        assert "secret" not in reply.text
        await house.until(lambda: house.open_runs() == [])
        assert await house.ask("again") == "echo: again"
        assert [text for role, text in house.prompt() if role != "system"] == ["hi", "again"]


async def test_a_mistake_of_our_own_ends_in_an_honest_line(sqlite_store: Store, clock: ManualClock) -> None:
    async with House(sqlite_store, clock, ScriptedModel(ZeroDivisionError())).running() as house:
        received = await house.receive("hi", locale="zh-hans")
        reply = await house.reply(received)
        assert (reply.status, reply.error_code) == ("failed", "internal")
        assert reply.text == "我这边出了点问题，已记入日志，请再试一次。"


@pytest.mark.pain("43")
async def test_a_prompt_that_is_too_long_for_the_model_is_made_shorter_once(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        for number in range(6):
            await house.ask(f"{number} " + "words " * 100)
        house.model.script(ModelError("context_too_long", "too long"), "better now")
        assert await house.ask("and now?") == "better now"
        too_long, shorter = house.model.requests[-2:]
        assert len(shorter.messages) < len(too_long.messages)
        assert shorter.messages[-1].text == "and now?"
        house.model.script(*(ModelError("context_too_long", "too long") for _ in range(2)))
        reply = await house.reply(await house.receive("and now?"))
        assert (reply.status, reply.error_code) == ("failed", "context_too_long")


@pytest.mark.pain("11")
async def test_what_was_under_way_when_the_process_ended_is_answered_by_the_next(
    sqlite_store: Store, clock: ManualClock
) -> None:
    model = ScriptedModel([TextDelta("half an ans"), asyncio.Event()])
    async with House(sqlite_store, clock, model).running() as house:
        running = await house.receive("first")
        clock.set_forward(1)
        waiting = await house.receive("second")
        await model.until_asked()
    assert len(house.open_runs()) == 2
    async with House(sqlite_store, clock).running() as heir:
        assert (await heir.reply(running)).text == "echo: first"
        assert (await heir.reply(waiting)).text == "echo: second"
        assert [text for role, text in heir.said() if role == "assistant"] == ["echo: first", "echo: second"]
        assert (await heir.receive("first", id=_id_of(heir, running.run_id))).repeated


def _id_of(house: House, run_id: RunId | None) -> str:
    found = house.store.read_now(queue.find, run_id or "")
    assert found is not None
    return str(found.payload["inbound"]["external_id"])


async def test_a_turn_can_be_watched_from_its_start_and_by_many(store: Store, clock: ManualClock) -> None:
    door = asyncio.Event()
    model = ScriptedModel([TextDelta("one "), TextDelta("two "), door, TextDelta("three"), Finished("stop")])
    async with House(store, clock, model).running() as house:
        received = await house.receive("count")
        assert received.run_id is not None

        async def watch() -> tuple[list[str], Reply]:
            assert received.run_id is not None
            async with aclosing(house.service.watch(received.run_id)) as events:
                seen = []
                async for event in events:
                    seen.append(event)
                    if isinstance(event, Delta):
                        door.set()
            assert seen[0] == Started(received.run_id)
            assert isinstance(seen[-1], Closed)
            return [event.text for event in seen if isinstance(event, Delta)], seen[-1].reply

        seen = await asyncio.wait_for(asyncio.gather(watch(), watch(), watch()), 5)
        for pieces, reply in seen:
            assert "".join(pieces) == "one two three"
            assert reply.text == "one two three"
        assert ("".join((await watch())[0])) == "one two three", "and after its end"


async def test_an_ended_turn_is_told_from_the_store_when_the_process_that_wrote_it_is_gone(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock).running() as house:
        received = await house.receive("hi")
        await house.reply(received)
    async with House(sqlite_store, clock).running() as heir:
        assert (await heir.reply(received)).text == "echo: hi"


async def test_a_turn_that_nobody_knows_is_not_found_and_neither_is_a_delivery(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock).running() as house:
        await house.ask("hi", channel="push", chat="c", kind="group")
        await house.until(lambda: house.chat.texts("c") == ["echo: Ann: hi"])
        delivery = sqlite_store.read_now(
            lambda conn: conn.scalar(
                runs.select().with_only_columns(runs.c.id).where(runs.c.kind == "delivery")
            )
        )
        for unknown in ("turn-unknown", delivery or ""):
            with pytest.raises(NotFound):
                await house.service.wait(RunId(unknown))


async def test_a_turn_that_was_given_up_is_told_as_failed_and_nobody_waits_for_ever(
    sqlite_store: Store, clock: ManualClock
) -> None:
    house = House(sqlite_store, clock)
    received = await house.receive("hi")
    given_up = update(runs).values(status="failed", error="Oops", holder=None)
    sqlite_store.write_now(lambda conn: conn.execute(given_up).rowcount)
    reply = await house.reply(received)
    assert (reply.status, reply.error_code) == ("failed", "internal")
    house.holder.close()


async def test_a_caller_that_goes_away_does_not_take_the_message_along(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        for number in range(10):
            task = asyncio.ensure_future(house.service.receive(inbound(f"hi {number}", chat=f"{number}")))
            for _ in range(number):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        def all_or_nothing(number: int) -> bool:
            whole = [("user", f"hi {number}"), ("assistant", f"echo: hi {number}")]
            return house.said(f"http:{number}") in ([], whole)

        await house.until(lambda: all(all_or_nothing(number) for number in range(10)))


async def test_a_channel_that_pushes_gets_the_reply_once_it_is_kept(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        received = await house.receive("hi", channel="push", chat="c", kind="group")
        await house.reply(received)
        await house.until(lambda: house.chat.texts("c") == ["echo: Ann: hi"] and not house.open_runs())


async def test_a_channel_that_is_down_gets_the_reply_when_it_is_back(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        house.chat.troubles = [Unavailable("down"), Unavailable("busy", retry_after_s=30), OSError("gone")]
        await house.reply(await house.receive("hi", channel="push", chat="c", kind="group"))
        for left in (2, 1, 0):
            await house.until_troubles(left)
            await house.until(lambda: not house.worker.in_flight("delivery"))
            clock.set_forward(30)
            house.worker.wake()
        await house.until(lambda: house.chat.texts("c") == ["echo: Ann: hi"])


async def test_a_request_that_brings_its_own_context_leaves_no_history(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        assert await house.ask("/help me", kind="stateless") == "echo: /help me"
        assert house.said() == []
        assert [text for role, text in house.prompt() if role != "system"] == ["/help me"]


async def test_the_events_of_a_turn_are_kept_in_order(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        received = await house.receive("hi")
        await house.reply(received)
        await house.until(lambda: not house.worker.in_flight("turn"))
        await house.events.flush()
        kept = [event.type for event in store.read_now(of_run, received.run_id or "")]
        assert kept == [
            "message.received",
            "run.created",
            "run.started",
            "context.build.completed",
            "run.completed",
        ]
