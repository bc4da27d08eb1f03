"""The command line: one module a noun, each with `add(subparsers)` and `run(args) -> int`.

A noun's module imports nothing heavy: parsing a command line must not cost the start-up of the whole
product. What a handler needs it gets through `lazy`, when it runs.
"""

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import metadata
from io import TextIOWrapper
from types import ModuleType
from typing import Any

from bot.errors import ConfigError, InputError, XiaomaolvError

# A new noun is one more line here.
NOUNS = (
    "serve",
    "chat",
    "config",
    "doctor",
    "pairing",
    "group",
    "memory",
    "skills",
    "when",
    "tasks",
    "mcp",
    "tools",
    "policy",
    "render",
)
DEFAULT_NOUN = "serve"

OK, FAILED, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

Subparsers = Any  # argparse keeps the type of add_subparsers() private


def lazy(module: str) -> ModuleType:
    """Import a module when it is needed, not when the command line is read.

    This is the one place of the product where an import is put off: `xiaomaolv --version` must not
    wait for a database driver or a model library.
    """
    return importlib.import_module(module)


def speak_utf8() -> None:
    """Lines are UTF-8 whatever the locale; bytes and halves of characters that are none end no stream."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    if isinstance(sys.stdout, TextIOWrapper):
        # A lone half of a pair is written as JSON writes it: \\udxxx.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code. Errors are one line for people, unless --debug is given."""
    debug = "--debug" in argv
    try:
        args = parsed(argv)
        code = int(lazy(f"bot.cli.{args.noun}").run(args))
        sys.stdout.flush()
    except XiaomaolvError as error:
        _tell(error.message, error.hint, debug)
        return WRONG_INPUT if isinstance(error, ConfigError | InputError) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output is gone. What is left of it goes nowhere, also when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:  # noqa: BLE001  # the outermost boundary: a person reads what is left
        _tell(f"unexpected {type(error).__name__}: {error}", "" if debug else "--debug shows where", debug)
        return FAILED
    return code


def parser() -> argparse.ArgumentParser:
    """The grammar of all commands."""
    root = argparse.ArgumentParser(
        prog="xiaomaolv",
        description="A self-hosted AI chat assistant for Telegram, the web and the terminal.",
        epilog=f"Without a command: {DEFAULT_NOUN}. `xiaomaolv COMMAND --help` tells more.",
    )
    root.add_argument("--version", action="version", version=f"xiaomaolv {version()}")
    subparsers = root.add_subparsers(dest="noun", metavar="COMMAND", title="commands", required=True)
    for noun in NOUNS:
        lazy(f"bot.cli.{noun}").add(subparsers)
    return root


def version() -> str:
    """The version of the installed distribution."""
    return metadata.version("xiaomaolv")


def add_noun(subparsers: Subparsers, name: str, *, help: str, description: str) -> Subparsers:
    """A command that is a noun; what its verbs are added to."""
    noun = subparsers.add_parser(name, help=help, description=description)
    verbs: Subparsers = noun.add_subparsers(dest="verb", metavar="VERB", title="verbs", required=True)
    return verbs


def add_verbs(verbs: Subparsers, modules: Mapping[str, str]) -> None:
    """Let each module that has verbs add its own; `modules` has the module of every verb."""
    for module in dict.fromkeys(modules.values()):
        lazy(module).add(verbs)


def run_verb(args: argparse.Namespace, modules: Mapping[str, str]) -> int:
    """Run the verb that was asked for in its module."""
    return int(lazy(modules[args.verb]).run(args))


def add_config_option(command: argparse.ArgumentParser) -> None:
    """The options every command has that reads the configuration."""
    command.add_argument(
        "--config",
        metavar="FILE",
        help="configuration file; else XIAOMAOLV_CONFIG, else ./config.toml, else defaults",
    )
    command.add_argument("--debug", action="store_true", help="show tracebacks")


def read_settings(args: argparse.Namespace, *, logs: str = "warning") -> Any:
    """The `Settings` that `--config` and the environment lead to. Raises `ConfigError`.

    Logging goes to standard error from here on: standard output is the command's. `logs` is the least level.
    """
    load = lazy("bot.config.load")
    environ = load.read_environment()
    settings = load.load(_named_file(args), environ)
    lazy("bot.cli.logs").configure(settings, at_least=logs, plain=bool(environ.get("NO_COLOR")))
    return settings


def read_environment(args: argparse.Namespace) -> Any:
    """The environment, with what a `.env` file beside the configuration adds to it."""
    load = lazy("bot.config.load")
    environ = load.read_environment()
    return load.with_dotenv(load.find_file(_named_file(args), environ), environ)


def config_source(args: argparse.Namespace) -> str:
    """What the settings come from, for people."""
    load = lazy("bot.config.load")
    file = load.find_file(_named_file(args), load.read_environment())
    return str(file or "defaults, for there is no config.toml")


def _named_file(args: argparse.Namespace) -> Any:
    return lazy("pathlib").Path(args.config) if args.config else None


def _with_default_noun(argv: Sequence[str]) -> list[str]:
    """Options without a command belong to the default one; a first word is always a command."""
    first = argv[0] if argv else ""
    about_root = first in {"-h", "--help", "--version"}
    if about_root or first in NOUNS:
        return list(argv)
    if first and not first.startswith("-"):
        near = get_close_matches(first, NOUNS, n=1)
        raise InputError(
            f'there is no command "{first}"',
            hint=f"did you mean {near[0]}?" if near else f"the commands are {', '.join(NOUNS)}",
        )
    if first == "--debug" and len(argv) > 1 and argv[1] in NOUNS:
        return [argv[1], first, *argv[2:]]
    return [DEFAULT_NOUN, *argv]


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    """A command line as it was meant."""
    words, tail = _taken_apart(argv)
    args = parser().parse_args(_with_default_noun(words))
    args.tail = tail
    return args


def _taken_apart(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that are ours, and a command line of another program that follows `--`."""
    if "mcp" not in argv[:2]:
        return list(argv), []
    found: tuple[list[str], list[str]] = lazy("bot.cli.mcp").prepared(argv)
    return found


def _tell(message: str, hint: str, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    print(f"xiaomaolv: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
