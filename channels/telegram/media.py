"""Fetches the files that people send."""

from bot.domain.conversation import Inbound
from bot.domain.message import File
from bot.domain.ports import Clock
from bot.errors import InputError, NotFound
from channels.telegram.client import Client, Refused, Unanswered

# What Telegram's own server lets a bot fetch. One of one's own (api_base_url) may give more.
MAX_BYTES = 20 * 1024 * 1024
TRIES = 3
MAX_PAUSE_S = 5.0


class Media:
    """Brings the bytes of a file, by the handle that came with its message."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock

    async def fetch(self, inbound: Inbound, file: File) -> bytes:
        """The whole file; `InputError` if it is too big, `NotFound` if it can't be had."""
        if file.size is not None and file.size > MAX_BYTES:
            raise InputError("the file is too big")
        reason = ""
        for tried in range(TRIES):
            try:
                data = await self._client.download(file.ref)
            except Refused as error:
                if error.says("file is too big"):
                    raise InputError("the file is too big") from None
                if error.code not in {429, 500, 502, 503, 504}:
                    raise NotFound(error.description) from None
                reason = error.description
                await self._clock.sleep(min(float(error.retry_after_s or 2**tried), MAX_PAUSE_S))
            except Unanswered as error:
                reason = error.reason
                await self._clock.sleep(min(2.0**tried, MAX_PAUSE_S))
            else:
                if len(data) > MAX_BYTES:
                    raise InputError("the file is too big")
                return data
        raise NotFound(reason)
