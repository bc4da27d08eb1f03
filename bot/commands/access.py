"""/allow, /deny, /people, /remove: who may talk to the bot."""

from bot.commands.base import Call, Command, Context
from bot.domain.conversation import SpeakerId
from bot.errors import NotFound
from bot.i18n.catalogue import translate
from bot.turn import gate

MAX_SHOWN = 100


async def allow(call: Call, context: Context) -> str:
    if not call.arguments:
        return translate("command.allow_usage", call.locale)
    try:
        welcome = translate("access.welcome", call.locale)
        now = context.clock.now()
        admitted = await context.store.write(gate.admit, call.arguments, now, welcome=welcome)
    except NotFound:
        return translate("command.allow_unknown", call.locale)
    return translate("command.allow_done", call.locale, name=admitted.name)


async def deny(call: Call, context: Context) -> str:
    if not call.arguments:
        return translate("command.deny_usage", call.locale)
    try:
        name = await context.store.write(gate.deny, call.arguments, context.clock.now())
    except NotFound:
        return translate("command.allow_unknown", call.locale)
    return translate("command.deny_done", call.locale, name=name)


async def people(call: Call, context: Context) -> str:
    """Everybody who may talk to the bot, and who asks to."""
    known = await context.store.read(gate.known_people, context.rules)
    waiting = await context.store.read(gate.open_requests, context.clock.now())
    lines = [
        translate(
            "command.people_line",
            call.locale,
            name=person.name or person.speaker_id,
            id=person.speaker_id,
            role=translate(f"role.{person.role}", call.locale),
        )
        for person in known[:MAX_SHOWN]
    ]
    text = translate("command.people", call.locale, people="\n".join(lines) or "–")
    if waiting:
        asks = "\n".join(f"{code}  {who}" for code, who, _ in waiting[:MAX_SHOWN])
        text += "\n\n" + translate("command.people_waiting", call.locale, people=asks)
    return text


async def remove(call: Call, context: Context) -> str:
    if not call.arguments:
        return translate("command.remove_usage", call.locale)
    wanted = call.arguments
    speaker_id = SpeakerId(wanted if ":" in wanted else f"{call.inbound.conversation.channel}:{wanted}")
    if speaker_id in context.rules.roles:
        return translate("command.remove_configured", call.locale, id=speaker_id)
    role = await context.store.read(gate.role_of, speaker_id, context.rules)
    if role in {"owner", "admin"} and call.role != "owner":
        return translate("command.remove_denied", call.locale)
    try:
        name = await context.store.write(gate.remove, speaker_id, context.clock.now())
    except NotFound:
        return translate("command.remove_unknown", call.locale, id=speaker_id)
    return translate("command.remove_done", call.locale, name=name)


COMMANDS = (
    Command("allow", allow, control=True, admin=True, private=True),
    Command("deny", deny, control=True, admin=True, private=True),
    Command("people", people, control=True, admin=True, private=True),
    Command("remove", remove, control=True, admin=True, private=True),
)
