"""What happens, as typed records: one class a name, never a person's words, never a secret."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. Ids say to what; the fields of each class say the rest."""

    type: ClassVar[str]
    run_id: str | None = None
    conversation_id: str | None = None
    person_id: str | None = None

    def payload(self) -> dict[str, Any]:
        """The fields of this class's own, ready for JSON."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _IDS}


_IDS = frozenset({"run_id", "conversation_id", "person_id"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCreated(Event):
    """A conversation began, or began anew with /new."""

    type = "session.created"
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCreated(Event):
    """Work was accepted and is durable."""

    type = "run.created"
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Event):
    """A worker began an attempt; `waited_ms` since it was accepted or due."""

    type = "run.started"
    kind: str
    attempt: int
    waited_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCompleted(Event):
    """The work is done. `ms` since the attempt began."""

    type = "run.completed"
    kind: str
    status: str
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRetried(Event):
    """An attempt failed, or must wait; the run goes back to the queue for `after_s` seconds."""

    type = "run.retried"
    kind: str
    reason: str
    after_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailed(Event):
    """The work ended in an error, for good."""

    type = "run.failed"
    kind: str
    code: str
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCancelled(Event):
    """A person or the operator stopped it."""

    type = "run.cancelled"
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBuilt(Event):
    """The prompt of a turn: how much of what went into it."""

    type = "context.build.completed"
    messages: int
    memories: int
    tokens: int  # estimated
    dropped: int  # older messages that did not fit
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRead(Event):
    """Memory was searched; `mode` is hybrid, keyword or off."""

    type = "memory.read.completed"
    hits: int
    mode: str
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsChosen(Event):
    """A turn got skills; `named` says that the person named one."""

    type = "skills.chosen"
    skills: tuple[str, ...]
    named: bool
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWritten(Event):
    """Statements were remembered."""

    type = "memory.write.committed"
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReadFailed(Event):
    """Memory could not be searched; the answer was written without it."""

    type = "memory.read.failed"
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRejected(Event):
    """Statements were not remembered; `reasons` are those of the write policy, such as `secret`."""

    type = "memory.write.rejected"
    reasons: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySuperseded(Event):
    """A newer statement closed an older one about the same."""

    type = "memory.superseded"
    memory: int
    slot: str  # its kind: what stands before the colon


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdated(Event):
    """A person corrected a memory; `paused` tells that they paused or resumed instead."""

    type = "memory.updated"
    count: int = 0
    paused: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDeleted(Event):
    """A person let be forgotten; how many memories and messages are gone."""

    type = "memory.deleted"
    memories: int
    messages: int
    everything: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExported(Event):
    """A person took a copy of what is remembered of them."""

    type = "memory.exported"
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompacted(Event):
    """Older messages of a long history were left out of a prompt, for a summary; all stay kept."""

    type = "context.compacted"
    strategy: str
    messages: int  # left out


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCallCompleted(Event):
    """A model answered. Times in milliseconds, tokens as the provider counted them."""

    type = "model.call.completed"
    provider: str
    model: str
    first_token_ms: float | None
    ms: float
    input_tokens: int
    output_tokens: int
    finish: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCallFailed(Event):
    """A model call failed; `shown` tells whether a person had seen text of it."""

    type = "model.call.failed"
    provider: str
    model: str
    code: str
    ms: float
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReceived(Event):
    type = "message.received"
    channel: str
    chars: int
    attachments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageJudged(Event):
    """What was decided of a message, and why; `score` from 0 to 100 for those of groups.

    `asked`: a model decided anew what was undecided before.
    """

    type = "message.judged"
    channel: str
    decision: str
    reasons: list[str]
    group: bool = False
    score: int = 0
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent(Event):
    """A part of an answer reached the channel, which gave it an id."""

    type = "message.sent"
    channel: str
    part: int
    edited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFailed(Event):
    """An answer could not be delivered."""

    type = "message.failed"
    channel: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDeleted(Event):
    """A conversation and all that hung on it was erased."""

    type = "session.deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFeedback(Event):
    """Somebody reacted to an answer; `sentiment` is positive, negative or other."""

    type = "user.feedback"
    channel: str
    sentiment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationClosed(Event):
    """A chat cannot be written to any more, such as one whose person blocked the bot."""

    type = "conversation.closed"
    channel: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMoved(Event):
    """A chat goes on under another id; it has so many conversations (topics)."""

    type = "conversation.moved"
    channel: str
    conversations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFired(Event):
    """A job (reminder or agent) came due and its work began, so many seconds late."""

    type = "job.fired"
    kind: str
    late_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSucceeded(Event):
    """A firing went well: what it said has arrived."""

    type = "job.succeeded"
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFailed(Event):
    """An attempt of a firing failed."""

    type = "job.failed"
    kind: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobMissed(Event):
    """A due time was let go: too late, or the firing before was still under way (overlap)."""

    type = "job.missed"
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPaused(Event):
    """A job was paused without anybody's wish: failures, a chat that is unreachable, an owner denied."""

    type = "job.paused"
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEvent(Event):
    """A call of a tool: which, of which set, and the model's id of the call. Never its arguments."""

    tool: str
    toolset: str
    call_id: str
    effect: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRequested(ToolEvent):
    """A model (or an operator) wishes to call a tool that there is."""

    type = "tool.call.requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPolicyChecked(ToolEvent):
    """What the policy says of a call; `rule` is the operator's that decided, by its place."""

    type = "tool.policy.checked"
    decision: str
    rule: int | None = None
    tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanReviewRequested(ToolEvent):
    """A person is asked whether a call may be made, or made again (`doubt`: it may have happened)."""

    type = "human.review.requested"
    approval: str
    doubt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanReviewCompleted(ToolEvent):
    """A person has decided: once, always or deny; or nobody did in time (expired)."""

    type = "human.review.completed"
    approval: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallApproved(ToolEvent):
    """A call may be made."""

    type = "tool.call.approved"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallStarted(ToolEvent):
    """A tool is at work."""

    type = "tool.call.started"
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallCompleted(ToolEvent):
    """A tool gave a result, of so many characters."""

    type = "tool.call.completed"
    ms: float
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallFailed(ToolEvent):
    """A call failed: unknown_tool, input_validation, or run for the tool itself."""

    type = "tool.call.failed"
    phase: str
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRejected(ToolEvent):
    """A call is not made: policy, denied, expired, budget, repeated, approval_required."""

    type = "tool.call.rejected"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallTimeout(ToolEvent):
    """A tool gave no answer in its time and was ended."""

    type = "tool.call.timeout"
    limit_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServerChanged(Event):
    """An MCP server is `ready`, `waiting` to be tried again, or `off`; so many of its tools can be used."""

    type = "mcp.server_changed"
    server: str
    state: str
    tools: int


@dataclass(frozen=True, slots=True, kw_only=True)
class McpToolsJudged(Event):
    """Somebody approved or blocked tools of an MCP server, as they were then."""

    type = "mcp.tools_judged"
    server: str
    verdict: str  # approved blocked
    tools: tuple[str, ...]
