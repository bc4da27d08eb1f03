"""Calls to the web behind the egress guard: one judged address for each hop, and a limit on everything.

No proxy of the environment is used (it would resolve names itself), no cookie is kept, no certificate
goes unchecked, and a connection serves one hop only.
"""

import asyncio
import importlib
import ssl
from dataclasses import replace
from urllib.parse import urljoin

from bot.errors import Denied, InputError, Unavailable
from bot.tools.guards.addresses import Address
from bot.tools.guards.calls import DEFAULT_LIMITS, REDIRECTS, Ask, Broken, Fetched, FetchLimits
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
_MAX_HEADER = 8 * 1024  # characters of one header that is sent
# Set by the connection, or a way to speak for somebody else or past a border.
_FORBIDDEN_HEADERS = frozenset({
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "keep-alive",
    "expect", "cookie", "proxy-authorization", "proxy-connection", "forwarded", "via", "x-forwarded-for",
    "x-forwarded-host", "x-real-ip", "metadata-flavor", "metadata", "x-aws-ec2-metadata-token",
    "x-aws-ec2-metadata-token-ttl-seconds",
})  # fmt: skip
# Not carried to another host by a redirect.
_OF_ONE_HOST = frozenset({"authorization", "x-api-key", "x-subscription-token", "api-key"})


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
        except Broken as error:
            raise Unavailable(f"{_host_of(ask.url)} did not answer properly: {error}") from None
        except Refused as error:
            raise _denied(ask.url, error) from None

    async def judged(self, url: str) -> tuple[Target, Address]:
        """What a URL leads to, and the address that may be connected to for it; nothing is called.

        For those who call by themselves. Raises `Denied` when the guard says no, `Unavailable`.
        """
        try:
            target = read_url(url)
            check_target(target, self._rules)
            return target, await self._judged(target)
        except Refused as error:
            raise _denied(url, error) from None

    async def _follow(self, ask: Ask, limits: FetchLimits) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            target = read_url(ask.url)
            check_target(target, self._rules)
            fetched = await self._hop(target, ask, limits)
            location = fetched.headers.get("location")
            if fetched.status not in REDIRECTS or not location:
                return fetched
            ask = _redirected(ask, target, fetched.status, _joined(target.url, location))
        raise Refused(f"redirects more than {MAX_REDIRECTS} times")

    async def _hop(self, target: Target, ask: Ask, limits: FetchLimits) -> Fetched:
        address = await self._judged(target)
        # Imported at the first call: an HTTP client takes longer to load than the bot to start.
        wire = importlib.import_module("bot.tools.guards.wire")
        fetched: Fetched = await wire.call(target, address, ask, limits, self._tls)
        return fetched

    async def _judged(self, target: Target) -> Address:
        if (address := target.address) is not None:
            return address  # judged with the text
        addresses = await self._resolver.addresses(target.host)
        if not addresses:
            raise Unavailable(f"there is no host called {target.host}")
        check_addresses(target, addresses, self._rules)
        return addresses[0]


def _denied(url: str, error: Refused) -> Denied:
    return Denied(f"{_host_of(url)} {error}", hint="only the public web may be called")


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise Refused("redirects to what is no address") from None


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
