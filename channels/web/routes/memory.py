"""`/v1/memory`: what is kept of a person, or of the one who talks in a session, and their rights over it."""

import json
from typing import Any

from aiohttp import web

from bot.domain.conversation import Conversation, SpeakerId
from bot.turn.rights import Kept, OfPerson, Rights, Where
from channels.web.chat import CHANNEL
from channels.web.errors import bad_request, json_response
from channels.web.request import (
    checked_id,
    flag,
    int_in_query,
    limit_in_query,
    read_json,
    text_field,
)
from memory.record import Memory
from memory.store import exported

PAGE = 50
MOST = 200
MAX_QUERY_CHARS = 4_000


class MemoryRoutes:
    """The session says whose: the person who talks in it, or the group that it is; or `user_id` does."""

    def __init__(self, rights: Rights, max_body_bytes: int) -> None:
        self._rights = rights
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/memory", self.page),
            web.get("/v1/memory/export", self.export),
            web.post("/v1/memory/pause", self.pause),
            web.post("/v1/memory/{id}", self.correct),
            web.delete("/v1/memory/{id}", self.forget),
        ]

    async def page(self, request: web.Request) -> web.Response:
        """With `q` what belongs to it, the best first; else the newest first."""
        where = _where(request)
        limit = limit_in_query(request, PAGE, MOST)
        query = request.query.get("q", "").strip()
        if query:
            found = await self._rights.search(where, query[:MAX_QUERY_CHARS], limit=limit)
            return json_response(_told(found))
        before = int_in_query(request, "before")
        found = await self._rights.page(
            where, limit=limit + 1, before=before, facts=request.query.get("kind") == "facts"
        )
        told = _told(Kept(found.memories[:limit], found.paused))
        if len(found.memories) > limit:
            told["next"] = str(found.memories[limit - 1].id)
        return json_response(told)

    async def export(self, request: web.Request) -> web.Response:
        """Everything of theirs as JSON Lines, the oldest first."""
        records = await self._rights.export(_where(request))
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        return web.Response(
            body=lines.encode("utf-8", "replace"),
            content_type="application/x-ndjson",
            headers={"Content-Disposition": 'attachment; filename="memory.jsonl"'},
        )

    async def pause(self, request: web.Request) -> web.Response:
        """Remember nothing new of them, or do so again."""
        body = await read_json(request, self._max_body_bytes)
        paused = flag(body, "paused")
        await self._rights.pause(_where(request), paused=paused)
        return json_response({"paused": paused})

    async def correct(self, request: web.Request) -> web.Response:
        """Put another text in the place of one; the old one stays as its history."""
        body = await read_json(request, self._max_body_bytes)
        memory = await self._rights.correct(_where(request), _id(request), text_field(body, "text"))
        return json_response(_memory(memory))

    async def forget(self, request: web.Request) -> web.Response:
        """Forget one for good, with its message and the answer to it."""
        named = {"session_id", "user_id"} & set(request.query)
        where = _where(request) if named else None
        await self._rights.forget(where, _id(request), CHANNEL)
        return web.Response(status=204)


def _where(request: web.Request) -> Where:
    given, user = request.query.get("session_id"), request.query.get("user_id")
    if given is not None:
        return Conversation(CHANNEL, checked_id(given, "session_id")).id
    if user is not None:
        return OfPerson(SpeakerId(f"{CHANNEL}:{checked_id(user, 'user_id')}"))
    raise bad_request("session_id or user_id is missing", "session_id")


def _id(request: web.Request) -> int:
    given = request.match_info["id"]
    if not (given.isascii() and given.isdigit() and len(given) <= 18):
        raise web.HTTPNotFound
    return int(given)


def _told(found: Kept) -> dict[str, Any]:
    return {"memories": [_memory(memory) for memory in found.memories], "paused": found.paused}


def _memory(memory: Memory) -> dict[str, Any]:
    return {**exported(memory), "id": str(memory.id)}
