"""Messages that come close together are one turn, and none of them is lost or answered twice."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.conversation import Inbound
from bot.domain.message import File, Part, Quote, Text
from bot.runs import queue
from bot.store.engine import Store
from bot.store.tables import conversations, messages, runs
from bot.turn import gathering
from bot.turn.gathering import MAX_PIECES, Gather, merged
from bot.turn.inbox import Accepted, Arrival, accept
from tests.fakes.clock import START, ManualClock
from tests.turn.house import House, inbound

SHORT = Gather(first_s=0.25, more_s=0.8, joins=True)
JOINS = Gather(first_s=0.25, more_s=0.8, joins=True, undecided="ignore")


def picture(place: int, caption: str = "", **changes: Any) -> tuple[Inbound, Gather]:
    parts: tuple[Part, ...] = (File("photo.jpg", f"p{place}", "image/jpeg"),)
    message = inbound("", id=f"p{place}", parts=(Text(caption), *parts) if caption else parts, **changes)
    return message, Gather(0.8, 0.8, album="a1", place=place)


async def say(house: House, *texts: str, gather: Gather = SHORT, **changes: Any) -> list[Any]:
    return [await house.service.receive(inbound(text, **changes), gather) for text in texts]


async def started(house: House) -> None:
    """Let the time pass that a turn waits."""
    await house.until(lambda: house.clock.sleepers > 0)
    await house.clock.advance(1.0)


@pytest.mark.pain("20", "P054")
async def test_short_messages_in_a_row_are_answered_together_once(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        received = await say(house, "hey", "are you there?", "what is 2+2", "quick", "please")
        assert len({one.run_id for one in received}) == 1
        assert house.model.requests == []
        await started(house)
        whole = "hey\nare you there?\nwhat is 2+2\nquick\nplease"
        assert (await house.reply(received[0])).text == f"echo: {whole}"
        assert house.said() == [("user", whole), ("assistant", f"echo: {whole}")]


@pytest.mark.pain("P030")
async def test_a_turn_waits_only_for_its_first_window_and_longer_while_more_comes(
    store: Store, clock: ManualClock
) -> None:
    def waits_s() -> float:
        due = store.read_now(lambda conn: conn.scalar(select(runs.c.available_at)))
        assert due is not None
        return float((due - clock.now()).total_seconds())

    house = House(store, clock)
    house.holder.close()
    await say(house, "hi")
    assert waits_s() == 0.25
    clock.set_forward(0.2)
    await say(house, "and")
    assert waits_s() == 0.8
    for _ in range(80):
        clock.set_forward(0.2)
        await say(house, "more")
    assert store.read_now(lambda conn: len(conn.execute(select(runs)).all())) == 2, "at most 15 seconds"


@pytest.mark.pain("P030")
async def test_a_command_lets_what_waits_start_at_once(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        (asked,) = await say(house, "tell me")
        (command,) = await say(house, "/whoami", gather=Gather(alone=True))
        assert "Ann" in (await house.reply(command)).text
        assert (await house.reply(asked)).text == "echo: tell me"
        assert house.clock.now() == START


@pytest.mark.pain("12")
async def test_a_repeat_of_an_added_message_adds_nothing(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        await say(house, "one", id="1")
        first, again = await say(house, "two", "two", id="2")
        assert (first.repeated, again.repeated) == (False, True)
        assert first.run_id == again.run_id
        await started(house)
        assert (await house.reply(first)).text == "echo: one\ntwo"


async def test_different_people_of_a_group_are_answered_each(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        here: dict[str, Any] = {"chat": "g", "kind": "group"}
        (ann,) = await say(house, "mine", **here)
        (ben,) = await say(house, "yours", user="ben", **here)
        assert ann.run_id != ben.run_id
        await started(house)
        assert (await house.reply(ann)).text == "echo: Ann: mine"
        assert (await house.reply(ben)).text == "echo: Ben: yours"


@pytest.mark.pain("13")
async def test_a_flood_from_several_people_can_be_one_turn_with_their_names(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        here: dict[str, Any] = {"chat": "g", "kind": "group", "gather": Gather(1.0, 1.0, anyone=True)}
        (first,) = await say(house, "where are you?", **here)
        await say(house, "is it raining?", user="ben", **here)
        await house.until(lambda: house.clock.sleepers > 0)
        await house.clock.advance(1.5)
        await house.reply(first)
        assert "Ann: where are you?\nBen: is it raining?" in house.prompt()[-1][1]


def take(store: Store, message: Inbound, gather: Gather | None, arrival: Arrival = "turn") -> Accepted:
    return store.write_now(accept, message, START, "me", arrival, gather)


def test_what_began_or_was_tried_takes_no_more(store: Store) -> None:
    first = take(store, inbound("one"), SHORT)
    assert not first.joined and first.run is None
    assert take(store, inbound("two"), SHORT).joined
    store.write_now(lambda conn: conn.execute(update(runs).values(attempt=1)))
    assert not take(store, inbound("three"), SHORT).joined


def test_without_a_window_a_message_is_claimed_at_once(store: Store) -> None:
    taken = take(store, inbound("one"), None)
    assert taken.run is not None
    assert "pieces" not in taken.run.payload


def test_a_turn_takes_a_bounded_number_of_messages(store: Store) -> None:
    joined = [take(store, inbound("x"), SHORT).joined for _ in range(MAX_PIECES + 2)]
    assert joined.count(False) == 2
    assert not take(store, inbound("y" * 100_000), SHORT).joined


@pytest.mark.pain("11")
async def test_what_waits_when_the_process_dies_is_answered_by_the_next(
    store: Store, clock: ManualClock
) -> None:
    died = House(store, clock)
    await say(died, "one", "two")
    died.holder.close()
    clock.set_forward(60)
    async with House(store, clock).running() as house:
        await house.until(lambda: len(house.said()) == 2)
        assert house.said()[1] == ("assistant", "echo: one\ntwo")


@pytest.mark.pain("P028", "14")
def test_an_album_is_one_turn_with_its_pictures_in_order(store: Store) -> None:
    pictures = [picture(3, "after"), picture(1, "before"), picture(2)]
    assert [take(store, *one).joined for one in pictures] == [False, True, True]
    kept = store.read_now(lambda conn: conn.execute(select(messages.c.text, messages.c.parts)).one())
    assert kept.text == "image 1: before\nimage 3: after"
    assert [part["ref"] for part in kept.parts] == ["p1", "p2", "p3"]


async def test_an_album_whose_pictures_came_before_and_after_a_restart_is_one_turn(
    store: Store, clock: ManualClock
) -> None:
    first = take(store, *picture(1, "before"))
    await clock.advance(60.0)  # nothing runs
    assert await store.write(gathering.reopen, clock.now()) == 1
    assert [take(store, *picture(place)).run_id for place in (2, 3)] == [first.run_id] * 2
    async with House(store, clock).running() as house:
        await started(house)
        await clock.advance(gathering.REOPENED_S)
        await house.until(lambda: len(house.said()) == 2)
        assert len(house.model.requests) == 1


async def test_a_picture_of_an_album_that_is_not_for_the_bot_waits_for_the_caption_that_is(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        here: dict[str, Any] = {"chat": "g", "kind": "group", "channel": "push"}
        message, gather = picture(1, **here, addressed=False)
        assert (await house.service.receive(message, gather)).verdict.decision != "respond"
        message, gather = picture(2, "what is it?", **here)
        received = await house.service.receive(message, gather)
        await started(house)
        await house.reply(received)
        turn = store.read_now(lambda conn: queue.find(conn, received.run_id or ""))
        assert turn is not None
        assert [part.get("ref") for part in turn.payload["inbound"]["parts"]] == ["p1", None, "p2"]


async def test_an_album_that_is_not_for_the_bot_leaves_no_turn_and_no_words(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock).running() as house:
        message, gather = picture(1, "look, Ben", chat="g", kind="group", channel="push", addressed=False)
        await house.service.receive(message, gather)
        await started(house)
        await house.until(lambda: not house.open_runs())
        assert house.said("push:g") == []
        assert store.read_now(lambda conn: conn.execute(select(runs)).all()) == []
        assert house.model.requests == []


@pytest.mark.pain("P031")
async def test_what_follows_a_call_in_a_group_belongs_to_it(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        here: dict[str, Any] = {"chat": "g", "kind": "group", "channel": "push"}
        (called,) = await say(house, "what do they want from me?", **here)
        forward = (Quote("News", "rain tomorrow", forwarded=True),)
        await say(house, "", **here, parts=forward, addressed=False)
        await say(house, "not mine", **here, user="ben", addressed=False)
        await started(house)
        await house.reply(called)
        asked = house.prompt()[-1][1]
        assert "forwarded from News: rain tomorrow" in asked
        assert "what do they want" in asked
        assert "not mine" not in asked


async def test_old_talk_that_nobody_asked_the_bot_is_only_read(store: Store, clock: ManualClock) -> None:
    async with House(store, clock).running() as house:
        at = START.replace(hour=3)
        received = await house.service.receive(inbound("so what?", at=at, addressed=False), SHORT)
        assert received.run_id is None
        assert house.said() == [("user", "so what?")]


@pytest.mark.parametrize(
    ("texts", "cut", "whole"),
    [
        (("a" * 3, "b" * 3), True, "aaabbb"),
        (("one", "two"), False, "one\ntwo"),
        (("", "two"), False, "two"),
    ],
)
def test_words_are_joined_unless_one_was_cut_off(texts: Sequence[str], cut: bool, whole: str) -> None:
    pieces = [
        {
            "id": text,
            "parts": [{"text": text}] if text else [],
            "cut": cut,
            "name": "",
            "album": "",
            "place": 0,
        }
        for text in texts
    ]
    assert merged(pieces) == (Text(whole),)


def test_an_added_message_keeps_the_conversation_and_its_title(store: Store) -> None:
    take(store, inbound("one"), SHORT)
    take(store, inbound("two"), SHORT)
    assert store.read_now(lambda conn: conn.scalar(select(conversations.c.title))) == "one"
