"""`xiaomaolv skills use`, `enable`, `disable`, `approve` and `rm`: what is decided about a skill."""

import argparse

from bot.cli import OK, Subparsers, add_config_option, lazy
from bot.cli.skills.opening import find_places, named, open_shelf

_HELP = {
    "use": "say how a skill is chosen",
    "enable": "switch a skill on",
    "disable": "switch a skill off",
    "approve": "approve a changed skill as it is now",
    "rm": "remove a skill of yours",
}
MODES = ("semantic", "always", "manual", "off")


def add(verbs: Subparsers) -> None:
    for verb, told in _HELP.items():
        command = verbs.add_parser(verb, help=told, description=f"{told[0].upper()}{told[1:]}.")
        command.add_argument("name", metavar="NAME")
        if verb == "use":
            command.add_argument("--mode", choices=MODES, required=True, help="how it is chosen")
        add_config_option(command)


def run(args: argparse.Namespace) -> int:
    kept = named(open_shelf(args), args.name)
    places = find_places(args)
    if args.verb == "use":
        place = places.of("project" if kept.scope == "project" else "user")
        lazy("skills.registry").Registry(place.registry).put(args.name, mode=args.mode)
        print(f"{args.name}: {args.mode}")
        return OK
    lazy("skills.keeping").change(args.verb, kept, places)
    if args.verb == "rm":
        print(f"{args.name}: removed")
        return OK
    print(f"{args.name}: {named(open_shelf(args), args.name).state}")
    return OK
