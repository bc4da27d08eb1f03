"""/start, /help, /whoami, /new, /stop."""

from bot.commands.base import WITHOUT_SETTINGS, Call, Command, Context
from bot.i18n.catalogue import translate
from bot.turn.sessions import begin_anew

# What the help and the menu show, the most useful first.
SHOWN = ("new", "stop", "task", "tz", "memory", "skill", "settings", "whoami", "help")
SHOWN_IN_GROUPS = ("new", "stop", "task", "memory", "skill", "settings", "help")
FOR_MANAGERS = ("people", "allow", "deny", "remove", "why", "mcp", "skills")


async def start(call: Call, context: Context) -> str:
    """A greeting; in a group also why the bot may seem deaf there."""
    greeting = translate("command.start", call.locale)
    presence = context.rooms.presence(call.inbound.conversation.channel)
    if not call.in_group or presence.hears_all:
        return greeting
    deaf = translate("telegram.privacy", call.locale, username=presence.bot.username)
    return f"{greeting}\n\n{deaf}"


async def show_help(call: Call, context: Context) -> str:
    names: tuple[str, ...]
    if call.in_group:
        names = (*SHOWN_IN_GROUPS, "why") if call.by_manager else SHOWN_IN_GROUPS
    else:
        names = (*SHOWN, *FOR_MANAGERS) if call.by_manager else SHOWN
    if call.inbound.conversation.channel in WITHOUT_SETTINGS:
        names = tuple(name for name in names if name != "settings")
    lines = [f"/{name} – {translate(f'command.help_{name}', call.locale)}" for name in names]
    return translate("command.help", call.locale, commands="\n".join(lines))


async def whoami(call: Call, context: Context) -> str:
    speaker = call.inbound.speaker
    return translate(
        "command.whoami",
        call.locale,
        name=speaker.name or speaker.user_id,
        id=speaker.user_id,
        role=translate(f"role.{call.role}", call.locale),
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
