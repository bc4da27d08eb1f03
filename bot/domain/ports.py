"""The seams of the house. Everything else wraps one of these or stands behind one."""

from array import array
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Literal, Protocol

from bot.domain.message import ModelEvent, ModelRequest, Reply, TextDelta, ToolCall, ToolResult
from bot.domain.tool import RunContext, Tool

Vectors = Sequence["array[float]"]  # arrays of type code "f": 32-bit floats, of unit length


class ChatModel(Protocol):
    """Completes a conversation. There is one way to call it, streaming; completing is a fold.

    The stream ends with exactly one `Finished`, or raises `ModelError` where nothing was yielded
    that a person may have seen.
    """

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]: ...


class Toolset(Protocol):
    """Tools that can be called: an MCP server's, a set of our own, or others with something around them.

    `call` answers with a result, an `is_error` one for whatever the caller can mend (wrong arguments,
    an unknown name, a failure of the tool), and never raises for what a tool or a server did.
    """

    async def tools(self, context: RunContext) -> Sequence[Tool]: ...

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult: ...


class Sink(Protocol):
    """Where a reply streams to. `write` is best effort; `close` brings the whole reply, once."""

    async def write(self, delta: TextDelta) -> None: ...

    async def close(self, reply: Reply) -> None: ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length.

    `model_id` names model and preprocessing: vectors of different ids must not be compared.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def anticipate(self, text: str) -> None:
        """A question that came in will be asked for soon: its vector may be begun. Never raises."""
        ...

    async def embed(self, texts: Sequence[str], *, purpose: Literal["query", "passage"]) -> Vectors: ...


class Reranker(Protocol):
    """Reads a question together with texts that may answer it."""

    async def order(self, question: str, texts: Sequence[str]) -> Sequence[int]:
        """The places in `texts` of those that help, the most helpful first. What it names twice, or what
        is no place, is for the caller to pass over."""
        ...


class Clock(Protocol):
    """Now (aware, UTC) and sleep, so that tests own time."""

    def now(self) -> datetime: ...

    async def sleep(self, seconds: float) -> None: ...
