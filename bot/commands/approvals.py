"""/approve: a person's decision about a call. /approvals: what waits here, and what is allowed for good."""

from bot.commands.base import Answer, Call, Command, Context
from bot.i18n.catalogue import translate
from bot.policy import approvals
from bot.policy.approvals import Approval, Decided, Decider, Decision, may_decide
from bot.turn import asking
from bot.turn.desk import Desk

_DECISIONS: dict[str, Decision] = {"once": "once", "always": "always", "no": "deny", "deny": "deny"}
# Channels that fetch their replies: the answer to a yes is what the turn goes on to say.
FETCHING = frozenset({"http", "terminal"})


async def approve(call: Call, context: Context) -> str | Answer:
    """Decide about one call, or about all that the oldest waiting turn of this person asks for."""
    word, _, wanted = call.arguments.partition(" ")
    decision = _DECISIONS.get(word)
    if context.desk is None or decision is None:
        return translate("approval.usage", call.locale)
    who = Decider(call.inbound.speaker.id, call.role)
    ids = [wanted.strip()] if wanted.strip() else await _oldest(context.desk, call, who)
    if not ids:
        return translate("approval.nothing", call.locale)
    decided = [await context.desk.decide(one, decision, who) for one in ids]
    if decided[-1].resumed and decided[-1].approval and call.inbound.conversation.channel in FETCHING:
        reply = await context.desk.goes_on(decided[-1].approval.run_id)
        return Answer(reply.text)
    pressed = bool(call.inbound.pressed)
    outcomes = {one.outcome for one in decided}
    if pressed and outcomes == {"taken"}:
        return ""  # the message tells already what was decided
    told = "\n".join(_told(one, call) for one in decided)
    return Answer(told, in_place=pressed and outcomes <= {"approved", "denied", "late"})


async def listing(call: Call, context: Context) -> str:
    """What waits, and what is allowed for good; `reset` takes the latter back."""
    if context.desk is None:
        return translate("approval.nothing", call.locale)
    where = call.inbound.conversation.id
    if call.arguments == "reset":
        if call.in_group and not call.by_manager:
            return translate("command.admin_only", call.locale)
        count = await context.store.write(approvals.revoke, where)
        return translate("approval.revoked", call.locale, count=count)
    now = context.clock.now()
    waiting = [asking.question(one, call.locale, now) for one in await context.desk.pending(where)]
    allowed = await context.store.read(approvals.grants, where)
    if allowed:
        waiting.append(translate("approval.granted", call.locale, tools=", ".join(allowed)))
    return "\n\n".join(waiting) or translate("approval.nothing", call.locale)


async def _oldest(desk: Desk, call: Call, who: Decider) -> list[str]:
    asked: list[Approval] = await desk.pending(call.inbound.conversation.id)
    mine = [one for one in asked if may_decide(one, who, "member")]
    return [one.id for one in mine if one.run_id == mine[0].run_id]


def _told(decided: Decided, call: Call) -> str:
    asked = decided.approval
    tool = "" if asked is None else f"{asked.toolset}.{asked.tool}"
    name = call.inbound.speaker.name or call.inbound.speaker.user_id
    line = translate(f"approval.{decided.outcome}", call.locale, tool=tool, name=name)
    if asked is None or decided.outcome not in {"approved", "denied", "late"}:
        return line
    return f"{line}\n{asking.fenced(asking.shown(asked))}"


COMMANDS = (
    Command("approve", approve, control=True),
    Command("approvals", listing, control=True),
)
