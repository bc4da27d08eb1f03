"""`xiaomaolv memory import`: keep what was said elsewhere."""

import argparse
import asyncio
import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from typing import Any, BinaryIO

from bot.cli import FAILED, OK, Subparsers, lazy
from bot.cli.memory.opening import Opened, add_db_option, opened
from bot.errors import InputError

BATCH = 500
SHOWN_REFUSALS = 20


def add(verbs: Subparsers) -> None:
    verb = verbs.add_parser(
        "import",
        help="bring in JSON Lines, or an export of Telegram, ChatGPT or Claude, or notes",
        description="Keep the messages of an export (JSON or ZIP), the paragraphs of notes in Markdown, or "
        'lines {"id", "scope", "speaker", "text", "at"}: `id` free text, `scope` free text '
        "that isolates, `at` an ISO 8601 time. Prints a JSON summary last; lines that cannot be read are "
        "told on standard error and make the exit code 1.",
    )
    verb.add_argument("file", metavar="FILE", help="the file; - for JSON Lines on standard input")
    verb.add_argument(
        "--from",
        dest="kind",
        choices=("telegram", "chatgpt", "claude", "markdown", "jsonl"),
        help="its format; else found out from the file",
    )
    verb.add_argument("--person", metavar="ID", help="of exports: whose it becomes, such as telegram:1")
    verb.add_argument("--scope", metavar="SCOPE", help="of exports: the scope it is kept in")
    verb.add_argument(
        "--workspace",
        choices=("workspace", "public"),
        help="for everybody: told in private chats (workspace), or in groups as well (public)",
    )
    add_db_option(verb)


def run(args: argparse.Namespace) -> int:
    with ExitStack() as stack:
        lines = _open(args.file, stack)
        summary = asyncio.run(_import(args, lines))
    print(json.dumps(summary, ensure_ascii=False))
    return FAILED if summary["refused"] else OK


def _open(name: str, stack: ExitStack) -> BinaryIO:
    if name == "-":
        return sys.stdin.buffer
    try:
        return stack.enter_context(open(name, "rb"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from error


async def _import(args: argparse.Namespace, lines: BinaryIO) -> dict[str, Any]:
    jsonl = lazy("memory.importers.jsonl")
    async with opened(args) as memory:
        kept, refusals = jsonl.Kept(), []
        read = _reader(args, lines, memory.clock.now())
        while batch := list(islice(read, BATCH)):
            for item in batch:
                if isinstance(item, jsonl.Refused):
                    refusals.append(item)
                    _tell(args.file, item, len(refusals))
            drafts = _placed(args, [item for item in batch if not isinstance(item, jsonl.Refused)])
            kept += await memory.store.write(jsonl.keep, drafts, memory.clock.now())
            _progress(f"read {kept.new + kept.replaced + kept.unchanged} memories")
        if kept.new or kept.replaced:
            written = lazy("bot.events.types").MemoryWritten
            memory.events.record(written(count=kept.new + kept.replaced))
        indexed = await _index(memory)
        _progress("")
    return {
        "imported": kept.new,
        "replaced": kept.replaced,
        "unchanged": kept.unchanged,
        "refused": len(refusals),
        "indexed": indexed,
        "errors": [{"line": item.line, "error": item.reason} for item in refusals[:SHOWN_REFUSALS]],
    }


def _placed(args: argparse.Namespace, drafts: list[Any]) -> list[Any]:
    """The drafts, for everybody where that is wanted."""
    if args.workspace is None:
        return drafts
    scope = lazy("memory.record").WORKSPACE
    return [replace(draft, scope=scope, visibility=args.workspace) for draft in drafts]


def _reader(args: argparse.Namespace, lines: BinaryIO, now: Any) -> Any:
    """What the file holds, whatever its format."""
    jsonl, exports = lazy("memory.importers.jsonl"), lazy("memory.importers.exports")
    named = args.file == "-" or args.file.lower().endswith((".jsonl", ".ndjson"))
    if args.kind == "jsonl" or (args.kind is None and named):
        return jsonl.read(lines, now)
    data = exports.unpacked(lines.read(exports.MAX_BYTES + 1), args.file)
    kind = args.kind or exports.detect(data, args.file)
    if kind == "jsonl":
        return jsonl.read(data.splitlines(), now)
    scope = None if args.scope is None else jsonl.scope_named(args.scope)
    return exports.read(data, kind, args.file, exports.Into(now, args.person, scope))


async def _index(memory: Opened) -> int:
    """Give everything its vector, where there is an embedder; else words serve."""
    if memory.embedder is None:
        return 0
    indexer = lazy("memory.indexer").Indexer(memory.store, memory.embedder, memory.clock)
    done: int = await indexer.catch_up(lambda count, left: _progress(f"vectors: {count}, {left} to go"))
    return done


def _tell(file: str, refused: Any, count: int) -> None:
    if count <= SHOWN_REFUSALS:
        print(f"{file}:{refused.line}: {refused.reason}", file=sys.stderr)
    elif count == SHOWN_REFUSALS + 1:
        print("further lines like these are only counted", file=sys.stderr)


def _progress(text: str) -> None:
    """One line on a terminal, written over again and again."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
