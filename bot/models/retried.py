"""Wrappers about when to ask: again after a failure, and not too much at once."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable

import structlog

from bot.domain.message import ModelEvent, ModelRequest, TextDelta
from bot.domain.ports import ChatModel, Clock
from bot.errors import ModelError
from bot.models.streams import closing

log = structlog.get_logger(__name__)

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
_TRANSIENT = {"rate_limited", "unavailable", "stream_broken", "timeout"}


class Retried:
    """Asks again after a failure that may pass, as long as no visible word was given.

    The pause doubles from half a second, with jitter, or is what the provider asks for; where that
    is more than `max_wait_s`, the failure is passed on at once. A time limit that passed is retried
    only `timeout_retries` times: the person has waited long already. Continuations are never
    retried: each would repeat the words before.
    """

    def __init__(
        self,
        inner: ChatModel,
        *,
        clock: Clock,
        max_retries: int = 2,
        max_wait_s: float = 30.0,
        timeout_retries: int = 0,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._max_retries = max_retries
        self._max_wait_s = max_wait_s
        self._timeout_retries = timeout_retries
        self._jitter = jitter

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        attempt = 0
        while True:
            shown = False
            try:
                async with closing(self._inner.stream(request)) as events:
                    async for event in events:
                        shown = shown or (isinstance(event, TextDelta) and bool(event.text.strip()))
                        yield event
                return
            except ModelError as error:
                pause = None if shown or request.answered else self._pause(error, attempt)
                if pause is None:
                    raise
                log.info(
                    "model.call.retried",
                    provider=error.provider,
                    code=error.code,
                    attempt=attempt + 1,
                    pause_s=round(pause, 2),
                )
            attempt += 1
            await self._clock.sleep(pause)

    def _pause(self, error: ModelError, attempt: int) -> float | None:
        """Seconds to wait before the next try; None to give up."""
        tries = self._timeout_retries if error.code == "timeout" else self._max_retries
        if error.code not in _TRANSIENT or attempt >= min(tries, self._max_retries):
            return None
        pause = min(_FIRST_PAUSE_S * 2.0**attempt, _LONGEST_PAUSE_S) * (0.5 + self._jitter() / 2)
        if error.retry_after_s is not None:
            if error.retry_after_s > self._max_wait_s:
                return None
            # A little later than asked, so that several waiting turns do not come at once.
            pause = error.retry_after_s + self._jitter() * min(1.0, error.retry_after_s / 10)
        return pause


class Limited:
    """Lets so many answers through at once; the others wait their turn."""

    def __init__(self, inner: ChatModel, at_once: int) -> None:
        self._inner = inner
        self._places = asyncio.Semaphore(at_once)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        async with self._places, closing(self._inner.stream(request)) as events:
            async for event in events:
                yield event
