"""/why: what was decided of the last messages of a group, and the reasons."""

from bot.commands.base import Call, Command, Context
from bot.i18n.catalogue import translate
from bot.turn.reasons import told
from bot.turn.rooms import Judged, decisions_of, latest_decisions

GROUPS, EACH = 3, 4  # what is shown in a private chat
MAX_REASONS = 300  # characters


async def why(call: Call, context: Context) -> str:
    if call.in_group:
        decisions = await context.store.read(decisions_of, call.inbound.conversation)
        own = call.inbound.external_id
        return _told("", [judged for judged in decisions if judged.message != own], call, context)
    groups = await context.store.read(latest_decisions, GROUPS)
    told = [_told(title, decisions[-EACH:], call, context) for title, decisions in groups]
    return "\n\n".join(told) or translate("command.why_nothing", call.locale)


def _told(title: str, decisions: list[Judged], call: Call, context: Context) -> str:
    if not decisions:
        return translate("command.why_nothing", call.locale)
    lines = [
        translate(
            "command.why_line",
            call.locale,
            time=f"{judged.at.astimezone(context.rooms.rules.zone):%H:%M:%S}",
            name=judged.name or judged.sender,
            decision=translate(f"decision.{judged.decision}", call.locale),
            score=judged.score,
            reasons="; ".join(told(reason, call.locale) for reason in judged.reasons)[:MAX_REASONS],
        )
        for judged in reversed(decisions)
    ]
    head = translate("command.why", call.locale)
    return "\n".join([f"{title}: {head}" if title else head, *lines])


COMMANDS = (Command("why", why, control=True, admin=True),)
