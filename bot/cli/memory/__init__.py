"""`xiaomaolv memory`: look at what is remembered, bring it in, take it out; one module a verb."""

import argparse

from bot.cli import Subparsers, lazy

# A new verb is one more line here: the module of this package that adds and runs it.
VERBS = {
    "import": "importing",
    "search": "searching",
    "list": "keeping",
    "stats": "keeping",
    "export": "keeping",
    "forget": "keeping",
}


def add(subparsers: Subparsers) -> None:
    noun = subparsers.add_parser(
        "memory",
        help="search, fill, export and forget the memory",
        description="Search what is remembered, bring in what was said elsewhere, take it out, forget it.",
    )
    verbs = noun.add_subparsers(dest="verb", metavar="VERB", title="verbs", required=True)
    for module in dict.fromkeys(VERBS.values()):
        lazy(f"bot.cli.memory.{module}").add(verbs)


def run(args: argparse.Namespace) -> int:
    code: int = lazy(f"bot.cli.memory.{VERBS[args.verb]}").run(args)
    return code
