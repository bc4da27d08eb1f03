"""A bare HTTP client for server-sent events: so little work that what is measured is the server's."""

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Timing:
    """One streamed answer, in seconds from the request. `text` is all of its deltas."""

    first_s: float
    total_s: float
    text: str


class Client:
    """One connection, kept alive."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def stream(self, path: str, body: dict[str, Any], marker: bytes) -> Timing:
        """POST and read to the end. `marker` is what the first event with text contains."""
        reader, writer = await self._connected()
        payload = json.dumps(body).encode()
        began = time.perf_counter()
        writer.write(
            b"POST "
            + path.encode()
            + b" HTTP/1.1\r\nHost: "
            + f"{self._host}:{self._port}".encode()
            + b"\r\nContent-Type: application/json\r\nContent-Length: "
            + str(len(payload)).encode()
            + b"\r\n\r\n"
            + payload
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise RuntimeError(head.decode(errors="replace"))
        first = 0.0
        parts: list[bytes] = []
        while True:
            size = int((await reader.readuntil(b"\r\n")).strip(), 16)
            chunk = await reader.readexactly(size + 2)
            if size == 0:
                break
            parts.append(chunk[:-2])
            if not first and marker in chunk:
                first = time.perf_counter() - began
        return Timing(first, time.perf_counter() - began, b"".join(parts).decode(errors="replace"))

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        return self._streams
