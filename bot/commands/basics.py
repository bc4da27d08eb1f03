"""/start, /help, /whoami, /new, /stop."""

from bot.commands.base import Call, Command, Context
from bot.i18n.catalogue import translate
from bot.turn.sessions import begin_anew

SHOWN = ("new", "stop", "whoami", "help")


async def start(call: Call, context: Context) -> str:
    return translate("command.start", call.locale)


async def show_help(call: Call, context: Context) -> str:
    names = (*SHOWN, "allow") if call.role in {"owner", "admin"} else SHOWN
    lines = [f"/{name} – {translate(f'command.help_{name}', call.locale)}" for name in names]
    return translate("command.help", call.locale, commands="\n".join(lines))


async def whoami(call: Call, context: Context) -> str:
    speaker = call.inbound.speaker
    return translate(
        "command.whoami",
        call.locale,
        name=speaker.name or speaker.user_id,
        id=speaker.user_id,
        role=call.role,
    )


async def new(call: Call, context: Context) -> str:
    await context.store.write(begin_anew, call.inbound.conversation.id, context.clock.now())
    return translate("command.new", call.locale)


async def stop(call: Call, context: Context) -> str:
    stopped = await context.stop(call.inbound.conversation)
    return translate("command.stopped" if stopped else "command.nothing_to_stop", call.locale)


COMMANDS = (
    Command("start", start),
    Command("help", show_help),
    Command("whoami", whoami),
    Command("new", new),
    Command("stop", stop, control=True),
)
