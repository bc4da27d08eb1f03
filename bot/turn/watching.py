"""Reading the answers of turns: live, or from the store."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from bot.domain.message import Reply
from bot.domain.run import RunId
from bot.errors import NotFound
from bot.store.engine import Store
from bot.turn.finish import find_turn, reply_of
from bot.turn.streams import Closed, Streams, TurnEvent, TurnStream


class Watching:
    """What readers of turns may ask for."""

    def __init__(self, store: Store) -> None:
        self.streams = Streams()
        self._store = store

    async def watch(self, run_id: RunId, *, after: str = "") -> AsyncGenerator[TurnEvent, None]:
        """The events of a turn, from the start or after the event with that id; `NotFound`.

        The last one is `Closed`. Leaving early is fine (use `aclosing`), the turn goes on.
        """
        stream = self.streams.find(run_id)
        if stream is None or stream.reply is not None:
            await self._catch_up(run_id, stream)

        async def lookup() -> Reply | None:
            return reply_of(await self._store.read(find_turn, run_id))

        async with aclosing(self.streams.watch(run_id, lookup, after=after)) as events:
            async for event in events:
                yield event

    async def _catch_up(self, run_id: RunId, stream: TurnStream | None) -> None:
        """Show of a turn that ended what the store has: its session, or its words, may have been deleted."""
        run = await self._store.read(find_turn, run_id)
        if run is None:
            self.streams.forget(run_id)
            raise NotFound("there is no such turn")
        kept = reply_of(run)
        if stream is not None and kept is not None and kept != stream.reply:
            await stream.close(kept)

    async def wait(self, run_id: RunId) -> Reply:
        """The reply of a turn, once there is one; `NotFound` if there is no such turn."""
        async with aclosing(self.watch(run_id)) as events:
            async for event in events:
                if isinstance(event, Closed):
                    return event.reply
        raise NotFound("there is no such turn")

    def stop_turn(self, run_id: RunId) -> bool:
        """End one answer early, with what there is of it; False if it is not being written here."""
        stream = self.streams.find(run_id)
        if stream is None or stream.reply is not None:
            return False
        stream.stop.set()
        return True
