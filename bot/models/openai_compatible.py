"""A provider with OpenAI's chat completions interface, streaming or not."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import structlog

from bot.config.settings import ProviderSettings
from bot.domain.message import ModelEvent, ModelRequest, TextDelta
from bot.domain.ports import Clock
from bot.errors import ModelError
from bot.models import failures
from bot.models.answer import AnswerReader
from bot.models.endpoint import Endpoint
from bot.models.limits import Limits
from bot.models.sse import EventParser
from bot.models.streams import closing
from bot.models.wire import wire_request

if TYPE_CHECKING:
    from bot.models.transport import Response, Transport

log = structlog.get_logger(__name__)

# A provider that told the reason of the end but keeps the connection: usage may still come.
_AFTER_FINISH_S = 2.0
_DRAIN_S = 0.05
_LONGEST_MARK = 64  # bytes; what is no part of the answer is short
_END = re.compile(rb"\W*DONE\W*", re.IGNORECASE)
# Some servers and proxies keep a connection awake by data instead of a comment.
_AWAKE = re.compile(
    rb"\W*(?:ping|pong|keep[-_ ]?alive|heart[-_ ]?beat|(?:openrouter )?processing)?\W*", re.IGNORECASE
)
# Parameters that a provider may not know, and what is sent instead ("" for nothing).
_ADAPTABLE = {
    "stream_options": "",
    "max_tokens": "max_completion_tokens",
    "temperature": "",
    "top_p": "",
    "repeat_penalty": "",
}
_DONE = object()  # what stands in the place of a chunk where the end mark came


@dataclass(frozen=True, slots=True)
class _Lost:
    """Data that cannot be read. `was_chunk`: a part of the answer, by its looks."""

    was_chunk: bool


@dataclass(slots=True)
class _Learned:
    """What a provider's answers taught; kept as long as the process lives."""

    refused: set[str] = field(default_factory=set)
    opener_missing: bool = False


