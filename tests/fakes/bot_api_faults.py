"""What goes wrong on purpose, and how fast is too fast."""

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

FaultKind = Literal["error", "drop_before", "drop_after", "hang_before", "hang_after"]


class ApiError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def as_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return body | {"parameters": self.parameters} if self.parameters else body


def bad(description: str) -> ApiError:
    return ApiError(400, f"Bad Request: {description}")


def too_many(retry_after: int) -> ApiError:
    return ApiError(429, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after)


@dataclass
class Fault:
    """One scripted trouble for calls of `method` ("*" for all), optionally in one chat only.

    `skip` calls pass first, then `times` calls are hit (None: every one). `drop_*` closes the
    connection before or after the effect; `hang_*` answers only when `release` is set.
    """

    method: str = "*"
    kind: FaultKind = "error"
    chat_id: int | None = None
    skip: int = 0
    times: int | None = 1
    code: int = 500
    description: str = "Internal Server Error"
    retry_after: int | None = None
    hits: int = 0
    release: asyncio.Event = field(default_factory=asyncio.Event)

    def takes(self, method: str, chat_id: int | None) -> bool:
        if self.method not in {"*", method} or (self.chat_id is not None and self.chat_id != chat_id):
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None and self.hits >= self.times:
            return False
        self.hits += 1
        return True

    def error(self) -> ApiError:
        if self.retry_after is not None:
            return too_many(self.retry_after)
        return ApiError(self.code, self.description)


@dataclass
class FloodLimits:
    """Counts messages and edits; answers 429 where `enforced`.

    `early` counts calls to a chat that was told to wait and didn't, `latest_early_s` is how long after it
    was told the latest of them came (those under way at the time come at once). `peak_*` are the highest
    counts seen in one window.
    """

    now: Callable[[], float]
    enforced: bool = False
    per_chat_second: int = 1
    per_group_minute: int = 20
    overall_second: int = 30
    early: int = 0
    latest_early_s: float = 0.0
    refused: int = 0
    peak_chat: int = 0
    peak_group: int = 0
    peak_overall: int = 0
    _chats: dict[int, deque[float]] = field(default_factory=dict)
    _overall: deque[float] = field(default_factory=deque)
    _banned: dict[int, tuple[float, float]] = field(default_factory=dict)

    def ban(self, chat_id: int, seconds: float) -> None:
        """Let no call to this chat through for so many seconds."""
        now = self.now()
        self._banned[chat_id] = (now, now + seconds)

    def respect(self, chat_id: int) -> None:
        """Refuse any call to a chat that was told to wait."""
        now = self.now()
        since, until = self._banned.get(chat_id, (0.0, 0.0))
        if now < until:
            self.early += 1
            self.latest_early_s = max(self.latest_early_s, now - since)
            raise too_many(math.ceil(until - now))

    def admit(self, chat_id: int) -> None:
        """Count one message or edit; raise the API's 429 where it is too many."""
        now = self.now()
        times = self._chats.setdefault(chat_id, deque())
        self._forget(times, now - 60)
        self._forget(self._overall, now - 1)
        second = sum(1 for at in times if at > now - 1) + 1
        overall = len(self._overall) + 1
        minute = len(times) + 1 if chat_id < 0 else 0
        self.peak_chat = max(self.peak_chat, second)
        self.peak_group = max(self.peak_group, minute)
        self.peak_overall = max(self.peak_overall, overall)
        if self.enforced:
            self._refuse_excess(times, now, (second, minute, overall))
        times.append(now)
        self._overall.append(now)

    def _refuse_excess(self, times: deque[float], now: float, counts: tuple[int, int, int]) -> None:
        second, minute, overall = counts
        wait = 0.0
        if second > self.per_chat_second or overall > self.overall_second:
            wait = 1.0
        if minute > self.per_group_minute:
            wait = times[0] + 60 - now
        if wait:
            self.refused += 1
            raise too_many(max(1, math.ceil(wait)))

    @staticmethod
    def _forget(times: deque[float], before: float) -> None:
        while times and times[0] <= before:
            times.popleft()
