"""Sinks over sinks."""

from typing import Protocol, runtime_checkable

import structlog

from bot.domain.message import Reply, TextDelta
from bot.domain.ports import Sink

log = structlog.get_logger(__name__)


@runtime_checkable
class StatusSink(Protocol):
    """A preview that can also say what is being done while no words come."""

    async def status(self, line: str) -> None:
        """Show a line such as "looking it up…" until more is written; "" takes it away."""
        ...


class Tee:
    """Writes to a main sink, and as a courtesy to a preview that may fail without harm."""

    def __init__(self, main: Sink, preview: Sink | None) -> None:
        self._main = main
        self._preview = preview

    async def write(self, delta: TextDelta) -> None:
        await self._main.write(delta)
        if self._preview is not None:
            try:
                await self._preview.write(delta)
            except Exception:
                log.exception("preview.failed")
                self._preview = None

    async def status(self, line: str) -> None:
        """Say what is being done, where that can be shown; see `StatusSink`."""
        if isinstance(self._preview, StatusSink):
            try:
                await self._preview.status(line)
            except Exception:
                log.exception("preview.failed")
                self._preview = None

    async def close(self, reply: Reply) -> None:
        await self._main.close(reply)

    async def close_preview(self, reply: Reply) -> None:
        """End the preview before the reply is delivered."""
        if self._preview is not None:
            try:
                await self._preview.close(reply)
            except Exception:
                log.exception("preview.failed")
