"""`xiaomaolv memory list|stats|export|forget`: what is kept, for who runs the bot."""

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

from bot.cli import FAILED, OK, Subparsers, lazy
from bot.cli.memory.opening import Opened, add_db_option, opened
from bot.errors import InputError

if TYPE_CHECKING:
    from memory.own import Whose

PAGE = 500
SHOWN = 10  # of what would be forgotten


def add(verbs: Subparsers) -> None:
    """The verbs; each takes `--person` or `--scope`, `forget` needs one."""
    listing = verbs.add_parser("list", help="what is kept", description="List memories, the latest first.")
    listing.add_argument("-n", type=int, default=50, metavar="N", help="at most so many (default: 50)")
    stats = verbs.add_parser("stats", help="how much is kept", description="Count what is kept.")
    export = verbs.add_parser(
        "export",
        help="write what is kept as JSON Lines",
        description="Write memories as JSON Lines, the oldest first.",
    )
    forget = verbs.add_parser(
        "forget",
        help="forget for good, after showing what goes",
        description="Show what would be forgotten; with --yes forget it, in every table, index and file.",
    )
    forget.add_argument("words", nargs="*", metavar="WORD", help="only what holds these words")
    forget.add_argument("--id", type=int, action="append", default=[], metavar="N", help="only this memory")
    forget.add_argument("--yes", action="store_true", help="do it, instead of only showing it")
    for verb in (listing, stats, export, forget):
        verb.add_argument("--person", metavar="ID", help="of one person, such as telegram:1")
        verb.add_argument(
            "--scope",
            metavar="SCOPE",
            help="of one scope, such as conversation:telegram:-100",
        )
        verb.add_argument("--json", action="store_true", help="print JSON")
        add_db_option(verb)


def run(args: argparse.Namespace) -> int:
    """Do what the verb says; 1 where `forget` finds nothing."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    keeping: Any = lazy("memory.keeping")
    async with opened(args) as memory:
        if args.scope is not None:
            args.scope = lazy("memory.importers.jsonl").scope_named(args.scope)
        which = keeping.Which(args.person, args.scope)
        match args.verb:
            case "stats":
                _tell(args, await memory.store.read(keeping.stats, which))
            case "list":
                listed = await memory.store.read(keeping.page, which, limit=args.n)
                _record(memory, "MemoryRead", hits=len(listed), mode="own", ms=0.0)
                for item in listed:
                    _tell(args, item)
            case "export":
                _record(memory, "MemoryExported", count=await _export(memory.store, which))
            case _:
                return await _forget(args, memory)
    return OK


async def _export(store: Any, which: Any) -> int:
    keeping: Any = lazy("memory.keeping")
    after = count = 0
    while page := await store.read(keeping.page, which, limit=PAGE, after=after):
        for item in page:
            print(_as_json(item))
        after = page[-1]["id"]
        count += len(page)
    return count


def _record(memory: Opened, name: str, **about: Any) -> None:
    """Note that who runs the bot looked, took or let go, as it is noted of people."""
    memory.events.record(getattr(lazy("bot.events.types"), name)(**about))


async def _forget(args: argparse.Namespace, memory: Any) -> int:
    if args.person is None and args.scope is None:
        raise InputError("say whose: --person ID or --scope SCOPE")
    forgetting: Any = lazy("bot.turn.forgetting")
    whose: Whose = lazy("memory.own").Whose(args.person or "", None, args.scope)
    if args.words:
        found = await memory.store.read(forgetting.find, whose, " ".join(args.words))
    elif args.id:
        found = await memory.store.read(forgetting.find_ids, whose, args.id)
    else:
        found = await memory.store.read(forgetting.find_everything, whose)
    if not args.yes:
        _preview(args, found)
        return OK if len(found) else FAILED
    everything = not args.words and not args.id
    selection = forgetting.Selection(everything=True) if everything else found.selection
    shelf = lazy("bot.tools.sets.build").shelf_of(memory.settings.tools)
    gone = await forgetting.forget_for_good(memory.store, shelf, whose, selection, memory.clock.now())
    about = {"memories": gone.memories, "messages": gone.messages, "everything": everything}
    _record(memory, "MemoryDeleted", **about)
    _tell(args, {"memories": gone.memories, "messages": gone.messages})
    return OK


def _preview(args: argparse.Namespace, found: Any) -> None:
    lines = [{"id": item.id, "at": item.at.isoformat(), "text": item.text} for item in found.memories]
    lines += [{"message": item.id, "at": item.at.isoformat(), "text": item.text} for item in found.messages]
    if args.json:
        print(json.dumps({"would_forget": lines}, ensure_ascii=False))
        return
    for line in lines[:SHOWN]:
        print(f"{line['at'][:10]}  {' '.join(str(line['text']).split())}")
    print(f"{len(lines)} entries would be forgotten, with the messages they come from and the answers.")
    if lines:
        print("Add --yes to forget them for good.", file=sys.stderr)


def _tell(args: argparse.Namespace, record: dict[str, Any]) -> None:
    if args.json:
        print(_as_json(record))
    elif "text" in record:
        name = record.get("name") or record["role"]
        print(f"#{record['id']}  {record['at'][:10]}  {record['scope']}  {name}: {record['text']}")
    else:
        print("\n".join(f"{name}: {value}" for name, value in record.items()))


def _as_json(record: dict[str, Any]) -> str:
    # Half a surrogate pair is in no encoding.
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode()
