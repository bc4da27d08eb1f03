"""A model is asked only for a time that our reader can't read, and its answer is checked."""

import pytest

from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.schedule.talk.talking import house, kept

ODD = "remind me to plant the bulbs 3 blinks after the equinox"


async def test_a_time_that_only_a_model_reads_is_confirmed_like_any_other(
    sqlite_store: Store, clock: ManualClock
) -> None:
    model = ScriptedModel('{"kind": "once", "at": "2026-03-23T09:00"}')
    async with house(sqlite_store, clock, model=model).running() as home:
        assert "Monday, 23 March 2026, 09:00" in await home.ask(ODD)
        assert kept(home) == []
        await home.ask("yes")
        assert len(kept(home)) == 1


async def test_a_rule_that_a_model_reads_is_checked_and_shown(
    sqlite_store: Store, clock: ManualClock
) -> None:
    model = ScriptedModel('Sure: {"kind": "recurring", "rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"}')
    async with house(sqlite_store, clock, model=model).running() as home:
        assert "Monday, 9 March 2026, 09:00" in await home.ask(ODD)


@pytest.mark.parametrize(
    "answer",
    [
        "tomorrow at nine",
        "{}",
        '{"kind": "none"}',
        '{"kind": "once", "at": "soon"}',
        '{"kind": "once", "at": "2020-01-01T09:00"}',
        '{"kind": "once", "at": "2026-03-23T09:00+02:00"}',
        '{"kind": "once", "at": "2026-03-23T09:00", "run": "rm -rf"}',
        '{"kind": "recurring", "rrule": "FREQ=SECONDLY"}',
        '{"kind": "recurring", "rrule": "DTSTART=1;FREQ=DAILY"}',
        "",
    ],
)
async def test_any_other_answer_of_a_model_is_no_time(
    sqlite_store: Store, clock: ManualClock, answer: str
) -> None:
    async with house(sqlite_store, clock, model=ScriptedModel(answer)).running() as home:
        assert "When shall I remind you" in await home.ask(ODD)


async def test_a_wish_without_any_word_of_time_costs_no_call(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("remind me to buy milk")
        await home.ask("remind me tomorrow at 9am to buy milk")
        assert home.model.requests == []
