"""`xiaomaolv mcp serve`: the bot as a server for other agents."""

import argparse
import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.cli import OK, lazy, read_environment, read_settings
from bot.errors import ConfigError

if TYPE_CHECKING:
    from bot.config.settings import Settings


def run(args: argparse.Namespace) -> int:
    settings = read_settings(args)
    person = lazy("channels.mcp").check_person(args.person)
    if args.http and not settings.channels.http.api_tokens:
        raise ConfigError(
            "channels.http.api_tokens is empty", hint="set a token: whoever has it may use this server"
        )
    asyncio.run(_serve(args, settings, read_environment(args), person))
    return OK


async def _serve(
    args: argparse.Namespace, settings: "Settings", environ: Mapping[str, str], person: Any
) -> None:
    module: Any = lazy("channels.mcp")
    rights: Any = lazy("bot.turn.rights").Rights
    # The servers that the bot itself uses are not needed here.
    alone = settings.model_copy(update={"agent": settings.agent.model_copy(update={"mcp_enabled": False})})
    async with lazy("bot.app").open_app(alone, environ=environ, serving=False, answering=False) as app:
        desk = module.Desk(
            store=app.store,
            rights=rights(app.store, app.events, app.clock, app.tools.recall),
            jobs=app.jobs,
            person=person,
            pushes=frozenset({"telegram"} if settings.channels.telegram.is_active else ()),
            locale=settings.app.locale,
        )
        if not args.http:
            await module.serve_stdio(desk)
            return
        tokens = [token.get_secret_value() for token in settings.channels.http.api_tokens]
        await module.serve_http(desk, args.host, args.port, tokens)
