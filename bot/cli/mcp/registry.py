"""`xiaomaolv mcp add` and `rm`."""

import argparse
import asyncio

from bot.cli import OK, lazy
from bot.cli.mcp.opening import registry_of, store_of
from bot.errors import InputError


def run(args: argparse.Namespace) -> int:
    return _add(args) if args.verb == "add" else _remove(args)


def _add(args: argparse.Namespace) -> int:
    path = registry_of(args).add(args.name, lazy("bot.tools.mcp.entries").entry_of(args), args.scope)
    print(f"{args.name} is registered in {path}.")
    print(f"Try it: xiaomaolv mcp test {args.name}")
    return OK


def _remove(args: argparse.Namespace) -> int:
    registry = registry_of(args)
    scopes = ("user", "project") if args.scope == "all" else (args.scope,)
    gone = registry.remove(args.name, *scopes)
    if not gone:
        raise InputError(f"{args.name} is in no registry that was asked")
    if args.name not in registry.read().servers:
        asyncio.run(_forget(args))
    print(f"{args.name} is removed from: {', '.join(gone)}.")
    return OK


async def _forget(args: argparse.Namespace) -> None:
    """What was approved of it is not approved of another one that gets its name."""
    async with store_of(args) as store:
        await store.write(lazy("bot.tools.mcp.pins").forget, args.name)
