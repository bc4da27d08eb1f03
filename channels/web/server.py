"""The web channel: the page, the HTTP interface and OpenAI's, on one address."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from types import MappingProxyType

import structlog
from aiohttp import web

from bot.clock import SystemClock
from bot.config.base import is_loopback
from bot.config.settings import Settings
from bot.domain.ports import Clock, Toolset
from bot.errors import ConfigError
from bot.events.metrics import Metrics
from bot.schedule.room import Jobs
from bot.service import Service
from bot.store.engine import Store
from bot.tools.mcp.servers import Servers
from bot.tools.shelf import Shelf
from bot.turn.rights import Rights
from bot.turn.sessions import Sessions
from channels.web.auth import Guard
from channels.web.boundary import boundary, secured
from channels.web.chat import Chat
from channels.web.limits import RateLimit
from channels.web.protocol import Runner
from channels.web.routes.approvals import ApprovalRoutes
from channels.web.routes.calendar import CalendarRoutes
from channels.web.routes.channels import Channels, Hook
from channels.web.routes.completions import Completions
from channels.web.routes.health import Health
from channels.web.routes.jobs import JobRoutes
from channels.web.routes.mcp import McpRoutes
from channels.web.routes.memory import MemoryRoutes
from channels.web.routes.messages import Messages
from channels.web.routes.pages import LOGINS_PER_MINUTE, STATIC_FOLDER, Pages, load_assets
from channels.web.routes.sessions import SessionRoutes
from channels.web.routes.turns import Turns
from channels.web.routes.ui import ModelInfo, Ui
from channels.web.stream import Connections

log = structlog.get_logger(__name__)

# A request that waits for nothing is answered in this time, in seconds, when the process ends.
SHUTDOWN_S = 0.5
BACKLOG = 1024


@dataclass(frozen=True, slots=True)
class Rooms:
    """What routes lead to beside the talk itself."""

    sessions: Sessions
    jobs: Jobs
    rights: Rights
    mcp: Servers | None = None
    tools: Toolset | None = None  # what calls of tools go through
    shelf: Shelf | None = None  # the pictures that tools brought


class WebChannel:
    """Serves HTTP from `start` to `aclose`; switched off it still tells its health and metrics."""

    name = "web"

    def __init__(  # noqa: PLR0913 - a constructor takes its collaborators
        self,
        settings: Settings,
        service: Service,
        rooms: Rooms,
        store: Store,
        metrics: Metrics,
        model: ModelInfo,
        clock: Clock | None = None,
        hooks: Mapping[str, Hook] = MappingProxyType({}),
    ) -> None:
        """`hooks` are the channels that others post to, by name; `/health` tells their troubles."""
        self._settings = settings
        self._service = service
        self._rooms = rooms
        self._store = store
        self._metrics = metrics
        self._model = model
        self._clock = clock or SystemClock()
        self._hooks = hooks
        self._guard = Guard(settings.channels.http, self._clock, hooks)
        self._connections = Connections(self._clock)
        self._runner: Runner | None = None
        self._beat: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where the page is; the real port once it has started."""
        host = self._settings.app.host
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self._guard.port or self._settings.app.port}/"

    async def start(self) -> None:
        """Listen. `ConfigError` when the address is taken, or open to others without tokens."""
        app = self._settings.app
        if self._settings.channels.http.enabled and not self._guard.tokens and not is_loopback(app.host):
            raise ConfigError(
                f"app.bind: {app.bind} is open to other machines, but channels.http.api_tokens is empty",
                hint="set channels.http.api_tokens, or bind to 127.0.0.1",
            )
        runner = Runner(self._application(), shutdown_timeout=SHUTDOWN_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, app.host, app.port, backlog=BACKLOG).start()
        except OSError as error:
            await runner.cleanup()
            raise ConfigError(
                f"app.bind: cannot listen on {app.bind}: {error.strerror or error}",
                hint="another program may use the port; choose one with app.bind",
            ) from error
        self._runner = runner
        self._guard.port = runner.addresses[0][1]
        self._beat = asyncio.get_running_loop().create_task(self._connections.beat(), name="web-beat")
        log.info("web.started", url=self.url)

    async def stop(self) -> None:
        """Listen no more and take nothing new; the answers that are under way go on being sent."""
        self._connections.drain()
        for site in list(self._runner.sites) if self._runner is not None else ():
            await site.stop()

    async def aclose(self) -> None:
        """End what still waits: streams are cut (their readers come back), the rest gets 503."""
        await self.stop()
        if self._runner is None or self._beat is None:
            return
        runner, self._runner = self._runner, None
        self._connections.close()
        self._beat.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._beat
        await runner.cleanup()
        log.info("web.stopped")

    def _troubles(self) -> Mapping[str, str]:
        return {name: hook.trouble for name, hook in self._hooks.items() if hook.trouble}

    def _application(self) -> web.Application:
        http = self._settings.channels.http
        app = web.Application(middlewares=[boundary(self._guard)], client_max_size=http.max_body_bytes)
        app.on_response_prepare.append(secured(self._guard))
        connections, clock, version = self._connections, self._clock, metadata.version("xiaomaolv")
        limit = RateLimit(http.rate_limit_per_minute, time.monotonic)
        chat = Chat(self._service, connections, clock, limit, self._settings.app.locale)
        diagnostics = RateLimit(http.diag_rate_limit_per_minute, time.monotonic)
        logins = RateLimit(LOGINS_PER_MINUTE, time.monotonic)
        health = Health(self._store, self._rooms.jobs, self._metrics, diagnostics, version, self._troubles)
        app.add_routes(health.routes())
        app.add_routes(Channels(self._hooks, self._rooms.jobs, diagnostics, http.max_body_bytes).routes())
        if not http.enabled:
            return app
        routes = (
            Messages(chat, connections, http.max_body_bytes),
            Turns(chat, connections, self._service, self._store, self._rooms.shelf),
            Completions(chat, connections, clock, http.max_body_bytes),
            SessionRoutes(self._rooms.sessions, self._service),
            JobRoutes(self._rooms.jobs, chat, http.max_body_bytes),
            MemoryRoutes(self._rooms.rights, http.max_body_bytes),
            McpRoutes(self._rooms.mcp, self._rooms.tools, http.max_body_bytes),
            CalendarRoutes(self._rooms.jobs, http.max_body_bytes),
            Ui(chat, self._model, version, auth_required=bool(self._guard.tokens)),
            Pages(self._guard, logins, load_assets(STATIC_FOLDER)),
        )
        for room in routes:
            app.add_routes(room.routes())
        if self._service.desk is not None:
            app.add_routes(ApprovalRoutes(self._service.desk, http.max_body_bytes).routes())
        return app
