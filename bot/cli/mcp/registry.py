"""`xiaomaolv mcp add` and `rm`."""

import argparse
import asyncio
from typing import Any

from bot.cli import OK, lazy
from bot.cli.mcp.opening import registry_of, store_of
from bot.errors import InputError


def run(args: argparse.Namespace) -> int:
    return _add(args) if args.verb == "add" else _remove(args)


def _add(args: argparse.Namespace) -> int:
    path = registry_of(args).add(args.name, _entry(args), args.scope)
    print(f"{args.name} is registered in {path}.")
    print(f"Try it: xiaomaolv mcp test {args.name}")
    return OK


def _remove(args: argparse.Namespace) -> int:
    registry = registry_of(args)
    scopes = ("user", "project") if args.scope == "all" else (args.scope,)
    gone = registry.remove(args.name, *scopes)
    if not gone:
        print(f"{args.name} is in no registry that was asked.")
        return OK
    if args.name not in registry.read().servers:
        asyncio.run(_forget(args))
    print(f"{args.name} is removed from: {', '.join(gone)}.")
    return OK


async def _forget(args: argparse.Namespace) -> None:
    """What was approved of it is not approved of another one that gets its name."""
    async with store_of(args) as store:
        await store.write(lazy("bot.tools.mcp.pins").forget, args.name)


def _entry(args: argparse.Namespace) -> dict[str, Any]:
    """The table that goes into the file: only what was said."""
    if args.tail and (args.program or args.arg):
        raise InputError("give the program either after -- or with --command and --arg, not both")
    program = args.tail[0] if args.tail else args.program
    transport = args.transport or ("http" if args.url else "stdio")
    entry: dict[str, Any] = {"enabled": not args.disabled, "transport": transport}
    entry |= {
        key: value
        for key, value in {
            "command": program,
            "args": args.tail[1:] or args.arg,
            "cwd": args.cwd,
            "env": _pairs(args.env, "--env"),
            "url": args.url,
            "headers": _pairs(args.header, "--header"),
            "timeout_secs": None if args.timeout_secs is None else max(1.0, args.timeout_secs),
            "trust": args.trust,
        }.items()
        if value
    }
    return entry


def _pairs(given: list[str], option: str) -> dict[str, str]:
    pairs = {}
    for text in given:
        equals, colon = text.find("="), text.find(":")
        as_header = option == "--header" and colon > 0 and (colon < equals or equals < 0)
        name, separator, value = text.partition(":" if as_header else "=")
        if not separator or not name.strip():
            raise InputError(f"{option} is NAME=VALUE, and {text.partition('=')[0]!r} has no value")
        pairs[name.strip()] = value.strip()
    return pairs
