"""What a server brings, in our own words: nothing here knows the SDK."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bot.domain.message import Picture


@dataclass(frozen=True, slots=True)
class Hints:
    """What a server claims of a tool; None where it claims nothing."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool as its server describes it; `schema` is untouched, and may be anything."""

    name: str
    description: str
    schema: Any
    hints: Hints = Hints()


@dataclass(frozen=True, slots=True)
class RemoteResource:
    """Something that can be read; `uri` is a template (RFC 6570) where `is_template`."""

    uri: str
    name: str
    description: str = ""
    mime: str = ""
    is_template: bool = False


@dataclass(frozen=True, slots=True)
class RemotePrompt:
    """A prepared text; `arguments` maps each argument to whether it is required."""

    name: str
    description: str = ""
    arguments: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class About:
    """What a server says of itself. `abilities` are among tools, resources, prompts, completions, logging."""

    name: str = ""
    version: str = ""
    protocol: str = ""
    instructions: str = ""
    abilities: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call brought, as text, and the pictures in it; `is_error` where the tool or its server says it
    failed."""

    text: str
    is_error: bool = False
    pictures: tuple[Picture, ...] = ()


@dataclass(slots=True)
class Traffic:
    """What is observed of a connection, for `mcp test`."""

    skipped_lines: int = 0  # on stdout, that were no messages
    mended: int = 0  # tools or results that broke the protocol and could be read all the same
    dropped: list[str] = field(default_factory=list)  # tools that could not
    unauthorized: bool = False  # the newest answer was a 401


class Lost(Exception):
    """The connection is gone; what was asked may or may not have been done, unless `unsent`."""

    def __init__(self, message: str, *, unsent: bool = False) -> None:
        super().__init__(message)
        self.unsent = unsent


class Refused(Exception):
    """The server answered with an error of the protocol, or with something that is no answer."""


Progress = Callable[[float, float | None, str], None]
Changed = Callable[[str], None]  # with "tools", "resources" or "prompts"


class Session(Protocol):
    """One open connection. Every method raises `Lost`, `Refused` or `TimeoutError`."""

    @property
    def about(self) -> About: ...

    @property
    def traffic(self) -> Traffic: ...

    async def tools(self) -> Sequence[RemoteTool]: ...

    async def resources(self) -> Sequence[RemoteResource]: ...

    async def prompts(self) -> Sequence[RemotePrompt]: ...

    async def call(
        self, name: str, arguments: Mapping[str, Any], tell: Progress | None = None
    ) -> Outcome: ...

    async def read(self, uri: str) -> Outcome: ...

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Outcome: ...

    async def ping(self) -> None: ...

    async def lost(self) -> str:
        """Returns, with the reason, once the connection is known to be gone."""
        ...

    def end(self, reason: str) -> None:
        """Take the connection for gone."""
        ...


@dataclass(frozen=True, slots=True)
class Hooks:
    """Whom an open connection tells what. `stderr` gets the lines a program writes there.

    `tokens` is the folder of what logins brought.
    """

    stderr: Callable[[str], None]
    changed: Changed
    tokens: Path
    login: "Login | None" = None


@dataclass(frozen=True, slots=True)
class Login:
    """How a person logs in at a remote server: shown an address, then back at `redirect_uri` with a code."""

    redirect_uri: str
    show: Callable[[str], Awaitable[None]]
    wait: Callable[[], Awaitable[Mapping[str, str]]]  # the query of the address they came back to
