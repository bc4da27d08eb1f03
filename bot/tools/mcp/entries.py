"""The entry of a server in words: the options of `mcp add`, on a command line and in a chat."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from typing_extensions import override

from bot.errors import InputError


class _Parser(argparse.ArgumentParser):
    @override
    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say how a server is reached."""
    parser.add_argument("--scope", choices=("user", "project"), default="user", help="which registry (user)")
    parser.add_argument("--transport", choices=("stdio", "http", "sse"), help="stdio, or http with --url")
    parser.add_argument("--command", dest="program", metavar="C", help="the program of a stdio server")
    parser.add_argument("--arg", action="append", default=[], metavar="A", help="one argument of it; repeat")
    parser.add_argument("--cwd", metavar="DIR", help="where it runs")
    parser.add_argument("--env", action="append", default=[], metavar="K=V", help="a variable for it; repeat")
    parser.add_argument("--url", metavar="U", help="the address of an http or sse server")
    parser.add_argument(
        "--header", action="append", default=[], metavar="K=V", help='sent along, also as "K: V"; repeat'
    )
    parser.add_argument("--timeout-secs", type=float, metavar="S", help="seconds it may be silent (20)")
    parser.add_argument(
        "--trust", choices=("auto", "ask", "full"), help="ask: approve every tool; full: believe it (auto)"
    )
    parser.add_argument("--disabled", action="store_true", help="register it, but do not start it")


def taken_apart(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words before and after `--`; what follows `--arg` belongs to it, also with a dash."""
    words = list(argv)
    tail: list[str] = []
    if "--" in words:
        cut = words.index("--")
        words, tail = words[:cut], words[cut + 1 :]
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--arg":
            joined[-1] = f"--arg={word}"
        else:
            joined.append(word)
    return joined, tail


def options(words: Sequence[str]) -> argparse.Namespace:
    """The options in a list of words. Raises `InputError`."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    add_options(parser)
    own, tail = taken_apart(words)
    args = parser.parse_args(own)
    args.tail = tail
    return args


def entry_of(args: argparse.Namespace) -> dict[str, Any]:
    """The table that goes into a registry file: only what was said. Raises `InputError`."""
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
            "timeout_secs": args.timeout_secs,
            "trust": args.trust,
        }.items()
        if value or value == 0
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
