"""`xiaomaolv policy`: what would be decided of a call, and why."""

import argparse
import asyncio
import json

from bot.cli import FAILED, OK, Subparsers, add_config_option, add_noun, lazy, read_environment, read_settings
from bot.cli.tools import ROLES, await_tool, one_line, operator, read_object


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "policy",
        help="explain what the policy decides",
        description="Explain whether a tool may be called. Nothing is called.",
    )
    explain = verbs.add_parser("explain", help="what would be decided of a call, and why")
    explain.add_argument("tool", metavar="TOOL", help="as `tools ls` shows it")
    explain.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="its arguments")
    explain.add_argument(
        "--as", dest="role", choices=ROLES, default="owner", help="in whose role; else owner"
    )
    explain.add_argument("--group", action="store_true", help="in a group; else in a private chat")
    explain.add_argument(
        "--in", dest="conversation", metavar="ID", default="terminal:operator", help="as in telegram:-100123"
    )
    explain.add_argument("--untrusted", action="store_true", help="after reading what others wrote")
    explain.add_argument("--json", action="store_true", help="as JSON")
    add_config_option(explain)


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_explain(args))


async def _explain(args: argparse.Namespace) -> int:
    settings = read_settings(args)
    context = operator(args.role, conversation=args.conversation, private=not args.group)
    call = lazy("bot.domain.message").ToolCall("cli", args.tool, read_object(args.arguments))
    environ = read_environment(args)
    opened = lazy("bot.app").open_app(settings, environ=environ, serving=False, answering=False)
    async with opened as app:
        await await_tool(app, args.tool)
        weighed = await app.gate.weigh(call, context, tainted=args.untrusted)
    if weighed.verdict is None:  # it did not come to the policy
        decision, reason, rule = ("deny", one_line(weighed.result.text), None)
    else:
        verdict = weighed.verdict
        decision, reason, rule = verdict.decision, verdict.reason, verdict.rule
    if args.json:
        print(json.dumps({"decision": decision, "reason": reason, "rule": rule}, ensure_ascii=False))
    else:
        print(f"{decision}: {reason}")
    return FAILED if isinstance(weighed, lazy("bot.tools.gate").Refused) and weighed.mendable else OK
