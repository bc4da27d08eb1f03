"""Where a provider is reached. Connecting is lazy: nothing is loaded before the first use."""

import asyncio
import importlib
from typing import TYPE_CHECKING, Protocol

from bot.domain.ports import Clock

if TYPE_CHECKING:
    from bot.models.transport import Transport


class Endpoint(Protocol):
    """Gives the transport to a provider, and lets go of it at the end."""

    async def transport(self) -> "Transport":
        """The transport; raises `ModelError` where the provider cannot be had."""
        ...

    async def aclose(self) -> None: ...


class RemoteEndpoint:
    """An address. `proxy` is already decided: None is a direct connection.

    Without `keep_alive` each request takes a new connection: for servers that drop idle ones.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        clock: Clock,
        api_key: str = "",
        proxy: str | None = None,
        connect_timeout_s: float = 5.0,
        keep_alive: bool = True,
    ) -> None:
        self._name = name
        self._base_url = base_url
        self._clock = clock
        self._api_key = api_key
        self._proxy = proxy
        self._connect_timeout_s = connect_timeout_s
        self._keep_alive = keep_alive
        self._transport: Transport | None = None

    async def transport(self) -> "Transport":
        if self._transport is None:
            # Half a second of imports: on a thread, so that the loop goes on meanwhile.
            module = await asyncio.to_thread(importlib.import_module, "bot.models.transport")
            if self._transport is None:  # another task may have been faster
                self._transport = module.Transport(
                    self._name,
                    self._base_url,
                    clock=self._clock,
                    api_key=self._api_key,
                    proxy=self._proxy,
                    connect_timeout_s=self._connect_timeout_s,
                    keep_alive=self._keep_alive,
                )
        return self._transport

    async def aclose(self) -> None:
        if self._transport is not None:
            transport, self._transport = self._transport, None
            await transport.aclose()
