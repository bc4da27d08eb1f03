"""A client that sends exactly the bytes it is told to."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawAnswer:
    status: int
    headers: Mapping[str, str]
    body: bytes


async def exchange(
    port: int, data: bytes, *, hang_up: bool = False, timeout_s: float = 10.0
) -> RawAnswer | None:
    """Send `data` on a connection of its own and read to the end; None if it was closed without a word.

    `hang_up` says that nothing more will come, for bytes that may not be a whole request.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(timeout_s):
            writer.write(data)
            if hang_up:
                writer.write_eof()
            received = await reader.read()
    except ConnectionError:
        return None
    finally:
        writer.close()
    return parse(received)


def parse(received: bytes) -> RawAnswer | None:
    """The first answer in what was received."""
    if not received:
        return None
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return RawAnswer(int(first.split(" ")[1]), headers, body)


def request_bytes(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """One request, with a length where there is a body, after which the connection closes."""
    sent = {**headers, "Connection": "close"}
    if body is not None:
        sent["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "surrogatepass") + (body or b"")
