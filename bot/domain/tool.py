"""What the bot can do: a tool, what it does to the world, and in whose name it is called."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId

Effect = Literal["pure", "read", "write", "external", "destructive"]
"""From harmless to grave: computes only; looks; changes what is ours; reaches others; can't be undone."""

EFFECTS: tuple[Effect, ...] = ("pure", "read", "write", "external", "destructive")

Retry = Literal["safe", "never"]
"""`safe`: the same call again does no harm. `never`: a call whose answer was lost is not repeated unasked."""

PersonRole = Literal["owner", "admin", "member", "stranger"]


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that can be done, wherever it comes from.

    `name` is what the model calls: letters, digits, `_` and `-`, at most 64. `parameters` is a JSON
    Schema of type object. `toolset` is the set or server it belongs to; `source` says what kind of
    origin that is: `builtin`, `mcp` or `skill`. `untrusted`: what it brings was written by others, so
    that it is data and taints the turn. `outbound`: what it is told goes to a place that the caller
    names, so that it can carry secrets out even where it only looks. `remote_name` is its name at its
    origin.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    effect: Effect
    toolset: str
    source: Literal["builtin", "mcp", "skill"] = "builtin"
    remote_name: str = ""
    untrusted: bool = False
    outbound: bool = False
    time_limit_s: float = 30.0
    output_limit: int = 16_000  # characters of the result as text
    retry: Retry = "never"
    enabled: bool = True  # listed, but not offered or callable, when false


@dataclass(frozen=True, slots=True)
class RunContext:
    """For whom, where and for what run a tool is called.

    `role` is the person's; `is_private` says that only this person reads along. `skill` names the one
    that is active, "" for none. `zone` is the person's time zone (IANA name, "" when unknown).
    """

    run_id: RunId
    conversation_id: ConversationId
    person_id: SpeakerId
    role: PersonRole = "member"
    is_private: bool = True
    locale: str = ""
    zone: str = ""
    skill: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
