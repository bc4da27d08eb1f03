"""What is remembered, who may see it, and what a recall brings back."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from bot.domain.conversation import ConversationId, ConversationKind, SpeakerId
from bot.domain.message import Role

MemoryId = NewType("MemoryId", int)
# The circle of people who may see a memory: `person:…` or `conversation:…`. Nothing crosses it.
Scope = NewType("Scope", str)


def scope_of(
    kind: ConversationKind, person_id: SpeakerId | None, conversation_id: ConversationId
) -> Scope | None:
    """The scope of what is said in a conversation; None where nothing is to be remembered.

    What a person says in private is theirs in every private conversation; what is said in a group
    belongs to that group. A stateless conversation leaves nothing behind.
    """
    match kind:
        case "stateless":
            return None
        case "private" if person_id is not None:
            return Scope(f"person:{person_id}")
        case _:
            return Scope(f"conversation:{conversation_id}")


def readable(
    kind: ConversationKind, person_id: SpeakerId | None, conversation_id: ConversationId
) -> tuple[Scope, ...]:
    """The scopes that may be recalled in a conversation: those to which it adds, and no other."""
    scope = scope_of(kind, person_id, conversation_id)
    return () if scope is None else (scope,)


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """A memory about to be kept.

    `person_id` is whose words these are; for the bot's answer it is the person who was answered, so
    that erasing a person takes the answers along.
    """

    scope: Scope
    role: Role
    text: str
    at: datetime  # when it was said
    conversation_id: ConversationId | None = None
    message_id: int | None = None
    person_id: SpeakerId | None = None
    name: str = ""  # the speaker's, as shown
    source: str = ""  # where it came from when it is not a message, e.g. import:telegram
    kind: str = "episodic"
    importance: float = 0.0


@dataclass(frozen=True, slots=True)
class Memory:
    """A kept memory."""

    id: MemoryId
    scope: Scope
    kind: str
    role: str
    name: str
    text: str
    at: datetime
    source: str
    importance: float
    person_id: SpeakerId | None
    conversation_id: ConversationId | None
    message_id: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled memory. `text` is cut to the snippet length; `reasons` say why it is here."""

    id: MemoryId
    text: str
    score: float  # 0 to 1, see memory.recall
    at: datetime
    role: str
    name: str
    person_id: SpeakerId | None
    conversation_id: ConversationId | None
    source: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The stretch of a conversation that a prompt holds anyway; recall does not repeat it."""

    conversation_id: ConversationId
    from_message_id: int  # this message and all later ones


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What is looked for. `scopes` comes from `readable`; without a scope nothing is found."""

    text: str
    scopes: tuple[Scope, ...]
    now: datetime
    limit: int = 8  # hits at most
    lookback_days: int | None = None  # None looks back without end
    shown: Shown | None = None
