"""What is remembered, who may see it, and what a recall brings back."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NewType, get_args

from bot.domain.conversation import ConversationId, ConversationKind, SpeakerId
from bot.domain.message import Role

MemoryId = NewType("MemoryId", int)
# The circle of people who may see a memory: `person:…`, `conversation:…`, or all. Nothing crosses it.
Scope = NewType("Scope", str)
# What everybody may be told who works with this bot: `visibility` says how widely.
WORKSPACE = Scope("workspace:all")

# `episodic`: what was said. `semantic`: a fact. `procedural`: how somebody wants something done.
# `artifact`: something that was made. `governance`: a rule. `working`: for now only, it always expires.
Kind = Literal["working", "episodic", "semantic", "procedural", "artifact", "governance"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Who may be told: the scope's own people; of the workspace all who may talk with the bot in private, or
# whoever is in a group with it, too.
Visibility = Literal["private", "workspace", "public"]
Status = Literal["active", "superseded"]


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


def told_in(
    kind: ConversationKind, person_id: SpeakerId | None, conversation_id: ConversationId
) -> tuple[Scope, ...]:
    """What may be told in a conversation: its own scopes, and the workspace's."""
    scopes = readable(kind, person_id, conversation_id)
    return (*scopes, WORKSPACE) if scopes else ()


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
    kind: Kind = "episodic"
    importance: float = 0.0
    visibility: Visibility = "private"
    confidence: float = 1.0
    provenance: tuple[str, ...] = ()  # what it was drawn from, e.g. message:12; () means its own source
    slot: str = ""  # what it is about, e.g. birthday; the newest of the same slot holds
    value: str = ""  # what it says of the slot, to compare
    true_from: datetime | None = None  # None: since it was said
    true_until: datetime | None = None
    expires_at: datetime | None = None  # it is told to nobody from then on

    @property
    def origin(self) -> tuple[str, ...]:
        """Where it comes from: its provenance, else its message or source; () for nowhere."""
        if self.provenance:
            return self.provenance
        if self.message_id is not None:
            return (f"message:{self.message_id}",)
        return (self.source,) if self.source else ()


@dataclass(frozen=True, slots=True)
class Memory:
    """A kept memory. `status` is `superseded` for what a newer one of the same slot has closed."""

    id: MemoryId
    scope: Scope
    kind: Kind
    role: str
    name: str
    text: str
    at: datetime
    source: str
    importance: float
    person_id: SpeakerId | None
    conversation_id: ConversationId | None
    message_id: int | None
    status: Status = "active"
    visibility: Visibility = "private"
    confidence: float = 1.0
    provenance: tuple[str, ...] = ()
    slot: str = ""
    value: str = ""
    version: int = 1
    supersedes: MemoryId | None = None
    true_from: datetime | None = None
    true_until: datetime | None = None
    expires_at: datetime | None = None

    def expired(self, now: datetime) -> bool:
        """Whether nobody may be told it any more."""
        return self.expires_at is not None and self.expires_at <= now


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
    """What is looked for. `scopes` comes from `told_in`; without a scope nothing is found."""

    text: str
    scopes: tuple[Scope, ...]
    now: datetime
    limit: int = 8  # hits at most
    lookback_days: int | None = None  # None looks back without end
    shown: Shown | None = None
    before_others: bool = False  # who hears the answer is not known: of the workspace only what is public

    @property
    def since(self) -> datetime | None:
        """What was said before it is not found; None looks back without end."""
        return None if self.lookback_days is None else self.now - timedelta(days=self.lookback_days)
