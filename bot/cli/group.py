"""`xiaomaolv group`: try out what the bot would do in a group chat."""

import argparse
import json
import sys

from bot.cli import OK, Subparsers, add_noun, lazy, speak_utf8


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "group",
        help="judge messages of group chats",
        description="Judge whether messages of a group chat are for the bot, and tell why.",
    )
    explain = verbs.add_parser(
        "explain",
        help="judge the last message of each conversation on standard input",
        description="Read conversations from standard input, one JSON object a line, and write the verdict on"
        " the last message of each: decision, score and reasons.",
    )
    explain.add_argument("--jsonl", action="store_true", required=True, help="JSON lines in and out")
    explain.add_argument("--debug", action="store_true", help="show tracebacks")


def run(args: argparse.Namespace) -> int:
    explain_line = lazy("bot.turn.group.explain").explain_line
    speak_utf8()
    for line in sys.stdin.buffer:
        print(json.dumps(explain_line(line), ensure_ascii=False), flush=True)
    return OK
