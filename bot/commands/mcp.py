"""/mcp: the MCP servers, for those who manage the bot."""

import argparse
import shlex
from collections import Counter

from bot.commands.base import Call, Command, Context
from bot.errors import XiaomaolvError
from bot.i18n.catalogue import translate
from bot.tools.mcp.entries import entry_of, options
from bot.tools.mcp.pins import WAITING
from bot.tools.mcp.servers import Overview, Servers
from bot.tools.mcp.spec import Scope

MOST_SHOWN = 40


async def mcp(call: Call, context: Context) -> str:
    """ls, tools, approve, block, add, rm; without a word: ls."""
    servers = context.mcp
    if servers is None:
        return translate("mcp.off", call.locale)
    try:
        words = shlex.split(call.arguments) or ["ls"]
        return await _run(words, call, servers)
    except (ValueError, IndexError, argparse.ArgumentError):
        return translate("mcp.usage", call.locale)
    except XiaomaolvError as error:
        return translate("mcp.refused", call.locale, reason=str(error))


async def _run(words: list[str], call: Call, servers: Servers) -> str:
    match words:
        case ["ls"]:
            return await _list(call, servers)
        case ["tools", name]:
            return await _tools(name, call, servers)
        case ["approve", name, *tools]:
            done = await servers.approve(name, tools or None)
            return translate("mcp.approved", call.locale, tools=", ".join(done) or "–")
        case ["block", name, *tools] if tools:
            done = await servers.block(name, tools)
            return translate("mcp.blocked", call.locale, tools=", ".join(done))
        case ["add", name, *rest]:
            return await _add(name, rest, call, servers)
        case ["rm", name]:
            return await _remove(name, call, servers)
        case _:
            return translate("mcp.usage", call.locale)


async def _list(call: Call, servers: Servers) -> str:
    waiting = Counter(pin.server for pin in await servers.pins() if pin.status in WAITING)
    lines = [
        _line(overview, waiting[overview.spec.name], call)
        for overview in (await servers.overviews())[:MOST_SHOWN]
    ]
    lines += [f"{fault.name or fault.scope}: {fault.message}" for fault in servers.faults]
    return "\n".join(lines) or translate("mcp.none", call.locale)


def _line(overview: Overview, waiting: int, call: Call) -> str:
    server = overview.server
    state = server.health.state if server is not None else "off"
    told = translate(f"mcp.state_{state}", call.locale)
    if server is not None and server.health.error:
        told = f"{told}: {server.health.error}"
    elif server is not None and state == "ready":
        count = str(len(server.listing.tools))
        told = f"{told}, {translate('mcp.tools_count', call.locale, count=count)}"
    if waiting:
        told += f", {translate('mcp.waiting_count', call.locale, count=str(waiting))}"
    return f"{overview.spec.name}: {told}"


async def _tools(name: str, call: Call, servers: Servers) -> str:
    pins = await servers.pins(name)
    lines = [
        f"{pin.tool}: {translate(f'mcp.status_{pin.status}', call.locale)}. "
        f"{' '.join(str(pin.definition['description']).split())[:120]}"
        for pin in pins[:MOST_SHOWN]
    ]
    return "\n".join(lines) or translate("mcp.none", call.locale)


async def _add(name: str, rest: list[str], call: Call, servers: Servers) -> str:
    """A program is run with the rights of the bot: only its owner may say which."""
    if call.role != "owner":
        return translate("mcp.owner_only", call.locale)
    args = options(rest)
    scope: Scope = "project" if args.scope == "project" else "user"
    servers.registry.add(name, entry_of(args), scope)
    return translate("mcp.added", call.locale, name=name)


async def _remove(name: str, call: Call, servers: Servers) -> str:
    if call.role != "owner":
        return translate("mcp.owner_only", call.locale)
    if not servers.registry.remove(name):
        return translate("mcp.none", call.locale)
    if name not in servers.registry.read().servers:
        await servers.forget(name)
    return translate("mcp.removed", call.locale, name=name)


COMMANDS = (Command("mcp", mcp, admin=True, private=True),)
