"""The chat page, its parts, and the login."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

from aiohttp import web

from channels.web.auth import COOKIE, COOKIE_LASTS_S, STATIC, Guard
from channels.web.errors import ApiError, bad_request, json_response
from channels.web.limits import RateLimit, caller_of
from channels.web.request import read_body

STATIC_FOLDER = Path(__file__).parent.parent / "static"
MAX_LOGIN_BYTES = 16_384
LOGINS_PER_MINUTE = 10

# Not from the system's table: what a browser may run must not depend on the machine.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

# Nothing from elsewhere, no inline script, no frame; HTML only through the page's sanitiser.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify xiaomaolv"
)


@dataclass(frozen=True, slots=True)
class Asset:
    body: bytes
    content_type: str
    etag: str


def load_assets(folder: Path) -> dict[str, Asset]:
    """The files of the page, by path below `folder`. Others are never looked for on the disk."""
    found = {}
    for path in sorted(folder.rglob("*")):
        content_type = _TYPES.get(path.suffix)
        if content_type is not None and path.is_file():
            body = path.read_bytes()
            etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
            found[path.relative_to(folder).as_posix()] = Asset(body, content_type, etag)
    return found


class Pages:
    def __init__(self, guard: Guard, logins: RateLimit, assets: dict[str, Asset]) -> None:
        self._guard = guard
        self._logins = logins
        self._assets = assets

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.index),
            web.get("/login", self.login_page),
            web.post("/login", self.login),
            web.post("/logout", self.logout),
            web.get("/favicon.ico", self.icon),
            web.get(STATIC + "{path:.+}", self.static),
        ]

    async def index(self, request: web.Request) -> web.Response:
        return self._send(request, "index.html", PAGE_POLICY)

    async def login_page(self, request: web.Request) -> web.Response:
        if not self._guard.tokens:
            return _see("/")
        return self._send(request, "login.html", PAGE_POLICY)

    async def icon(self, request: web.Request) -> web.Response:
        return _see(f"{STATIC}favicon.svg")

    async def static(self, request: web.Request) -> web.Response:
        return self._send(request, request.match_info["path"])

    async def login(self, request: web.Request) -> web.Response:
        """Give a cookie for a token; a form is led on to the page, a script gets JSON."""
        caller = caller_of(request)
        self._logins.check(caller)
        token, is_form = _token_in(request, await read_body(request, MAX_LOGIN_BYTES))
        if self._guard.tokens and not self._guard.tokens.accept(token):
            self._logins.count(caller)
            raise ApiError(401, "unauthorized", "this token is not valid", field="token")
        response = _see("/") if is_form else json_response({})
        if self._guard.tokens:
            response.set_cookie(
                COOKIE,
                self._guard.cookies.issue(),
                max_age=COOKIE_LASTS_S,
                httponly=True,
                samesite="Strict",
                secure=_is_secure(request),
            )
        return response

    async def logout(self, request: web.Request) -> web.Response:
        if value := request.cookies.get(COOKIE):
            self._guard.cookies.end(value)
        response = _see("/login")
        response.del_cookie(COOKIE, httponly=True, samesite="Strict", secure=_is_secure(request))
        return response

    def _send(self, request: web.Request, name: str, policy: str | None = None) -> web.Response:
        asset = self._assets.get(name)
        if asset is None:
            raise ApiError(404, "not_found", "there is no such file")
        headers = {"ETag": asset.etag, "Cache-Control": "no-cache", "Content-Type": asset.content_type}
        if policy is not None:
            headers["Content-Security-Policy"] = policy
        known = [
            tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")
        ]
        if asset.etag in known:
            return web.Response(status=304, headers=headers)
        return web.Response(body=asset.body, headers=headers)


def _token_in(request: web.Request, body: bytes) -> tuple[str, bool]:
    """The token of a login, and whether it came by a form."""
    if request.content_type == "application/x-www-form-urlencoded":
        try:
            values = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10).get("token", [""])
        except ValueError:
            raise bad_request("the form has too many fields") from None
        return values[0], True
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise bad_request("the body is not JSON") from None
    token = value.get("token") if isinstance(value, dict) else None
    if not isinstance(token, str):
        raise bad_request("token must be a text", "token")
    return token, False


def _is_secure(request: web.Request) -> bool:
    """Whether the browser came by TLS, perhaps to a proxy before us."""
    return request.secure or request.headers.get("X-Forwarded-Proto", "").lower() == "https"


def _see(path: str) -> web.Response:
    return web.Response(status=303, headers={"Location": path})
