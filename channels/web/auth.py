"""Who may come in: the Host and Origin of a request, its bearer token, the cookie of the web page."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from urllib.parse import urlsplit

from aiohttp import web

from bot.config.base import is_loopback
from bot.config.settings import HttpSettings
from bot.domain.ports import Clock
from channels.web.errors import ApiError

COOKIE = "xiaomaolv_session"
COOKIE_LASTS_S = 30 * 24 * 3600
_KEY_ROUNDS = 20_000
_PAGES = frozenset({"/", "/login"})
STATIC = "/static/"
# What the login page is made of, its texts aside: nobody has a token yet who looks at it.
_LOGIN_PARTS = ("api.js", "css/base.css", "dom.js", "favicon.svg", "i18n.js", "login.js", "theme.js")
_LOGIN_TEXTS = f"{STATIC}i18n/"
_PUBLIC = frozenset({"/health", "/login", "/favicon.ico", *(STATIC + part for part in _LOGIN_PARTS)})
METRICS = "/metrics"
_INBOUND = re.compile(r"/v1/channels/([a-z]+)/inbound(/[^/]+)?")
_FEED = re.compile(r"/v1/calendar/[A-Za-z0-9_-]{43}\.ics")
# As browsers write them: neither a user's name nor a path belongs there.
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]\s:/?#@\\]+))(?::(?P<port>[0-9]{1,5}))?")
_SCHEMES = {"http": 80, "https": 443}
_DIAGNOSTIC = re.compile(r"/v1/channels/[^/]+/(mode|diag)")


class Tokens:
    """The secrets that open the interface, compared in constant time."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._tokens = tuple(_bytes(token) for token in tokens)

    def __bool__(self) -> bool:
        return bool(self._tokens)

    def accept(self, given: str) -> bool:
        """Whether `given` is one of them; how long that takes does not tell which, or how nearly."""
        candidate = _bytes(given)
        found = False
        for token in self._tokens:
            found |= hmac.compare_digest(token, candidate)
        return found


class Cookies:
    """What the page gets in exchange for a token: signed, it ends by itself, and it is not the token.

    The key comes from the tokens, so a login lasts over a restart and ends when the tokens change.
    """

    def __init__(self, tokens: Iterable[str], clock: Clock) -> None:
        joined = b"\0".join(_bytes(token) for token in tokens)
        self._key = hashlib.pbkdf2_hmac("sha256", joined, b"xiaomaolv web login", _KEY_ROUNDS)
        self._clock = clock
        self._ended: dict[str, int] = {}

    def issue(self) -> str:
        """A fresh value."""
        content = f"{self._now() + COOKIE_LASTS_S}.{secrets.token_urlsafe(16)}"
        return f"{content}.{self._sign(content)}"

    def accept(self, value: str) -> bool:
        """Whether it is ours, not too old, and nobody logged out with it."""
        content, _, signature = value.rpartition(".")
        if not hmac.compare_digest(self._sign(content).encode(), _bytes(signature)):
            return False
        return int(content.partition(".")[0]) > self._now() and value not in self._ended

    def end(self, value: str) -> None:
        """Nobody comes in with this value again, until the process restarts."""
        if self.accept(value):
            now = self._now()
            self._ended = {old: until for old, until in self._ended.items() if until > now}
            self._ended[value] = int(value.partition(".")[0])

    def _sign(self, content: str) -> str:
        return hmac.new(self._key, _bytes(content), hashlib.sha256).hexdigest()

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


