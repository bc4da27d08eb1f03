"""`xiaomaolv skills ls` and `show`: what there is, and what one skill says."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from bot.cli import OK, Subparsers, add_config_option, lazy
from bot.cli.skills.opening import named, open_shelf
from bot.text.clean import clean

if TYPE_CHECKING:
    from skills.shelf import Kept


def add(verbs: Subparsers) -> None:
    ls = verbs.add_parser("ls", help="list skills", description="List the skills and whether they are used.")
    ls.add_argument("--dir", metavar="D", help="only the skills below this folder")
    ls.add_argument("--json", action="store_true", help="print one JSON array")
    ls.add_argument(
        "--errors", action="store_true", help="only the files that could not be taken as they are"
    )
    add_config_option(ls)
    show = verbs.add_parser("show", help="show a skill", description="Show a skill as the model gets it.")
    show.add_argument("name", metavar="NAME")
    show.add_argument("--dir", metavar="D", help="look below this folder only")
    show.add_argument("--json", action="store_true", help="print one JSON object")
    add_config_option(show)


def run(args: argparse.Namespace) -> int:
    shelf = open_shelf(args)
    if args.verb == "show":
        _show(named(shelf, args.name), as_json=args.json)
        return OK
    if not args.errors:
        items = [_record(kept) for kept in shelf.kept.values()]
        if args.json:
            print(json.dumps(items, ensure_ascii=False, indent=2))
        else:
            for item in items:
                print(f"{item['name']:24} {item['state']:12} {item['scope']:8} {item['description'][:80]}")
    for fault in shelf.faults:
        print(fault, file=sys.stdout if args.errors else sys.stderr)
    return OK


def _record(kept: "Kept") -> dict[str, Any]:
    skill = kept.skill
    return {
        "name": skill.name,
        "description": skill.description,
        "version": skill.version,
        "scope": kept.scope,
        "mode": skill.mode,
        "state": kept.state,
        "enabled": kept.state == "ready",
        "reasons": list(kept.against),
        "trust": skill.trust,
        "allowed_tools": None if skill.allowed_tools is None else list(skill.allowed_tools),
        "triggers": [{"type": t.kind, "pattern": t.pattern} for t in skill.triggers],
        "path": clean(str(skill.folder)),  # a name of a folder may be no text at all
        "digest": skill.digest,
        "source": kept.entry.source_ref,
    }


def _show(kept: "Kept", *, as_json: bool) -> None:
    body = lazy("skills.shown").shown(kept.skill.body)
    record = _record(kept)
    if as_json:
        print(json.dumps({**record, "body": body}, ensure_ascii=False, indent=2))
        return
    for key, value in record.items():
        if value not in ("", [], None):
            print(f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
    print()
    print(body)
