"""Builders for the tests of the models: a model in front of a fake provider, and what it said."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.config.settings import ProviderSettings
from bot.domain.message import (
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
)
from bot.domain.ports import ChatModel
from bot.errors import ModelError
from bot.models.endpoint import Address, RemoteEndpoint
from bot.models.openai_compatible import OpenAICompatible
from tests.fakes.upstream import Upstream

KEY = "sk-test-0123456789abcdef"


class InstantClock:
    """Sleeps take no time and are noted; now moves on by them."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Said:
    """A folded answer, as a person would see it."""

    text: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    usage: Usage | None
    finished: Finished | None


def folded(events: Iterable[ModelEvent]) -> Said:
    text = reasoning = ""
    calls: list[ToolCall] = []
    usage: Usage | None = None
    finished: Finished | None = None
    for event in events:
        match event:
            case TextDelta():
                text += event.text
            case ReasoningDelta():
                reasoning += event.text
            case ToolCall():
                calls.append(event)
            case Usage():
                usage = event
            case Finished():
                assert finished is None, "a stream ends once"
                finished = event
    if finished is not None:
        text = text[finished.retracted :]
    return Said(text, reasoning, tuple(calls), usage, finished)


def request(text: str = "hello", **changes: Any) -> ModelRequest:
    return ModelRequest("chat", changes.pop("messages", (Message.of("user", text),)), **changes)


async def said(model: ChatModel, asked: ModelRequest | None = None) -> Said:
    return folded([event async for event in model.stream(asked or request())])


async def failure(model: ChatModel, asked: ModelRequest | None = None) -> ModelError:
    """The error that the model raises instead of an answer."""
    seen: list[ModelEvent] = []
    try:
        async for event in model.stream(asked or request()):
            seen.append(event)  # noqa: PERF401 - kept when it raises
    except ModelError as error:
        assert not folded(seen).text.strip(), "nothing may be shown before an error"
        return error
    raise AssertionError(f"no error, but {seen}")


@asynccontextmanager
async def model_of(
    upstream: Upstream, name: str = "fake", connect_timeout_s: float = 5, **settings: Any
) -> AsyncIterator[OpenAICompatible]:
    """One model that asks the fake provider."""
    settings = {"model": "fake-model", "base_url": upstream.base_url, "timeout_secs": 5, **settings}
    record = ProviderSettings(**settings)
    clock = InstantClock()
    endpoint = RemoteEndpoint(
        Address(name, upstream.base_url, KEY, connect_timeout_s=connect_timeout_s), clock
    )
    try:
        yield OpenAICompatible(name, record, endpoint, clock=clock)
    finally:
        await endpoint.aclose()
