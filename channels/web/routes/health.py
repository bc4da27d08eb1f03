"""`/health` and `/metrics`: for machines that watch the bot."""

from collections.abc import Callable, Mapping

from aiohttp import web

from bot.events.metrics import Metrics
from bot.runs import queue
from bot.schedule.room import Jobs
from bot.store.engine import Store
from channels.web.errors import json_response
from channels.web.limits import RateLimit, caller_of

Condition = Callable[[], Mapping[str, str]]


class Health:
    def __init__(
        self, store: Store, jobs: Jobs, metrics: Metrics, limit: RateLimit, version: str, condition: Condition
    ) -> None:
        """`condition` tells what works only in part, by name, for people who look."""
        self._store = store
        self._jobs = jobs
        self._metrics = metrics
        self._limit = limit
        self._version = version
        self._condition = condition

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/health", self.health), web.get("/metrics", self.metrics)]

    async def health(self, request: web.Request) -> web.Response:
        return json_response({**self._condition(), "status": "ok", "version": self._version})

    async def metrics(self, request: web.Request) -> web.Response:
        self._limit.take(caller_of(request))
        depth = await self._store.read(queue.waiting)
        counted = await self._jobs.counts()
        jobs = {name: counted[f"jobs_{name}"] for name in ("total", "active", "due")}
        body = self._metrics.render(depth, jobs)
        return web.Response(body=body, headers={"Content-Type": self._metrics.content_type})
