"""Completing is a fold of streaming: the whole answer of a model that nobody watches."""

from bot.domain.message import Finished, ModelRequest, TextDelta
from bot.domain.ports import ChatModel


async def complete(model: ChatModel, request: ModelRequest) -> str:
    """The text of an answer, without what its end takes back. Raises `ModelError` where there is none."""
    said = ""
    async for event in model.stream(request):
        if isinstance(event, TextDelta):
            said += event.text
        elif isinstance(event, Finished):
            said = said[event.retracted :]
    return said
