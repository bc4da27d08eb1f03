"""`xiaomaolv pairing`: let people in who asked the bot for access."""

import argparse
import asyncio
from typing import TYPE_CHECKING, Any

from bot.cli import OK, Subparsers, add_config_option, add_noun, lazy, read_settings

if TYPE_CHECKING:
    from bot.config.settings import Settings


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "pairing",
        help="let people in",
        description="Let people in who wrote to the bot and were given a code.",
    )
    listing = verbs.add_parser("list", help="who waits to be let in")
    approve = verbs.add_parser("approve", help="let the person in who was given CODE")
    approve.add_argument("code", metavar="CODE")
    approve.add_argument("--admin", action="store_true", help="as an admin, who may let others in")
    for verb in (listing, approve):
        add_config_option(verb)


def run(args: argparse.Namespace) -> int:
    settings = read_settings(args)
    asyncio.run(_run(settings, args))
    return OK


async def _run(settings: "Settings", args: argparse.Namespace) -> None:
    gate: Any = lazy("bot.turn.gate")
    clock = lazy("bot.clock").SystemClock()
    store = await lazy("bot.store.open").open_store(settings.storage.url, clock)
    try:
        if args.verb == "list":
            waiting = await store.read(gate.open_requests, clock.now())
            for code, who, until in waiting:
                print(f"{code}  {who}, until {until:%Y-%m-%d %H:%M} UTC")
            if not waiting:
                print("Nobody is waiting.")
            return
        role = "admin" if args.admin else "member"
        welcome = lazy("bot.i18n.catalogue").translate("access.welcome", settings.app.locale)
        admitted = await store.write(gate.admit, args.code, clock.now(), role, welcome=welcome)
        print(f"{admitted.name} may talk to the bot now.")
    finally:
        await store.close()
