"""Speech to text by an OpenAI-compatible `/audio/transcriptions` endpoint."""

import json
from collections.abc import Mapping

from bot.config.channels import TranscriptionSettings
from bot.config.proxy import proxy_for
from bot.domain.ports import Clock
from bot.errors import ModelError
from bot.models.endpoint import Address, Endpoint, RemoteEndpoint
from bot.models.limits import Limits

NAME = "transcription"


class Transcriber:
    """Hears what is said in a recording."""

    def __init__(self, endpoint: Endpoint, model: str, limit_s: float) -> None:
        self._endpoint = endpoint
        self._model = model
        self._limit_s = limit_s

    async def transcribe(self, audio: bytes, name: str, mime: str) -> str:
        """The words of a recording, "" if there are none. Raises `ModelError`."""
        transport = await self._endpoint.transport()
        limits = Limits.all(self._limit_s)
        body = {"model": self._model, "response_format": "json"}
        files = {"file": (name, audio, mime)}
        async with transport.post("/audio/transcriptions", body, limits, files=files) as response:
            answer = await response.read(limits)
        try:
            return str(json.loads(answer)["text"]).strip()
        except (ValueError, KeyError, TypeError):
            raise ModelError("bad_request", f"{NAME} answered no text", provider=NAME) from None

    async def aclose(self) -> None:
        """Let the connections go."""
        await self._endpoint.aclose()


def build_transcriber(
    settings: TranscriptionSettings, clock: Clock, *, environ: Mapping[str, str] | None = None
) -> Transcriber | None:
    """What the settings ask for; None where no address is set. `environ` is where proxies are looked for."""
    if settings.base_url is None:
        return None
    key = settings.api_key.get_secret_value() if settings.api_key else ""
    proxy = proxy_for(settings.base_url, None, environ or {})
    endpoint = RemoteEndpoint(Address(NAME, settings.base_url, key, proxy), clock)
    return Transcriber(endpoint, settings.model, settings.timeout_secs)
