"""`/v1/turns/{id}`: one answer, while it is written and afterwards."""

from typing import Any

from aiohttp import web

from bot.domain.run import Run, RunId
from bot.errors import NotFound
from bot.runs.states import ENDED
from bot.service import Service
from bot.store.engine import Store
from bot.tools.shelf import Shelf
from bot.turn.finish import find_turn, pictures_in, reply_of
from channels.web.chat import CHANNEL, Chat, choices_of, pictures_of, usage_of
from channels.web.errors import body_of, json_response, of_reply
from channels.web.request import last_event_id, number_in_path, turn_in_path
from channels.web.routes.messages import send_turn
from channels.web.stream import Connections


class Turns:
    def __init__(
        self, chat: Chat, connections: Connections, service: Service, store: Store, shelf: Shelf | None = None
    ) -> None:
        """`shelf` holds the pictures that tools brought."""
        self._chat = chat
        self._shelf = shelf
        self._connections = connections
        self._service = service
        self._store = store

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/turns/{id}", self.get),
            web.get("/v1/turns/{id}/events", self.events, allow_head=False),
            web.get("/v1/turns/{id}/pictures/{number}", self.picture),
            web.post("/v1/turns/{id}/stop", self.stop),
        ]

    async def get(self, request: web.Request) -> web.Response:
        return json_response(_turn(await self._find(turn_in_path(request))))

    async def events(self, request: web.Request) -> web.StreamResponse:
        self._connections.admit()
        turn_id = RunId(turn_in_path(request))
        async with self._chat.events(turn_id, last_event_id(request)) as (first, events):
            return await send_turn(request, self._connections, turn_id, first, events)

    async def stop(self, request: web.Request) -> web.Response:
        """Ask for an early end. It is no error if the answer is there already."""
        run = await self._find(turn_in_path(request))
        stopping = run.status not in ENDED
        if stopping and not await self._withdrawn(run):
            self._service.streams.open(run.id)  # a turn that waits for its place stops when it begins
            self._service.stop_turn(run.id)
        return json_response({"turn_id": run.id, "stopping": stopping}, status=202)

    async def _withdrawn(self, run: Run) -> bool:
        """Whether a turn waited for a person's word, and waits no more."""
        desk, where = self._service.desk, run.conversation_id
        return desk is not None and where is not None and await desk.withdraw(where, run.id) > 0

    async def picture(self, request: web.Request) -> web.Response:
        """A picture that tools brought for an answer of this channel, by its place among them, from 0."""
        run = await self._find(turn_in_path(request))
        shown = pictures_in(run.result)[number_in_path(request, "number") :]
        is_ours = run.payload["inbound"]["conversation"]["channel"] == CHANNEL
        content = None
        if self._shelf is not None and is_ours and run.conversation_id is not None and shown:
            content = await self._shelf.picture(run.conversation_id, shown[0])
        if content is None:
            raise NotFound("there is no such picture")
        return web.Response(body=content, content_type=shown[0].mime)

    async def _find(self, turn_id: str) -> Run:
        run = await self._store.read(find_turn, turn_id)
        if run is None:
            raise NotFound("there is no such turn")
        return run


def _turn(run: Run) -> dict[str, Any]:
    where = run.payload["inbound"]["conversation"]
    told: dict[str, Any] = {
        "turn_id": run.id,
        "session_id": None if where["kind"] == "stateless" else where["chat_id"],
        "status": run.status,
        "created_at": run.created_at.isoformat(),
    }
    reply = reply_of(run)
    if reply is None:
        return told
    told |= {"status": reply.status, "reply": reply.text, "usage": usage_of(reply.usage)} | choices_of(reply)
    told |= pictures_of(run.id, reply.pictures)
    return told | body_of(of_reply(reply)) if reply.status == "failed" else told
