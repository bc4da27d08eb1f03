"""`xiaomaolv mcp`: the MCP servers whose tools the bot may use, and the bot as a server itself."""

import argparse
from collections.abc import Sequence

from bot.cli import Subparsers, add_config_option, add_noun, run_verb
from bot.tools.mcp.entries import add_options, taken_apart

_VERBS = {
    "add": "bot.cli.mcp.registry",
    "rm": "bot.cli.mcp.registry",
    "ls": "bot.cli.mcp.looking",
    "test": "bot.cli.mcp.looking",
    "review": "bot.cli.mcp.approving",
    "approve": "bot.cli.mcp.approving",
    "block": "bot.cli.mcp.approving",
    "login": "bot.cli.mcp.logins",
    "logout": "bot.cli.mcp.logins",
    "serve": "bot.cli.mcp.serving",
}


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "mcp",
        help="manage MCP servers",
        description="Manage the MCP servers whose tools the bot may use. A running bot notices by itself.",
    )
    _add_registry(verbs)
    _add_looking(verbs)
    _add_approving(verbs)
    _add_logins(verbs)
    _add_serving(verbs)


def run(args: argparse.Namespace) -> int:
    return run_verb(args, _VERBS)


def prepared(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """See `entries.taken_apart`."""
    return taken_apart(argv)


def _add_registry(verbs: Subparsers) -> None:
    adding = verbs.add_parser(
        "add",
        help="register a server",
        usage="xiaomaolv mcp add NAME [options] [-- CMD ARGS ...]",
        description="Register a server: a program (stdio), or an address (http or sse). One of the same name "
        "in the same registry is replaced.",
    )
    adding.add_argument("name", metavar="NAME", help="letters, digits, dots, dashes, underscores")
    add_options(adding)
    adding.add_argument("--debug", action="store_true", help="show tracebacks")
    removing = verbs.add_parser("rm", help="take a server out of the registries")
    removing.add_argument("name", metavar="NAME")
    removing.add_argument(
        "--scope", choices=("all", "user", "project"), default="all", help="which registry (all)"
    )
    add_config_option(removing)


def _add_looking(verbs: Subparsers) -> None:
    listing = verbs.add_parser("ls", help="the servers, and how they were when last heard of")
    listing.add_argument(
        "--scope", choices=("merged", "user", "project"), default="merged", help="which registry (merged)"
    )
    listing.add_argument("--json", action="store_true", help="as JSON")
    add_config_option(listing)
    testing = verbs.add_parser(
        "test",
        help="connect to a server and list its tools",
        description="Connect, list, and close.",
    )
    testing.add_argument("name", metavar="NAME")
    testing.add_argument("--json", action="store_true", help="as JSON")
    add_config_option(testing)


def _add_approving(verbs: Subparsers) -> None:
    reviewing = verbs.add_parser("review", help="tools that wait for approval, and what changed of them")
    reviewing.add_argument("name", metavar="NAME", nargs="?", default="", help="only of this server")
    reviewing.add_argument("--all", action="store_true", help="the others as well")
    reviewing.add_argument("--json", action="store_true", help="as JSON")
    add_config_option(reviewing)
    approving = verbs.add_parser("approve", help="approve tools of a server as they are now")
    approving.add_argument("name", metavar="NAME")
    approving.add_argument("tools", metavar="TOOL", nargs="*", help="without any: all that wait")
    add_config_option(approving)
    blocking = verbs.add_parser("block", help="hide tools of a server until they are approved")
    blocking.add_argument("name", metavar="NAME")
    blocking.add_argument("tools", metavar="TOOL", nargs="+")
    add_config_option(blocking)


def _add_logins(verbs: Subparsers) -> None:
    login = verbs.add_parser(
        "login",
        help="log in at a remote server",
        description="Log in at a remote server by OAuth: open the address that is printed, in a browser on "
        "this machine. Without one, paste the address that the browser was sent to.",
    )
    login.add_argument("name", metavar="NAME")
    login.add_argument("--port", type=int, default=0, metavar="N", help="of the address to come back to")
    login.add_argument("--paste", action="store_true", help="read that address from standard input")
    add_config_option(login)
    logout = verbs.add_parser("logout", help="forget the login at a remote server")
    logout.add_argument("name", metavar="NAME")
    add_config_option(logout)


def _add_serving(verbs: Subparsers) -> None:
    serving = verbs.add_parser(
        "serve",
        help="be an MCP server for other agents",
        description="Let other agents search the memory of one person, send them messages, and keep their "
        "reminders: over standard input and output, or over streamable HTTP with channels.http.api_tokens.",
    )
    serving.add_argument("--person", required=True, metavar="WHO", help="for whom, as in telegram:42")
    serving.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp")
    serving.add_argument("--host", default="127.0.0.1", metavar="H", help="address to serve on (127.0.0.1)")
    serving.add_argument("--port", type=int, default=8765, metavar="N", help="port to serve on (8765)")
    add_config_option(serving)
