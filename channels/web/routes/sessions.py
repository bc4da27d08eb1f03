"""`/v1/sessions`: the conversations of this channel."""

from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from bot.domain.conversation import Conversation, ConversationId
from bot.service import Service
from bot.turn.history import Entry
from bot.turn.sessions import SessionInfo, Sessions
from channels.web.chat import CHANNEL, pictures_of
from channels.web.errors import json_response
from channels.web.request import int_in_query, limit_in_query, session_in_path, time_in_query

PAGE = 50
MOST = 200


class SessionRoutes:
    def __init__(self, sessions: Sessions, service: Service) -> None:
        self._sessions = sessions
        self._service = service

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/sessions", self.page),
            web.get("/v1/sessions/{id}", self.get),
            web.delete("/v1/sessions/{id}", self.delete),
            web.get("/v1/sessions/{id}/messages", self.messages),
        ]

    async def page(self, request: web.Request) -> web.Response:
        """The newest first; `next`, where there are more, goes into `before` for the following page."""
        limit = limit_in_query(request, PAGE, MOST)
        before = time_in_query(request, "before")
        found = await self._sessions.page(CHANNEL, limit=limit + 1, before=before)
        told: dict[str, Any] = {"sessions": [_session(info) for info in found[:limit]]}
        if len(found) > limit:
            told["next"] = _time(found[limit - 1].updated_at)
        return json_response(told)

    async def get(self, request: web.Request) -> web.Response:
        info = await self._sessions.get(_conversation(request))
        return json_response({**_session(info), "running_turn": info.running_turn})

    async def delete(self, request: web.Request) -> web.Response:
        """The answer that is being written there ends, too: nobody is to read it any more."""
        conversation = Conversation(CHANNEL, session_in_path(request))
        await self._service.stop(conversation)
        await self._sessions.delete(conversation.id)
        return web.Response(status=204)

    async def messages(self, request: web.Request) -> web.Response:
        """The last ones, oldest first; `next` goes into `before` for those before them."""
        limit = limit_in_query(request, PAGE, MOST)
        before = int_in_query(request, "before")
        found = await self._sessions.messages(_conversation(request), limit=limit + 1, before=before)
        told: dict[str, Any] = {"messages": [_message(entry) for entry in found[-limit:]]}
        if len(found) > limit:
            told["next"] = str(found[-limit].id)
        return json_response(told)


def _conversation(request: web.Request) -> ConversationId:
    return Conversation(CHANNEL, session_in_path(request)).id


def _session(info: SessionInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "title": info.title,
        "created_at": _time(info.created_at),
        "updated_at": _time(info.updated_at),
        "message_count": info.message_count,
    }


def _message(entry: Entry) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": str(entry.id),
        "role": entry.role,
        "text": entry.text,
        "at": _time(entry.at),
        "turn_id": entry.run_id,
        "status": entry.status,
        **pictures_of(entry.run_id or "", entry.pictures),
    }
    return {**told, "name": entry.name} if entry.name else told


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
