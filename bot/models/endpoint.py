"""Where a provider is reached. Connecting is lazy: nothing is loaded before the first use."""

import asyncio
import base64
import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit, urlunsplit

from bot.domain.ports import Clock

if TYPE_CHECKING:
    from bot.models.transport import Transport


class Endpoint(Protocol):
    """Gives the transport to a provider, and lets go of it at the end."""

    async def transport(self) -> "Transport":
        """The transport; raises `ModelError` where the provider cannot be had."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Address:
    """How a provider is reached; `name` is what the operator calls it.

    `proxy` is already decided: None is a direct connection. Without `keep_alive` each request takes
    a new connection: for servers that drop idle ones without a word.
    """

    name: str
    base_url: str
    api_key: str = field(default="", repr=False)
    proxy: str | None = field(default=None, repr=False)
    connect_timeout_s: float = 5.0
    keep_alive: bool = True


def address_of(base_url: str, path: str) -> str:
    """Where one thing is asked: `path` behind that of the base, whose query stays at the end."""
    base = urlsplit(base_url)
    return urlunsplit(base._replace(path=base.path.rstrip("/") + path))


def without_login(url: str) -> tuple[str, str]:
    """An address without the name and password in it, and the header that tells them, "" for none."""
    parts = urlsplit(url)
    login, has_login, host = parts.netloc.rpartition("@")
    if not has_login:
        return url, ""
    told = unquote(login if ":" in login else f"{login}:")
    return urlunsplit(parts._replace(netloc=host)), f"Basic {base64.b64encode(told.encode()).decode()}"


class RemoteEndpoint:
    """An address, connected to at the first use."""

    def __init__(self, address: Address, clock: Clock) -> None:
        self.address = address
        self._clock = clock
        self._transport: Transport | None = None

    async def transport(self) -> "Transport":
        if self._transport is None:
            # Half a second of imports: on a thread, so that the loop goes on meanwhile.
            module = await asyncio.to_thread(importlib.import_module, "bot.models.transport")
            if self._transport is None:  # another task may have been faster
                self._transport = module.Transport(self.address, self._clock)
        return self._transport

    async def aclose(self) -> None:
        if self._transport is not None:
            transport, self._transport = self._transport, None
            await transport.aclose()
