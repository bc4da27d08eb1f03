"""Finds the models behind an alias."""

from collections.abc import AsyncIterator, Mapping

from bot.domain.message import ModelEvent, ModelRequest
from bot.domain.ports import ChatModel
from bot.models.streams import closing


class Routed:
    """Sends a request to the model of its alias; an alias without one goes to `default`."""

    def __init__(self, models: Mapping[str, ChatModel], default: ChatModel) -> None:
        self._models = dict(models)
        self._default = default

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        model = self._models.get(request.alias, self._default)
        async with closing(model.stream(request)) as events:
            async for event in events:
                yield event
