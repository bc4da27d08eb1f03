"""How often a caller may do something."""

from collections.abc import Callable

from aiohttp import web

from channels.web.errors import ApiError, retry_after

WINDOW_S = 60.0
# Beyond so many callers in one window the others share a count, so that memory stays bounded.
MAX_CALLERS = 4096


class RateLimit:
    """At most `per_minute` uses in each window of a minute and caller; 0 is no limit."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._began = monotonic()
        self._counts: dict[str, int] = {}

    def check(self, caller: str) -> None:
        """429 if the caller has used up this window; does not count."""
        if self._per_minute and self._counts.get(self._key(caller), 0) >= self._per_minute:
            wait_s = self._began + WINDOW_S - self._monotonic()
            raise ApiError(429, "rate_limited", "too many requests", headers=retry_after(wait_s))

    def count(self, caller: str) -> None:
        """Note one use."""
        if self._per_minute:
            key = self._key(caller)
            self._counts[key] = self._counts.get(key, 0) + 1

    def take(self, caller: str) -> None:
        """Use it once, or 429."""
        self.check(caller)
        self.count(caller)

    def _key(self, caller: str) -> str:
        now = self._monotonic()
        if now - self._began >= WINDOW_S:
            self._began = now
            self._counts.clear()
        return caller if caller in self._counts or len(self._counts) < MAX_CALLERS else ""


def caller_of(request: web.Request) -> str:
    """Who calls, as far as the connection itself tells: headers can be forged."""
    return request.remote or ""
