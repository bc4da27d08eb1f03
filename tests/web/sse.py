"""Reading server-sent events as strictly as the specification writes them."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: Any
    id: str


async def read_events(response: aiohttp.ClientResponse) -> AsyncIterator[Event]:
    """The events until the end of the stream. Fails on a field that is no field of ours."""
    fields: dict[str, str] = {}
    async for raw in response.content:
        line = raw.decode().removesuffix("\n")
        if not line:
            if fields:
                yield Event(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            assert name in {"id", "event", "data"}, line
            assert name not in fields, line
            fields[name] = value
    assert not fields, "the stream ended within an event"
