"""Tells an observer about each call: who, how long, how many tokens, how it ended."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from bot.domain.message import Finished, FinishReason, ModelEvent, ModelRequest, TextDelta, Usage
from bot.domain.ports import ChatModel
from bot.errors import ModelError, ModelErrorCode
from bot.models.streams import closing


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of one provider, when it is over.

    Either `reason` or `error_code` is set; neither, when the caller left early. `usage` is None
    where the provider did not count.
    """

    alias: str
    provider: str
    model: str
    first_token_ms: float | None
    total_ms: float
    usage: Usage | None = None
    reason: FinishReason | None = None
    error_code: ModelErrorCode | None = None
    run_id: str = ""


class ModelObserver(Protocol):
    """Takes note of a call. It is called in the task of the turn and must return at once."""

    def __call__(self, call: ModelCall, /) -> None: ...


class Metered:
    """Stands right around one provider's model, so that each try is counted."""

    def __init__(self, inner: ChatModel, observer: ModelObserver, *, provider: str, model: str) -> None:
        self._inner = inner
        self._observer = observer
        self._provider = provider
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        started = time.perf_counter()
        first: float | None = None
        usage: Usage | None = None
        reason: FinishReason | None = None
        code: ModelErrorCode | None = None
        try:
            async with closing(self._inner.stream(request)) as events:
                async for event in events:
                    match event:
                        case TextDelta() if first is None:
                            first = time.perf_counter()
                        case Usage():
                            usage = event
                        case Finished():
                            reason = event.reason
                    yield event
        except ModelError as error:
            code = error.code
            raise
        finally:
            self._observer(
                ModelCall(
                    request.alias,
                    self._provider,
                    self._model,
                    None if first is None else (first - started) * 1000,
                    (time.perf_counter() - started) * 1000,
                    usage,
                    reason,
                    code,
                    request.run_id,
                )
            )
