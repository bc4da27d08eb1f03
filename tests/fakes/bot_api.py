"""A fake Telegram Bot API server, as strict as the real one, on the loopback.

In a test: `async with FakeBotApi() as api:` then `api.base_url`, `api.token`, `api.world` (people, chats,
injection of updates), `api.calls` (every call), `api.faults` (scripted trouble), `api.flood`.
As a program: `python -m tests.fakes.bot_api --port 0` prints its address on the first line and keeps its
state while bots come and go; `POST /control/<verb>` injects and scripts, `GET /control/<noun>` reads.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from tests.fakes.bot_api_faults import ApiError, Fault, FloodLimits
from tests.fakes.bot_api_methods import Methods
from tests.fakes.bot_api_spec import Refused, method_names, read_parameters
from tests.fakes.bot_api_world import BOT_ID, Json, World

TOKEN = f"{BOT_ID}:FAKE-token-for-tests-only-000000000"


@dataclass
class Call:
    """One call as the server saw it. `status`: ok, an error code, or the fault that hit it."""

    number: int
    method: str
    params: Json
    at: float
    status: str = "running"
    result: Any = None

    @property
    def chat_id(self) -> int | None:
        chat_id = self.params.get("chat_id")
        return chat_id if isinstance(chat_id, int) else None


class FakeBotApi:
    """The server and everything to look at. `now` drives flood limits and call times, in seconds."""

    def __init__(self, *, token: str = TOKEN, now: Callable[[], float] = time.monotonic) -> None:
        self.token = token
        self.world = World()
        self.flood = FloodLimits(now)
        self.methods = Methods(self.world, self.flood)
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.mood: Callable[[str, int | None], Fault | None] | None = None  # asked before every call
        self.base_url = ""
        self._now = now
        self._changed = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        application = web.Application(client_max_size=60 * 1024 * 1024)
        application.router.add_route("*", "/bot{token}/{method}", self._serve)
        application.router.add_get("/file/bot{token}/{path:.+}", self._download)
        application.router.add_post("/control/{verb}", self._control)
        application.router.add_get("/control/{noun}", self._inspect)
        self._runner = web.AppRunner(
            application, handler_cancellation=True, shutdown_timeout=0.1, access_log=None
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        for fault in self.faults:
            fault.release.set()
        if self._runner:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # -- for tests

    def fault(self, method: str = "*", **settings: Any) -> Fault:
        """Script one trouble; see `Fault`."""
        fault = Fault(method=method, **settings)
        self.faults.append(fault)
        return fault

    def called(self, method: str, chat_id: int | None = None) -> list[Call]:
        """The calls of a method so far, optionally to one chat."""
        return [
            call
            for call in self.calls
            if call.method == method and (chat_id is None or call.chat_id == chat_id)
        ]

    async def until(self, condition: Callable[[], bool], timeout_s: float = 30.0) -> None:
        """Wait until a condition over the state holds; looked at when a call comes and when it is done."""
        async with asyncio.timeout(timeout_s), self._changed:
            await self._changed.wait_for(condition)

    async def bring(self, address: str, **headers: str) -> list[int]:
        """Post what waits to the webhook, as Telegram does, at `address` instead of its public one.

        An update is done with when the answer is 2xx; the statuses, in order. `headers` replace its own.
        """
        hook = self.methods.webhook
        path = urlsplit(hook["url"]).path
        sent = {"X-Telegram-Bot-Api-Secret-Token": hook["secret_token"], **headers}
        statuses = []
        async with aiohttp.ClientSession() as client:
            for update in list(self.world.updates):
                async with client.post(f"{address}{path}", json=update, headers=sent) as answer:
                    statuses.append(answer.status)
                if statuses[-1] // 100 == 2:
                    self.world.confirm(update["update_id"] + 1)
        return statuses

    # -- serving

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return _answer(ApiError(401, "Unauthorized"))
        method = method_names().get(request.match_info["method"].lower())
        if method is None:
            return _answer(ApiError(404, "Not Found: method not found"))
        call = Call(len(self.calls) + 1, method, {}, self._now())
        self.calls.append(call)
        try:
            raw, uploads = await _raw_parameters(request)
            self.methods.uploads = uploads
            call.params = read_parameters(method, raw)
            await self._notify()
            result = await self._with_faults(call, request)
        except (ApiError, Refused) as error:
            refused = error if isinstance(error, ApiError) else ApiError(400, str(error))
            call.status = str(refused.code)
            return _answer(refused)
        except asyncio.CancelledError:
            call.status = "abandoned"
            raise
        finally:
            await self._notify()
        return web.json_response({"ok": True, "result": result})

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _with_faults(self, call: Call, request: web.Request) -> Any:
        fault = next((item for item in self.faults if item.takes(call.method, call.chat_id)), None)
        if fault is None and self.mood is not None:
            fault = self.mood(call.method, call.chat_id)
        if fault and fault.kind == "error":
            if fault.retry_after is not None and call.chat_id is not None:
                self.flood.ban(call.chat_id, fault.retry_after)
            raise fault.error()
        if fault and fault.kind.endswith("before"):
            await self._break(fault, call, request)
        call.result = await self.methods.call(call.method, call.params)
        call.status = "ok"
        if fault and fault.kind.endswith("after"):
            await self._break(fault, call, request)
        return call.result

    async def _break(self, fault: Fault, call: Call, request: web.Request) -> None:
        if fault.kind.startswith("hang"):
            await self._notify()
            await fault.release.wait()
            return
        call.status = fault.kind
        if request.transport:
            request.transport.abort()
        raise asyncio.CancelledError

    async def _download(self, request: web.Request) -> web.StreamResponse:
        content = self.world.contents.get(request.match_info["path"])
        if content is None or request.match_info["token"] != self.token:
            return _answer(ApiError(404, "Not Found"))
        return web.Response(body=content, content_type="application/octet-stream")

    # -- control from another process

    async def _control(self, request: web.Request) -> web.StreamResponse:
        """`POST /control/{user,group,topic,say,edit,press,member_status,migrate,push,fault,flood}`."""
        verb = request.match_info["verb"]
        arguments = await request.json()
        if verb == "fault":
            self.fault(**arguments)
            return web.json_response({})
        if verb == "flood":
            for name, value in arguments.items():
                setattr(self.flood, name, value)
            return web.json_response({})
        if verb not in {
            "user",
            "group",
            "topic",
            "say",
            "edit",
            "press",
            "member_status",
            "migrate",
            "push",
            "file",
        }:
            return web.json_response({"error": f"no such verb: {verb}"}, status=404)
        result = getattr(self.world, verb)(**arguments)
        return web.json_response({"result": result if isinstance(result, int | str | dict) else None})

    async def _inspect(self, request: web.Request) -> web.StreamResponse:
        """`GET /control/{messages?chat_id,calls?since,state}`."""
        noun = request.match_info["noun"]
        if noun == "messages":
            shown = self.world.visible(int(request.query["chat_id"]))
            return web.json_response([asdict(message) for message in shown])
        if noun == "calls":
            since = int(request.query.get("since", "0"))
            return web.json_response([asdict(call) for call in self.calls[since:]])
        if noun == "state":
            return web.json_response(self._state())
        return web.json_response({"error": f"no such noun: {noun}"}, status=404)

    def _state(self) -> Json:
        return {
            "pending": [update["update_id"] for update in self.world.updates],
            "confirmed": self.world.confirmed,
            "answers": {str(chat_id): self.world.answers(chat_id) for chat_id in self.world.chats},
            "altered": self.methods.altered,
            "commands": {"/".join(key): value for key, value in self.methods.commands.items()},
            "early_calls": self.flood.early,
            "calls": len(self.calls),
        }


async def _raw_parameters(request: web.Request) -> tuple[Json, dict[str, bytes]]:
    """The fields of a request, and the files in it by the names under which other fields refer to them."""
    parameters: Json = dict(request.query)
    uploads: dict[str, bytes] = {}
    if request.content_type == "application/json":
        body = await request.json()
        if not isinstance(body, dict):
            raise Refused("Bad Request: request body must be a JSON object")
        return parameters | body, uploads
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            with value.file as file:
                uploads[name] = file.read()
            if name in {"photo", "document"}:
                parameters[name] = f"attach://{name}"
        else:
            parameters[name] = value
    return parameters, uploads


def _answer(error: ApiError) -> web.Response:
    return web.json_response(error.as_json(), status=error.code)


async def _run(port: int, token: str) -> None:
    api = FakeBotApi(token=token)
    await api.start(port)
    sys.stdout.write(json.dumps({"base_url": api.base_url, "token": api.token}) + "\n")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await api.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="A fake Telegram Bot API server on the loopback.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--token", default=TOKEN)
    arguments = parser.parse_args()
    try:
        asyncio.run(_run(arguments.port, arguments.token))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
