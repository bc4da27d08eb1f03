"""Whole files from the web, such as the archive of a skill, behind the egress guard."""

import asyncio

from bot.config.tools import ToolsSettings
from bot.errors import Unavailable
from bot.tools.guards.calls import Ask, FetchLimits
from bot.tools.guards.fetch import Fetcher
from bot.tools.guards.resolve import SystemResolver
from bot.tools.sets.build import rules_of

_LIMIT_S = 120.0


class Downloads:
    """Downloads by the rules of the configuration. It blocks: call it on a thread without a loop."""

    def __init__(self, settings: ToolsSettings) -> None:
        self._settings = settings

    def __call__(self, url: str, max_bytes: int) -> bytes:
        """The content at an address, all of it. Raises `XiaomaolvError`, also where it is more."""
        limits = FetchLimits(total_s=_LIMIT_S, max_bytes=max_bytes, cut=False)
        answer = asyncio.run(self._fetcher().fetch(Ask(url), limits))
        if answer.status != 200:
            raise Unavailable(f"the server answered {answer.status}")
        return answer.body

    def judged(self, url: str) -> tuple[str, int, str]:
        """Host, port and the address to connect to, for a program that calls. Raises `XiaomaolvError`."""
        target, address = asyncio.run(self._fetcher().judged(url))
        return target.host, target.port, str(address)

    def _fetcher(self) -> Fetcher:
        return Fetcher(rules_of(self._settings.egress), SystemResolver())
