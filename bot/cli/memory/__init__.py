"""`xiaomaolv memory`: look at what is remembered, bring it in, take it out; one module a verb."""

import argparse

from bot.cli import Subparsers, add_noun, add_verbs, run_verb

# A new verb is one more line here: the module that adds and runs it.
VERBS = {
    "import": "bot.cli.memory.importing",
    "search": "bot.cli.memory.searching",
    "list": "bot.cli.memory.keeping",
    "stats": "bot.cli.memory.keeping",
    "export": "bot.cli.memory.keeping",
    "forget": "bot.cli.memory.keeping",
}


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "memory",
        help="search, fill, export and forget the memory",
        description="Search what is remembered, bring in what was said elsewhere, take it out, forget it.",
    )
    add_verbs(verbs, VERBS)


def run(args: argparse.Namespace) -> int:
    return run_verb(args, VERBS)
