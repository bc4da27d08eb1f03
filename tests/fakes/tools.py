"""Tools that count what is done with them, and models that call what they are told to call.

    world = World()
    toolset = FakeToolset("post", world.tool("send", effect="external"))
    model = Obeying()      # does whatever the text it reads tells it to do

`World.done` is the outside world: what stands there has happened.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from typing_extensions import override

from bot.domain.message import (
    Finished,
    ModelEvent,
    ModelRequest,
    Picture,
    TextDelta,
    ToolCall,
    ToolResult,
    Usage,
)
from bot.domain.tool import Effect, RunContext, Tool
from tests.fakes.models import ScriptedModel

ANYTHING: Mapping[str, Any] = {"type": "object"}
Answer = Callable[[Mapping[str, Any]], str] | str | Exception


@dataclass
class World:
    """What was done, as (tool, arguments), in order. `gates` hold a tool back until they are set."""

    done: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)

    def times(self, name: str) -> int:
        return sum(done == name for done, _ in self.done)


class FakeToolset:
    """A strict origin of tools: it knows only its own, and counts in the world what it did."""

    def __init__(self, name: str, world: World | None = None) -> None:
        self.name = name
        self.world = world or World()
        self._tools: dict[str, tuple[Tool, Answer]] = {}

    def add(
        self,
        name: str,
        answer: Answer = "done",
        *,
        effect: Effect = "pure",
        parameters: Mapping[str, Any] = ANYTHING,
        **changes: Any,
    ) -> "FakeToolset":
        tool = Tool(name, f"does {name}", parameters, effect, self.name, **changes)
        self._tools[name] = (tool, answer)
        return self

    def change(self, name: str, **changes: Any) -> None:
        tool, answer = self._tools[name]
        self._tools[name] = (replace(tool, **changes), answer)

    async def tools(self, context: RunContext) -> Sequence[Tool]:
        return [tool for tool, _ in self._tools.values()]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        assert call.arguments is not None, "the gate lets no unread arguments pass"
        _, answer = self._tools[call.name]
        if call.name in self.world.gates:
            await self.world.gates[call.name].wait()
        self.world.done.append((call.name, dict(call.arguments)))
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else answer(call.arguments)
        return ToolResult(call.id, call.name, text)


class FakePainter(FakeToolset):
    """Its tool `paint` brings the same pictures each time."""

    def __init__(self, *pictures: Picture) -> None:
        super().__init__("painter")
        self.add("paint", "[image image/png, 1 KB]", effect="read")
        self._pictures = pictures

    @override
    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        return replace(await super().call(call, context), pictures=self._pictures)


def calls(*wanted: tuple[str, Mapping[str, Any] | None], text: str = "") -> list[ModelEvent]:
    """A model's answer that calls tools, with ids that name their place."""
    made = [
        ToolCall(f"c{at}-{name}", name, arguments, "" if arguments is not None else '{"broken')
        for at, (name, arguments) in enumerate(wanted)
    ]
    said: list[ModelEvent] = [TextDelta(text)] if text else []
    return [*said, *made, Usage(5, 3), Finished("tool_calls", "scripted", "test")]


_ORDER = re.compile(r"CALL (\w+) (?=\{\")")
_JSON = json.JSONDecoder()


class Obeying(ScriptedModel):
    """A model without any sense: it calls whatever a text in its prompt says, each order once.

    An order reads `CALL name {"json": "object"}`, wherever it stands: in what the person says, in a page, in
    a tool's result. When nothing new is ordered it answers with the end of what it read.
    """

    def __init__(self) -> None:
        super().__init__()
        self.obeyed: list[str] = []

    @override
    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        read = _everything(request)
        made: list[ToolCall] = []
        for order in _ORDER.finditer(read):
            arguments, end = _JSON.raw_decode(read, order.end())
            wanted = read[order.start() : end]
            if wanted not in self.obeyed and request.tool_choice == "auto" and request.tools:
                self.obeyed.append(wanted)
                made.append(ToolCall(f"o{len(self.obeyed)}", order[1], arguments))
        for call in made:
            yield call
        if not made:
            yield TextDelta("I have read: " + read[-300:])
        yield Finished("tool_calls" if made else "stop", "obeying", "test")


def _everything(request: ModelRequest) -> str:
    parts = [part for message in request.messages for part in message.parts]
    return "\n".join(str(getattr(part, "text", "")) for part in parts)
