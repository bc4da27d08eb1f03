"""A strict in-process stand-in for the web channel, whose streams follow a script.

Strict: what the real server would refuse (unknown fields, wrong types, a missing key) is refused here.
"""

import asyncio
import json
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from aiohttp import web

from channels.web.routes.pages import STATIC_FOLDER, load_assets

ASSETS = load_assets(STATIC_FOLDER)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify xiaomaolv"
)
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
STOPPED = "\n\n(stopped)"  # what the bot writes below an answer that was stopped
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Script:
    """One answer. `drops` holds, per connection, after how many events it is cut; `released` how many
    events may be sent for now (None: all)."""

    deltas: Sequence[str]
    status: str = "complete"
    error: tuple[str, str] | None = None
    drops: list[int] = field(default_factory=list)
    released: int | None = None


@dataclass(slots=True)
class Turn:
    id: str
    session_id: str
    script: Script
    generation: int = 1
    stopped: bool = False
    cuts: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def reply(self) -> str:
        return "".join(self.script.deltas)

    def events(self) -> list[tuple[str, str, dict[str, Any]]]:
        first: dict[str, Any] = {"turn_id": self.id}
        if self.generation > 1:
            first["restarted"] = True
        events = [("turn", first), *(("delta", {"text": text}) for text in self.script.deltas)]
        if self.stopped:
            kept = self.script.deltas[: max(0, self.sendable() - 1)]
            events = [
                *events[: len(kept) + 1],
                ("delta", {"text": STOPPED}),
                ("done", {"reply": "".join(kept) + STOPPED, "usage": {}, "status": "stopped"}),
            ]
        elif self.script.error:
            code, message = self.script.error
            events.append(("error", {"code": code, "message": message}))
        else:
            events.append(("done", {"reply": self.reply, "usage": {}, "status": self.script.status}))
        return [(f"{self.generation}-{n}", name, data) for n, (name, data) in enumerate(events)]

    def sendable(self) -> int:
        """How many events of the script may be sent by now."""
        total = len(self.script.deltas) + 2
        return total if self.script.released is None else self.script.released

    async def release(self, count: int | None = None) -> None:
        """Let the first `count` events go out; all without a count."""
        async with self.changed:
            self.script.released = count
            self.changed.notify_all()

    async def stop(self) -> None:
        async with self.changed:
            self.stopped = True
            self.changed.notify_all()

    async def cut(self) -> None:
        """Cut the connections that wait for more events."""
        async with self.changed:
            self.cuts += 1
            self.changed.notify_all()

    def restart(self, deltas: Sequence[str]) -> None:
        """As after a restart of the server whose model answers with other words."""
        self.generation += 1
        self.script = Script(deltas)


@dataclass(frozen=True, slots=True)
class Seen:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


