"""Sinks over sinks."""

import structlog

from bot.domain.message import Reply, TextDelta
from bot.domain.ports import Sink

log = structlog.get_logger(__name__)


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

    async def close(self, reply: Reply) -> None:
        await self._main.close(reply)

    async def close_preview(self, reply: Reply) -> None:
        """End the preview before the reply is delivered."""
        if self._preview is not None:
            try:
                await self._preview.close(reply)
            except Exception:
                log.exception("preview.failed")
