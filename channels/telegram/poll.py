"""Long polling that never stops and confirms nothing that is not safe on disk."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from bot.domain.ports import Clock
from bot.errors import InputError
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.parts import ALLOWED_UPDATES, Me

log = structlog.get_logger(__name__)

MAX_PAUSE_S = 30.0
LOG_EVERY_S = 60.0
_CONFLICT = "another program polls with this bot's token: stop it, or get a token of its own from @BotFather"
# An update that raises one of these will raise it for ever: it is set aside.
HOPELESS = (
    InputError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)

Handle = Callable[[dict[str, Any]], Awaitable[None]]


class Trouble:
    """Counts failures in a row: how long to pause, and when to say so (once a minute at most)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._said_at: float | None = None
        self.reason = ""  # of the last failure; "" while all is well

    def clear(self) -> None:
        """It works (again)."""
        if self._said_at is not None:
            log.info("telegram.recovered", failures=self._count)
        self._count, self._said_at, self.reason = 0, None, ""

    async def pause(self, reason: str, *, hint: str = "", at_least_s: float = 0.0) -> None:
        """Note a failure and wait: 1, 2, 4 … seconds, at most half a minute."""
        self.reason = reason
        now = self._clock.now().timestamp()
        if self._said_at is None or now - self._said_at >= LOG_EVERY_S:
            self._said_at = now
            log.warning("telegram.unreachable", reason=reason, hint=hint, failures=self._count + 1)
        seconds = max(min(2.0**self._count, MAX_PAUSE_S), at_least_s)
        self._count = min(self._count + 1, 16)
        await self._clock.sleep(seconds)


def _numbered(updates: Any) -> list[dict[str, Any]]:
    """Those of what getUpdates gave that are updates, each with its number."""
    given = updates if isinstance(updates, list) else []
    return [one for one in given if isinstance(one, dict) and type(one.get("update_id")) is int]


class Poller:
    """Fetches updates and hands them over one by one; goes on whatever happens."""

    def __init__(self, client: Client, clock: Clock, wait_s: int) -> None:
        """`wait_s` is how long one long poll waits for an update."""
        self._client = client
        self._clock = clock
        self._wait_s = wait_s
        self._trouble = Trouble(clock)

    @property
    def trouble(self) -> str:
        """Why no updates come in just now; "" while they do."""
        return self._trouble.reason

    async def prepare(self) -> Me:
        """Learn who the bot is and end a webhook, without dropping what waits there."""
        me = await self._insist("getMe")
        await self._insist("deleteWebhook", drop_pending_updates=False)
        return Me.of(me)

    async def prepare_webhook(self, url: str, secret: str) -> Me:
        """Learn who the bot is and have updates brought to `url`."""
        me = await self._insist("getMe")
        await self._insist(
            "setWebhook",
            url=url,
            secret_token=secret,
            allowed_updates=list(ALLOWED_UPDATES),
            drop_pending_updates=False,
        )
        self._trouble.clear()
        return Me.of(me)

    async def run(self, handle: Handle) -> None:
        """Poll until cancelled. An update is confirmed after `handle` returned for it."""
        offset = 0
        while True:
            updates = await self._fetch(offset)
            for update in updates:
                await self._hand_over(update, handle)
                offset = update["update_id"] + 1

    async def _fetch(self, offset: int) -> list[dict[str, Any]]:
        while True:
            try:
                async with asyncio.timeout(self._wait_s + 30):
                    updates = await self._client.get_updates(offset, self._wait_s, ALLOWED_UPDATES)
            except (Refused, Unanswered, TimeoutError) as error:
                await self._failed(error)
            else:
                if (whole := _numbered(updates)) or not updates:
                    self._trouble.clear()
                    return whole
                # What has no number cannot be confirmed, and would be given again at once.
                await self._trouble.pause("getUpdates gave something other than updates")

    async def _hand_over(self, update: dict[str, Any], handle: Handle) -> None:
        """Hand over one update. A bad one is set aside; while our own store fails, it is tried again."""
        while True:
            try:
                await handle(update)
            except HOPELESS:
                log.exception("telegram.update.skipped", update_id=update.get("update_id"))
            except Exception as error:
                log.exception("telegram.update.failed", update_id=update["update_id"])
                await self._trouble.pause(type(error).__name__)
                continue
            return

    async def _insist(self, method: str, **parameters: Any) -> Any:
        while True:
            try:
                return await self._client.call(method, **parameters)
            except (Refused, Unanswered) as error:
                await self._failed(error)

    async def _failed(self, error: Exception) -> None:
        match error:
            case Refused(code=409):
                if error.says("webhook is active"):
                    await self._insist("deleteWebhook", drop_pending_updates=False)
                await self._trouble.pause(str(error), hint=_CONFLICT)
            case Refused(code=401 | 404):
                await self._trouble.pause(str(error), hint="check channels.telegram.bot_token")
            case Refused():
                await self._trouble.pause(str(error), at_least_s=error.retry_after_s)
            case Unanswered():
                await self._trouble.pause(error.reason, hint="check the network and api_base_url")
            case _:
                await self._trouble.pause("the long poll never ended")
