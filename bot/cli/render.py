"""`xiaomaolv render`: the messages that a channel would send for an answer in Markdown."""

import argparse
import json
import sys

from bot.cli import OK, Subparsers, lazy, speak_utf8
from bot.errors import InputError

FORMS = ("telegram-entities", "telegram-rich")


def add(subparsers: Subparsers) -> None:
    noun = subparsers.add_parser(
        "render",
        help="show the messages a channel sends for Markdown",
        description="Read Markdown from standard input and write the messages that would be sent, as JSON.",
    )
    noun.add_argument("--to", choices=FORMS, required=True, help="what to render to")
    noun.add_argument("--debug", action="store_true", help="show tracebacks")


def run(args: argparse.Namespace) -> int:
    try:
        markdown = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the input is not UTF-8: {error.reason} at byte {error.start}") from None
    if args.to == "telegram-rich":
        parts = lazy("channels.telegram.rich").rich_messages(markdown)
        shown = [{"markdown": part.markdown} for part in parts]
    else:
        parts = lazy("channels.telegram.render").messages(markdown)
        shown = [{"text": part.text, "entities": part.as_json()} for part in parts]
    speak_utf8()
    print(json.dumps(shown, ensure_ascii=False))
    return OK