class ApiProblem(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class FakeBot:
    """The server's state and its routes. `scripts` are used up by the next messages, in order."""

    def __init__(self) -> None:
        self.scripts: deque[Script] = deque()
        self.turns: dict[str, Turn] = {}
        self.keys: dict[str, str] = {}
        self.sessions: dict[str, dict[str, Any]] = {}
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.requests: list[Seen] = []
        self.faults: dict[str, deque[int]] = {}
        self.held: dict[str, asyncio.Event] = {}
        self.notice: dict[str, str] | None = None
        self.token: str | None = None
        self.address = ""
        self.dropped = 0
        self._clock = START

    # What a test arranges -----------------------------------------------------------------------

    def fail(self, route: str, *statuses: int) -> None:
        """Answer the next requests of `route` ("POST /v1/messages") with these; 0 cuts the connection."""
        self.faults.setdefault(route, deque()).extend(statuses)

    def hold(self, route: str) -> asyncio.Event:
        """Answer requests of `route` once the event is set."""
        return self.held.setdefault(route, asyncio.Event())

    def add_session(self, title: str, *pairs: tuple[str, str], age: timedelta = timedelta()) -> str:
        """A finished conversation of (question, answer) pairs; returns its id."""
        session_id = str(uuid.uuid4())
        self._clock = datetime.now(UTC) - age - timedelta(minutes=len(pairs))
        self._session(session_id, title)
        for question, answer in pairs:
            turn_id = uuid.uuid4().hex
            self._message(session_id, "user", question, turn_id)
            self._message(session_id, "assistant", answer, turn_id)
        return session_id

    def remind(self, session_id: str, text: str) -> None:
        """A message that comes by itself, as a reminder does."""
        self._message(session_id, "assistant", text, uuid.uuid4().hex)

    def sent(self) -> list[str]:
        """The texts of the messages that made a turn, in order."""
        return [m["text"] for messages in self.messages.values() for m in messages if m["role"] == "user"]

    @property
    def last_turn(self) -> Turn:
        return list(self.turns.values())[-1]

    # Routes -------------------------------------------------------------------------------------

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._around], client_max_size=32 << 20)
        app.add_routes([
            web.get("/", _file("index.html")),
            web.get("/login", _file("login.html")),
            web.post("/login", self._login),
            web.post("/logout", self._logout),
            web.get("/v1/ui/state", self._state),
            web.get("/v1/sessions", self._list),
            web.get("/v1/sessions/{id}", self._get),
            web.delete("/v1/sessions/{id}", self._delete),
            web.get("/v1/sessions/{id}/messages", self._history),
            web.post("/v1/messages", self._post),
            web.get("/v1/turns/{id}/events", self._events),
            web.post("/v1/turns/{id}/stop", self._stop),
            web.get("/static/{path:.+}", _asset),
        ])
        app.on_response_prepare.append(_secure)
        return app

    @web.middleware
    async def _around(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        body = await request.text() if request.method == "POST" else None
        self.requests.append(Seen(request.method, request.path_qs, dict(request.headers), body))
        route = f"{request.method} {request.path}"
        if held := self.held.get(route):
            await held.wait()
        waiting = self.faults.get(route)
        try:
            if waiting:
                return self._fault(request, waiting.popleft())
            if (
                self.token
                and request.path.startswith("/v1/")
                and request.cookies.get("session") != self.token
            ):
                raise ApiProblem(401, "unauthorized", "Sign in first.")
            return await handler(request)
        except ApiProblem as problem:
            return web.json_response(
                {"error": {"code": problem.code, "message": str(problem)}}, status=problem.status
            )

    def _fault(self, request: web.Request, status: int) -> web.StreamResponse:
        if status == 0:
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        raise ApiProblem(status, "scripted", HTTPStatus(status).phrase)

    async def _state(self, request: web.Request) -> web.Response:
        return web.json_response({
            "version": "0.1.0",
            "locale": "en",
            "notice": self.notice,
            "auth_required": self.token is not None,
            "user_id": "web:1",
        })

    async def _login(self, request: web.Request) -> web.Response:
        given = json.loads(await request.text())["token"]
        if given != self.token:
            raise ApiProblem(401, "unauthorized", "Wrong token.")
        response = web.json_response({})
        response.set_cookie("session", given, httponly=True, samesite="Strict")
        return response

    async def _logout(self, request: web.Request) -> web.Response:
        response = web.Response(status=204)
        response.del_cookie("session")
        return response

    async def _list(self, request: web.Request) -> web.Response:
        newest_first = sorted(self.sessions.values(), key=lambda s: s["updated_at"], reverse=True)
        return web.json_response(_page(request, newest_first, "sessions"))

    async def _get(self, request: web.Request) -> web.Response:
        session = self._known(request)
        return web.json_response({**session, "running_turn": self._running(session["id"])})

    async def _delete(self, request: web.Request) -> web.Response:
        session = self._known(request)
        del self.sessions[session["id"]]
        return web.Response(status=204)

    async def _history(self, request: web.Request) -> web.Response:
        session = self._known(request)
        page = _page(request, self.messages[session["id"]][::-1], "messages")
        return web.json_response({**page, "messages": page["messages"][::-1]})

    async def _post(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.text())
        if set(body) != {"session_id", "user_id", "text", "stream", "tz"} or body["user_id"] != "web:1":
            raise ApiProblem(422, "invalid", f"Unexpected fields: {sorted(body)}")
        key = str(uuid.UUID(request.headers["Idempotency-Key"]))
        if key not in self.keys:
            self.keys[key] = self._begin(body["session_id"], body["text"])
        return await self._stream(request, self.turns[self.keys[key]], -1)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        turn = self._turn(request)
        last = request.headers.get("Last-Event-ID", "")
        generation, _, number = last.partition("-")
        known = last and int(generation) == turn.generation
        return await self._stream(request, turn, int(number) if known else -1)

    async def _stop(self, request: web.Request) -> web.Response:
        await self._turn(request).stop()
        return web.Response(status=202)

    # Inside -------------------------------------------------------------------------------------

    async def _stream(self, request: web.Request, turn: Turn, after: int) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        cut_at = turn.script.drops.pop(0) if turn.script.drops else None
        at, cuts = after + 1, turn.cuts
        while True:
            events = turn.events()
            sendable = len(events) if turn.stopped else turn.sendable()
            for event_id, name, data in events[at:sendable]:
                if at == cut_at:
                    return self._cut(request, response)
                text = json.dumps(data, ensure_ascii=False)
                await response.write(f"id: {event_id}\nevent: {name}\ndata: {text}\n\n".encode())
                at += 1
                if name in {"done", "error"}:
                    self._finish(turn, data)
                    return response
            async with turn.changed:
                await turn.changed.wait()
            if turn.cuts != cuts:
                return self._cut(request, response)

    def _cut(self, request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
        self.dropped += 1
        assert request.transport is not None
        request.transport.close()
        return response

    def _begin(self, session_id: str, text: str) -> str:
        self._clock = datetime.now(UTC)
        turn = Turn(
            uuid.uuid4().hex,
            session_id,
            self.scripts.popleft() if self.scripts else Script([f"You said: {text}"]),
        )
        self.turns[turn.id] = turn
        if session_id not in self.sessions:
            self._session(session_id, text[:60])
        self._message(session_id, "user", text, turn.id)
        return turn.id

    def _finish(self, turn: Turn, data: Mapping[str, Any]) -> None:
        kept = self.messages[turn.session_id]
        if any(m["turn_id"] == turn.id and m["role"] == "assistant" for m in kept):
            return
        status = data.get("status", "failed")
        self._message(turn.session_id, "assistant", data.get("reply", ""), turn.id, status)

    def _running(self, session_id: str) -> str | None:
        done = {m["turn_id"] for m in self.messages[session_id] if m["role"] == "assistant"}
        open_turns = [t.id for t in self.turns.values() if t.session_id == session_id and t.id not in done]
        return open_turns[-1] if open_turns else None

    def _known(self, request: web.Request) -> dict[str, Any]:
        if request.match_info["id"] not in self.sessions:
            raise ApiProblem(404, "not_found", "No such conversation.")
        return self.sessions[request.match_info["id"]]

    def _turn(self, request: web.Request) -> Turn:
        if request.match_info["id"] not in self.turns:
            raise ApiProblem(404, "not_found", "No such turn.")
        return self.turns[request.match_info["id"]]

    def _session(self, session_id: str, title: str) -> None:
        now = self._clock.isoformat()
        self.messages[session_id] = []
        self.sessions[session_id] = {
            "id": session_id, "title": title, "created_at": now, "updated_at": now, "message_count": 0,
        }  # fmt: skip

    def _message(self, session_id: str, role: str, text: str, turn_id: str, status: str = "complete") -> None:
        self._clock += timedelta(seconds=20)
        at = self._clock.isoformat()
        messages = self.messages[session_id]
        messages.append({
            "id": f"m{len(messages)}", "role": role, "text": text, "at": at,
            "turn_id": turn_id, "status": status,
        })  # fmt: skip
        self.sessions[session_id] |= {"updated_at": at, "message_count": len(messages)}


def _page(request: web.Request, newest_first: list[dict[str, Any]], name: str) -> dict[str, Any]:
    limit = int(request.query.get("limit", "50"))
    ids = [item["id"] for item in newest_first]
    start = ids.index(request.query["before"]) + 1 if "before" in request.query else 0
    page = newest_first[start : start + limit]
    more = start + limit < len(newest_first)
    return {name: page} | ({"next": page[-1]["id"]} if more else {})


def _file(name: str) -> Handler:
    async def serve(request: web.Request) -> web.StreamResponse:
        return _send(name)

    return serve


async def _asset(request: web.Request) -> web.StreamResponse:
    return _send(request.match_info["path"])


def _send(name: str) -> web.Response:
    """A part of the page, from memory: a file that is being sent stays open when a browser leaves."""
    asset = ASSETS.get(name)
    if asset is None:
        raise ApiProblem(404, "not_found", "There is no such file.")
    return web.Response(body=asset.body, headers={"Content-Type": asset.content_type})


async def _secure(request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"


async def start(bot: FakeBot) -> web.AppRunner:
    """Serve `bot` on a free port; its `address` is set. Clean the runner up after use."""
    runner = web.AppRunner(bot.app(), shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    bot.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    return runner
