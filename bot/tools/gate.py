"""The one gate: every call of every tool passes here, wherever the tool comes from.

A call is weighed (is there such a tool here, are its arguments right, what does the policy say) and, when
it may be made, done (within its time, once more where that does no harm), and its result is made fit to be
seen: without secrets, bounded, marked as data.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import structlog

from bot.domain.message import ToolCall, ToolResult
from bot.domain.ports import Clock
from bot.domain.tool import RunContext, Tool
from bot.events.log import EventLog
from bot.events.types import (
    Event,
    ToolCallApproved,
    ToolCallCompleted,
    ToolCallFailed,
    ToolCallRejected,
    ToolCallRequested,
    ToolCallStarted,
    ToolCallTimeout,
    ToolPolicyChecked,
)
from bot.policy.digests import canonical, digest
from bot.policy.heard import NOTHING_HEARD, Heard
from bot.policy.rules import Policy, Verdict
from bot.policy.secrets import Redactor
from bot.tools.registry import Combined, Found, meant, unknown
from bot.tools.results import as_data, cut, readable
from bot.tools.schema import faults
from bot.tools.shelf import MOST_CHARS, Shelf

log = structlog.get_logger(__name__)

TRIES = 2  # of a call that changes nothing
RAW_SHOWN = 800
READER = ("files", "file_read")  # set and own name of the tool that reads what the shelf keeps
KEPT = (
    "[This result is too long to be shown whole. All of it is kept in {path}: call {reader} with this path, "
    "and with offset {offset} to read on where the first part ends.]\n"
)
SHOWN = (
    "[Pictures of this result are kept in {paths}. They go to the person with your answer, where the chat "
    "shows pictures.]\n"
)
AllowedTools = Callable[[RunContext], frozenset[str] | None]


class Observer(Protocol):
    """Hears how a call goes; see `EventLog.record`."""

    def record(self, event: Event) -> None: ...


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that is not made, and what its caller is told. `mendable`: the model may do better;
    `verdict`: where the policy said no."""

    result: ToolResult
    mendable: bool = False
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """A call that may be made, at once or once a person has said so."""

    found: Found = field(repr=False)
    call: ToolCall
    digest: str
    verdict: Verdict

    @property
    def tool(self) -> Tool:
        return self.found.tool

    @property
    def arguments(self) -> Mapping[str, Any]:
        return self.call.arguments or {}


