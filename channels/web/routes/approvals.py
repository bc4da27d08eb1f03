"""`/v1/approvals`: the calls of tools that wait for a person's word."""

from typing import Any

from aiohttp import web

from bot.domain.conversation import Conversation, SpeakerId
from bot.policy.approvals import Approval, Decider, Decision, Outcome
from bot.turn.desk import Desk
from channels.web.chat import CHANNEL
from channels.web.errors import ApiError, bad_request, json_response
from channels.web.request import checked_id, id_field, read_json

_DECISIONS: dict[str, Decision] = {"once": "once", "always": "always", "deny": "deny"}
# Why nothing was decided, by what became of it: status, code and words.
_REFUSED: dict[Outcome, tuple[int, str, str]] = {
    "late": (409, "conflict", "the time to decide is over"),
    "taken": (409, "conflict", "it was decided before"),
    "not_yours": (403, "forbidden", "this person may not decide it"),
    "unknown": (404, "not_found", "there is no such approval"),
}


class ApprovalRoutes:
    def __init__(self, desk: Desk, max_body_bytes: int) -> None:
        self._desk = desk
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/approvals", self.page),
            web.post("/v1/approvals/{id}", self.decide),
        ]

    async def page(self, request: web.Request) -> web.Response:
        """What waits, oldest first; of one session with `session_id`."""
        session = request.query.get("session_id")
        where = "" if session is None else Conversation(CHANNEL, checked_id(session, "session_id")).id
        found = await self._desk.pending(where)
        return json_response({"approvals": [_told(one) for one in found if _is_ours(one)]})

    async def decide(self, request: web.Request) -> web.Response:
        """Once, always (this tool in this session) or deny; the turn then goes on, at `turn_id`."""
        body = await read_json(request, self._max_body_bytes)
        decision = _DECISIONS.get(str(body.get("decision")))
        if decision is None:
            raise bad_request("decision is once, always or deny", "decision")
        who = Decider(SpeakerId(f"{CHANNEL}:{id_field(body, 'user_id')}"), "owner")
        wanted = request.match_info["id"]
        if any(one.id == wanted and not _is_ours(one) for one in await self._desk.pending()):
            raise ApiError(*_REFUSED["unknown"])
        decided = await self._desk.decide(wanted, decision, who)
        if decided.outcome not in {"approved", "denied"} or decided.approval is None:
            raise ApiError(*_REFUSED[decided.outcome])
        told = {"id": wanted, "outcome": decided.outcome, "turn_id": decided.approval.run_id}
        return json_response({**told, "resumed": decided.resumed})


def _is_ours(approval: Approval) -> bool:
    """Whether it is asked in this channel: others have doors of their own."""
    return (approval.conversation_id or "").startswith(f"{CHANNEL}:")


def _told(approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        "turn_id": approval.run_id,
        "session_id": (approval.conversation_id or "").removeprefix(f"{CHANNEL}:"),
        "tool": approval.tool,
        "toolset": approval.toolset,
        "effect": approval.effect,
        "arguments": dict(approval.arguments),
        "reason": approval.reason,
        "doubt": approval.doubt,
        "expires_at": approval.expires_at.isoformat(),
    }
