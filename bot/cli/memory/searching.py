"""`xiaomaolv memory search`: what a question brings back, as the running bot would find it."""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.cli import OK, Subparsers, lazy
from bot.cli.memory.opening import Opened, add_db_option, opened
from bot.errors import InputError

if TYPE_CHECKING:
    from memory.recall import Recall
    from memory.record import Hit

DEFAULT_HITS = 8
MAX_HITS = 1_000


def add(verbs: Subparsers) -> None:
    verb = verbs.add_parser(
        "search",
        help="find memories for a question",
        description="Find the memories that belong to a question. No model is asked.",
    )
    verb.add_argument("query", nargs="*", metavar="QUERY", help="the question")
    verb.add_argument("-k", type=int, default=DEFAULT_HITS, metavar="N", help="hits at most (default: 8)")
    verb.add_argument("--scope", metavar="SCOPE", help="where to look; else everywhere")
    verb.add_argument(
        "--person", metavar="ID", help="look in what a person, such as telegram:1, said in private"
    )
    verb.add_argument("--min-score", type=float, default=0.0, metavar="S", help="leave out hits below it")
    verb.add_argument("--json", action="store_true", help="print the hits as one JSON object")
    verb.add_argument(
        "--jsonl",
        action="store_true",
        help='read lines {"query", "scope", "k"?, "now"?} from standard input and write '
        '{"hits": [{"id", "score", "text", "at"}], "ms"} for each',
    )
    add_db_option(verb)


def run(args: argparse.Namespace) -> int:
    if not args.jsonl and not args.query:
        raise InputError("there is nothing to look for", hint="xiaomaolv memory search where do I live")
    asyncio.run(_search(args))
    return OK


async def _search(args: argparse.Namespace) -> None:
    async with opened(args) as memory:
        recall = await _recall(memory, args.min_score)
        if args.jsonl:
            await _answer_lines(memory, recall, args.k)
            return
        question = {"query": " ".join(args.query), "k": args.k}
        scopes = await _scopes(memory, args)
        hits, ms = await _answer(memory, recall, question, scopes)
        print(json.dumps(_as_record(hits, ms), ensure_ascii=False) if args.json else _as_text(hits))


async def _recall(memory: Opened, min_score: float) -> "Recall":
    """The recall of the running bot, ready to go: as many hits as are asked for, in full."""
    settings = memory.settings.memory.model_copy(
        update={"hybrid_min_score": min_score, "hybrid_memory_snippet_max_chars": 1_000_000}
    )
    recall: Recall = lazy("memory.recall").Recall(memory.store, settings, memory.embedder)
    if memory.embedder is not None:
        await memory.embedder.prepare()
        await memory.embedder.embed(["-"], purpose="query")
    return recall


async def _scopes(memory: Opened, args: argparse.Namespace) -> tuple[str, ...]:
    if args.scope is not None:
        return _named(args.scope)
    if args.person is not None:
        return (f"person:{args.person}",)
    found: tuple[str, ...] = await memory.store.read(lazy("memory.recall").scopes)
    return found


def _named(scope: str) -> tuple[str, ...]:
    return (lazy("memory.importers.jsonl").scope_named(scope),)


async def _answer_lines(memory: Opened, recall: "Recall", default_k: int) -> None:
    """A line that cannot be read is answered with what is wrong with it."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        try:
            question = _question(line)
            found = await _answer(memory, recall, {"k": default_k} | question, _named(question["scope"]))
            answer = _as_record(*found)
        except InputError as error:
            answer = {"error": f"line {number}: {error.message}"}
        text = json.dumps(answer, ensure_ascii=False)
        # Half a surrogate pair, which JSON can write, is in no encoding.
        print(text.encode("utf-8", "replace").decode(), flush=True)


def _question(line: bytes) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a line of JSON: {error}") from error
    if not isinstance(question, dict):
        raise InputError("the line must be a JSON object")
    for name in ("query", "scope"):
        if not isinstance(question.get(name), str):
            raise InputError(f'"{name}" must be a string')
    return {name: value for name, value in question.items() if value is not None}


async def _answer(
    memory: Opened, recall: "Recall", question: dict[str, Any], scopes: tuple[str, ...]
) -> "tuple[Sequence[Hit], float]":
    """The hits, and the milliseconds from the question to them."""
    limit, now = question["k"], question.get("now")
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_HITS:
        raise InputError(f"k must be a whole number from 1 to {MAX_HITS}")
    if now is not None and not isinstance(now, str):
        raise InputError('"now" must be a string')
    jsonl: Any = lazy("memory.importers.jsonl")
    query = lazy("memory.record").RecallQuery(
        text=question["query"],
        scopes=scopes,
        now=memory.clock.now() if now is None else jsonl.moment(now, "now"),
        limit=limit,
    )
    begun = time.perf_counter()
    hits = await recall.recall(query)
    ms = (time.perf_counter() - begun) * 1000
    mode = "keyword" if memory.embedder is None else "hybrid"
    memory.events.record(lazy("bot.events.types").MemoryRead(hits=len(hits), mode=mode, ms=round(ms, 2)))
    return hits, ms


def _as_record(hits: "Sequence[Hit]", ms: float) -> dict[str, Any]:
    given_id = lazy("memory.importers.jsonl").given_id
    shown = [
        {
            "id": given_id(hit.source, hit.id),
            "score": hit.score,
            "text": hit.text,
            "at": hit.at.isoformat(),
        }
        for hit in hits
    ]
    return {"hits": shown, "ms": round(ms, 3)}


def _as_text(hits: "Sequence[Hit]") -> str:
    lines = [f"{hit.score:.2f}  {hit.at:%Y-%m-%d}, {hit.name or hit.role}: {hit.text}" for hit in hits]
    return "\n".join(lines) or "Nothing is remembered about that."
