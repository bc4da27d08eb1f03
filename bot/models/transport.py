"""The one module that talks HTTP to providers: the `openai` client with its pool, sign-in and limits.

It is imported when the first provider is connected to: the client takes half a second to load.
Answers are read raw: building the client's objects for every chunk would cost more than the rest
of a turn.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import httpx2
import openai

from bot.domain.ports import Clock
from bot.errors import ModelError
from bot.models import failures
from bot.models.endpoint import Address, address_of, without_login
from bot.models.limits import Limits, limited
from bot.models.wire import encoded

_MAX_BODY = 32 * 1024 * 1024
_KEEP_ALIVE_S = 60.0
_WIRE = {"aiohttp", "anyio", "h11", "httpcore2", "socksio"}
_BROKEN = (httpx2.HTTPError, httpx2.StreamError, ssl.SSLError, OSError, EOFError)

Files = Mapping[str, tuple[str, bytes, str]]


class Transport:
    """One endpoint. Every failure leaves as a `ModelError` without the key in it."""

    def __init__(self, address: Address, clock: Clock) -> None:
        self.name = address.name
        self.api_key = address.api_key
        self._base_url, login = without_login(address.base_url)
        self._clock = clock
        self._connect_timeout_s = address.connect_timeout_s
        timeout = httpx2.Timeout(None, connect=address.connect_timeout_s, pool=address.connect_timeout_s)
        self._http = _http_client(address.proxy, timeout)
        self._client = openai.AsyncOpenAI(
            api_key=address.api_key or "none",
            organization="",
            project="",
            base_url=self._base_url,
            http_client=self._http,
            timeout=timeout,
            max_retries=0,
            default_headers=_headers(address, login),
        )
        # Every request has these; the client would put them together anew for each, for half a millisecond.
        told = {**self._client.auth_headers, **self._client.default_headers}
        last = {name.lower(): value for name, value in told.items()}
        self._headers = {name: value for name, value in last.items() if isinstance(value, str)}
        self._urls: dict[str, httpx2.URL] = {}

    @asynccontextmanager
    async def post(
        self, path: str, body: Mapping[str, Any], limits: Limits, files: Files | None = None
    ) -> AsyncIterator["Response"]:
        """Send `body` and give the answer; leaving closes the connection if it was not read out.

        With `files` (a name each, with file name, content and type) it goes as a form.
        """
        response = await self._send(path, body, limits, files)
        try:
            yield Response(self, response)
        finally:
            await response.aclose()

    async def _send(
        self, path: str, body: Mapping[str, Any], limits: Limits, files: Files | None
    ) -> httpx2.Response:
        request = self._request(path, body, files)
        async with limited(limits, self.name):
            try:
                response = await self._http.send(request, stream=True)
                if response.is_success:
                    return response
                async with aclosing(response):
                    await response.aread()
                failure = self._status_failure(response)
            except Exception as error:
                if not _is_foreign(error):  # a mistake of ours
                    raise
                failure = self._send_failure(error)
        # Outside of the handler: a context would carry the request, with its key, along.
        raise failure

    def _request(self, path: str, body: Mapping[str, Any], files: Files | None) -> httpx2.Request:
        """What the client would send, without its way of building each request from nothing."""
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = httpx2.URL(address_of(self._base_url, path))
        if files:
            headers = {name: value for name, value in self._headers.items() if name != "content-type"}
            return httpx2.Request("POST", url, headers=headers, data=dict(body), files=files)
        return httpx2.Request("POST", url, headers=self._headers, content=encoded(body))

    def _send_failure(self, error: Exception) -> ModelError:
        # The pool reports a refused or dropped connection as a time limit too; the cause tells.
        if isinstance(error, httpx2.TimeoutException) and _has_timed_out(error):
            text = f"no connection to {self.name} within {self._connect_timeout_s:g} s"
            return ModelError("timeout", text, provider=self.name)
        cause = failures.excerpt(str(error) or type(error).__name__, self.api_key)
        return ModelError("unavailable", f"cannot reach {self.name}: {cause}", provider=self.name)

    def _status_failure(self, response: httpx2.Response) -> ModelError:
        return failures.http_failure(
            self.name,
            response.status_code,
            response.content,
            response.headers,
            self.api_key,
            self._clock.now(),
        )

    def event_failure(self, body: Mapping[str, Any]) -> ModelError:
        """The error for an answer that is an error object."""
        return failures.event_failure(self.name, body, self.api_key, self._clock.now())

    def stream_failure(self, error: BaseException) -> ModelError:
        """The error for an answer that broke off."""
        cause = failures.excerpt(str(error) or type(error).__name__, self.api_key)
        return ModelError(
            "stream_broken", f"the answer of {self.name} broke off: {cause}", provider=self.name
        )

    async def aclose(self) -> None:
        await self._client.close()


class Response:
    """A successful answer whose body is still to come."""

    def __init__(self, transport: Transport, response: httpx2.Response) -> None:
        self._transport = transport
        self._response = response
        self._pieces = response.aiter_bytes()

    @property
    def content_type(self) -> str:
        return str(self._response.headers.get("content-type", "")).partition(";")[0].strip().lower()

    async def piece(self, limits: Limits) -> bytes | None:
        """The next bytes; None at the end. Raises `ModelError` when it breaks or takes too long."""
        async with limited(limits, self._transport.name):
            try:
                return await anext(self._pieces, None)
            except Exception as error:
                if not _is_foreign(error):
                    raise
                failure = self._transport.stream_failure(error)
        raise failure

    async def read(self, limits: Limits) -> bytes:
        """The whole body, at most 32 MiB."""
        content = bytearray()
        while (piece := await self.piece(limits)) is not None:
            content += piece
            if len(content) > _MAX_BODY:
                raise self._transport.stream_failure(ValueError("it is too long"))
        return bytes(content)


def _is_foreign(error: BaseException) -> bool:
    """Whether the wire failed. The pools' own errors come through the client as they are."""
    return isinstance(error, _BROKEN) or type(error).__module__.partition(".")[0] in _WIRE


def _has_timed_out(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, TimeoutError | asyncio.TimeoutError):
            return True
        error = error.__cause__
    return False


def _http_client(proxy: str | None, timeout: httpx2.Timeout) -> httpx2.AsyncClient:
    # aiohttp costs a quarter less per request, but does not know SOCKS.
    is_socks = proxy is not None and proxy.startswith("socks")
    make = openai.DefaultAsyncHttpxClient if is_socks else openai.DefaultAioHttpClient
    return make(
        # The environment's proxies were looked at by the caller, which knows about loopback.
        trust_env=False,
        proxy=proxy,
        limits=httpx2.Limits(
            max_connections=1000, max_keepalive_connections=100, keepalive_expiry=_KEEP_ALIVE_S
        ),
        timeout=timeout,
    )


def _headers(address: Address, login: str) -> dict[str, Any]:
    omit = openai.Omit()
    # Compression would make the far end collect small events before it sends them.
    headers: dict[str, Any] = {"accept-encoding": "identity", "user-agent": "xiaomaolv"}
    # Empty, so that the client does not read them from the environment; then not sent.
    headers |= {"OpenAI-Organization": omit, "OpenAI-Project": omit}
    if login or not address.api_key:
        headers["Authorization"] = login or omit
    if not address.keep_alive:
        headers["connection"] = "close"
    return headers
