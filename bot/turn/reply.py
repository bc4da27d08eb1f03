"""Ask the model and stream its answer; whatever happens, there is an honest reply."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

import structlog

from bot.domain.message import (
    Finished,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    Reply,
    ReplyStatus,
    TextDelta,
    ToolCall,
    Usage,
)
from bot.domain.ports import ChatModel, Sink
from bot.errors import ModelError
from bot.i18n.catalogue import translate
from bot.turn.silence import may_become_silence, silence_in

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Answer:
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    finish: str = "stop"
    used: tuple[str, ...] = ()  # tools
    error: str | None = None
    stopped: bool = False
    held: str = ""  # not shown yet: it may turn out to be a word for silence


async def stream_reply(
    model: ChatModel,
    request: ModelRequest,
    sink: Sink,
    stop: asyncio.Event,
    locale: str,
    may_be_silent: bool = False,
) -> Reply:
    """Stream the model's answer into `sink` and return the whole reply (the sink is not closed).

    Raises `ModelError` only for `context_too_long` with nothing shown, which the caller can mend.
    Every other failure becomes a short honest line in the reply. Setting `stop` ends it early with
    what there is. A word by which the model says that it has nothing to say is not shown: there is a
    line instead, or with `may_be_silent` an empty reply.
    """
    answer = _Answer()
    try:
        await _consume(model.stream(request), answer, sink, stop)
    except ModelError as error:
        if error.code == "context_too_long" and not answer.text:
            raise
        log.warning("model.failed", code=error.code, provider=error.provider, detail=error.message)
        answer.error = error.code
    if await _is_silent(answer, sink, may_be_silent):
        return Reply("", "empty", answer.usage)
    return await _conclude(answer, sink, locale)


async def _is_silent(answer: _Answer, sink: Sink, may_be_silent: bool) -> bool:
    """Whether nothing is to be said at all. A word for silence is taken out of the answer."""
    kind = silence_in(answer.text)
    if kind == "alone" or (kind == "explained" and may_be_silent):
        log.info("model.chose_silence", shown=not may_be_silent)
        answer.text = answer.held = ""
    if answer.held:
        await sink.write(TextDelta(answer.held))
    return kind != "none" and not answer.text and may_be_silent and answer.error is None


async def _consume(
    events: AsyncIterator[ModelEvent], answer: _Answer, sink: Sink, stop: asyncio.Event
) -> None:
    """Read the events until the end or until `stop` is set, whichever is first."""
    if stop.is_set():  # before it began: the model need not be asked
        answer.stopped = True
        return
    reader = asyncio.ensure_future(_read(events, answer, sink))
    stopper = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({reader, stopper}, return_when=asyncio.FIRST_COMPLETED)
        answer.stopped = stop.is_set() and not reader.done()
        if not answer.stopped:
            await reader
    finally:
        stopper.cancel()
        reader.cancel()
        await asyncio.gather(reader, stopper, return_exceptions=True)


async def _read(events: AsyncIterator[ModelEvent], answer: _Answer, sink: Sink) -> None:
    async with aclosing(events) as stream:  # type: ignore[type-var]
        async for event in stream:
            match event:
                case TextDelta(text):
                    answer.text += text
                    answer.held += text
                    if not may_become_silence(answer.text):
                        await sink.write(TextDelta(answer.held))
                        answer.held = ""
                case Usage():
                    answer.usage = answer.usage + event
                case Finished(reason=reason, retracted=retracted, used=used):
                    answer.finish, answer.used = reason, used
                    answer.text = answer.text[retracted:]
                    answer.held = answer.held[-len(answer.text) :] if answer.text else ""
                case ReasoningDelta() | ToolCall():
                    continue  # reasoning is never shown; no tool was offered, so none can be called


async def _conclude(answer: _Answer, sink: Sink, locale: str) -> Reply:
    status, note = _verdict(answer)
    if note:
        line = translate(f"turn.{note}", locale, tools=", ".join(answer.used))
        addition = f"\n\n{line}" if answer.text.strip() else line
        answer.text += addition
        if status != "failed":  # nothing was shown, and the channel tells failures in its own way
            await sink.write(TextDelta(addition))
    return Reply(answer.text, status, answer.usage, answer.error)


def _verdict(answer: _Answer) -> tuple[ReplyStatus, str]:
    """The status of a reply, and the key of the line that says why it is not complete."""
    if answer.stopped:
        return "stopped", "stopped"
    if answer.error is not None:
        shown = bool(answer.text.strip())
        return ("cut", "broken") if shown else ("failed", answer.error)
    if answer.finish == "content_filter":
        return "filtered", "filtered"
    if not answer.text.strip():
        return "empty", "empty_after_tools" if answer.used else "empty"
    if answer.finish in {"length", "broken"}:
        return "cut", "cut" if answer.finish == "length" else "broken"
    return "complete", ""
