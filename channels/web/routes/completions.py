"""`/v1/chat/completions` and `/v1/models`: the bot for clients of OpenAI."""

from collections.abc import AsyncGenerator

from aiohttp import web

from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.turn.streams import Closed, Delta, Started, TurnEvent
from channels.web import openai
from channels.web.chat import Chat, Said
from channels.web.errors import ApiError, body_of, json_bytes, json_response, of_reply
from channels.web.openai import MODEL, ChatRequest, Completion
from channels.web.request import Json, checked_id, idempotency_key, optional_id, read_json
from channels.web.stream import Connections, EventStream

# Who speaks where a client does not say. Not the owner: many people may stand behind one client.
DEFAULT_USER = "api"
DONE = b"[DONE]"
_MODEL = {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}


class Completions:
    def __init__(self, chat: Chat, connections: Connections, clock: Clock, max_body_bytes: int) -> None:
        self._chat = chat
        self._connections = connections
        self._clock = clock
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/chat/completions", self.post),
            web.get("/v1/models", self.models),
            web.get("/v1/models/{id}", self.model),
        ]

    async def models(self, request: web.Request) -> web.Response:
        return json_response({"object": "list", "data": [_MODEL]})

    async def model(self, request: web.Request) -> web.Response:
        openai.check_model(request.match_info["id"])
        return json_response(_MODEL)

    async def post(self, request: web.Request) -> web.StreamResponse:
        body = await read_json(request, self._max_body_bytes)
        session_id = _session(request, body)
        wanted = openai.read_request(body, in_session=session_id is not None)
        turn_id = await self._chat.say(request, _said(request, body, session_id, wanted))
        completion = Completion(turn_id, self._clock.now(), wanted.include_usage)
        if not wanted.stream:
            return json_response(completion.whole(await self._chat.reply(turn_id)))
        return await self._stream(request, turn_id, completion, wanted)

    async def _stream(
        self, request: web.Request, turn_id: RunId, completion: Completion, wanted: ChatRequest
    ) -> web.StreamResponse:
        async with self._chat.events(turn_id) as (_, events):
            # Until there is a word, a failure can still be told by the status, which clients act on.
            with self._connections.waiting():
                first = await anext(events, None)
            if isinstance(first, Closed) and first.reply.status == "failed":
                raise of_reply(first.reply)
            stream = EventStream(request)
            with self._connections.streaming(stream):
                await stream.open()
                await stream.send_data(json_bytes(completion.piece({"role": "assistant", "content": ""})))
                async for chunk in _chunks(first, events, completion, wanted):
                    await stream.send_data(chunk, last=chunk == DONE)
        return stream.response


async def _chunks(
    first: TurnEvent | None,
    events: AsyncGenerator[TurnEvent, None],
    completion: Completion,
    wanted: ChatRequest,
) -> AsyncGenerator[bytes, None]:
    event = first
    while event is not None:
        match event:
            case Delta(text=text):
                yield json_bytes(completion.piece({"content": text}))
            case Started():  # the turn began anew, with other words than those that were sent
                restarted = ApiError(503, "stream_broken", "the answer had to begin anew; ask again")
                yield json_bytes(body_of(restarted, openai=True))
                return
            case Closed(reply=reply) if reply.status == "failed":
                yield json_bytes(body_of(of_reply(reply), openai=True))
                return
            case Closed(reply=reply):
                yield json_bytes(completion.piece({}, finish=reply))
                if wanted.include_usage:
                    yield json_bytes(completion.usage(reply))
                yield DONE
        event = await anext(events, None)


def _session(request: web.Request, body: Json) -> str | None:
    """The session that the bot keeps for this client; the body's goes before the header's."""
    header = request.headers.get("X-Session-Id")
    by_header = None if header is None else checked_id(header, "X-Session-Id")
    return optional_id(body, "session_id") or by_header


def _said(request: web.Request, body: Json, session_id: str | None, wanted: ChatRequest) -> Said:
    key = idempotency_key(request, body)
    user_id = optional_id(body, "user") or DEFAULT_USER
    if session_id is None:
        return Said(
            "",
            user_id,
            wanted.parts,
            key,
            "stateless",
            wanted.name,
            context=wanted.context,
            following=wanted.following,
        )
    return Said(session_id, user_id, wanted.parts, key, "private", wanted.name)
