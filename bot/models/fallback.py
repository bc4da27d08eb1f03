"""What happens when a provider fails: the next one, or an honest continuation."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import structlog

from bot.domain.message import Finished, ModelEvent, ModelRequest, TextDelta
from bot.domain.ports import ChatModel
from bot.errors import ModelError
from bot.models.overlap import Overlap
from bot.models.streams import closing

log = structlog.get_logger(__name__)


class Fallback:
    """Tries the models in turn until one begins to answer.

    As long as nothing was shown, any failure but a context that is too long leads to the next one
    (that one is for the caller, who can shorten it). After words were shown, the same model is
    asked once to go on; where that fails too, the answer ends as `broken`.
    """

    def __init__(self, chain: Sequence[ChatModel]) -> None:
        self._chain = tuple(chain)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        for place, model in enumerate(self._chain, 1):
            try:
                async with closing(_whole(model, request)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if error.code == "context_too_long" or place == len(self._chain):
                    raise
                log.warning("model.fallback.used", provider=error.provider, code=error.code, place=place)
        raise ModelError("no_model", "no model provider is configured")


async def _whole(model: ChatModel, request: ModelRequest) -> AsyncIterator[ModelEvent]:
    """The model's answer, with one continuation if it breaks off."""
    shown = ""
    async with closing(_asked(model, request)) as events:
        async for event in events:
            if isinstance(event, Finished) and event.reason == "broken":
                break
            if isinstance(event, TextDelta):
                shown += event.text
            yield event
        else:
            return
    shown = shown[event.retracted :]
    log.info("model.answer.continued", provider=event.provider)
    further = replace(request, answered=request.answered + shown)
    try:
        async with closing(_asked(model, further)) as events:
            async for later in events:
                # What was taken back of the first part stays so; the second has no beginning.
                yield replace(later, retracted=event.retracted) if isinstance(later, Finished) else later
    except ModelError as error:
        log.warning("model.continuation.failed", provider=error.provider, code=error.code)
        yield event


async def _asked(model: ChatModel, request: ModelRequest) -> AsyncIterator[ModelEvent]:
    """The model's events; what it repeats of `request.answered` is left out."""
    overlap = Overlap(request.answered)
    async with closing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                if new := overlap.feed(event.text):
                    yield TextDelta(new)
                continue
            if isinstance(event, Finished) and (rest := overlap.end()):
                yield TextDelta(rest)
            yield event
