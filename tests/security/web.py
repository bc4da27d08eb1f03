"""A small web of our own on loopback: names, addresses and servers as an attacker would set them up.

The names look public; which addresses they have is said here. Addresses 127.0.0.2 and 127.0.0.3 stand
for the public internet (the rules exempt them), 127.0.0.1 for the inside.
"""

import asyncio
import gzip
import ipaddress
import ssl
import subprocess
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.tools.guards.addresses import Address
from bot.tools.guards.calls import Ask, Fetched, FetchLimits
from bot.tools.guards.egress import EgressRules, Exemption
from bot.tools.guards.fetch import Fetcher

PUBLIC = "127.0.0.2"
ALSO_PUBLIC = "127.0.0.3"
INSIDE = "127.0.0.1"
BOMB = 64 * 1024 * 1024


@dataclass(slots=True)
class Names:
    """A resolver that answers as told: each look-up takes the next answer, the last one stays."""

    answers: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def addresses(self, host: str) -> Sequence[Address]:
        self.asked.append(host)
        known = self.answers.get(host, [[]])
        answer = known.pop(0) if len(known) > 1 else known[0]
        return [ipaddress.ip_address(text) for text in answer]


@dataclass(slots=True)
class Web:
    """The servers, and what reached them: (address, request line, headers)."""

    port: int
    names: Names
    rules: EgressRules
    seen: list[tuple[str, str, dict[str, str]]]
    pages: dict[str, bytes]  # more pages, by their path
    tls: ssl.SSLContext | None = None

    async def fetch(self, url: str, limits: FetchLimits | None = None, **ask: Any) -> Fetched:
        fetcher = Fetcher(self.rules, self.names, self.tls)
        return await fetcher.fetch(Ask(url, **ask), limits or FetchLimits(total_s=5.0))

    def url(self, path: str = "/", host: str = "site.example.com") -> str:
        return f"http://{host}:{self.port}{path}"


@asynccontextmanager
async def open_web() -> AsyncIterator[Web]:
    """The three addresses on one port, as long as the block runs."""
    seen: list[tuple[str, str, dict[str, str]]] = []
    pages: dict[str, bytes] = {}
    async with AsyncExitStack() as stack:
        port = 0
        for address in (PUBLIC, ALSO_PUBLIC, INSIDE):
            port = await stack.enter_async_context(_serving(_site(address, seen, pages), address, port))
        names = Names({"site.example.com": [[PUBLIC]], "other.example.com": [[ALSO_PUBLIC]]})
        exempt = tuple(Exemption(network=ipaddress.ip_network(text)) for text in (PUBLIC, ALSO_PUBLIC))
        rules = EgressRules(allow_hosts=exempt, allow_ports=frozenset({80, 443, port}))
        yield Web(port, names, rules, seen, pages)


_Site = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def _serving(
    site: _Site, address: str, port: int, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """A server whose conversations end with it; its port."""
    at_work: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        at_work.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
                await site(reader, writer)
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()
        finally:
            at_work.discard(task)

    server = await asyncio.start_server(serve, address, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in (waiting := list(at_work)):
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def _site(address: str, seen: list[tuple[str, str, dict[str, str]]], pages: dict[str, bytes]) -> _Site:
    async def site(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        seen.append((address, head[0], headers))
        path = head[0].split(" ")[1]
        if (page := pages.get(path.partition("?")[0])) is not None:
            _send(writer, page)
        else:
            await _answer(path, headers.get("host", ""), writer)
        await writer.drain()

    return site


async def _answer(path: str, host: str, writer: asyncio.StreamWriter) -> None:
    """What is served: `/to?URL` redirects there, others are named by what they do."""
    port = host.rpartition(":")[2]
    kind, _, rest = path.partition("?")
    match kind:
        case "/to" | "/to307":
            status = "307 Temporary Redirect" if kind == "/to307" else "302 Found"
            writer.write(f"HTTP/1.1 {status}\r\nLocation: {rest}\r\nContent-Length: 0\r\n\r\n".encode())
        case "/round":
            writer.write(f"HTTP/1.1 302 Found\r\nLocation: http://{host}/round\r\n\r\n".encode())
        case "/slow":
            await _drip(writer)
        case "/endless":
            await _flood(writer)
        case "/gzip-bomb":
            _send(writer, gzip.compress(bytes(BOMB)), "gzip")
        case "/deflate-bomb":
            _send(writer, zlib.compress(bytes(BOMB)), "deflate")
        case "/brotli":
            _send(writer, b"\x0b\x02\x80hello\x03", "br")
        case "/refresh":
            target = f"http://{INSIDE}:{port}/"
            _send(writer, f'<meta http-equiv="refresh" content="0;url={target}"><p>hello</p>'.encode())
        case "/packed":
            _send(writer, gzip.compress(b"hello from inside a gzip"), "gzip")
        case _:
            _send(writer, b"hello")
    await writer.drain()


def _send(writer: asyncio.StreamWriter, body: bytes, encoding: str = "identity") -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: {encoding}\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


async def _drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while True:
        writer.write(b".")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


@asynccontextmanager
async def serve_tls(cert: Path, key: Path, served: list[bytes]) -> AsyncIterator[int]:
    """A server with this certificate; `served` gets what a caller sends once it trusts it."""

    async def site(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.append(await reader.readuntil(b"\r\n\r\n"))
        _send(writer, b"hello")
        await writer.drain()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    async with _serving(site, PUBLIC, 0, context) as port:
        yield port


def own_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that nobody else signed, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    wanted = ["-subj", "/CN=bad.example.com", "-days", "1", "-nodes", "-newkey", "rsa:2048"]
    command = ["openssl", "req", "-x509", *wanted, "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key
