"""`xiaomaolv mcp login` and `logout`."""

import argparse
import asyncio
import sys
from typing import Any

from bot.cli import FAILED, OK, lazy
from bot.cli.mcp.opening import spec_of, tokens_of
from bot.errors import InputError

LOGIN_S = 300.0


def run(args: argparse.Namespace) -> int:
    spec = spec_of(args)
    if spec.is_local:
        raise InputError(f"{spec.name} is a program of this machine: there is no login")
    if args.verb == "logout":
        kept = lazy("bot.tools.mcp.sdk.oauth").TokenFile.of(spec, tokens_of(args))
        print("The login is forgotten." if kept.remove() else "There was no login.")
        return OK
    return asyncio.run(_login(args, spec))


async def _login(args: argparse.Namespace, spec: Any) -> int:
    callback: Any = lazy("bot.tools.mcp.callback")
    probe: Any = lazy("bot.tools.mcp.probe").probe

    async def show(address: str) -> None:
        print(f"Open this address to log in:\n{address}", flush=True)

    async with callback.awaited(args.port) as back:
        wait = _pasted if args.paste else back.query
        login = lazy("bot.tools.mcp.remote").Login(back.address, show, wait)
        opener = lazy("bot.tools.mcp.servers").load_sdk
        report = await probe(spec, opener, tokens_of(args), login=login, limit_s=LOGIN_S)
    if report.error:
        print(f"{spec.name}: {report.error}", file=sys.stderr)
        return FAILED
    print(f"Logged in at {spec.name}: {len(report.tools)} tools.")
    return OK


async def _pasted() -> dict[str, str]:
    print("Paste the address that the browser was sent to:", flush=True)
    line = await asyncio.to_thread(sys.stdin.readline)
    found: dict[str, str] = lazy("bot.tools.mcp.callback").query_of(line.strip())
    return found
