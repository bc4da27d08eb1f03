"""Settings of what the bot may do with its tools: rules, approvals, budgets."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from bot.config.base import Count, CountOrZero, Seconds, Section, TextList, split_list
from bot.domain.tool import Effect, PersonRole

# One of them, or several.
_Effects = Annotated[tuple[Effect, ...], BeforeValidator(split_list)]
_Roles = Annotated[tuple[PersonRole, ...], BeforeValidator(split_list)]


class RuleMatch(Section):
    """What a rule is about. A key that is left out matches everything; all that are given must match."""

    tool: TextList = Field((), description="Names of tools, with * and ? as in file names.")
    toolset: TextList = Field((), description="Names of tool sets or MCP servers, likewise.")
    effect: _Effects = Field((), description="Effects: pure, read, write, external, destructive.")
    role: _Roles = Field((), description="Roles: owner, admin, member, stranger.")
    conversation: TextList = Field(
        (), description="private, group, or ids of conversations, such as telegram:-100*."
    )
    skill: TextList = Field((), description="Names of the skill that is active.")
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="Arguments by name (a.b for one inside another), each a pattern."
    )

    @field_validator("tool", "toolset", "effect", "role", "conversation", "skill")
    @classmethod
    def _names_something(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """A variable that came out empty must not turn a narrow rule into one for everything."""
        if not value:
            raise ValueError("expected at least one; leave the key out to match everything")
        return value

    @field_validator("arguments")
    @classmethod
    def _asks_for_something(cls, value: dict[str, Any]) -> dict[str, Any]:
        if empty := next((name for name, wanted in value.items() if wanted in ("", [])), None):
            raise ValueError(f"expected a pattern for {empty}, got nothing")
        return value


class PolicyRule(Section):
    match: RuleMatch = Field(default_factory=RuleMatch, description="What it is about.")
    effect: Literal["allow", "deny", "ask"] = Field(..., description="allow, deny or ask.")
    reason: str = Field("", description="Why, for people.")


class PolicySettings(Section):
    rules: tuple[PolicyRule, ...] = Field(
        (),
        examples=[[{"match": {"tool": ["send_*"], "role": ["owner"]}, "effect": "allow"}]],
        description="Rules for tools, also as [[policy.rules]]; the first that matches decides. Where none "
        "does: what only looks is allowed, what changes our own is allowed in private chats and asked "
        "for in groups, what reaches others or cannot be undone is asked for.",
    )
    ask_after_untrusted: bool = Field(
        True,
        description="Ask for what reaches others or cannot be undone, whatever a rule says, once a turn has "
        "read what others wrote.",
    )
    approval_expires_secs: Seconds = Field(900.0, description="Seconds a question for approval stands.")
    approver_min_role: Literal["owner", "admin", "member"] = Field(
        "member", description="Least role that may approve its own calls; an admin may approve any."
    )
    max_calls_per_turn: Count = Field(32, description="Tool calls of one turn.")
    max_secs_per_turn: Seconds = Field(300.0, description="Seconds of tool calls in one turn.")
    max_tokens_per_turn: CountOrZero = Field(
        0, description="Tokens of one turn that uses tools; 0: no limit."
    )
    max_calls_per_day: CountOrZero = Field(
        500, description="Tool calls of one person a day (UTC); 0: no limit."
    )
    max_tokens_per_day: CountOrZero = Field(
        0, description="Tokens of turns with tools of one person a day; 0: no limit."
    )
    max_cost_per_day: float = Field(
        0.0,
        ge=0,
        description="Money for turns with tools of one person a day, in the unit of the prices; 0: no limit.",
    )
