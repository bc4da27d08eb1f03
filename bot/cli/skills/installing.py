"""`xiaomaolv skills install`, `update` and `search`: skills of others, shown before they are kept."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from bot.cli import FAILED, OK, Subparsers, add_config_option, lazy, read_environment, read_settings
from bot.cli.skills.opening import find_places
from bot.errors import InputError

if TYPE_CHECKING:
    from skills.sources import Download, Listed

INDEX_VARIABLE = "XIAOMAOLV_SKILLS_TEAM_INDEX_URL"
MODES = ("semantic", "always", "manual", "off")


def add(verbs: Subparsers) -> None:
    install = verbs.add_parser(
        "install",
        help="install a skill",
        description="Install a skill from a folder, a zip archive, the address of one, a git repository"
        f" (https://…#FOLDER), or by its id in the index that {INDEX_VARIABLE} names. What it may do is shown"
        " first, and then asked.",
    )
    install.add_argument("source", metavar="SOURCE", help="PATH, URL or ID")
    install.add_argument("--name", default="", help="which, where the source has several")
    install.add_argument("--scope", choices=("user", "project"), default="user", help="for you, or here only")
    install.add_argument("--mode", choices=MODES, help="how it is chosen; else as it says itself")
    install.add_argument("--yes", action="store_true", help="do not ask")
    update = verbs.add_parser(
        "update", help="install a skill again", description="Bring a skill again from where it came from."
    )
    update.add_argument("name", metavar="NAME")
    update.add_argument("--yes", action="store_true", help="do not ask")
    search = verbs.add_parser(
        "search",
        help="search for skills",
        description="Search the skills that come with the product (official) and the index that"
        f" {INDEX_VARIABLE} names (team).",
    )
    search.add_argument("query", nargs="+", metavar="QUERY")
    search.add_argument("--top", type=_count, default=10, metavar="N", help="answers at most (default: 10)")
    search.add_argument("--index", choices=("official", "team", "all"), default="all", help="default: all")
    for command in (install, update, search):
        add_config_option(command)


def run(args: argparse.Namespace) -> int:
    match args.verb:
        case "search":
            return _search(args)
        case "update":
            return _update(args)
        case _:
            return _install(args, args.source, args.scope, args.name, args.mode)


def _update(args: argparse.Namespace) -> int:
    places = find_places(args)
    for place in (places.project, places.user):
        entry = lazy("skills.registry").Registry(place.registry).read().get(args.name)
        if entry is not None and entry.source_ref:
            return _install(args, entry.source_ref, place.scope, "", entry.mode, only=args.name)
    raise InputError(f"{args.name} was not installed from anywhere")


def _install(
    args: argparse.Namespace, source: str, scope: str, name: str, mode: Any, *, only: str = ""
) -> int:
    offers, place = lazy("skills.offers"), find_places(args).of(scope)
    wanted = offers.Wanted(source, name, only)
    with offers.brought(wanted, place, _downloads(args), read_environment(args)) as (shown, brought):
        if shown.installed is not None and shown.installed.checksum_sha256 == shown.skill.digest:
            print(f"{shown.skill.name}: this is what is installed")
            return OK
        print("\n".join(shown.lines()))
        if not args.yes and not _agreed("replace" if shown.installed else "install"):
            print("nothing was done", file=sys.stderr)
            return FAILED
        now = lazy("bot.clock").SystemClock().now()
        print(f"installed in {lazy('skills.install').install(shown, brought, place, now, mode)}")
    return OK


def _agreed(verb: str) -> bool:
    if not sys.stdin.isatty():
        print("say --yes to agree where nobody can be asked", file=sys.stderr)
        return False
    return input(f"{verb} it? [y/N] ").strip().lower() in {"y", "yes"}


def _downloads(args: argparse.Namespace) -> "Download":
    """Downloads by the rules of the configuration, which is read when something is downloaded."""
    return _Downloads(args)


class _Downloads:
    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args

    def __call__(self, url: str, max_bytes: int) -> bytes:
        return self._made()(url, max_bytes)

    def judged(self, url: str) -> tuple[str, int, str]:
        return self._made().judged(url)

    def _made(self) -> "Download":
        made: Download = lazy("bot.tools.sets.downloads").Downloads(read_settings(self._args).tools)
        return made


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1000")
    return int(text)


def _entries(args: argparse.Namespace) -> "list[Listed]":
    """What is searched: the team's entry is shown where both have one of a name."""
    found: dict[str, Listed] = {}
    if args.index != "team":
        made = lazy("skills.sources").Listed
        library = lazy("skills.load").load([find_places(args).library])
        found = {
            name: made(name, name, skill.description, skill.version, keywords=(*skill.keywords, *skill.tags))
            for name, skill in library.skills.items()
        }
    if args.index != "official":
        index = lazy("skills.offers").index_of(read_environment(args), _downloads(args))
        if not index and args.index == "team":
            raise InputError("there is no index to search", hint=f"set {INDEX_VARIABLE}")
        found |= index
    return list(found.values())


def _search(args: argparse.Namespace) -> int:
    entries = _entries(args)
    catalogue = lazy("skills.match").Catalogue(
        [(entry.name, entry.description) for entry in entries], [" ".join(e.keywords) for e in entries]
    )
    scores = catalogue.by_words(" ".join(args.query))
    order = sorted(range(len(entries)), key=lambda at: -scores[at])[: args.top]
    for at in order:
        if scores[at] > 0:
            entry = entries[at]
            print(f"{entry.id:24} {entry.version:10} {entry.description[:80]}")
    return OK
