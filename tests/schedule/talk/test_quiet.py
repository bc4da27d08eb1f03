"""A message that concerns no task costs no look into the database, and none that does is missed."""

import pytest

from bot.schedule.talk import desk
from bot.schedule.talk.state import Look, look
from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.schedule.talk.talking import house, kept


async def test_a_quick_exchange_is_looked_up_once_until_something_is_wished_for(
    sqlite_store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def counted(*args: object, **kwargs: object) -> Look:
        looked.append("look")
        return look(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(desk, "look", counted)
    async with house(sqlite_store, clock).running() as home:
        for number in range(5):
            assert await home.ask(f"line number {number}") == f"echo: line number {number}"
        assert len(looked) == 1
        assert "call mum" in await home.ask("remind me to call mum tomorrow at 5pm")
        assert "Noted: “call mum”" in await home.ask("yes")
        assert [job.text for job in kept(home)] == ["call mum"]
        before = len(looked)
        await clock.advance(5)
        await home.ask("line number 9")
        assert len(looked) == before + 1
