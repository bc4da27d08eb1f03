"""What may be done: rules of the operator first, then sensible defaults. Every verdict has a reason."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.config.policy import PolicyRule, PolicySettings, RuleMatch
from bot.domain.tool import Effect, RunContext, Tool
from bot.policy.heard import NOTHING_HEARD, Heard
from bot.policy.patterns import is_like, is_surely_like, may_be_like

Decision = Literal["allow", "deny", "ask"]

# What needs a person's word once a turn has read what others wrote: they may have written it to be obeyed.
GRAVE: tuple[Effect, ...] = ("external", "destructive")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`rule` counts from 1 in the order of the configuration; None: a default, or taint, decided."""

    decision: Decision
    reason: str
    rule: int | None = None
    tainted: bool = False  # asked because of what was read


class Policy:
    """Judges calls. It knows nothing of what was approved: see `bot.policy.approvals`."""

    def __init__(self, settings: PolicySettings | None = None) -> None:
        self.settings = settings or PolicySettings()

    def judge(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        context: RunContext,
        *,
        tainted: bool = False,
        heard: Heard = NOTHING_HEARD,
    ) -> Verdict:
        """Whether this call may be made. `tainted`: the turn has read what others wrote; `heard` is what
        was read and said, by which an address is known that nobody made up."""
        verdict = self._ruled(tool, arguments, context) or _default(tool, context)
        if not tainted or verdict.decision != "allow" or not self.settings.ask_after_untrusted:
            return verdict
        if not _is_wary(tool, arguments, heard, by_rule=verdict.rule is not None):
            return verdict
        reason = f"{tool.effect}, after the turn has read what others wrote"
        return Verdict("ask", reason, verdict.rule, tainted=True)

    def forbids(self, tool: Tool, context: RunContext) -> bool:
        """Whether a tool is denied here whatever its arguments, so that it need not be offered."""
        for rule in self.settings.rules:
            if _fits(rule.match, tool, context):
                if rule.match.arguments:
                    if rule.effect != "deny":
                        return False
                    continue
                return rule.effect == "deny"
        return False

    def _ruled(self, tool: Tool, arguments: Mapping[str, Any], context: RunContext) -> Verdict | None:
        for number, rule in enumerate(self.settings.rules, 1):
            if _fits(rule.match, tool, context) and _fits_arguments(rule, arguments):
                return Verdict(rule.effect, rule.reason or f"rule {number} of the operator", number)
        return None


def is_grave(tool: Tool) -> bool:
    """Whether a call may reach others, cannot be undone, or may carry out what was read."""
    return tool.effect in GRAVE or tool.outbound


def _is_wary(tool: Tool, arguments: Mapping[str, Any], heard: Heard, *, by_rule: bool) -> bool:
    """Whether an allowed call is asked about after all, because others may have made the model want it."""
    if tool.effect in GRAVE:
        return True
    if tool.outbound:
        return not heard.vouches_for(arguments)
    # What is written stays, and is read again: only a rule of the operator lets it pass now.
    return tool.effect == "write" and not by_rule


def _default(tool: Tool, context: RunContext) -> Verdict:
    match tool.effect:
        case "pure" | "read":
            return Verdict("allow", f"{tool.effect}: changes nothing")
        case "write" if context.is_private:
            return Verdict("allow", "write: changes what is ours, in a private chat")
        case "write":
            return Verdict("ask", "write: changes what is ours, where others read along")
        case "external":
            return Verdict("ask", "external: reaches others")
        case "destructive":
            return Verdict("ask", "destructive: cannot be undone")


def _fits(match: RuleMatch, tool: Tool, context: RunContext) -> bool:
    kind = "private" if context.is_private else "group"
    return (
        _any(match.tool, tool.name, tool.remote_name)
        and _any(match.toolset, tool.toolset)
        and (not match.effect or tool.effect in match.effect)
        and (not match.role or context.role in match.role)
        and _any(match.conversation, context.conversation_id, kind)
        and _any(match.skill, context.skill)
    )


def _any(patterns: tuple[str, ...], *values: str) -> bool:
    return not patterns or any(is_like(value, one) for one in patterns for value in values if value)


def _fits_arguments(rule: PolicyRule, arguments: Mapping[str, Any]) -> bool:
    """Of several values (a list) a rule that allows needs all to match, one that stops needs any."""
    enough, fits = (all, is_surely_like) if rule.effect == "allow" else (any, may_be_like)
    for path, wanted in rule.match.arguments.items():
        patterns = wanted if isinstance(wanted, list | tuple) else (wanted,)
        found = list(_at(arguments, path.split(".")))
        if not found or not enough(
            any(fits(_as_text(value), _as_text(one)) for one in patterns) for value in found
        ):
            return False
    return True


def _at(value: Any, path: list[str]) -> Iterator[Any]:
    """The values a path leads to; lists on the way are gone through."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _at(item, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _at(value[path[0]], path[1:])


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
