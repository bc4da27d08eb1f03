"""What a slash command is, in every channel."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.domain.conversation import Conversation, Inbound
from bot.domain.ports import Clock
from bot.store.engine import Store
from bot.turn.gate import Role, Rules


@dataclass(frozen=True, slots=True)
class Context:
    """What a command may use.

    `stop` ends the answers being written in a conversation and says how many.
    """

    store: Store
    clock: Clock
    rules: Rules
    stop: Callable[[Conversation], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Call:
    """A command as somebody wrote it."""

    name: str
    arguments: str
    inbound: Inbound
    role: Role
    locale: str


Run = Callable[[Call, Context], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Command:
    """`control` commands do not wait for the turns before them; `admin` ones need that role."""

    name: str
    run: Run
    control: bool = False
    admin: bool = False


_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?=\s|$)")


def parse(text: str) -> tuple[str, str] | None:
    """The command and its arguments, if the message begins with one."""
    match = _COMMAND.match(text.strip())
    if match is None:
        return None
    return match[1].lower(), text.strip()[match.end() :].strip()
