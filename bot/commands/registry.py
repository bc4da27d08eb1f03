"""Every slash command, and how a message becomes one."""

from bot.commands import access, basics
from bot.commands.base import Call, Command, Context, parse
from bot.domain.conversation import Inbound
from bot.i18n.catalogue import translate
from bot.turn.gate import Role
from bot.turn.inbox import Arrival

COMMANDS: dict[str, Command] = {command.name: command for command in (*basics.COMMANDS, *access.COMMANDS)}

# Where "/etc/hosts, what is it?" is a question and an unknown command is not one.
LENIENT_CHANNELS = frozenset({"http", "terminal"})


def find(inbound: Inbound) -> Command | None:
    """The command a message calls, if there is one of that name."""
    parsed = parse(inbound.text)
    return None if parsed is None else COMMANDS.get(parsed[0])


def arrival(inbound: Inbound) -> Arrival:
    """What a message that is to be answered is to the inbox."""
    command = find(inbound)
    if command is None:
        return "turn"
    return "control" if command.control else "command"


async def try_run(inbound: Inbound, role: Role, locale: str, context: Context) -> str | None:
    """Answer a command; None if the message is none (or one for another bot), "" for silence."""
    parsed = parse(inbound.text)
    if parsed is None or inbound.conversation.kind == "stateless":
        return None
    name, arguments = parsed
    command = COMMANDS.get(name)
    if command is None:
        if inbound.conversation.channel in LENIENT_CHANNELS:
            return None
        if inbound.conversation.kind == "group":
            return ""  # another bot's
        shown = await basics.show_help(Call("help", "", inbound, role, locale), context)
        return translate("command.unknown", locale, command=f"/{name}", help=shown)
    if command.admin and role not in {"owner", "admin"}:
        return translate("command.allow_denied", locale)
    return await command.run(Call(name, arguments, inbound, role, locale), context)