class Guard:
    """Decides of each request whether it may go on."""

    def __init__(self, settings: HttpSettings, clock: Clock, hooks: Iterable[str] = ()) -> None:
        """`hooks` are the channels whose services post here and show a secret of their own."""
        secret = [token.get_secret_value() for token in settings.api_tokens]
        self.tokens = Tokens(secret)
        self.cookies = Cookies(secret, clock)
        diag = settings.diag_bearer_token
        self._diag = Tokens([] if diag is None else [diag.get_secret_value()])
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.allowed_origins)
        self._hosts = frozenset(urlsplit(origin).netloc for origin in self._origins)
        self._hooks = frozenset(hooks)
        self.port = 0  # known once the socket is bound

    def check(self, request: web.Request) -> None:
        """403 or 401 for what must not go on. Call it before anything of the request is used."""
        if self._is_for_service(request):
            return
        if not self.tokens:
            self._check_host(request.headers.get("Host", ""))
        self._check_origin(request)
        if _DIAGNOSTIC.fullmatch(request.path):
            self._check_diagnostic(request)
        elif self.tokens or self._diag:
            self._check_token(request)

    def _is_for_service(self, request: web.Request) -> bool:
        """Whether a service may ask this, which comes under any name and shows a secret of its own."""
        posted = _INBOUND.fullmatch(request.path)
        if posted is not None and posted[1] in self._hooks:
            return True
        return request.method == "GET" and _FEED.fullmatch(request.path) is not None

    def _check_diagnostic(self, request: web.Request) -> None:
        """Diagnostics are closed unless somebody set a token for them, or for everything."""
        if self._diag.accept(_bearer(request)) or (self.tokens and self.is_signed_in(request)):
            return
        if not self.tokens and not self._diag:
            raise ApiError(403, "forbidden", "set channels.http.diag_bearer_token to open the diagnostics")
        raise _no_token()

    def allows_origin(self, origin: str) -> bool:
        """Whether the operator lets pages of this other origin use the interface."""
        return origin.lower() in self._origins

    def is_signed_in(self, request: web.Request) -> bool:
        """Whether the request carries a good token or cookie."""
        if self.tokens.accept(_bearer(request)):
            return True
        # Without tokens the key of the cookies is no secret.
        return bool(self.tokens) and self.cookies.accept(request.cookies.get(COOKIE, ""))

    def _check_host(self, host: str) -> None:
        """Only names of this machine: another one may have been pointed here to get past the browser."""
        if host.lower() in self._hosts:
            return
        name, port = _split_host(host)
        if not is_loopback(name) or port != self.port:
            told = "this Host is not served; channels.http.allowed_origins can name the address of the page"
            raise ApiError(403, "forbidden", told)

    def _check_origin(self, request: web.Request) -> None:
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site")
        if origin is None:
            if site in {None, "same-origin", "none"} or _is_visit(request):
                return
        elif origin == "null" and site == "same-origin":
            return  # a form of our own page, which tells no referrer
        elif self.allows_origin(origin) or _is_same(origin, request.headers.get("Host", "")):
            return
        raise ApiError(403, "forbidden", "pages of another origin may not do this")

    def _check_token(self, request: web.Request) -> None:
        path = request.path
        if path in _PUBLIC or path.startswith(_LOGIN_TEXTS):
            return
        if path == METRICS and self._diag.accept(_bearer(request)):
            return
        if not self.tokens and path != METRICS:
            return
        if not self.is_signed_in(request):
            raise _no_token()


def _no_token() -> ApiError:
    challenge = {"WWW-Authenticate": 'Bearer realm="xiaomaolv"'}
    return ApiError(401, "unauthorized", "a valid bearer token is needed", headers=challenge)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bearer(request: web.Request) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _split_host(host: str, default_port: int = 80) -> tuple[str, int]:
    """The name and the port of a `Host`; "" for what is none."""
    found = _HOST.fullmatch(host)
    if found is None:
        return "", 0
    return (found["v6"] or found["name"]).lower(), int(found["port"] or default_port)


def _is_same(origin: str, host: str) -> bool:
    """Whether a page of `origin` came from here. A proxy may have taken off the TLS."""
    scheme, _, theirs = origin.partition("://")
    port = _SCHEMES.get(scheme.lower())
    if port is None:
        return False
    name, _ = own = _split_host(host, port)
    return bool(name) and own == _split_host(theirs, port)


def _is_visit(request: web.Request) -> bool:
    """Somebody followed a link to one of the pages; they hold nothing of anybody and change nothing."""
    headers = request.headers
    return (
        request.method in {"GET", "HEAD"}
        and request.path in _PAGES
        and headers.get("Sec-Fetch-Mode") == "navigate"
        and headers.get("Sec-Fetch-Dest") == "document"
    )
