"""`xiaomaolv mcp review`, `approve` and `block`."""

import argparse
import asyncio
import difflib
import json
from typing import TYPE_CHECKING, Any

from bot.cli import OK, lazy
from bot.cli.mcp.opening import spec_of, store_of

if TYPE_CHECKING:
    from bot.tools.mcp.pins import Pin


def run(args: argparse.Namespace) -> int:
    if args.name:
        spec_of(args)  # a slip in a name is no server of which nothing waits
    asyncio.run(_run(args))
    return OK


async def _run(args: argparse.Namespace) -> None:
    pins: Any = lazy("bot.tools.mcp.pins")
    now = lazy("bot.clock").SystemClock().now()
    async with store_of(args) as store:
        match args.verb:
            case "review":
                _show(await store.read(pins.pins, args.name), args)
            case "approve":
                names = await store.write(pins.approve, args.name, args.tools or None, now)
                print(f"Approved: {', '.join(names) or 'none waits'}.")
            case "block":
                names = await store.write(pins.block, args.name, args.tools, now)
                print(f"Blocked: {', '.join(names)}.")


def _show(known: "list[Pin]", args: argparse.Namespace) -> None:
    shown = [pin for pin in known if args.all or pin.status in {"new", "changed"}]
    if args.json:
        told = [
            {
                "server": pin.server,
                "tool": pin.tool,
                "status": pin.status,
                "definition": pin.definition,
                "approved": pin.approved,
            }
            for pin in shown
        ]
        print(json.dumps(told, ensure_ascii=False, indent=2))
        return
    for pin in shown:
        print(f"{pin.server}  {pin.tool}  {pin.status}")
        if pin.status in {"new", "changed"}:
            print("\n".join(f"  {line}" for line in _difference(pin)))
    if not shown:
        print("No tool waits for approval.")


def _difference(pin: "Pin") -> list[str]:
    old = _plain(pin.approved) if pin.approved else []
    return list(difflib.unified_diff(old, _plain(pin.definition), "approved", "now", lineterm="", n=1))


def _plain(definition: dict[str, Any]) -> list[str]:
    schema = json.dumps(definition["schema"], ensure_ascii=False, indent=1, sort_keys=True)
    return [*str(definition["description"]).splitlines(), *schema.splitlines()]
