"""Names to addresses, once for each call: the connection goes to an address that was judged."""

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from typing import Protocol

from bot.tools.guards.addresses import Address


class Resolver(Protocol):
    """Finds the addresses of a name; none for a name that does not exist."""

    async def addresses(self, host: str) -> Sequence[Address]: ...


class SystemResolver:
    """The resolver of the machine."""

    async def addresses(self, host: str) -> Sequence[Address]:
        """All addresses of the name, in the machine's order of preference."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError):
            return []
        return list(dict.fromkeys(ipaddress.ip_address(entry[4][0]) for entry in found))
