"""Calls beside the answers, such as a reaction or the menu: within what Telegram allows, and never at the
expense of anything else."""

import asyncio
import contextlib
from collections.abc import Awaitable, Coroutine
from typing import Any

import structlog

from bot.domain.ports import Clock
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.limits import Pace

log = structlog.get_logger(__name__)

TRIES = 5
PATIENCE_S = 300.0  # how long a call may be put off in all, where nobody waits for it


class Courtesies:
    """Makes such calls, while the channel is open."""

    def __init__(self, client: Client, pace: Pace, clock: Clock) -> None:
        self._client = client
        self._pace = pace
        self._clock = clock
        self._group: asyncio.TaskGroup | None = None
        self._closed = asyncio.Event()

    def open(self, group: asyncio.TaskGroup) -> None:
        """Begin; what nobody waits for runs in `group`."""
        self._group = group
        self._closed.clear()

    def close(self) -> None:
        """Begin nothing more, and give up what is put off."""
        self._group = None
        self._closed.set()

    async def call(self, method: str, *, patience_s: float = PATIENCE_S, **parameters: Any) -> Any:
        """Call a method that can be repeated without harm; what fails in passing is tried again.

        A chat that is to be left alone is, and the call waits for it. Raises as the client does when that
        or the trouble takes longer than `patience_s`.
        """
        chat_id = str(parameters.get("chat_id", ""))
        for tried in range(TRIES):
            held_s = self._pace.held_s(chat_id) if chat_id else 0.0
            if held_s > patience_s:
                raise Unanswered("the chat is to be left alone", sent=False)
            patience_s -= held_s
            await self._wait(held_s)
            try:
                return await self._client.call(method, **parameters)
            except (Refused, Unanswered) as error:
                pause_s = _pause_s(error, tried)
                if pause_s is None or pause_s > patience_s or tried == TRIES - 1:
                    raise
            patience_s -= pause_s
            await self._wait(pause_s)
        raise AssertionError("the last try returns or raises")

    async def _wait(self, seconds: float) -> None:
        if not seconds:
            return
        waiting = [asyncio.ensure_future(one) for one in (self._clock.sleep(seconds), self._closed.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        if self._closed.is_set():
            raise Unanswered("the channel is closed", sent=False)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what may fail without harm, and nobody waits for."""
        if self._group is None:  # the channel closes
            work.close()
        else:
            self._group.create_task(courtesy(work))


def _pause_s(error: Refused | Unanswered, tried: int) -> float | None:
    """How long to wait before the next try; None where another would end the same."""
    if isinstance(error, Refused) and error.code == 429:
        return float(error.retry_after_s or 2**tried)
    return 2.0**tried if isinstance(error, Unanswered) or error.code >= 500 else None


async def courtesy(work: Awaitable[None]) -> None:
    """Do what may fail without harm to the rest."""
    try:
        with contextlib.suppress(Refused, Unanswered):
            await work
    except Exception:
        log.exception("telegram.courtesy.failed")
