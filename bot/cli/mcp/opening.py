"""What the verbs of `xiaomaolv mcp` work with."""

import argparse
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli import lazy, read_environment, read_settings
from bot.errors import InputError

if TYPE_CHECKING:
    from bot.store.engine import Store
    from bot.tools.mcp.registry import Registry
    from bot.tools.mcp.spec import ServerSpec


def registry_of(args: argparse.Namespace) -> "Registry":
    """The registry files of this user and folder. It reads no configuration, but a `.env` file."""
    if hasattr(args, "config"):
        environ = read_environment(args)
    else:
        environ = lazy("bot.config.load").read_environment()
    found: Registry = lazy("bot.tools.mcp.registry").Registry(environ)
    return found


def spec_of(args: argparse.Namespace) -> "ServerSpec":
    """The server that is named. Raises `InputError` where there is none, or its entry makes no sense."""
    registered = registry_of(args).read()
    spec = registered.servers.get(args.name)
    if spec is not None:
        return spec
    for fault in registered.faults:
        if fault.name in {args.name, ""}:
            raise InputError(fault.message)
    known = ", ".join(sorted(registered.servers)) or "none yet"
    raise InputError(f"there is no MCP server {args.name}", hint=f"there are: {known}")


def tokens_of(args: argparse.Namespace) -> Path:
    """The folder of what logins brought."""
    folder: str = lazy("bot.tools.mcp.servers").TOKENS_FOLDER
    return registry_of(args).paths["user"].parent / folder


@asynccontextmanager
async def store_of(args: argparse.Namespace) -> AsyncGenerator["Store", None]:
    """The database of the configuration."""
    settings = read_settings(args)
    opened: Any = lazy("bot.store.open").open_store
    store = await opened(settings.storage.url, lazy("bot.clock").SystemClock())
    try:
        yield store
    finally:
        await store.close()
