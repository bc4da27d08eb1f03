"""Where a browser comes back to after a login: one address of this machine, for a moment."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

PATH = "/callback"
_REQUEST_S = 10.0
_PAGE = "<!doctype html><meta charset=utf-8><title>xiaomaolv</title><p>You can close this page."


@dataclass(frozen=True, slots=True)
class Back:
    """`address` is the redirect URI; `query` waits for what came with it."""

    address: str
    found: "asyncio.Future[dict[str, str]]"

    async def query(self) -> dict[str, str]:
        return await asyncio.shield(self.found)


def query_of(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return dict(parse_qsl(urlsplit(address).query))


@asynccontextmanager
async def awaited(port: int = 0) -> AsyncGenerator[Back, None]:
    """Listen on this machine alone; `port` 0 takes any that is free."""
    found: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_REQUEST_S):
                line = (await reader.readline()).decode("latin-1").split(" ")
                known = len(line) > 1 and urlsplit(line[1]).path == PATH
                body = _PAGE.encode()
                status = "200 OK" if known else "404 Not Found"
                head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}"
                writer.write(f"{head}\r\nConnection: close\r\n\r\n".encode() + body)
                await writer.drain()
                if known and not found.done():
                    found.set_result(query_of(line[1]))
        except (TimeoutError, ConnectionError, ValueError):
            pass  # whoever it was, it was not the browser
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", port)
    try:
        bound = server.sockets[0].getsockname()[1]
        yield Back(f"http://127.0.0.1:{bound}{PATH}", found)
    finally:
        server.close()
        found.cancel()
