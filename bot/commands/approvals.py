"""/approve: a person's decision about a call. /approvals: what waits here, and what is allowed for good."""

from bot.commands.base import Answer, Call, Command, Context
from bot.i18n.catalogue import translate
from bot.policy import approvals
from bot.policy.approvals import Approval, Decided, Decider, Decision, may_decide, may_mean
from bot.turn import asking
from bot.turn.desk import Desk

_DECISIONS: dict[str, Decision] = {"once": "once", "always": "always", "no": "deny", "deny": "deny"}
# Channels that fetch their replies: the answer to a yes is what the turn goes on to say.
FETCHING = frozenset({"http", "terminal"})
ALL = "all"


async def approve(call: Call, context: Context) -> str | Answer:
    """Decide about the calls that are named, or about all that this person may decide on here; asks which
    it is where more than one waits and none is named."""
    word, _, wanted = call.arguments.partition(" ")
    decision, wanted = _DECISIONS.get(word), wanted.strip()
    if context.desk is None or decision is None:
        return translate("approval.usage", call.locale)
    who = Decider(call.inbound.speaker.id, call.role)
    ids = wanted.split()
    if wanted in {"", ALL}:
        mine = await _waiting(context.desk, call, who)
        if not mine:
            return translate("approval.nothing", call.locale)
        if len(mine) > 1 and not wanted:
            return _which(mine, word, call.locale)
        ids = [one.id for one in mine]
    decided = [await context.desk.decide(one, decision, who) for one in ids]
    if call.inbound.conversation.channel in FETCHING and any(one.resumed for one in decided):
        return Answer(await _gone_on(context.desk, decided, call))
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


async def _gone_on(desk: Desk, decided: list[Decided], call: Call) -> str:
    """What every turn that goes on says, and a line for each decision that let none go on."""
    runs = {one.approval.run_id for one in decided if one.resumed and one.approval}
    parts = []
    for one in decided:
        if one.resumed and one.approval:
            parts.append((await desk.goes_on(one.approval.run_id)).text)
        elif (
            one.outcome not in {"approved", "denied"}
            or one.approval is None
            or one.approval.run_id not in runs
        ):
            parts.append(_told(one, call))
    return "\n\n".join(parts)


async def _waiting(desk: Desk, call: Call, who: Decider) -> list[Approval]:
    asked: list[Approval] = await desk.pending(call.inbound.conversation.id)
    return [one for one in asked if may_decide(one, who, "member") and may_mean(one, call.inbound.at)]


def _which(mine: list[Approval], word: str, locale: str) -> str:
    """A bare yes that could mean several calls decides none: each is named with what decides it."""
    told = (
        f"`/approve {word} {one.id}`: {one.toolset}.{one.tool}\n{asking.fenced(asking.shown(one))}"
        for one in mine
    )
    return "\n\n".join([translate("approval.which", locale, all=f"`/approve {word} {ALL}`"), *told])


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
