"""A model that says what a test told it to say.

    model = ScriptedModel("Hello there", ModelError("rate_limited", "slow down"))
    ...
    assert model.requests[0].messages[-1].text == "hi"

When the script is used up it says the last user message back.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence

from bot.domain.message import Finished, ModelEvent, ModelRequest, TextDelta, Usage

# An answer is a text (streamed word by word), an error to raise, or a sequence of events in which an
# `asyncio.Event` is waited for and an error is raised at its place.
Beat = ModelEvent | asyncio.Event | Exception
Answer = str | Exception | Sequence[Beat]


class ScriptedModel:
    """A `ChatModel` for tests. `prefix` begins the answers that were not scripted."""

    def __init__(self, *answers: Answer, prefix: str = "echo: ") -> None:
        self.requests: list[ModelRequest] = []
        self.active = 0
        self.most_active = 0
        self._answers = deque(answers)
        self._prefix = prefix
        self._asked = asyncio.Event()

    def script(self, *answers: Answer) -> None:
        """Append answers for the next requests."""
        self._answers.extend(answers)

    async def until_asked(self, count: int = 1, timeout_s: float = 30.0) -> None:
        """Wait until so many requests have come in."""
        async with asyncio.timeout(timeout_s):
            while len(self.requests) < count:
                self._asked.clear()
                await self._asked.wait()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        self._asked.set()
        answer = self._answers.popleft() if self._answers else self._prefix + request.messages[-1].text
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        try:
            for beat in _beats(answer):
                if isinstance(beat, asyncio.Event):
                    await beat.wait()
                elif isinstance(beat, Exception):
                    raise beat
                else:
                    yield beat
        finally:
            self.active -= 1


def _beats(answer: Answer) -> Sequence[Beat]:
    if isinstance(answer, Exception):
        return [answer]
    if not isinstance(answer, str):
        return answer
    words = answer.split(" ")
    deltas = [TextDelta(word if at == 0 else f" {word}") for at, word in enumerate(words)]
    return [*deltas, Usage(7, len(words)), Finished("stop", "scripted", "test")]
