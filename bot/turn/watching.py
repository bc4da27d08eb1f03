"""Reading the answers of turns: live, or from the store."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from bot.domain.message import Reply
from bot.domain.run import RunId
from bot.errors import NotFound
from bot.store.engine import Store
from bot.turn.finish import find_turn, reply_of
from bot.turn.streams import Closed, Streams, TurnEvent


class Watching:
    """What readers of turns may ask for."""

    def __init__(self, store: Store) -> None:
        self.streams = Streams()
        self._store = store

    async def watch(self, run_id: RunId, *, after: str = "") -> AsyncGenerator[TurnEvent, None]:
        """The events of a turn, from the start or after the event with that id; `NotFound`.

        The last one is `Closed`. Leaving early is fine (use `aclosing`), the turn goes on.
        """
        if self.streams.find(run_id) is None and await self._store.read(find_turn, run_id) is None:
            raise NotFound("there is no such turn")

        async def lookup() -> Reply | None:
            return reply_of(await self._store.read(find_turn, run_id))

        async with aclosing(self.streams.watch(run_id, lookup, after=after)) as events:
            async for event in events:
                yield event

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
