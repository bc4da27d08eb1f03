"""`POST /v1/messages`: say something, and get the answer whole or as it is written."""

from collections.abc import AsyncGenerator
from typing import Any

import structlog
from aiohttp import web

from bot.domain.message import Text
from bot.turn.streams import Closed, Delta, Started, TurnEvent
from channels.web.chat import Chat, Said, choices_of, pictures_of, usage_of
from channels.web.errors import json_response, of_reply
from channels.web.request import flag, id_field, idempotency_key, read_json, text_field, zone_field
from channels.web.stream import Connections, EventStream

log = structlog.get_logger(__name__)


class Messages:
    def __init__(self, chat: Chat, connections: Connections, max_body_bytes: int) -> None:
        self._chat = chat
        self._connections = connections
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/v1/messages", self.post)]

    async def post(self, request: web.Request) -> web.StreamResponse:
        body = await read_json(request, self._max_body_bytes)
        session_id = id_field(body, "session_id")
        said = Said(
            session_id=session_id,
            user_id=id_field(body, "user_id"),
            parts=(Text(text_field(body, "text")),),
            key=idempotency_key(request, body),
            zone=zone_field(body),
        )
        stream = flag(body, "stream")
        turn_id = await self._chat.say(request, said)
        if stream:
            async with self._chat.events(turn_id) as (first, events):
                return await send_turn(request, self._connections, turn_id, first, events)
        reply = await self._chat.reply(turn_id)
        return json_response({
            "reply": reply.text,
            "turn_id": turn_id,
            "session_id": session_id,
            "usage": usage_of(reply.usage),
            "status": reply.status,
            **choices_of(reply),
            **pictures_of(turn_id, reply.pictures),
        })


async def send_turn(
    request: web.Request,
    connections: Connections,
    turn_id: str,
    first: TurnEvent | None,
    events: AsyncGenerator[TurnEvent, None],
) -> web.StreamResponse:
    """Send the events of a turn until its end, or until the reader is gone."""
    stream = EventStream(request)
    with connections.streaming(stream):
        await stream.open()
        if first is not None:
            await _send(stream, turn_id, first)
            async for event in events:
                await _send(stream, turn_id, event)
    return stream.response


async def _send(stream: EventStream, turn_id: str, event: TurnEvent) -> None:
    match event:
        case Started(restarted=restarted, id=event_id):
            told = {"turn_id": turn_id, "restarted": True} if restarted else {"turn_id": turn_id}
            await stream.send("turn", told, event_id)
        case Delta(text=text, id=event_id):
            await stream.send("delta", {"text": text}, event_id)
        case Closed(reply=reply, id=event_id) if reply.status == "failed":
            error = of_reply(reply)
            await stream.send("error", {"code": error.code, "message": error.message}, event_id, last=True)
        case Closed(reply=reply, id=event_id):
            done: dict[str, Any] = {
                "reply": reply.text,
                "usage": usage_of(reply.usage),
                "status": reply.status,
            }
            done |= choices_of(reply) | pictures_of(turn_id, reply.pictures)
            await stream.send("done", done, event_id, last=True)
