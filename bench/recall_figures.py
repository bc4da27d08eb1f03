"""What the recall benchmarks share: an embedder that remembers, steps taken out, and shares found."""

import math
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from bot.config.memory import MemorySettings
from bot.domain.ports import Embedder
from bot.store.engine import Store
from memory.centred import Centred
from memory.recall import Recall
from memory.recipe import RECIPE, Recipe

AT = (5, 10, 20)

# Each row is the product without one step, or with something else in its place.
WITHOUT: Mapping[str, Recipe] = {
    "nothing said around a memory counts": replace(RECIPE, before=(0.0,), after=(0.0,), answers=0.0),
    "only the message before counts, as one of equal weight": replace(
        RECIPE, before=(1.0,), after=(0.0,), answers=1.0
    ),
    "an answer is no more than what follows anything": replace(RECIPE, answers=RECIPE.before[0]),
    "no irregular forms (bought for buy)": replace(RECIPE, forms=False),
    "names of speakers stay in the question": replace(RECIPE, nameless=False),
    "a named speaker counts no more": replace(RECIPE, named=1.0),
    "questions count as much as statements": replace(RECIPE, asking=1.0),
    "a named time counts no more": replace(RECIPE, in_time=1.0),
    "reciprocal ranks (k = 10) in place of scores": replace(RECIPE, rank_fusion=10),
    "reciprocal ranks (k = 60) in place of scores": replace(RECIPE, rank_fusion=60),
    "meaning alone": replace(RECIPE, words=0.0),
    "all of it out, reciprocal ranks (k = 60)": Recipe(
        forms=False, before=(0.0,), after=(0.0,), answers=0.0, named=1.0, nameless=False, asking=1.0,
        rank_fusion=60, in_time=1.0,
    ),
}  # fmt: skip


class Remembering:
    """An embedder that embeds no text twice: figures with a step left out cost no new vectors."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.known: dict[str, array[float]] = {}

    @property
    def model_id(self) -> str:
        return self._inner.model_id

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "passage"]
    ) -> "list[array[float]]":
        missing = [text for text in dict.fromkeys(texts) if text not in self.known]
        if missing:
            vectors = await self._inner.embed(missing, purpose=purpose)
            self.known.update(zip(missing, vectors, strict=True))
        return [self.known[text] for text in texts]

    def anticipate(self, text: str) -> None:
        """There is nothing to gain here."""


def measured_recall(
    store: Store, embedder: Centred | None, recipe: Recipe = RECIPE, *, words: bool = True
) -> Recall:
    """The recall of the product with its defaults, but for the threshold: figures count places."""
    settings = MemorySettings(hybrid_min_score=0.0, hybrid_keyword_topk=1_000, hybrid_keyword_enabled=words)
    return Recall(store, settings, embedder, embedding_limit_s=60, recipe=recipe)


async def shares_found(
    ask: Callable[[int], Awaitable[Sequence[str]]], wanted: Sequence[frozenset[str]]
) -> dict[int, list[float]]:
    """For each k the share of what is wanted among the first k of the answer, question by question."""
    found: dict[int, list[float]] = {k: [] for k in AT}
    for number, ids in enumerate(wanted):
        answer = await ask(number)
        for k in AT:
            found[k].append(len(ids.intersection(answer[:k])) / len(ids))
    return found


def line(name: str, found: Mapping[int, Sequence[float]]) -> str:
    """One row of a table."""
    means = " ".join(f"| {math.fsum(found[k]) / len(found[k]):.3f}" for k in AT)
    return f"| {name:<56} {means} |"


def heading(first: str) -> str:
    marks = " ".join(f"| @{k:<3} " for k in AT)
    return f"| {first:<56} {marks}|\n|{'-' * 58}{'|-------' * len(AT)}|"
