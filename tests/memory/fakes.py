"""An embedder that needs no model, and a clock that tests move."""

import asyncio
from array import array
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from math import sqrt
from typing import Literal

from bot.errors import Unavailable
from bot.text.tokens import words

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

# Words that mean the same to the fake, so that a search by meaning can find what one by words cannot.
SYNONYMS = {"automobile": "car", "feline": "cat", "猫": "cat", "physician": "doctor"}


class FakeEmbedder:
    """A bag of hashed words, with a part that all texts share, as real models have it."""

    def __init__(self, model_id: str = "fake-1", dimensions: int = 64) -> None:
        self._model_id = model_id
        self._dimensions = dimensions
        self.calls: list[tuple[str, tuple[str, ...]]] = []
        self.broken = False
        self.hold: asyncio.Event | None = None  # answers wait for it
        self.waiting = asyncio.Event()  # somebody waits for an answer

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def anticipate(self, text: str) -> None:
        """Nothing: these vectors are made at once."""

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "passage"]
    ) -> "list[array[float]]":
        assert texts, "an embedder is never asked for nothing"
        self.calls.append((purpose, tuple(texts)))
        if self.hold is not None:
            self.waiting.set()
            await self.hold.wait()
        if self.broken:
            raise Unavailable("the model is away")
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> "array[float]":
        numbers = [1.0] * self._dimensions
        for word in words(text):
            digest = blake2b(SYNONYMS.get(word, word).encode(), key=self._model_id.encode()).digest()
            for at in range(0, 16, 2):
                numbers[digest[at] % self._dimensions] += 1.0 if digest[at + 1] % 2 else -1.0
        length = sqrt(sum(x * x for x in numbers)) or 1.0
        return array("f", (x / length for x in numbers))


class FakeClock:
    """Time that passes only when somebody sleeps; a sleeper gives the others a turn."""

    def __init__(self, now: datetime = NOW) -> None:
        self._now = now
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += timedelta(seconds=seconds)
        await asyncio.sleep(0)
