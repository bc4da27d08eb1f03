"""`xiaomaolv skills`: look at skills, check them, try them out, install them; one module a verb."""

import argparse

from bot.cli import Subparsers, lazy

# A new verb is one more line here: the module of this package that adds and runs it.
VERBS = {
    "ls": "listing",
    "show": "listing",
    "match": "matching",
    "check": "checking",
    "install": "installing",
    "update": "installing",
    "search": "installing",
    "use": "changing",
    "enable": "changing",
    "disable": "changing",
    "approve": "changing",
    "rm": "changing",
}


def add(subparsers: Subparsers) -> None:
    noun = subparsers.add_parser(
        "skills",
        help="list, check, try out and install skills",
        description="Look at skills, check their files, try out which a message chooses, install them.",
    )
    verbs = noun.add_subparsers(dest="verb", metavar="VERB", title="verbs", required=True)
    for module in dict.fromkeys(VERBS.values()):
        lazy(f"bot.cli.skills.{module}").add(verbs)


def run(args: argparse.Namespace) -> int:
    code: int = lazy(f"bot.cli.skills.{VERBS[args.verb]}").run(args)
    return code
