"""`xiaomaolv skills match`: which skills a message chooses, as the running bot would."""

import argparse
import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli import OK, Subparsers, add_config_option, lazy, read_environment, read_settings
from bot.cli.skills.lines import entries_of, text_of
from bot.cli.skills.opening import find_places, open_shelf
from bot.errors import InputError
from bot.text.clean import clean

if TYPE_CHECKING:
    from skills.match import Catalogue, Match
    from skills.meaning import Meant, Space
    from skills.shelf import Shelf

ANSWERS = 5  # for a catalogue


def add(verbs: Subparsers) -> None:
    verb = verbs.add_parser(
        "match",
        help="see which skills a message chooses",
        description="See which skills a message chooses. Triggers decide first, then words and meaning. "
        "With --catalog the five likeliest of its entries are told, whatever their scores.",
    )
    verb.add_argument("text", nargs="*", metavar="TEXT", help="the message")
    verb.add_argument(
        "--jsonl",
        action="store_true",
        help='read lines {"text"} from standard input, write {"skills": [{"name", "score"}], "ms"} for each',
    )
    source = verb.add_mutually_exclusive_group()
    source.add_argument("--dir", metavar="D", help="choose among the skills below this folder only")
    source.add_argument("--catalog", metavar="FILE", help='choose among lines {"name", "description"}')
    verb.add_argument("--explain", action="store_true", help="tell the reasons, and what came close")
    verb.add_argument("--words", action="store_true", help="go by words alone, without the embedder")
    add_config_option(verb)


def run(args: argparse.Namespace) -> int:
    if not args.jsonl and not args.text:
        raise InputError("there is no message", hint="xiaomaolv skills match --explain summarise this")
    asyncio.run(_match(args))
    return OK


async def _match(args: argparse.Namespace) -> None:
    settings = read_settings(args)
    async with AsyncExitStack() as stack:
        embedder: Any = None
        if not args.words:
            clock = lazy("bot.clock").SystemClock()
            embedder = lazy("bot.models.embed").build_embedder(
                settings, clock, environ=read_environment(args)
            )
        if embedder is not None:
            stack.push_async_callback(embedder.aclose)
        chooser = _Chooser(args, settings, embedder)
        await chooser.prepare()
        if not args.jsonl:
            _tell(await chooser.answer(clean(" ".join(args.text))), explain=args.explain)
            return
        for line in sys.stdin.buffer:
            try:
                answer = await chooser.answer(text_of(line))
            except InputError as error:
                answer = {"error": error.message, "skills": []}
            print(json.dumps(answer, ensure_ascii=False), flush=True)


class _Chooser:
    """Answers messages from a shelf of skills or a catalogue of descriptions."""

    def __init__(self, args: argparse.Namespace, settings: Any, embedder: Any) -> None:
        self._explain = args.explain
        self._embedder = embedder
        self._limits = lazy("skills.choice").Limits(
            settings.agent.skills_max_selected, settings.agent.skills_match_min_score
        )
        self._cache = find_places(args).cache
        self._shelf: Shelf | None = None if args.catalog else open_shelf(args)
        self._space: Space | None = None
        if self._shelf is None:
            entries = entries_of(Path(args.catalog))
            self._catalogue: Catalogue = lazy("skills.match").Catalogue(entries)
        else:
            self._catalogue = self._shelf.catalogue
            for fault in self._shelf.faults:
                print(fault, file=sys.stderr)

    async def prepare(self) -> None:
        """Embed what is chosen from; without a working embedder words decide alone.

        The first message waits for nothing that could be read before it.
        """
        self._found("-", None)
        if self._embedder is None or not self._catalogue.entries:
            return
        try:
            make = lazy("skills.meaning").space_of
            self._space = await make(self._catalogue.entries, self._embedder, self._cache)
            await self._embedder.embed(["-"], purpose="query")
        except lazy("bot.errors").Unavailable as error:
            print(f"by words alone: {error.message}", file=sys.stderr)
            self._embedder = None

    async def answer(self, text: str) -> dict[str, Any]:
        """The chosen skills and how long it took, in milliseconds."""
        began = time.perf_counter()
        meant = await self._meant(text)
        found = self._found(text, meant)
        ms = round((time.perf_counter() - began) * 1000, 2)
        answer: dict[str, Any] = {"skills": [self._item(match) for match in found], "ms": ms}
        if self._explain and self._shelf is not None:
            closest = lazy("skills.choice").scored(self._shelf, text, meant, explained=True)[:3]
            answer["closest"] = [self._item(match) for match in closest]
            answer["threshold"] = self._limits.min_score
        return answer

    async def _meant(self, text: str) -> "Meant | None":
        if self._embedder is None or self._space is None or not text.strip():
            return None
        if (
            self._shelf is not None
            and not self._explain
            and lazy("skills.choice").is_clear(self._shelf, text)
        ):
            return None
        (vector,) = await self._embedder.embed([text], purpose="query")
        return self._space.compare(vector, text)

    def _found(self, text: str, meant: "Meant | None") -> "list[Match]":
        if self._shelf is None:
            ranked: list[Match] = lazy("skills.match").best(self._catalogue, text, meant, ANSWERS)
            return ranked
        chosen: list[Match] = lazy("skills.choice").choose(
            self._shelf, text, meant, self._limits, explained=self._explain
        )
        return chosen

    def _item(self, match: "Match") -> dict[str, Any]:
        item: dict[str, Any] = {"name": match.name, "score": round(match.score, 4)}
        return {**item, "reasons": list(match.reasons)} if self._explain else item


def _tell(answer: dict[str, Any], *, explain: bool) -> None:
    for item in answer["skills"]:
        print(f"{item['name']:24} {item['score']:.2f}  {'; '.join(item.get('reasons', ()))}".rstrip())
    if not answer["skills"]:
        print("no skill")
    if explain and "closest" in answer:
        print(f"closest (chosen from {answer['threshold']} on):")
        for item in answer["closest"]:
            print(f"  {item['name']:22} {item['score']:.2f}  {'; '.join(item['reasons'])}".rstrip())
