"""`/v1/channels/{channel}`: what other services bring by themselves, and how a channel is doing."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from aiohttp import web

from bot.schedule.room import Jobs
from channels.web.errors import ApiError, json_response
from channels.web.limits import RateLimit, caller_of
from channels.web.request import Json, read_json

Read = Callable[[], Awaitable[Json]]


class Hook(Protocol):
    """A channel that others post to; it checks them by itself."""

    @property
    def mode(self) -> str:
        """How messages come in, such as polling or webhook."""
        ...

    @property
    def trouble(self) -> str:
        """Why no messages come in just now; "" while they do."""
        ...

    async def inbound(
        self, path_secret: str | None, headers: Mapping[str, str], read: Read
    ) -> tuple[int, Mapping[str, Any]]:
        """Answer a request with a status and a body; `read` gives what was posted."""
        ...

    def diag(self) -> Mapping[str, Any]:
        """Counters since the start."""
        ...


class Channels:
    def __init__(self, hooks: Mapping[str, Hook], jobs: Jobs, limit: RateLimit, max_body_bytes: int) -> None:
        self._hooks = hooks
        self._jobs = jobs
        self._limit = limit
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/channels/{channel}/inbound", self.inbound),
            web.post("/v1/channels/{channel}/inbound/{secret}", self.inbound),
            web.get("/v1/channels/{channel}/mode", self.mode),
            web.get("/v1/channels/{channel}/diag", self.diag),
        ]

    async def inbound(self, request: web.Request) -> web.Response:
        hook = self._hook(request)
        secret = request.match_info.get("secret")

        async def read() -> Json:
            return await read_json(request, self._max_body_bytes)

        status, body = await hook.inbound(secret, request.headers, read)
        return json_response(body, status=status)

    async def mode(self, request: web.Request) -> web.Response:
        self._limit.take(caller_of(request))
        hook = self._hook(request)
        return json_response({
            "channel": request.match_info["channel"],
            "mode": hook.mode,
            "trouble": hook.trouble,
        })

    async def diag(self, request: web.Request) -> web.Response:
        self._limit.take(caller_of(request))
        hook = self._hook(request)
        return json_response({
            "channel": request.match_info["channel"],
            "mode": hook.mode,
            **hook.diag(),
            **await self._jobs.counts(),
            "last_scheduler_error": await self._jobs.last_error(),
        })

    def _hook(self, request: web.Request) -> Hook:
        hook = self._hooks.get(request.match_info["channel"])
        if hook is None:
            raise ApiError(404, "not_found", "there is no such channel")
        return hook
