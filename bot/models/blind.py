"""A model that can't look at pictures, where the ones before it in the chain can."""

from collections.abc import AsyncIterator
from dataclasses import replace

from bot.domain.message import Image, Message, ModelEvent, ModelRequest, Part, Text
from bot.domain.ports import ChatModel
from bot.models.streams import closing

# Read by the model, which is to say so in the person's own language.
_TOLD = "[a picture{caption} is here, but you cannot see it. Tell the person so, and answer the rest]"


class Blind:
    """Tells the model of pictures instead of showing them: many providers refuse what has one."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        told = replace(request, messages=tuple(_told(message) for message in request.messages))
        async with closing(self._model.stream(told)) as events:
            async for event in events:
                yield event


def _told(message: Message) -> Message:
    if not any(isinstance(part, Image) for part in message.parts):
        return message
    return replace(message, parts=tuple(_part(part) for part in message.parts))


def _part(part: Part) -> Part:
    if not isinstance(part, Image):
        return part
    return Text(_TOLD.format(caption=f' called "{part.caption}"' if part.caption else ""))
