"""The whole bot with its Telegram channel, between a scripted model and the fake Bot API."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.app import App, open_app
from bot.config.settings import Settings, TelegramSettings
from bot.delivery.outbox import Delivery
from bot.domain.conversation import Conversation
from bot.domain.run import RunId
from bot.runs import queue
from channels.telegram.adapter import TelegramChannel
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.upstream import Upstream

ANN, BEN, OWNER = 11, 12, 99
GROUP, FORUM = -1001, -1002
SPEED = 20.0


class FastClock:
    """Time that runs faster, so that waiting as Telegram wants costs a test little."""

    def __init__(self, speed: float = SPEED) -> None:
        self._speed = speed
        self._began = time.monotonic()
        self._at = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self._at + timedelta(seconds=self.seconds())

    def seconds(self) -> float:
        return (time.monotonic() - self._began) * self._speed

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


@dataclass(frozen=True, slots=True)
class Kit:
    api: FakeBotApi
    upstream: Upstream
    app: App
    channel: TelegramChannel
    clock: FastClock

    async def answers(self, chat_id: int, count: int = 1, timeout_s: float = 30.0) -> list[str]:
        """The bot's visible messages of a chat, once so many are final."""

        def are_there() -> bool:
            return len(self.api.world.answers(chat_id)) >= count

        await self.api.until(are_there, timeout_s)
        await self.settled(timeout_s)
        return self.api.world.answers(chat_id)

    async def answers_now(self, chat_id: int, count: int = 1) -> list[str]:
        """The bot's messages of a chat, once there are so many, whatever else is under way."""
        await self.api.until(lambda: len(self.api.world.answers(chat_id)) >= count)
        return self.api.world.answers(chat_id)

    async def last_turn(self) -> str:
        """The id of the newest turn."""

        def find(conn: Any) -> str:
            query = "SELECT id FROM runs WHERE kind = 'turn' ORDER BY created_at DESC LIMIT 1"
            return str(conn.exec_driver_sql(query).scalar())

        return await self.app.store.read(find)

    async def until_read(self, query: Callable[[Any], object], wanted: object) -> None:
        """Wait until the store answers a query as wanted."""
        async with asyncio.timeout(30):
            while await self.app.store.read(query) != wanted:
                await self.clock.sleep(0.2)

    async def answer_ready(self) -> None:
        """Wait until the newest turn's model has said everything."""
        stream = self.app.service.streams.find(RunId(await self.last_turn()))
        assert stream is not None
        async with asyncio.timeout(30):
            while not stream.text.endswith("word79"):
                await self.clock.sleep(0.2)

    async def deliver_again(self, turn_id: str, text: str, chat_id: int) -> None:
        """Deliver a turn's reply once more, as after a crash before the run's end."""
        delivery = Delivery(turn_id, Conversation("telegram", str(chat_id)), text)
        await self.app.outbox.channels["telegram"].deliver(delivery)

    async def settled(self, timeout_s: float = 30.0) -> None:
        """Wait until no update is waiting and no run is under way or queued."""
        async with asyncio.timeout(timeout_s):
            while self.api.world.updates or await self._open_runs():
                await self.clock.sleep(0.2)

    async def _open_runs(self) -> int:
        def count(conn: Any) -> int:
            query = "SELECT count(*) FROM runs WHERE kind <> 'learn' AND status IN ('queued', 'running')"
            return int(conn.exec_driver_sql(query).scalar())

        return await self.app.store.read(count)


def world(api: FakeBotApi) -> FakeBotApi:
    """The people and places of most tests."""
    api.world.user(ANN, "Ann", username="ann_lee")
    api.world.user(BEN, "Ben", username="ben_ok")
    api.world.user(OWNER, "Olga", username="olga_own")
    api.world.group(GROUP, "Friends")
    api.world.group(FORUM, "Forum", forum=True)
    api.world.topic(FORUM, 42)
    return api


def telegram_settings(api: FakeBotApi, **telegram: Any) -> TelegramSettings:
    """The channel's own settings."""
    return TelegramSettings.model_validate({"bot_token": api.token, "api_base_url": api.base_url, **telegram})


def settings(api: FakeBotApi, upstream: Upstream, folder: Path, **telegram: Any) -> Settings:
    """A configuration for both fakes."""
    return Settings.model_validate({
        "app": {"default_provider": "fake"},
        "storage": {"url": f"sqlite:///{folder}/bot.db"},
        "memory": {"backend": "off"},
        "tools": {"workspace_dir": f"{folder}/files"},
        "providers": {"fake": {"kind": "openai-compatible", "base_url": upstream.base_url, "model": "m"}},
        "channels": {
            "telegram": {
                "bot_token": api.token,
                "api_base_url": api.base_url,
                "allowed_user_ids": [ANN, BEN],
                "admin_user_ids": [OWNER],
                "polling_timeout_secs": 2,
                "commands_auto_register": False,
                **telegram,
            }
        },
    })


@asynccontextmanager
async def running(
    api: FakeBotApi, upstream: Upstream, folder: Path, clock: FastClock, **telegram: Any
) -> AsyncIterator[Kit]:
    """The application with its channel, until the block ends."""
    configured = settings(api, upstream, folder, **telegram)
    # Time runs faster than a busy machine can renew leases.
    lease = patch.object(queue, "LEASE", timedelta(seconds=30 * SPEED))
    async with AsyncExitStack() as last, open_app(configured, clock) as app:
        last.enter_context(lease)
        channel: TelegramChannel = next(door for door in app.doors if door.name == "telegram")
        await channel.start()
        try:
            yield Kit(api, upstream, app, channel, clock)
        finally:
            await channel.stop()


@asynccontextmanager
async def started(folder: Path, **telegram: Any) -> AsyncIterator[Kit]:
    """Everything, with fresh fakes."""
    clock = FastClock()
    async with (
        FakeBotApi(now=clock.seconds) as api,
        Upstream() as upstream,
        running(world(api), upstream, folder, clock, **telegram) as kit,
    ):
        yield kit
