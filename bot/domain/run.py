"""One durable execution of anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NewType

from bot.domain.conversation import ConversationId

RunId = NewType("RunId", str)
RunKind = Literal["turn", "delivery", "learn", "compact", "reindex"]
RunStatus = Literal["queued", "running", "waiting_human", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Run:
    """A row of the queue as its holder sees it.

    `token` is the fencing token: it grows with every claim, and a write with an older one is refused.
    `attempt` counts claims, from 1. `alone`: when it was added, no other of its kind and conversation
    was unfinished.
    """

    id: RunId
    kind: RunKind
    key: str
    conversation_id: ConversationId | None
    payload: Mapping[str, Any]
    status: RunStatus
    token: int
    attempt: int
    created_at: datetime
    result: Mapping[str, Any] | None = None
    alone: bool = False
