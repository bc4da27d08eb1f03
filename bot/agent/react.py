"""A model that may use tools, as one model: it is asked, its calls are done, it is asked again, to the end.

To whoever streams it, it is a `ChatModel` like any other: the words of all rounds come as one answer. What it
wishes for is recorded before it is done, so that a turn taken up after a crash, or after a person was asked,
goes on where it stood.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

import structlog

from bot.agent.step import Steps, waiting_of
from bot.domain.message import (
    Finished,
    FinishReason,
    Message,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    Text,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)
from bot.domain.ports import ChatModel, Clock
from bot.domain.tool import Tool
from bot.errors import ModelError
from bot.policy.budgets import Used, exhausted
from bot.policy.ledger import HAPPENED, Entry, Ledger, Round
from bot.policy.rules import Policy
from bot.text.kept import PerObject
from bot.text.tokens import estimate_tokens

log = structlog.get_logger(__name__)

MOST_REPAIRS = 3  # rounds in a row of nothing but calls that cannot be made
SHORTEST_RESULT = 400
PER_TOOL = 10  # tokens around a tool's own words
LAST_WORD = (
    "(No more tools can be used for this answer: {why}. Answer now with what is known, and say honestly what "
    "is missing.)"
)
Price = Callable[[Usage, str, str], float]  # of tokens, by provider and model


class WaitsForPerson(Exception):
    """The turn cannot go on before a person has decided. `ids` are what waits."""

    def __init__(self, ids: Sequence[str], text: str) -> None:
        super().__init__(f"{len(ids)} calls wait for a person")
        self.ids = tuple(ids)
        self.text = text  # what was said so far


@dataclass(frozen=True, slots=True)
class Limits:
    """Rounds of calls in one answer, and what a token costs."""

    rounds: int = 4
    price: Price = field(default=lambda usage, provider, model: 0.0)


@dataclass(slots=True)
class _Talk:
    """What was said in this answer, over all rounds."""

    messages: list[Message]
    text: str = ""  # as it was shown
    retracted: int = 0
    rounds: int = 0
    began_round_at: int = 0
    spent: Used = field(default_factory=Used)
    today: Used | None = None
    offers: bool = True  # tools, with the next request
    used: dict[str, None] = field(default_factory=dict)  # the tools that were at work, in order

    def shown(self, delta: str) -> str:
        """What is to be shown for a piece of a round: a round begins a paragraph of its own."""
        first = len(self.text) == self.began_round_at
        gap = "\n\n" if first and self.text.strip() and delta and not self.text.endswith("\n\n") else ""
        self.text += gap + delta
        return gap + delta

    def add(self, opened: Round, settled: Sequence[Entry]) -> None:
        """A round was recorded, and every call in it has a result."""
        said = (Text(opened.text),) if opened.text else ()
        asked = tuple(replace(entry.call, arguments=entry.call.arguments or {}) for entry in settled)
        self.messages.append(Message("assistant", (*said, *asked)))
        results = tuple(entry.result for entry in settled if entry.result is not None)
        self.messages.append(Message("tool", results))
        self.used |= dict.fromkeys(entry.call.name for entry in settled if entry.status in HAPPENED)
        self.rounds = opened.number + 1
        self.began_round_at = len(self.text)


@dataclass(slots=True)
class _Asked:
    """One answer of the model."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    finished: Finished = field(default_factory=lambda: Finished("broken"))


def _tokens(spec: ToolSpec) -> int:
    return estimate_tokens(f"{spec.name} {spec.description} {json.dumps(spec.parameters)}") + PER_TOOL


_TOKENS: PerObject[int] = PerObject()  # every turn asks it of the same tools


