"""Keeps the secrets of the settings out of what a model says."""

import re
from collections.abc import AsyncIterator, Collection
from dataclasses import replace

from bot.domain.message import Finished, ModelEvent, ModelRequest, TextDelta, ToolCall
from bot.domain.ports import ChatModel
from bot.models.streams import closing
from bot.policy.secrets import REMOVED


class Masked:
    """Shows `REMOVED` for each secret in an answer, wherever its pieces begin and end."""

    def __init__(self, inner: ChatModel, secrets: Collection[str]) -> None:
        """`secrets`: one at least, and none that is empty."""
        self._inner = inner
        self._secrets = tuple(sorted(secrets, key=len, reverse=True))

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The answer, of which what may be the beginning of a secret comes with the next piece."""
        mask = Mask(self._secrets)
        async with closing(self._inner.stream(request)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    if shown := mask.feed(event.text):
                        yield TextDelta(shown)
                    continue
                if isinstance(event, ToolCall | Finished) and (rest := mask.end()):
                    yield TextDelta(rest)
                if isinstance(event, Finished) and event.retracted:
                    event = replace(event, retracted=mask.shown_of(event.retracted))
                yield event


class Mask:
    """Masks a text that comes in pieces."""

    def __init__(self, secrets: Collection[str]) -> None:
        """`secrets`: the longest first, since one may stand in another."""
        self._secrets = secrets
        self._pattern = re.compile("|".join(map(re.escape, secrets)))
        self._held = ""
        self._given = 0  # characters that were fed, but for those that are held
        self._masked: list[tuple[int, int]] = []  # where each secret ended, and how much longer it became

    def feed(self, piece: str) -> str:
        """What can be shown with this piece: all but an end that may become a secret."""
        text = self._held + piece
        end = min(self._beginning(text, secret) for secret in self._secrets)
        for found in self._pattern.finditer(text):
            if found.start() < end < found.end():
                end = found.end()
        return self._give(text, end)

    def end(self) -> str:
        """What was held, masked: nothing follows it."""
        return self._give(self._held, len(self._held))

    def shown_of(self, length: int) -> int:
        """How long the first so many characters that were fed are as they were shown."""
        return length + sum(longer for end, longer in self._masked if end <= length)

    def _give(self, text: str, end: int) -> str:
        shown, self._held = text[:end], text[end:]
        self._masked += [
            (self._given + found.end(), len(REMOVED) - len(found[0]))
            for found in self._pattern.finditer(shown)
        ]
        self._given += end
        return self._pattern.sub(REMOVED, shown)

    @staticmethod
    def _beginning(text: str, secret: str) -> int:
        """Where an end of the text begins that is the beginning of the secret, but not all of it."""
        at = text.find(secret[0], max(0, len(text) - len(secret) + 1))
        while at >= 0 and not secret.startswith(text[at:]):
            at = text.find(secret[0], at + 1)
        return at if at >= 0 else len(text)
