"""`xiaomaolv chat`: talk to the bot in the terminal."""

import argparse
import asyncio
import getpass
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.cli import OK, Subparsers, add_config_option, lazy, read_environment, read_settings

if TYPE_CHECKING:
    from bot.config.settings import Settings


def add(subparsers: Subparsers) -> None:
    command = subparsers.add_parser(
        "chat", help="talk in the terminal", description="Talk to the bot in the terminal, with its memory."
    )
    add_config_option(command)
    command.add_argument("--session", metavar="ID", default="terminal", help="conversation to go on with")
    command.add_argument("--user", metavar="NAME", help="who you are (default: your login name)")


def run(args: argparse.Namespace) -> int:
    lazy("bot.cli.guard").check_packages()
    settings = read_settings(args)
    asyncio.run(_chat(settings, read_environment(args), args.session, args.user or _login_name()))
    return OK


async def _chat(settings: "Settings", environ: Mapping[str, str], session: str, user: str) -> None:
    async with lazy("bot.app").open_app(settings, environ=environ, serving=False) as app:
        await lazy("channels.terminal").chat(app.service, app.clock, session, user)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container may run as a user without a name
        return "user"
