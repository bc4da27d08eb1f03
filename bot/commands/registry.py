"""Every slash command, and how a message becomes one."""

from bot.commands import access, approvals, basics, later, mcp, memory, settings, skills, why
from bot.commands.base import Answer, Call, Command, Context, parse
from bot.commands.forget_words import forget_wish
from bot.domain.conversation import Inbound
from bot.i18n.catalogue import translate
from bot.turn import gate
from bot.turn.inbox import Arrival
from bot.turn.skills import named

COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        *basics.COMMANDS,
        *memory.COMMANDS,
        *later.COMMANDS,
        *settings.COMMANDS,
        *access.COMMANDS,
        *mcp.COMMANDS,
        *approvals.COMMANDS,
        *skills.COMMANDS,
        *why.COMMANDS,
    )
}

# Where "/etc/hosts, what is it?" is a question and an unknown command is not one.
LENIENT_CHANNELS = frozenset({"http", "terminal"})


def find(inbound: Inbound) -> Command | None:
    """The command a message calls, if there is one of that name."""
    called = _called(inbound)
    return None if called is None else COMMANDS.get(called[0])


def arrival(inbound: Inbound) -> Arrival:
    """What a message that is to be answered is to the inbox."""
    if named(inbound.text):
        return "turn"  # it is answered by the model, unless there is no such skill
    command = find(inbound)
    if command is None:
        return "turn"
    return "control" if command.control else "command"


async def try_run(inbound: Inbound, context: Context, run_id: str = "") -> Answer | None:
    """Answer a command, or what is wished for later in words; an empty text is silence.

    None if the message is neither (or a command for another bot).
    """
    if inbound.conversation.kind == "stateless":
        return None
    if await skills.is_for_model(inbound.text, context.skills):
        return None
    called = _called(inbound)
    if called is None:
        return await later.in_words(inbound, run_id, context)
    name, arguments = called
    command = COMMANDS.get(name)
    if command is None and inbound.conversation.channel in LENIENT_CHANNELS:
        return None
    role = await context.store.read(gate.role_in, inbound, context.rules)
    call = Call(name, arguments, inbound, role, inbound.locale, run_id)
    answer = await (_unknown(call, context) if command is None else _run(command, call, context))
    return answer if isinstance(answer, Answer) else Answer(answer)


def _called(inbound: Inbound) -> tuple[str, str] | None:
    """The command and arguments of a message: "/name …", or words that ask to forget something."""
    if parsed := parse(inbound.text):
        return parsed
    words = forget_wish(inbound.text) if inbound.addressed else None
    return None if words is None else ("memory", f"forget {words}")


async def _unknown(call: Call, context: Context) -> str:
    if call.in_group:
        return ""  # another bot's
    shown = await basics.show_help(call, context)
    return translate("command.unknown", call.locale, command=f"/{call.name}", help=shown)


async def _run(command: Command, call: Call, context: Context) -> Answer | str:
    if command.admin and not call.by_manager:
        return translate("command.admin_only", call.locale)
    if command.admin and not context.rules.managing:
        return translate("command.managing_off", call.locale)
    if command.private and call.in_group and not context.rules.managing_in_groups:
        return translate("command.private_only", call.locale)
    return await command.run(call, context)
