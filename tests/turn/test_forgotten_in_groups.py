"""A person who wants to be forgotten is taken out of what is kept of groups."""

import json

import pytest
from sqlalchemy import select

from bot.store.engine import Store
from bot.store.tables import group_states
from bot.turn import rooms
from tests.fakes.clock import ManualClock
from tests.turn.test_rooms import ANN, BEN, WHERE, decide, house_of, said


def kept_of_groups(store: Store) -> str:
    rows = store.read_now(lambda conn: conn.scalars(select(group_states.c.state)).all())
    return json.dumps(rows)


@pytest.mark.pain("26")
async def test_nothing_of_a_forgotten_person_is_left_in_any_group(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        await decide(house, said("@donkey_bot call me Annie. what is 2+2?", ANN))
        await decide(house, said("@donkey_bot hello", BEN, t=2))
        assert await store.write(rooms.forget_person, "push:ann", clock.now()) == 1
        assert "push:ann" not in kept_of_groups(store)
        assert "push:ben" in kept_of_groups(store)
        await decide(house, said("@donkey_bot hello", BEN, t=4))
        assert "push:ann" not in kept_of_groups(store), "a room in memory does not bring it back"
        called = house.rooms.called(WHERE, await store.read(rooms.look, WHERE, 0))
        assert called == []
        assert await store.write(rooms.forget_person, "push:ann", clock.now()) == 0


@pytest.mark.pain("P055")
async def test_a_model_that_chooses_silence_unasked_says_nothing_in_the_group(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        house.model.script("four", "**NO_REPLY**", "eight")
        await decide(house, said("@donkey_bot what is 2+2?", ANN))
        assert await decide(house, said("and 3+3?", ANN, t=5)) == "respond"
        assert house.chat.texts("g") == ["four"]
        await decide(house, said("@donkey_bot and 4+4?", ANN, t=9))
        await house.until(lambda: house.chat.texts("g") == ["four", "eight"])
        assert all(message.text for message in house.model.requests[-1].messages)