class Gated:
    """All tools behind the policy. A `Toolset` whose `call` refuses what a person has to approve."""

    def __init__(  # noqa: PLR0913 - a constructor takes its collaborators
        self,
        inner: Combined,
        policy: Policy,
        events: EventLog,
        clock: Clock,
        redactor: Redactor,
        *,
        most_chars: int = 4000,
        allowed_tools: AllowedTools | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        """`allowed_tools` tells what the active skill leaves, None for all: names of tools and toolsets,
        and `effect:read` for every tool that only looks. `shelf` keeps what is too long to be shown."""
        self.policy = policy
        self.redactor = redactor
        self._inner = inner
        self._events = events
        self._clock = clock
        self._most_chars = most_chars
        self._allowed_tools = allowed_tools
        self._shelf = shelf

    @property
    def is_empty(self) -> bool:
        """Whether there can be no tools at all, so that nobody need ask."""
        return self._inner.is_empty

    async def tools(self, context: RunContext) -> list[Tool]:
        """What may be offered to a model: what is switched on, and not denied here altogether."""
        found = await self._found(context)
        return [one.tool for one in found.values() if one.tool.enabled]

    async def everything(self, context: RunContext) -> list[Tool]:
        """Every tool there is; one that is switched off, or denied here, is not `enabled`."""
        offered = await self._found(context)
        known = await self._inner.found(context)
        return [
            one.tool if name in offered else replace(one.tool, enabled=False) for name, one in known.items()
        ]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        """Weigh and do; what a person would have to approve is refused."""
        weighed = await self.weigh(call, context)
        if isinstance(weighed, Refused):
            return weighed.result
        if weighed.verdict.decision == "ask":
            self.note(ToolCallRejected, weighed, context, reason="approval_required")
            return _error(call, f"This needs a person's approval ({weighed.verdict.reason}).")
        return await self.do(weighed, context)

    async def weigh(
        self, call: ToolCall, context: RunContext, *, tainted: bool = False, heard: Heard = NOTHING_HEARD
    ) -> Weighed | Refused:
        """Whether a call may be made. Nothing is done yet. See `Policy.judge` for the last two."""
        known = await self._inner.found(context)
        found = known.get(call.name) or meant(call.name, known)
        if found is None or not found.tool.enabled:
            return self._refused(call, context, None, "unknown_tool", unknown(call.name, known))
        if not _is_left(found, self._narrowed(context)):
            told = f"The skill {context.skill} may not use {call.name}."
            return Refused(self._refused(call, context, found.tool, "skill", told).result)
        self._events.record(
            ToolCallRequested(
                **_ids(context), tool=found.tool.name, toolset=found.tool.toolset, call_id=call.id
            )
        )
        if wrong := _wrong_arguments(call, found.tool):
            return self._refused(call, context, found.tool, "input_validation", wrong)
        arguments = call.arguments or {}
        verdict = self.policy.judge(found.tool, arguments, context, tainted=tainted, heard=heard)
        weighed = Weighed(found, call, digest(found.tool, call.arguments or {}), verdict)
        self.note(
            ToolPolicyChecked, weighed, context, decision=verdict.decision, rule=verdict.rule, tainted=tainted
        )
        if verdict.decision == "deny":
            self.note(ToolCallRejected, weighed, context, reason="policy")
            told = f"Not allowed: {verdict.reason}. Do not try again; tell the person instead."
            return Refused(_error(call, told), verdict=verdict)
        return weighed

    async def do(self, weighed: Weighed, context: RunContext) -> ToolResult:
        """Make the call; its result, fit to be seen. Never raises for what a tool did."""
        return (await self.perform(weighed, context)).result

    async def perform(self, weighed: Weighed, context: RunContext) -> "Performed":
        """As `do`, with word on whether it is known what happened."""
        self.note(ToolCallApproved, weighed, context)
        tries = TRIES if weighed.tool.effect in {"pure", "read"} else 1
        began = self._clock.now()
        outcome = _Outcome(_error(weighed.call, "not tried"))
        for attempt in range(1, tries + 1):
            self.note(ToolCallStarted, weighed, context, attempt=attempt)
            outcome = await self._attempt(weighed, context)
            if not outcome.again:
                break
        result = outcome.result
        ms = round((self._clock.now() - began).total_seconds() * 1000, 1)
        if result.is_error:
            self.note(ToolCallFailed, weighed, context, phase="run", ms=ms)
        else:
            self.note(ToolCallCompleted, weighed, context, ms=ms, chars=len(result.text))
        unknown = outcome.lost and weighed.tool.effect not in {"pure", "read"}
        return Performed(await self._fit(result, weighed, context), unknown)

    def note(self, kind: Callable[..., Event], weighed: Weighed, context: RunContext, **more: Any) -> None:
        """Record a step of a call's way."""
        tool = weighed.tool
        about = {
            "tool": tool.name,
            "toolset": tool.toolset,
            "effect": tool.effect,
            "call_id": weighed.call.id,
        }
        self._events.record(kind(**_ids(context), **about, **more))

    async def _attempt(self, weighed: Weighed, context: RunContext) -> "_Outcome":
        call = replace(weighed.call, name=weighed.found.own_name)
        limit_s = weighed.tool.time_limit_s
        timer = asyncio.timeout(limit_s)
        try:
            async with timer:
                result = await weighed.found.origin.call(call, context)
        except TimeoutError:
            if timer.expired():
                self.note(ToolCallTimeout, weighed, context, limit_s=limit_s)
                told = f"No answer within {limit_s:g} seconds."
                return _Outcome(_error(weighed.call, told + _maybe(weighed.tool)), lost=True)
            told = "The tool ran out of time."
            return _Outcome(_error(weighed.call, told + _maybe(weighed.tool)), again=True, lost=True)
        except Exception as error:  # the boundary of a tool: what others wrote may fail in any way
            log.exception("tool.failed", tool=weighed.tool.name, toolset=weighed.tool.toolset)
            told = f"The tool failed: {type(error).__name__}: {error}."
            return _Outcome(_error(weighed.call, told + _maybe(weighed.tool)), again=True, lost=True)
        return _Outcome(replace(result, call_id=weighed.call.id, name=weighed.call.name))

    async def _fit(self, result: ToolResult, weighed: Weighed, context: RunContext) -> ToolResult:
        limit = min(self._most_chars, weighed.tool.output_limit)
        note = ""
        if len(result.text) > limit and (reader := await self._reader(weighed, context)):
            # In a thread: a long text is looked through for secrets.
            text = await asyncio.to_thread(self._clean, cut(result.text, MOST_CHARS))
            note = await self._kept(text, limit, weighed, context, reader)
        else:
            # Cut first, generously: looking for secrets in six megabytes helps nobody.
            text = self._clean(cut(result.text, limit * 4))
        source = f"{weighed.tool.toolset}.{weighed.tool.name}"
        shown = as_data(cut(text, limit), source, untrusted=weighed.tool.untrusted)
        pictures = await self._pictures(result, weighed, context)
        return replace(result, text=f"{note}{pictures}{shown}", pictures=())

    async def _pictures(self, result: ToolResult, weighed: Weighed, context: RunContext) -> str:
        """Keep the pictures of a result; the line that says where they are, "" where none are kept."""
        if not result.pictures or self._shelf is None or not context.run_id or not context.conversation_id:
            return ""
        clean = [replace(one, caption=" ".join(self._clean(one.caption).split())) for one in result.pictures]
        call = f"{weighed.call.id} {weighed.digest}"
        paths = await self._shelf.keep_pictures(context, call, clean, self._clock.now())
        return SHOWN.format(paths=", ".join(paths)) if paths else ""

    def _clean(self, text: str) -> str:
        return self.redactor.clean(readable(text))

    async def _reader(self, weighed: Weighed, context: RunContext) -> str:
        """The name of the tool that could read a long result on; "" where none can, or nothing is kept."""
        if self._shelf is None or not context.run_id or not context.conversation_id:
            return ""
        if weighed.tool.toolset == READER[0]:
            return ""
        found = (await self._found(context)).values()
        names = [one.tool.name for one in found if (one.tool.toolset, one.own_name) == READER]
        return names[0] if names else ""

    async def _kept(self, text: str, limit: int, weighed: Weighed, context: RunContext, reader: str) -> str:
        """Keep a result, if it is long indeed; the line that says where it is, "" where it is not kept."""
        if self._shelf is None or len(text) <= limit:
            return ""
        name = weighed.tool.name
        path = await self._shelf.keep(context.conversation_id, name, text, self._clock.now())
        if not path:
            return ""
        offset = len(text[: limit - limit // 4].encode("utf-8", "replace"))
        return KEPT.format(path=path, reader=reader, offset=offset)

    async def _found(self, context: RunContext) -> dict[str, Found]:
        known = await self._inner.found(context)
        narrowed = self._narrowed(context)
        return {
            name: found
            for name, found in known.items()
            if _is_left(found, narrowed) and not self.policy.forbids(found.tool, context)
        }

    def _narrowed(self, context: RunContext) -> frozenset[str] | None:
        """What the active skill leaves of the tools; None for all."""
        return None if self._allowed_tools is None else self._allowed_tools(context)

    def _refused(
        self, call: ToolCall, context: RunContext, tool: Tool | None, phase: str, told: str
    ) -> Refused:
        self._events.record(
            ToolCallFailed(
                **_ids(context),
                tool=call.name,
                toolset="" if tool is None else tool.toolset,
                effect="" if tool is None else tool.effect,
                call_id=call.id,
                phase=phase,
                ms=0.0,
            )
        )
        return Refused(_error(call, told), mendable=True)


@dataclass(frozen=True, slots=True)
class _Outcome:
    result: ToolResult
    again: bool = False  # where the tool changes nothing
    lost: bool = False  # no answer came: it may have happened


@dataclass(frozen=True, slots=True)
class Performed:
    """A call that was made. `unknown`: it may have happened or not."""

    result: ToolResult
    unknown: bool = False


def _is_left(found: Found, narrowed: frozenset[str] | None) -> bool:
    """Whether a tool is among those that a skill leaves, by its name, that of its toolset or its effect."""
    if narrowed is None:
        return True
    names = {found.tool.name, found.own_name, found.tool.toolset, f"effect:{found.tool.effect}"}
    return not names.isdisjoint(narrowed)


def _wrong_arguments(call: ToolCall, tool: Tool) -> str:
    """What a model is told of arguments that cannot be used; "" where they can."""
    if call.arguments is None:
        return (
            "The arguments are no JSON object. Nothing was done. Call again with one JSON object. This came: "
            f"{call.raw[:RAW_SHOWN]}"
        )
    try:
        canonical(call.arguments)
    except (ValueError, TypeError, RecursionError):
        return "The arguments hold what JSON has no word for: NaN, or half of a character. Nothing was done."
    wrong = faults(tool.parameters, call.arguments)
    return "" if not wrong else "The arguments are wrong. Nothing was done.\n" + "\n".join(wrong)


def _maybe(tool: Tool) -> str:
    if tool.effect in {"pure", "read"}:
        return ""
    return " Whether it happened is not known: do not repeat it; tell the person."


def _ids(context: RunContext) -> dict[str, Any]:
    return {
        "run_id": context.run_id or None,
        "conversation_id": context.conversation_id or None,
        "person_id": context.person_id or None,
    }


def _error(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(call.id, call.name, text, is_error=True)