class Reacting:
    """A model with tools, for one turn."""

    def __init__(  # noqa: PLR0913 - a constructor takes its collaborators
        self,
        model: ChatModel,
        tools: Sequence[Tool],
        steps: Steps,
        ledger: Ledger,
        policy: Policy,
        clock: Clock,
        limits: Limits,
        *,
        taken_up: bool = False,
    ) -> None:
        """`taken_up`: an earlier attempt may have left a record."""
        # What shows people that tools are at work (True), or no longer.
        self.tell: Callable[[bool], Awaitable[None]] | None = None
        self.steps = steps
        self._model = model
        self._specs = tuple(
            ToolSpec(tool.name, tool.description, tool.parameters, tool.toolset) for tool in tools
        )
        self._ledger = ledger
        self._policy = policy
        self._clock = clock
        self._limits = limits
        self._taken_up = taken_up

    @property
    def tokens(self) -> int:
        """About how much of the model's window its tools take up."""
        return sum(
            _TOKENS.get(spec.parameters, (spec.name, spec.description), partial(_tokens, spec))
            for spec in self._specs
        )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """The whole answer. Raises `WaitsForPerson` where it cannot go on."""
        talk = _Talk(list(request.messages))
        began = self._clock.now()
        if self._taken_up:
            for opened in await self._ledger.rounds():
                if opened.text:
                    yield TextDelta(talk.shown(opened.text))
                yield opened.usage
                talk.spent += self._used(opened.usage, Finished("tool_calls"), len(opened.entries))
                await self._settle(opened, talk)
        while True:
            seconds = (self._clock.now() - began).total_seconds()
            why = self._why_last(talk, seconds)
            asked = _Asked()
            async with aclosing(self._ask(request, talk, asked, why)) as events:
                async for event in events:
                    yield event
            broken = asked.finished.reason == "broken"
            if why and asked.calls and not asked.text.strip() and talk.offers and not broken:
                # It calls on although it was told not to: once more, with nothing to call.
                talk.offers = False
                talk.spent += self._used(asked.usage, asked.finished)
                continue
            if broken or why or not asked.calls:
                await self._spend(talk, asked)
                used = tuple(talk.used)
                yield replace(asked.finished, reason=_end(asked), retracted=talk.retracted, used=used)
                return
            self._taken_up = True  # should this be streamed again: it was recorded
            opened = await self._ledger.open_round(talk.rounds, asked.text, asked.usage, asked.calls)
            talk.spent += self._used(asked.usage, asked.finished, len(asked.calls))
            await self._settle(opened, talk)

    async def _ask(
        self, request: ModelRequest, talk: _Talk, asked: _Asked, why: str
    ) -> AsyncGenerator[ModelEvent, None]:
        """Ask once more; a talk that has become too long is shortened, once."""
        while True:
            try:
                async with aclosing(self._once(request, talk, asked, why)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if error.code != "context_too_long" or not _shorten(talk.messages):
                    raise
                log.info("agent.results_shortened", run_id=request.run_id)

    async def _once(
        self, request: ModelRequest, talk: _Talk, asked: _Asked, why: str
    ) -> AsyncGenerator[ModelEvent, None]:
        messages = tuple(talk.messages)
        if why:
            messages = (*messages, Message.of("user", LAST_WORD.format(why=why)))
        tools = self._specs if talk.offers else ()
        wanted = replace(request, messages=messages, tools=tools, tool_choice="none" if why else "auto")
        stream = self._model.stream(wanted)
        async with aclosing(stream) as events:  # type: ignore[type-var]
            async for event in events:
                match event:
                    case TextDelta(text):
                        asked.text += text
                        yield TextDelta(talk.shown(text))
                    case ToolCall():
                        asked.calls.append(event)
                    case Usage():
                        asked.usage += event
                        yield event
                    case Finished(retracted=retracted):
                        asked.finished = event
                        if retracted:
                            asked.text = asked.text[retracted:]
                            talk.retracted = len(talk.text) - len(asked.text)
                    case ReasoningDelta():
                        yield event

    async def _settle(self, opened: Round, talk: _Talk) -> None:
        if talk.today is None:
            talk.today = await self._ledger.used_today()
            if day := self._policy.settings.max_calls_per_day:
                self.steps.most_calls = min(self.steps.most_calls, day - talk.today.calls)
        if self.tell is not None:
            await self.tell(True)
        try:
            settled = await self.steps.settle(opened)
        finally:
            if self.tell is not None:
                await self.tell(False)
        if waiting := waiting_of(settled):
            raise WaitsForPerson(waiting, talk.text[talk.retracted :])
        talk.add(opened, settled)

    def _why_last(self, talk: _Talk, seconds: float) -> str:
        """Why the next answer has to be the last one; "" where it has not."""
        if not talk.rounds:
            return ""
        if talk.rounds >= self._limits.rounds:
            return f"{talk.rounds} rounds were used"
        if self.steps.repeated:
            return "the same call came again and again"
        if self.steps.mendable >= MOST_REPAIRS:
            return "the calls could not be made"
        spent = exhausted(self._policy.settings, talk.spent, talk.today or Used(), seconds)
        return f"the {spent} are used up" if spent else ""

    async def _spend(self, talk: _Talk, asked: _Asked) -> None:
        """Count what a turn with tools used up; one without any costs nothing here."""
        if talk.rounds:
            await self._ledger.spend(talk.spent + self._used(asked.usage, asked.finished))

    def _used(self, usage: Usage, finished: Finished, calls: int = 0) -> Used:
        cost = self._limits.price(usage, finished.provider, finished.model)
        return Used(calls, usage.input_tokens + usage.output_tokens, cost)


def _end(asked: _Asked) -> FinishReason:
    """How the whole ended: calls that nobody asked for any more are no reason to go on."""
    return "stop" if asked.finished.reason == "tool_calls" else asked.finished.reason


def _shorten(messages: list[Message]) -> bool:
    """Halve the longest results in place; False where there is nothing to win."""
    found = False
    for place, message in enumerate(messages):
        parts = tuple(_halved(part) if isinstance(part, ToolResult) else part for part in message.parts)
        if parts != message.parts:
            messages[place] = replace(message, parts=parts)
            found = True
    return found


def _halved(result: ToolResult) -> ToolResult:
    if len(result.text) <= SHORTEST_RESULT:
        return result
    half = len(result.text) // 4
    return replace(result, text=f"{result.text[:half]}\n[…]\n{result.text[-half:]}")
