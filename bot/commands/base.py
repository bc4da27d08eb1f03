"""What a slash command is, in every channel."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.delivery.buttons import Rows
from bot.domain.conversation import Conversation, Inbound
from bot.domain.message import Reply
from bot.domain.ports import Clock
from bot.events.log import EventLog
from bot.schedule.talk.desk import Talk
from bot.store.engine import Store
from bot.tools.mcp.servers import Servers
from bot.tools.shelf import Shelf
from bot.turn.desk import Desk
from bot.turn.finish import Written
from bot.turn.gate import Role, Rules
from bot.turn.rooms import Rooms
from bot.turn.work import Recaller
from skills.room import Skills

# Channels in which nothing is kept for a chat as a whole.
WITHOUT_SETTINGS = frozenset({"http", "terminal"})
MANAGERS: tuple[Role, ...] = ("owner", "admin")


@dataclass(frozen=True, slots=True)
class Context:
    """What a command may use.

    `stop` ends the answers being written in a conversation and says how many; `talk` is where tasks are
    talked about; `recall` is None where memory is off, `mcp` and `skills` where those are; `desk` takes
    decisions about calls of tools; `shelf` holds what tools brought.
    """

    store: Store
    clock: Clock
    rules: Rules
    stop: Callable[[Conversation], Awaitable[int]]
    rooms: Rooms = field(default_factory=Rooms)
    talk: Talk | None = None
    recall: Recaller | None = None
    events: EventLog | None = None
    mcp: Servers | None = None
    desk: Desk | None = None
    skills: Skills | None = None
    shelf: Shelf | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A command as somebody wrote it."""

    name: str
    arguments: str
    inbound: Inbound
    role: Role
    locale: str
    run_id: str = ""  # of its turn

    @property
    def in_group(self) -> bool:
        return self.inbound.conversation.kind == "group"

    @property
    def by_manager(self) -> bool:
        return self.role in MANAGERS


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says, with buttons that stand for further commands. `keep`: it is part of the talk.

    `in_place`: where a button said the command, the message with the button becomes the answer.
    """

    text: str
    buttons: Rows = ()
    keep: bool = False
    in_place: bool = False

    def to(self, inbound: Inbound) -> Written:
        """It as the reply to a message."""
        reply = Reply(self.text)
        return Written(inbound, reply, self.keep, self.buttons, remember=False, in_place=self.in_place)


Run = Callable[[Call, Context], Awaitable[str | Answer]]


@dataclass(frozen=True, slots=True)
class Command:
    """`control` commands do not wait for the turns before them; `admin` ones need that role.

    `private` ones tell of people, and belong in a private chat.
    """

    name: str
    run: Run
    control: bool = False
    admin: bool = False
    private: bool = False


_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?=\s|$)")


def parse(text: str) -> tuple[str, str] | None:
    """The command and its arguments, if the message begins with one."""
    match = _COMMAND.match(text.strip())
    if match is None:
        return None
    return match[1].lower(), text.strip()[match.end() :].strip()
