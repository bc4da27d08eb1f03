"""/allow: let a person in who was given a code."""

from bot.commands.base import Call, Command, Context
from bot.errors import NotFound
from bot.i18n.catalogue import translate
from bot.turn import gate


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


COMMANDS = (Command("allow", allow, control=True, admin=True),)
