"""A fake `/audio/transcriptions` endpoint on the loopback, as strict as OpenAI's about its form."""

import asyncio
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Heard:
    """A request as it came in."""

    fields: dict[str, str]
    name: str
    audio: bytes
    authorization: str


class FakeTranscription:
    """Answers each recording with `text`, or with `status` where that is not 200."""

    def __init__(self, text: str = "hello from the recording", status: int = 200) -> None:
        self.text = text
        self.status = status
        self.requests: list[Heard] = []
        self.asked = asyncio.Event()
        self.gate = asyncio.Event()  # answers wait until it is set
        self.gate.set()
        self.base_url = ""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=30 * 1024 * 1024)
        application.router.add_post("/v1/audio/transcriptions", self._serve)
        self._runner = web.AppRunner(application, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.Response:
        form = await request.post()
        file: Any = form.get("file")
        if not isinstance(file, web.FileField) or not form.get("model") or "." not in file.filename:
            return web.json_response({"error": {"message": "file and model are required"}}, status=400)
        fields = {key: value for key, value in form.items() if isinstance(value, str)}
        authorization = request.headers.get("Authorization", "")
        self.requests.append(Heard(fields, file.filename, file.file.read(), authorization))
        self.asked.set()
        await self.gate.wait()
        if self.status != 200:
            return web.json_response({"error": {"message": "no"}}, status=self.status)
        return web.json_response({"text": self.text})
