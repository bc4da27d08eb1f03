"""`xiaomaolv config`: check, show and explain the configuration."""

import argparse

from bot.cli import OK, Subparsers, add_config_option, add_noun, config_source, lazy, read_settings


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "config",
        help="check or show the configuration",
        description="Check, show or explain the configuration.",
    )
    add_config_option(verbs.add_parser("check", help="say whether the configuration is right"))
    add_config_option(verbs.add_parser("show", help="print the settings in effect, without secrets"))
    example = verbs.add_parser("example", help="print a configuration with every key explained")
    example.add_argument("--debug", action="store_true", help="show tracebacks")


def run(args: argparse.Namespace) -> int:
    match args.verb:
        case "check":
            read_settings(args)
            print(f"{config_source(args)}: all right")
        case "show":
            settings = read_settings(args)
            print(f"# {config_source(args)}\n\n{lazy('bot.config.show').show(settings)}", end="")
        case "example":
            print(lazy("bot.config.example").example(), end="")
    return OK
