"""`xiaomaolv skills`: look at skills, check them, try them out, install them; one module a verb."""

import argparse

from bot.cli import Subparsers, add_noun, add_verbs, run_verb

# A new verb is one more line here: the module that adds and runs it.
VERBS = {
    "ls": "bot.cli.skills.listing",
    "show": "bot.cli.skills.listing",
    "match": "bot.cli.skills.matching",
    "check": "bot.cli.skills.checking",
    "install": "bot.cli.skills.installing",
    "update": "bot.cli.skills.installing",
    "search": "bot.cli.skills.installing",
    "use": "bot.cli.skills.changing",
    "enable": "bot.cli.skills.changing",
    "disable": "bot.cli.skills.changing",
    "approve": "bot.cli.skills.changing",
    "rm": "bot.cli.skills.changing",
}


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "skills",
        help="list, check, try out and install skills",
        description="Look at skills, check their files, try out which a message chooses, install them.",
    )
    add_verbs(verbs, VERBS)


def run(args: argparse.Namespace) -> int:
    return run_verb(args, VERBS)
