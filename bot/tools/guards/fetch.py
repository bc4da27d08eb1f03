"""Calls to the web behind the egress guard: one judged address for each hop, and a limit on everything.

No proxy of the environment is used (it would resolve names itself), no cookie is kept, no certificate
goes unchecked, and a connection serves one hop only.
"""

import asyncio
import ssl
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

import httpx2

from bot.errors import Denied, InputError, Unavailable
from bot.tools.guards.addresses import Address
from bot.tools.guards.egress import (
    EgressRules,
    Refused,
    Target,
    check_addresses,
    check_target,
    read_url,
)
from bot.tools.guards.resolve import Resolver

MAX_REDIRECTS = 5
_CONNECT_S = 10.0
_MAX_HEADER = 8 * 1024  # characters of one header that is sent
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Set by the connection, or a way to speak for somebody else or past a border.
_FORBIDDEN_HEADERS = frozenset({
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "keep-alive",
    "expect", "cookie", "proxy-authorization", "proxy-connection", "forwarded", "via", "x-forwarded-for",
    "x-forwarded-host", "x-real-ip", "metadata-flavor", "metadata", "x-aws-ec2-metadata-token",
    "x-aws-ec2-metadata-token-ttl-seconds",
})  # fmt: skip
# Not carried to another host by a redirect.
_OF_ONE_HOST = frozenset({"authorization", "x-api-key", "x-subscription-token", "api-key"})


