"""Polling goes on whatever happens, and confirms only what is safe."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from bot.errors import InputError
from channels.telegram.client import Client
from channels.telegram.poll import Poller
from tests.fakes.bot_api import FakeBotApi
from tests.telegram.kit import ANN, FastClock, telegram_settings, world


class Odd:
    """Stands for a Bot API server that answers `getUpdates` with anything."""

    def __init__(self) -> None:
        self.given: list[Any] = [
            {"ok": 1}, None, 5, [5, None, {"message": {}}, {"update_id": "7"}, {"update_id": True}],
            [{"update_id": 8}, "x", {"update_id": 9}],
        ]  # fmt: skip
        self.offsets: list[int] = []
        self.empty = asyncio.Event()

    async def get_updates(self, offset: int, *_: Any) -> Any:
        self.offsets.append(offset)
        if not self.given:
            self.empty.set()
            await asyncio.Event().wait()
        return self.given.pop(0)


class Polling:
    """A poller at the fake, and what it handed over."""

    def __init__(self, api: FakeBotApi) -> None:
        self.api = api
        self.client = Client(telegram_settings(api))
        self.poller = Poller(self.client, FastClock(), wait_s=1)
        self.handed: list[int] = []
        self.failures: list[Exception] = []

    async def handle(self, update: dict[str, Any]) -> None:
        self.handed.append(update["update_id"])
        if self.failures:
            raise self.failures.pop(0)

    async def confirmed(self, count: int) -> None:
        await self.api.until(lambda: len(self.api.world.confirmed) >= count, 15)


@asynccontextmanager
async def polling(api: FakeBotApi) -> AsyncIterator[Polling]:
    made = Polling(api)

    async def work() -> None:
        await made.poller.prepare()
        await made.poller.run(made.handle)

    task = asyncio.ensure_future(work())
    try:
        yield made
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await made.client.close()


@pytest.fixture
async def api() -> AsyncIterator[FakeBotApi]:
    async with FakeBotApi() as fake:
        yield world(fake)


async def test_updates_are_handed_over_in_order_once(api: FakeBotApi) -> None:
    ids = [api.world.say(ANN, f"{number}") for number in range(5)]
    async with polling(api) as made:
        await made.confirmed(5)
        assert made.handed == ids


@pytest.mark.pain("P041")
async def test_an_update_is_confirmed_only_after_it_was_taken_in(api: FakeBotApi) -> None:
    update_id = api.world.say(ANN, "hello")
    async with polling(api) as made:
        made.failures = [OSError("disk full"), OSError("disk full")]
        await made.confirmed(1)
        assert made.handed == [update_id] * 3


async def test_a_bad_update_is_set_aside_and_the_next_ones_come(api: FakeBotApi) -> None:
    ids = [api.world.say(ANN, "bad"), api.world.say(ANN, "good")]
    async with polling(api) as made:
        made.failures = [InputError("cannot be read")]
        await made.confirmed(2)
        assert made.handed == ids


@pytest.mark.pain("P040")
async def test_an_old_webhook_is_removed_and_nothing_that_waits_is_dropped(api: FakeBotApi) -> None:
    await api.methods.call("setWebhook", {"url": "https://old.example/hook"})
    update_id = api.world.say(ANN, "written while you were away")
    async with polling(api) as made:
        await made.confirmed(1)
        assert made.handed == [update_id]
    assert [call.params for call in api.called("deleteWebhook")] == [{"drop_pending_updates": False}]


@pytest.mark.pain("21", "P038")
async def test_a_conflict_is_waited_out_with_one_line_a_minute(api: FakeBotApi) -> None:
    api.fault(
        "getUpdates",
        times=8,
        code=409,
        description="Conflict: terminated by other getUpdates request; "
        "make sure that only one bot instance is running",
    )
    with capture_logs() as logs:
        async with polling(api) as made:
            await api.until(lambda: len(api.called("getUpdates")) >= 3)
            assert "Conflict" in made.poller.trouble
            api.world.say(ANN, "hello")
            await made.confirmed(1)
            assert made.poller.trouble == ""
    said = [line for line in logs if line["event"] == "telegram.unreachable"]
    assert 1 <= len(said) <= 4  # eight failures within about two of the poller's minutes
    assert "stop" in said[0]["hint"]
    assert any(line["event"] == "telegram.recovered" for line in logs)


@pytest.mark.pain("P039")
async def test_failures_of_every_kind_in_a_row_are_outlived(api: FakeBotApi) -> None:
    api.fault("getMe", code=502, description="Bad Gateway")
    api.fault("deleteWebhook", kind="drop_before")
    api.fault("getUpdates", code=409, description="Conflict: terminated by other getUpdates request")
    api.fault("getUpdates", kind="drop_before")
    api.fault("getUpdates", kind="drop_after")
    api.fault("getUpdates", code=500, description="Internal Server Error")
    api.fault("getUpdates", retry_after=3)
    update_id = api.world.say(ANN, "hello")
    async with polling(api) as made:
        await made.confirmed(1)
        assert made.handed == [update_id]


async def test_a_webhook_that_somebody_sets_meanwhile_is_removed_again(api: FakeBotApi) -> None:
    async with polling(api) as made:
        await api.until(lambda: bool(api.called("getUpdates")))
        await api.methods.call("setWebhook", {"url": "https://other.example/hook"})
        api.world.say(ANN, "hello")
        await made.confirmed(1)


@pytest.mark.pain("P134")
async def test_no_failure_shows_the_token(api: FakeBotApi, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    api.fault("getUpdates", kind="drop_before")
    api.fault("getUpdates", code=401, description="Unauthorized")
    with capture_logs() as logs:
        async with polling(api) as made:
            api.world.say(ANN, "hello")
            await made.confirmed(1)
    secret = api.token.partition(":")[2]
    assert secret not in caplog.text
    assert secret not in repr(logs)


async def test_an_answer_that_holds_no_updates_ends_no_poll() -> None:
    odd = Odd()
    handed: list[int] = []

    async def handle(update: dict[str, Any]) -> None:
        handed.append(update["update_id"])

    task = asyncio.ensure_future(Poller(cast("Client", odd), FastClock(), wait_s=1).run(handle))
    async with asyncio.timeout(15):
        await odd.empty.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert handed == [8, 9]
    assert odd.offsets == [0, 0, 0, 0, 0, 10]
