"""`xiaomaolv tools`: what the bot can do, and one call of it, through the gate."""

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

from bot.cli import FAILED, OK, Subparsers, add_config_option, add_noun, lazy, read_environment, read_settings
from bot.cli.checks import add_check, run_check
from bot.errors import Denied, InputError

if TYPE_CHECKING:
    from bot.app import App
    from bot.tools.gate import Weighed

ROLES = ("owner", "admin", "member", "stranger")

MCP_S = 20.0  # for the servers to open
_LOOK_S = 0.05


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "tools",
        help="list tools, and call one",
        description="See what the bot can do, and call a tool as the bot would: through the policy.",
    )
    listing = verbs.add_parser("ls", help="every tool, with its effect and whether it may be used")
    listing.add_argument("--json", action="store_true", help="as JSON: name, source, effect, enabled, …")
    add_config_option(listing)
    add_check(verbs)
    call = verbs.add_parser("call", help="call a tool; its result goes to standard output")
    call.add_argument("name", metavar="NAME", help="as `tools ls` shows it")
    call.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="its arguments, an object")
    call.add_argument("--as", dest="role", choices=ROLES, default="owner", help="in whose role; else owner")
    call.add_argument("--yes", action="store_true", help="approve it, where the policy asks for that")
    add_config_option(call)


def run(args: argparse.Namespace) -> int:
    if args.verb == "check":
        return run_check(args)
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    settings = read_settings(args)
    given = read_object(args.arguments) if args.verb == "call" else {}
    environ = read_environment(args)
    opened = lazy("bot.app").open_app(settings, environ=environ, serving=False, answering=False)
    async with opened as app:
        if args.verb == "ls":
            await _settle(app)
            return await _list(app, args)
        await await_tool(app, args.name)
        return await _call(app, args, given)


async def await_tool(app: "App", name: str) -> None:
    """Wait until a tool is there, or the MCP servers are: one that hangs holds up its own tools alone."""
    if app.mcp is None:
        return
    async with asyncio.TaskGroup() as group:
        settling = group.create_task(app.mcp.settled(MCP_S))
        while not settling.done():
            if any(tool.name == name for tool in await app.gate.everything(operator("owner"))):
                settling.cancel()
            await asyncio.wait({settling}, timeout=_LOOK_S)


async def _settle(app: "App") -> None:
    """Wait for the MCP servers, and name those that have no tools to list."""
    if app.mcp is None:
        return
    await app.mcp.settled(MCP_S)
    for one in await app.mcp.overviews():
        if one.server is not None and one.server.health.state != "ready":
            why = one.server.health.error or "it has not answered yet"
            print(f"without the tools of the MCP server {one.spec.name}: {why}", file=sys.stderr)


async def _list(app: "App", args: argparse.Namespace) -> int:
    found = await app.gate.everything(operator("owner"))
    if args.json:
        told = [
            {
                "name": tool.name,
                "source": tool.source,
                "toolset": tool.toolset,
                "effect": tool.effect,
                "enabled": tool.enabled,
                "description": tool.description,
            }
            for tool in found
        ]
        print(json.dumps(told, ensure_ascii=False))
        return OK
    for tool in found:
        state = "" if tool.enabled else "  (off)"
        about = " ".join(tool.description.split())[:80]
        print(f"{tool.name}  {tool.effect}  {tool.source}:{tool.toolset}{state}  {about}")
    if not found:
        print("There are no tools.")
    return OK


async def _call(app: "App", args: argparse.Namespace, given: dict[str, Any]) -> int:
    module: Any = lazy("bot.tools.gate")
    context = operator(args.role)
    call = lazy("bot.domain.message").ToolCall("cli", args.name, given)
    weighed: Any = await app.gate.weigh(call, context)
    if not isinstance(weighed, module.Weighed):
        error = InputError if weighed.mendable else Denied
        raise error(one_line(weighed.result.text))
    if weighed.verdict.decision == "ask" and not (args.yes or await asyncio.to_thread(_agrees, weighed)):
        raise Denied(
            f"{args.name} needs approval: {weighed.verdict.reason}",
            hint="--yes approves it; nothing was done",
        )
    result = await app.gate.do(weighed, context)
    print(
        lazy("bot.tools.results").unwrapped(result.text), file=sys.stderr if result.is_error else sys.stdout
    )
    return FAILED if result.is_error else OK


def _agrees(weighed: "Weighed") -> bool:
    """Ask the operator, where there is a terminal to ask at."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    arguments = json.dumps(dict(weighed.arguments), ensure_ascii=False, indent=2)
    print(
        f"{weighed.tool.name} ({weighed.verdict.reason})\n{arguments}\nDo it? [y/N] ", end="", file=sys.stderr
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def one_line(told: str) -> str:
    """What a model is told over several lines, in one for a person."""
    first, *more = told.splitlines() or [""]
    return f"{first} {'; '.join(more)}".rstrip()


def read_object(text: str) -> dict[str, Any]:
    """A JSON object from the command line; `InputError` for anything else."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InputError(
            f"the arguments are no JSON: {error}", hint="""as in '{"text": "hello"}'"""
        ) from None
    except RecursionError:
        raise InputError("the arguments are nested too deeply") from None
    if not isinstance(value, dict):
        raise InputError("the arguments are no JSON object", hint="""as in '{"text": "hello"}'""")
    return value


def operator(role: str, *, conversation: str = "terminal:operator", private: bool = True) -> Any:
    """The operator at this machine, in a role."""
    module = lazy("bot.domain.tool")
    run = lazy("bot.runs.queue").new_id("turn")
    return module.RunContext(run, conversation, "terminal:operator", role=role, is_private=private)
