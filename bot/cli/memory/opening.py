"""The memory of one database, opened for a command."""

import argparse
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.cli import add_config_option, lazy, read_environment, read_settings

if TYPE_CHECKING:
    from bot.config.settings import Settings
    from bot.domain.ports import Clock
    from bot.events.log import EventLog
    from bot.store.engine import Store
    from memory.centred import Centred


@dataclass(frozen=True, slots=True)
class Opened:
    """What the commands work with. `embedder` is None where recall goes by words alone."""

    settings: "Settings"
    clock: "Clock"
    store: "Store"
    events: "EventLog"
    embedder: "Centred | None"


def add_db_option(command: argparse.ArgumentParser) -> None:
    """The options of every command that opens the database."""
    command.add_argument("--db", metavar="URL", help="database, such as sqlite:///bot.db; else storage.url")
    add_config_option(command)


@asynccontextmanager
async def opened(args: argparse.Namespace) -> AsyncGenerator[Opened, None]:
    """Open the database that `--db` or the configuration names, with its embedder; close both."""
    settings = read_settings(args)
    environ = read_environment(args)
    clock = lazy("bot.clock").SystemClock()
    async with AsyncExitStack() as stack:
        store = await lazy("bot.store.open").open_store(args.db or settings.storage.url, clock)
        stack.push_async_callback(store.close)
        events = lazy("bot.events.log").EventLog(store, clock)
        stack.push_async_callback(events.flush)
        owned: Any = lazy("bot.models.embed").build_embedder(settings, clock, environ=environ)
        embedder = None
        if owned is not None:
            stack.push_async_callback(owned.aclose)
            embedder = lazy("memory.centred").Centred(owned, store)
        yield Opened(settings, clock, store, events, embedder)
