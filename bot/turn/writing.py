"""Which answers this process is writing, and the recordings behind them that told it to stop."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from bot.domain.conversation import Conversation, ConversationId, Inbound
from bot.domain.message import File, Text
from bot.domain.run import Run, RunId
from bot.turn.attachments import Attachments
from bot.turn.stop_words import asks_to_stop

LONGEST_BYTES = 100_000  # of a recording that may say no more than "stop": some twenty seconds
REMEMBERED = 64


class Writing:
    """The turns under way, by conversation. In memory only: what is written ends with the process."""

    def __init__(self) -> None:
        self._running: dict[ConversationId, set[RunId]] = {}
        self._obeyed: deque[str] = deque(maxlen=REMEMBERED)

    @contextmanager
    def of(self, where: Conversation, run: Run) -> Iterator[None]:
        """While a turn is worked on; commands that steer others are no answers."""
        running = self._running.setdefault(where.id, set())
        if not run.payload["control"]:
            running.add(run.id)
        try:
            yield
        finally:
            running.discard(run.id)
            if not running:
                self._running.pop(where.id, None)

    def turns(self, where: Conversation) -> frozenset[RunId]:
        """The answers being written in a conversation."""
        return frozenset(self._running.get(where.id, ()))

    async def is_told_to_stop(self, inbound: Inbound, attachments: Attachments) -> bool:
        """Whether a message is a recording that says no more than "stop", while an answer is being written.

        In a group it has to be for the bot, as a written word has.
        """
        sounds = [part for part in inbound.parts if isinstance(part, File) and part.is_sound]
        if len(sounds) != 1 or inbound.text.strip() or (sounds[0].size or 0) > LONGEST_BYTES:
            return False
        if not self.turns(inbound.conversation) or not inbound.is_for_the_bot:
            return False
        found = await attachments.read(inbound)
        words = " ".join(part.text for part in found.inbound.parts if isinstance(part, Text))
        if not found.is_heard or not asks_to_stop(words) or not self.turns(inbound.conversation):
            return False
        self._obeyed.append(_key(inbound))
        return True

    def has_obeyed(self, inbound: Inbound) -> bool:
        """Whether a message has told it to stop already, and did."""
        return _key(inbound) in self._obeyed


def _key(inbound: Inbound) -> str:
    return f"{inbound.conversation.id} {inbound.external_id}"
