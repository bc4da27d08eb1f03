"""How long to wait for a provider: for the first word, between words, and in all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

from bot.errors import ModelError


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Limits:
    """The time limits of one answer, in seconds. Only content moves them on, bytes do not."""

    first_token_s: float
    silence_s: float
    total_s: float
    _started: float = field(default_factory=_loop_time)
    _content: float | None = None

    @classmethod
    def all(cls, seconds: float) -> Self:
        """The same limit for everything."""
        return cls(seconds, seconds, seconds)

    def content_came(self) -> None:
        """Words came, and were dealt with: the silence is counted from now."""
        self._content = _loop_time()

    @property
    def deadline(self) -> float:
        """The next moment, in the loop's time, at which waiting ends."""
        end = self._started + self.total_s
        if self._content is None:
            return min(end, self._started + self.first_token_s)
        return min(end, self._content + self.silence_s)

    def passed(self) -> str:
        """Which limit `deadline` is, in words."""
        if self.deadline == self._started + self.total_s:
            return f"took longer than {self.total_s:g} s"
        if self._content is None:
            return f"gave no answer within {self.first_token_s:g} s"
        return f"was silent for {self.silence_s:g} s"


@asynccontextmanager
async def limited(limits: Limits, provider: str) -> AsyncIterator[None]:
    """Raise `ModelError` of code timeout when the block passes the next limit."""
    try:
        async with asyncio.timeout_at(limits.deadline):
            yield
    except TimeoutError:
        raise ModelError("timeout", f"{provider} {limits.passed()}", provider=provider) from None
