"""What stands around every route: the guard before it, errors as JSON and safe headers after it."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.errors import XiaomaolvError
from channels.web.auth import Guard
from channels.web.errors import SERVER, ApiError, of_http, of_ours, response_of

log = structlog.get_logger(__name__)

Signal = Callable[[web.Request, web.StreamResponse], Awaitable[None]]

_OPENAI_PATHS = ("/v1/chat/", "/v1/models")
_ALLOWED_METHODS = "GET, POST, PATCH, DELETE"
_ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Session-Id"

_HEADERS = {
    "Server": SERVER,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# For what is no page: nothing in it may run, should a browser ever be led to show it.
_NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'"


def boundary(guard: Guard) -> Middleware:
    """The middleware around all routes. Whatever a request does, it ends in an answer."""

    @web.middleware
    async def around(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if request.method == "OPTIONS" and (answer := _preflight(request, guard)) is not None:
                return answer
            guard.check(request)
            return await handler(request)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - the boundary of a request
            return _told(request, error)

    return around


def secured(guard: Guard) -> Signal:
    """The signal that puts safe headers on every response before it begins."""

    async def secure(request: web.Request, response: web.StreamResponse) -> None:
        headers = response.headers
        headers.update(_HEADERS)
        headers.setdefault("Content-Security-Policy", _NO_PAGE_POLICY)
        headers.setdefault("Cache-Control", "no-store")
        origin = request.headers.get("Origin")
        if origin is not None and guard.allows_origin(origin):
            headers["Access-Control-Allow-Origin"] = origin
            headers["Vary"] = "Origin"

    return secure


def _told(request: web.Request, error: Exception) -> web.StreamResponse:
    match error:
        case ApiError():
            told = error
        case web.HTTPException():
            told = of_http(error)
        case XiaomaolvError():
            told = of_ours(error)
        case _:
            told = ApiError(500, "internal", "something went wrong; it is in the log")
    if told.status == 500:
        log.error("http.request_failed", method=request.method, path=_route(request), exc_info=error)
    if told.status == 401 and request.path == "/" and "text/html" in request.headers.get("Accept", ""):
        return web.Response(status=303, headers={"Location": "/login"})
    return response_of(told, openai=request.path.startswith(_OPENAI_PATHS))


def _route(request: web.Request) -> str:
    """The route as it is declared; a path may hold an id of a person."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else ""


def _preflight(request: web.Request, guard: Guard) -> web.Response | None:
    """The answer to a browser that asks whether an allowed page may send a request."""
    origin = request.headers.get("Origin", "")
    if "Access-Control-Request-Method" not in request.headers or not guard.allows_origin(origin):
        return None
    headers = {
        "Access-Control-Allow-Methods": _ALLOWED_METHODS,
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": "600",
    }
    return web.Response(status=204, headers=headers)
