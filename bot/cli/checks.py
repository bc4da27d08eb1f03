"""`xiaomaolv tools check`: what the guards say of a URL, a path or a command line. Nothing is done."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from bot.cli import FAILED, OK, lazy
from bot.errors import InputError

if TYPE_CHECKING:
    from bot.tools.guards.verdict import Verdict

KINDS = ("url", "path", "command")


def add_check(verbs: Any) -> None:
    check = verbs.add_parser(
        "check",
        help="ask a guard about a URL, a path or a command line",
        description="Tell what a guard says; exit code 1 for anything but yes. Nothing is done or resolved.",
    )
    check.add_argument("kind", choices=KINDS, help="of what kind it is")
    check.add_argument("value", metavar="VALUE", nargs="?", help="the URL, path or command line")
    check.add_argument(
        "--jsonl",
        action="store_true",
        help='read lines {"url"}, {"path"} or {"command"} from standard input, write one line each: '
        '{"verdict": "allow" | "deny" | "ask", "reason"}',
    )
    check.add_argument("--debug", action="store_true", help="show tracebacks")


def run_check(args: argparse.Namespace) -> int:
    judge = _judge_of(args.kind)
    if args.jsonl:
        for answer in answers(sys.stdin, args.kind, judge):
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        return OK
    if args.value is None:
        hint = f"xiaomaolv tools check {args.kind} VALUE"
        raise InputError(f"there is no {args.kind} to look at", hint=hint)
    verdict = judge(args.value)
    print(f"{verdict.verdict}: {verdict.reason}" if verdict.reason else verdict.verdict)
    return OK if verdict.allowed else FAILED


def answers(lines: Iterable[str], kind: str, judge: Callable[[str], "Verdict"]) -> Iterator[dict[str, str]]:
    """One answer a line, with the line's `id` if it has one; a line that is none is answered with why."""
    for line in lines:
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield {"error": f"not a line of JSON: {error}"}
            continue
        if not isinstance(asked, dict) or not isinstance(asked.get(kind), str):
            yield {"error": f'there is no text under "{kind}"'}
            continue
        verdict = judge(asked[kind])
        known = {"id": asked["id"]} if isinstance(asked.get("id"), str) else {}
        yield {**known, "verdict": verdict.verdict, "reason": verdict.reason}


def _judge_of(kind: str) -> Callable[[str], "Verdict"]:
    module, name = {
        "url": ("bot.tools.guards.egress", "judge_url"),
        "path": ("bot.tools.guards.paths", "judge_path"),
        "command": ("bot.tools.guards.commands", "judge_command"),
    }[kind]
    judge: Callable[[str], Verdict] = getattr(lazy(module), name)
    return judge
