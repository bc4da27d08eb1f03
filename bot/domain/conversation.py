"""Where people talk, who they are, and one message as it came in, for every channel alike."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NewType

from bot.domain.message import Document, File, Image, Message, Part, Text

ConversationId = NewType("ConversationId", str)
SpeakerId = NewType("SpeakerId", str)

ConversationKind = Literal["private", "group", "stateless"]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One place of talk: a chat, a topic of a chat, or a session of the HTTP interface.

    `kind` is `stateless` for a request that brings its own context and leaves no history.
    """

    channel: str  # "telegram", "http", "terminal"
    chat_id: str  # the channel's own id; the HTTP session id
    thread_id: str = ""  # a forum topic; "" for none
    kind: ConversationKind = "private"
    title: str = ""

    @property
    def id(self) -> ConversationId:
        """The key everywhere: `channel:chat` or `channel:chat#thread`."""
        thread = f"#{self.thread_id}" if self.thread_id else ""
        return ConversationId(f"{self.channel}:{self.chat_id}{thread}")


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person (or bot) in a channel. `id` is unique over all channels."""

    channel: str
    user_id: str
    name: str = ""
    locale: str = ""  # as the channel tells it, e.g. "en" or "zh-hans"; "" when unknown
    is_bot: bool = False

    @property
    def id(self) -> SpeakerId:
        return SpeakerId(f"{self.channel}:{self.user_id}")


@dataclass(frozen=True, slots=True)
class Heard:
    """How a message of a group was said: its words with the names in them, and whom it concerns.

    `reply_to` is the id of whose message it answers; `mentions` are the ids of those whom the channel
    marked in the text without an @name; `username` is the speaker's own.
    """

    text: str
    username: str = ""
    reply_to: str = ""
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inbound:
    """One message as it came in.

    The pair (channel, `external_id`) is unique: a repeat is the same message and changes nothing.
    `addressed` says that the channel saw the bot called (mention, reply to it, private chat).
    `context` and `following` are given only with a stateless conversation: the messages before and
    after this one.
    `reply_ref` is the channel's id of the message, to quote it in the answer. `heard` is there for
    messages of groups and serves their judgement only: it is not kept.
    """

    external_id: str
    conversation: Conversation
    speaker: Speaker
    at: datetime
    parts: tuple[Part, ...]
    addressed: bool = True
    reply_ref: str = ""
    locale: str = ""
    context: tuple[Message, ...] = ()
    following: tuple[Message, ...] = ()
    heard: Heard | None = None
    pressed: str = ""  # the channel's id of the bot's message whose button said this
    zone: str = ""  # the time zone of the person's device, as the channel tells it; "" when unknown

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def is_for_the_bot(self) -> bool:
        """Whether it is surely said to the bot: in a group the bot has to be addressed."""
        return self.conversation.kind != "group" or self.addressed

    @property
    def attachments(self) -> tuple[Image | File | Document, ...]:
        return tuple(part for part in self.parts if isinstance(part, Image | File | Document))
