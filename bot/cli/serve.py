"""`xiaomaolv serve`: run the bot until it is told to stop."""

import argparse
import asyncio
import gc
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.cli import OK, Subparsers, add_config_option, lazy, read_environment, read_settings

if TYPE_CHECKING:
    from bot.config.settings import Settings

# New objects between two looks for garbage. Turns leave little of it, for nearly all they make goes when
# its last reference goes: Python's own 700 cost an eighth of a turn's processor time (bench.turns).
GARBAGE_AFTER = 20_000


def add(subparsers: Subparsers) -> None:
    command = subparsers.add_parser(
        "serve",
        help="run the bot (the default)",
        description="Run the bot: the web page, the HTTP interface and Telegram, until SIGTERM or Ctrl-C.",
    )
    add_config_option(command)


def run(args: argparse.Namespace) -> int:
    lazy("bot.cli.guard").check_packages()
    with _garbage_after_the_start():
        settings = read_settings(args, logs="debug")
        asyncio.run(_serve(settings, read_environment(args)))
    return OK


@contextmanager
def _garbage_after_the_start() -> Iterator[None]:
    """No look for garbage until the bot is ready (`_settle`): what is made at its start stays."""
    before = gc.get_threshold()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
        gc.enable()


def _settle() -> None:
    """Take the hundreds of thousands of objects that every run needs out of all looks to come."""
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER)
    gc.enable()


async def _serve(settings: "Settings", environ: Mapping[str, str]) -> None:
    stop = asyncio.Event()
    stop_on_signals(asyncio.get_running_loop(), stop)
    async with lazy("bot.app").open_app(settings, environ=environ) as app:

        def announce(url: str) -> None:
            _settle()
            print(f"xiaomaolv is ready: open {url}", flush=True)
            if kind := app.models.describe().notice:
                say = lazy("bot.i18n.catalogue").translate
                print(say(f"model.{kind}", settings.app.locale), flush=True)

        await app.serve_until(stop, announce)


def stop_on_signals(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Set `stop` on SIGTERM or SIGINT; a second SIGINT interrupts at once."""

    def ask(number: signal.Signals) -> None:
        stop.set()
        if number is signal.SIGINT:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, ask, number)
        except NotImplementedError:  # Windows has no signal handlers in the loop
            signal.signal(number, lambda got, _frame: loop.call_soon_threadsafe(ask, signal.Signals(got)))