@dataclass(frozen=True, slots=True)
class Ask:
    """One call. `body` is sent as it stands; `secret` headers are sent, too, and never told in an error."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """`total_s`: seconds for all hops together; `max_bytes`: of the body, unpacked; `cut`: too long is
    cut short, not refused."""

    total_s: float = 30.0
    max_bytes: int = 1_048_576
    cut: bool = True


DEFAULT_LIMITS = FetchLimits()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back: `url` is where it came from in the end, `headers` have lower-case names."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    is_cut: bool = False

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Fetcher:
    """Calls URLs by the rules. `tls` is for tests that bring their own authority."""

    def __init__(self, rules: EgressRules, resolver: Resolver, tls: ssl.SSLContext | None = None) -> None:
        self._rules = rules
        self._resolver = resolver
        self._tls = tls

    async def fetch(self, ask: Ask, limits: FetchLimits = DEFAULT_LIMITS) -> Fetched:
        """Call and follow at most five redirects, each judged as the first.

        Raises `Denied` when the guard says no, `InputError` for a request that is none, `Unavailable`
        when the other side fails or takes too long. Errors name the host, never the rest of the URL.
        """
        _check_headers(ask)
        try:
            async with asyncio.timeout(limits.total_s):
                return await self._follow(ask, limits)
        except TimeoutError:
            raise Unavailable(f"the page was not there within {limits.total_s:g} s") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, zlib.error, ValueError) as error:
            host = _host_of(ask.url)
            if isinstance(error, Refused):
                raise Denied(f"{host} {error}", hint="only the public web may be called") from None
            raise Unavailable(f"{host} did not answer properly: {_kind_of(error)}") from None

    async def _follow(self, ask: Ask, limits: FetchLimits) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            target = read_url(ask.url)
            check_target(target, self._rules)
            fetched = await self._hop(target, ask, limits)
            location = fetched.headers.get("location")
            if fetched.status not in _REDIRECTS or not location:
                return fetched
            ask = _redirected(ask, target, fetched.status, urljoin(target.url, location))
        raise Refused(f"redirects more than {MAX_REDIRECTS} times")

    async def _hop(self, target: Target, ask: Ask, limits: FetchLimits) -> Fetched:
        address = await self._judged(target)
        request = _request(target, address, ask)
        transport = httpx2.AsyncHTTPTransport(
            verify=self._tls or True, trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0)
        )
        async with transport:
            response = await transport.handle_async_request(request)
            headers = {name.lower(): value for name, value in response.headers.items()}
            if response.status_code in _REDIRECTS:
                body, is_cut = b"", False
            else:
                body, is_cut = await _read(response, headers.get("content-encoding", ""), limits)
            return Fetched(target.url, response.status_code, headers, body, is_cut)

    async def _judged(self, target: Target) -> Address:
        if (address := target.address) is not None:
            return address  # judged with the text
        addresses = await self._resolver.addresses(target.host)
        if not addresses:
            raise Unavailable(f"there is no host called {target.host}")
        check_addresses(target, addresses, self._rules)
        return addresses[0]


def _request(target: Target, address: Address, ask: Ask) -> httpx2.Request:
    """The request to the judged address that still names the host it is for, in TLS as well."""
    headers = {"accept": "*/*", "user-agent": "xiaomaolv", **{k.lower(): v for k, v in ask.headers.items()}}
    headers |= {name.lower(): value for name, value in ask.secret.items()}
    headers["accept-encoding"] = "gzip, deflate"
    headers["host"] = target.url.split("/", 3)[2]
    headers["connection"] = "close"
    pinned = replace(target, host=str(address))
    timeout = httpx2.Timeout(None, connect=_CONNECT_S).as_dict()
    extensions = {"sni_hostname": target.host, "timeout": timeout}
    return httpx2.Request(ask.method, pinned.url, headers=headers, content=ask.body, extensions=extensions)


async def _read(response: httpx2.Response, encoding: str, limits: FetchLimits) -> tuple[bytes, bool]:
    """The body, unpacked no further than the limit; whether it was cut."""
    unpack = _unpacker(encoding.strip().lower())
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            body += unpack(chunk, limits.max_bytes + 1 - len(body))
            if len(body) > limits.max_bytes:
                if not limits.cut:
                    raise Refused(f"sends more than {limits.max_bytes} bytes")
                return bytes(body[: limits.max_bytes]), True
    finally:
        await response.aclose()
    return bytes(body), False


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    if encoding in {"", "identity"}:
        return _as_it_is
    if encoding in {"gzip", "x-gzip"}:
        return _Inflate(zlib.MAX_WBITS | 16)
    if encoding == "deflate":
        return _Inflate(zlib.MAX_WBITS)
    raise ValueError("an encoding that was not asked for")


def _as_it_is(chunk: bytes, room: int) -> bytes:
    return chunk[:room]


class _Inflate:
    """Unpacks piece by piece, never more than there is room for: a bomb stops where the limit is."""

    def __init__(self, wbits: int) -> None:
        self._stream = zlib.decompressobj(wbits)
        self._waiting = b""

    def __call__(self, chunk: bytes, room: int) -> bytes:
        unpacked = self._stream.decompress(self._waiting + chunk, max(room, 1))
        self._waiting = self._stream.unconsumed_tail
        return unpacked


def _redirected(ask: Ask, target: Target, status: int, url: str) -> Ask:
    """The next hop's call: another host gets no keys; a form is not posted again unless told so."""
    headers, secret = ask.headers, ask.secret
    if read_url(url).host != target.host or url.split(":", 1)[0].lower() != target.scheme:
        headers = {name: value for name, value in headers.items() if name.lower() not in _OF_ONE_HOST}
        secret = {}
    if status in {307, 308} or ask.method in {"GET", "HEAD"}:
        return replace(ask, url=url, headers=headers, secret=secret)
    return replace(ask, url=url, headers=headers, secret=secret, method="GET", body=None)


def _check_headers(ask: Ask) -> None:
    wrong = []
    for name, value in {**ask.headers, **ask.secret}.items():
        if not name or not all(mark.isalnum() or mark in "-_" for mark in name) or not name.isascii():
            wrong.append(f"{name!r} is not the name of a header")
        elif name.lower() in _FORBIDDEN_HEADERS:
            wrong.append(f"{name} can't be set")
        elif len(value) > _MAX_HEADER or any(ord(mark) < 0x20 or ord(mark) > 0x7E for mark in value):
            wrong.append(f"the value of {name} is too long or holds control or non-ASCII characters")
    if wrong:
        raise InputError("; ".join(wrong), field="headers")


def _host_of(url: str) -> str:
    try:
        return read_url(url).host
    except Refused:
        return "this address"


def _kind_of(error: Exception) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not valid"
    return type(error).__name__
