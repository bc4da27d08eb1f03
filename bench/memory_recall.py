"""How long a recall takes over generated memories: by words, by vectors, and both, without embedding.

    python bench/memory_recall.py [--sizes 1000,10000,100000] [--scopes 1,100] [--rounds 60]

Times are medians in milliseconds, and ratios to a plain read of eight memories by their ids, which
makes figures of different machines comparable.
"""

import argparse
import asyncio
import functools
import random
import statistics
import tempfile
import time
from array import array
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Literal

import structlog

from bot.clock import SystemClock
from bot.config.memory import MemorySettings
from bot.store.engine import Store
from bot.store.open import open_store
from memory.index.base import Embedded
from memory.recall import Recall
from memory.record import MemoryDraft, MemoryId, RecallQuery, Scope
from memory.store import load, remember
from memory.vectors import put_vectors

DIMENSIONS = 384
WORDS = 20_000
SYLLABLES = tuple(a + b for a in "bdfgklmnprstvz" for b in "aeiou")
START = datetime(2026, 1, 1, tzinfo=UTC)
CHINESE = "天地人你我他山水火木金土日月星春夏秋冬东西南北上下左右大小多少高低长短红黄蓝白黑猫狗鱼鸟花草树"


class Generated:
    """An embedder whose vectors mean nothing and cost nothing."""

    model_id = "generated"
    dimensions = DIMENSIONS

    def anticipate(self, text: str) -> None:
        """Nothing: these vectors are made at once."""

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "passage"]
    ) -> "list[array[float]]":
        return [vector(random.Random(text)) for text in texts]


def vector(rng: random.Random) -> "array[float]":
    numbers = [rng.gauss(0, 1) for _ in range(DIMENSIONS)]
    length = sqrt(sum(x * x for x in numbers))
    return array("f", (x / length for x in numbers))


def word(number: int) -> str:
    """The pronounceable word of a number."""
    syllables: list[str] = []
    while number or not syllables:
        number, digit = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[digit])
    return "".join(syllables) + "o"


def sentence(rng: random.Random, count: int) -> str:
    """Words as often as people use them beyond the stop words, and now and then some Chinese.

    The commonest word stands in about a sixth of the memories.
    """
    words = [word(min(WORDS, int(60 * (rng.paretovariate(0.7) - 1)))) for _ in range(count)]
    if rng.random() < 0.2:
        words.append("".join(rng.choices(CHINESE, k=8)))
    return " ".join(words)


async def fill(store: Store, size: int, scopes: int) -> None:
    rng = random.Random(size)
    pool = [vector(rng) for _ in range(2_000)]
    for first in range(0, size, 1_000):
        drafts = [
            MemoryDraft(
                scope=Scope(f"person:bench:{number % scopes}"),
                role="user",
                text=sentence(rng, rng.randint(5, 30)),
                at=START + timedelta(minutes=number / 10),
                name="Ann",
                source="bench",
            )
            for number in range(first, min(size, first + 1_000))
        ]
        ids = await store.write(remember, drafts, START)
        rows = [
            Embedded(key, draft.scope, draft.at, rng.choice(pool))
            for key, draft in zip(ids, drafts, strict=True)
        ]
        await store.write(put_vectors, Generated.model_id, rows)


async def median_ms(call: Callable[[int], Awaitable[object]], rounds: int) -> tuple[float, float]:
    """The median and the 95th percentile of `call`, in milliseconds."""
    times = []
    for number in range(rounds):
        begun = time.perf_counter()
        await call(number)
        times.append((time.perf_counter() - begun) * 1_000)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


async def ask(recall: Recall, questions: Sequence[RecallQuery], number: int) -> None:
    await recall.recall(questions[number])


async def measure(size: int, scopes: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder)}/bench.db", SystemClock())
        begun = time.perf_counter()
        await fill(store, size, scopes)
        filled_us = (time.perf_counter() - begun) / size * 1e6
        rng = random.Random(1)
        questions = [
            RecallQuery(
                f"do you remember what I said about {sentence(rng, 4)}",
                (Scope(f"person:bench:{rng.randrange(scopes)}"),),
                START + timedelta(days=7),
            )
            for _ in range(rounds)
        ]
        ids = [MemoryId(rng.randint(1, size)) for _ in range(8)]
        plain, _ = await median_ms(lambda _: store.read(load, ids), rounds)
        settings = MemorySettings(hybrid_min_score=0.0)
        ways = {
            "words": Recall(store, settings),
            "vectors": Recall(
                store, settings.model_copy(update={"hybrid_keyword_enabled": False}), Generated()
            ),
            "both": Recall(store, settings, Generated()),
        }
        embedding, _ = await median_ms(
            lambda n: Generated().embed([questions[n].text], purpose="query"), rounds
        )
        head = f"{size:>7} memories in {scopes} scopes"
        print(f"{head}, kept at {filled_us:.0f} µs each; plain read {plain:.2f} ms")
        for name, recall in ways.items():
            asked = functools.partial(ask, recall, questions)
            middle, tail = await median_ms(asked, rounds)
            off = 0.0 if name == "words" else embedding
            middle, tail = middle - off, tail - off
            print(f"    {name:<8} {middle:6.2f} ms (p95 {tail:6.2f})   x{middle / plain:5.1f}")
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--scopes", default="1,100")
    parser.add_argument("--rounds", type=int, default=60)
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    for size in map(int, arguments.sizes.split(",")):
        for scopes in map(int, arguments.scopes.split(",")):
            asyncio.run(measure(size, scopes, arguments.rounds))


if __name__ == "__main__":
    main()
