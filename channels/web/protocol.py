"""What aiohttp answers by itself (to bytes that are no HTTP, to an unknown expectation), as our errors."""

from typing import Any

from aiohttp import StreamReader, web
from typing_extensions import override

from channels.web.errors import SERVER, ApiError, of_http, response_of

# Silence before and between the requests of one connection.
KEEPALIVE_S = 75.0
# What a client may still send of a body that was refused, so that it can read the refusal.
LINGERING_S = 2.0


class _Protocol(web.RequestHandler):
    """One connection. What was asked before its client ended its half of it is answered still."""

    __slots__ = ("_last_body", "_said_all")

    def __init__(self, manager: web.Server, **options: Any) -> None:
        super().__init__(manager, **options)
        self._last_body: StreamReader | None = None  # of the newest request
        self._said_all = False

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._messages:
            self._last_body = self._messages[-1][1]

    @override
    def eof_received(self) -> bool:  # type: ignore[override]  # None there: always close
        """Nothing more will come: close, unless a whole request waits for its answer."""
        idle = self._waiter is not None and not self._messages
        self._said_all = not idle and self._last_body is not None and self._last_body.is_eof()
        return self._said_all

    @override
    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status >= 500:
            self.log_exception("Error handling request", exc_info=exc)
            return response_of(ApiError(status, "internal", "something went wrong; it is in the log"))
        response = response_of(ApiError(status, "bad_request", "this is not a request of HTTP"))
        response.headers["Server"] = SERVER
        response.force_close()
        return response

    @override
    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        if isinstance(resp, web.HTTPException):
            resp = response_of(of_http(resp))
        finished = await super().finish_response(request, resp, start_time)
        if self._said_all and not self._messages:
            self.close()
        return finished


class _Server(web.Server):
    @override
    def __call__(self) -> web.RequestHandler:
        return _Protocol(
            self,
            loop=self._loop,
            access_log=None,  # documented as the way to switch it off
            keepalive_timeout=KEEPALIVE_S,
            lingering_time=LINGERING_S,
            auto_decompress=False,
        )


class Runner(web.AppRunner):
    """Serves an application with `_Protocol` on each connection."""

    @override
    async def _make_server(self) -> web.Server:
        server: Any = await super()._make_server()
        return _Server(server.request_handler, request_factory=server.request_factory)
