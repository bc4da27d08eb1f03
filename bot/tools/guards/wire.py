"""One hop of a call: to the address that was judged, for the host it was judged for. Uses httpx2."""

import ssl
import zlib
from collections.abc import Callable
from dataclasses import replace

import httpx2

from bot.tools.guards.addresses import Address
from bot.tools.guards.calls import REDIRECTS, Ask, Broken, Fetched, FetchLimits
from bot.tools.guards.egress import Refused, Target

_CONNECT_S = 10.0
_FAILURES = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, zlib.error, ValueError)


async def call(
    target: Target, address: Address, ask: Ask, limits: FetchLimits, tls: ssl.SSLContext | None
) -> Fetched:
    """Call once. Raises `Broken` for whatever fails, `Refused` for a body that is too large."""
    transport = httpx2.AsyncHTTPTransport(
        verify=tls or True, trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0)
    )
    try:
        async with transport:
            response = await transport.handle_async_request(_request(target, address, ask))
            headers = {name.lower(): value for name, value in response.headers.items()}
            body, is_cut = b"", False
            if response.status_code not in REDIRECTS:
                body, is_cut = await _read(response, headers.get("content-encoding", ""), limits)
            return Fetched(target.url, response.status_code, headers, body, is_cut)
    except Refused:
        raise
    except TimeoutError:
        raise  # of the caller, for all hops together
    except _FAILURES as error:
        raise Broken(_kind_of(error)) from None


def _kind_of(error: Exception) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not valid"
    return type(error).__name__


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