class OpenAICompatible:
    """One model of one provider. Asks once: retries and fall-backs are wrappers."""

    def __init__(
        self,
        name: str,
        settings: ProviderSettings,
        endpoint: Endpoint,
        *,
        clock: Clock,
        model: str | None = None,
    ) -> None:
        self.name = name
        self.model = model or settings.model or "default"
        self._settings = settings
        self._endpoint = endpoint
        self._clock = clock
        self._learned = _Learned()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Ask and read. After visible words a failure becomes `Finished("broken")`."""
        transport = await self._endpoint.transport()
        settings = self._settings
        limits = Limits(settings.first_token_timeout_secs, settings.timeout_secs, settings.total_timeout_secs)
        reader = AnswerReader(opener_missing=self._learned.opener_missing)
        body = self._body(request)
        try:
            async with closing(self._answer(transport, body, limits, reader)) as events:
                async for event in events:
                    yield event
        except ModelError as error:
            if not reader.shown:
                raise
            log.warning("model.stream.broken", provider=self.name, model=self.model, code=error.code)
            for event in reader.broken(self.name):
                yield event
            return
        self._learn(reader)
        reader.model = reader.model or self.model
        for event in reader.end(self.name):
            yield event
        if reader.splitter.unclosed:
            log.warning("model.reasoning.unclosed", provider=self.name, model=self.model)

    def _learn(self, reader: AnswerReader) -> None:
        self._learned.opener_missing = reader.splitter.opener_missing

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        settings = self._settings
        own = {
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "repeat_penalty": settings.repeat_penalty,
            "max_tokens": settings.max_tokens,
        }
        body = {key: value for key, value in own.items() if value is not None}
        body = {**body, **settings.options, **wire_request(request, self.model)}
        for name in self._learned.refused & body.keys():
            _drop(body, name)
        return body

    async def _answer(
        self, transport: "Transport", body: dict[str, Any], limits: Limits, reader: AnswerReader
    ) -> AsyncIterator[ModelEvent]:
        """Post, once more without a parameter for each that the provider refuses, and read."""
        while True:
            try:
                async with (
                    transport.post("/chat/completions", body, limits) as response,
                    closing(_read(transport, response, limits, reader)) as events,
                ):
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if error.code != "bad_request" or reader.progress or not self._adapt(body, error.message):
                    raise

    def _adapt(self, body: dict[str, Any], message: str) -> bool:
        """Leave out the parameter that was refused, from now on; False if none is named."""
        adaptable = {name: body[name] for name in _ADAPTABLE if name in body}
        name = failures.refused_parameter(message, adaptable)
        if name is None:
            return False
        log.info("model.parameter.dropped", provider=self.name, parameter=name)
        self._learned.refused.add(name)
        _drop(body, name)
        return True


async def _read(
    transport: "Transport", response: "Response", limits: Limits, reader: AnswerReader
) -> AsyncIterator[ModelEvent]:
    source = _Source(transport, reader)
    if response.content_type != "text/event-stream":
        # Plain JSON, although a stream was asked for; or a stream that is not called one.
        for event in source.whole(await response.read(limits), response.content_type):
            yield event
    else:
        while not source.done and (piece := await _next_piece(response, limits, reader)) is not None:
            progress = reader.progress
            for event in _merged(source.events(piece)):
                yield event
            if reader.progress != progress:
                limits.content_came()
        for event in source.rest():
            yield event
        if source.done:
            await _drain(response)
    source.check_end()


class _Source:
    """Turns the bytes of one answer into events. `done` tells that `[DONE]` came.

    A line that cannot be read costs only itself where content follows it. Where none does, the end of
    the answer may have stood in it.
    """

    def __init__(self, transport: "Transport", reader: AnswerReader) -> None:
        self.done = False
        self._transport = transport
        self._reader = reader
        self._parser = EventParser()
        self._warned = False
        self._lost: _Lost | None = None  # the last of what could not be read since there was content

    def events(self, piece: bytes) -> Iterator[ModelEvent]:
        """The events that these bytes complete; an error among them is raised."""
        try:
            events = self._parser.feed(piece)
        except ValueError as error:
            raise self._transport.stream_failure(error) from None
        return self._parsed(events)

    def rest(self) -> Iterator[ModelEvent]:
        """What the end of the bytes completes."""
        return self._parsed(self._parser.end())

    def whole(self, content: bytes, content_type: str) -> Iterator[ModelEvent]:
        """The events of a body that was not announced as a stream."""
        if content.lstrip()[:1] == b"{":
            return self._parsed([content])
        if re.search(rb"^data:", content, re.MULTILINE):
            return self._parsed(self._parser.feed(content) + self._parser.end())
        provider = self._transport.name
        kind = content_type or "something without a type"
        text = f"{provider} answered with {kind} instead of JSON; check its base_url"
        raise ModelError("unavailable", text, provider=provider)

    def check_end(self) -> None:
        """Raise `stream_broken` where this was not the end of the answer."""
        finished = self._reader.has_finished
        # `[DONE]` stands for a reason that was forgotten, unless there was nothing at all.
        if not finished and not (self.done and self._reader.progress):
            raise self._transport.stream_failure(EOFError("it has no end"))
        # Where the reason was told, only what was a chunk once can have held words.
        if self._lost is not None and (self._lost.was_chunk or not finished):
            raise self._transport.stream_failure(ValueError("its last words cannot be read"))

    def _parsed(self, events: list[bytes]) -> Iterator[ModelEvent]:
        for data in events:
            for chunk in _chunks(data):
                if chunk is _DONE:
                    self.done = True
                    return
                yield from self._read(chunk)

    def _read(self, chunk: Any) -> list[ModelEvent]:
        if isinstance(chunk, _Lost):
            self._lose(chunk)
            return []
        if isinstance(chunk, dict) and (chunk.get("error") or chunk.get("object") == "error"):
            raise self._transport.event_failure(chunk)
        progress = self._reader.progress
        events = self._reader.read(chunk)
        if self._reader.progress != progress:
            self._lost = None
        return events

    def _lose(self, lost: _Lost) -> None:
        if self._lost is None or lost.was_chunk:
            self._lost = lost
        if not self._warned:
            self._warned = True
            log.warning("model.event.malformed", provider=self._transport.name)


def _merged(events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
    """Words that came together as one event: each costs its way through the whole bot."""
    words = ""
    try:
        for event in events:
            if isinstance(event, TextDelta):
                words += event.text
                continue
            if words:
                yield TextDelta(words)
                words = ""
            yield event
    except ModelError:
        if words:
            yield TextDelta(words)
        raise
    if words:
        yield TextDelta(words)


def _chunks(data: bytes) -> list[Any]:
    """What an event holds: parsed JSON, `_DONE` for the end mark, `_Lost` for what cannot be read."""
    chunk = _chunk(data)
    if isinstance(chunk, _Lost) and b"\n" in data:
        # Some providers forget the blank line between events: their lines stand in one.
        return [_chunk(line) for line in data.split(b"\n")]
    return [chunk]


def _chunk(data: bytes) -> Any:
    is_mark = len(data) <= _LONGEST_MARK
    if is_mark and _END.fullmatch(data):
        return _DONE
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None if is_mark and _AWAKE.fullmatch(data) else _Lost(was_chunk=b"{" in data)


def _drop(body: dict[str, Any], name: str) -> None:
    value = body.pop(name)
    if instead := _ADAPTABLE[name]:
        body[instead] = value


async def _next_piece(response: "Response", limits: Limits, reader: AnswerReader) -> bytes | None:
    """The next bytes. Once the reason of the end is known, silence or a break ends it too."""
    if not reader.has_finished:
        return await response.piece(limits)
    try:
        return await response.piece(Limits.all(_AFTER_FINISH_S))
    except ModelError:
        return None


async def _drain(response: "Response") -> None:
    """Read the end of the body, which is all that is left: the connection is then used again."""
    try:
        while await response.piece(Limits.all(_DRAIN_S)) is not None:
            pass
    except ModelError:
        pass
