"""Updates that Telegram brings by itself, to an address of ours."""

import asyncio
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from bot.config.channels import TelegramSettings
from channels.telegram.contents import Json
from channels.telegram.poll import HOPELESS

log = structlog.get_logger(__name__)

PATH = "/v1/channels/telegram/inbound"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
KEPT_IDS = 2_000

Answer = tuple[int, Mapping[str, Any]]
Read = Callable[[], Awaitable[Json]]
Take = Callable[[Json], Awaitable[None]]

_DENIED: Answer = (401, {"error": {"code": "unauthorized", "message": "the secret is missing or wrong"}})
_NONE: Answer = (400, {"error": {"code": "bad_request", "message": "update_id must be a whole number"}})
_NOT_NOW: Answer = (503, {"error": {"code": "unavailable", "message": "try again"}})


def secret_of(settings: TelegramSettings) -> str:
    """What Telegram must send with each update: as set, else made of the token, the same at each start."""
    if settings.webhook_secret is not None:
        return settings.webhook_secret.get_secret_value()
    token = settings.bot_token.get_secret_value() if settings.bot_token else ""
    return hmac.new(token.encode(), b"xiaomaolv webhook secret", hashlib.sha256).hexdigest()


class Webhook:
    """Takes what is posted, one after the other; answers well only when it is safe on disk."""

    def __init__(self, settings: TelegramSettings) -> None:
        self._secret = secret_of(settings).encode()
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._one = asyncio.Lock()
        self.take: Take | None = None  # once the bot knows who it is

    async def receive(self, path_secret: str | None, headers: Mapping[str, str], read: Read) -> Answer:
        """Answer one request. Nothing of it is read before the secret was right.

        It may stand in the header, in the path, or in both; each that is given must be right.
        """
        given = [secret for secret in (headers.get(HEADER), path_secret) if secret is not None]
        if not given or not all(self._is_right(secret) for secret in given):
            log.warning("telegram.webhook.denied")
            return _DENIED
        if self.take is None:
            return _NOT_NOW
        update = await read()
        update_id = update.get("update_id")
        if type(update_id) is not int:
            return _NONE
        async with self._one:
            return await self._once(update_id, update, self.take)

    async def _once(self, update_id: int, update: Json, take: Take) -> Answer:
        if update_id in self._seen:
            return 200, {"ok": True}
        try:
            await take(update)
        except HOPELESS:  # it would be brought again for ever
            log.exception("telegram.update.skipped", update_id=update_id)
        except Exception:
            log.exception("telegram.update.failed", update_id=update_id)
            return _NOT_NOW
        self._seen[update_id] = None
        if len(self._seen) > KEPT_IDS:
            self._seen.popitem(last=False)
        return 200, {"ok": True}

    def _is_right(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._secret)
