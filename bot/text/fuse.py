"""Reciprocal rank fusion: one ranking from several whose scores cannot be compared."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def reciprocal_rank(
    rankings: Sequence[Sequence[Key]], *, k: int = 60, weights: Sequence[float] | None = None
) -> dict[Key, float]:
    """The fused score of each key, highest first: the sum of weight / (k + rank) over the rankings.

    Ranks count from 1. A small `k` lets the first places count more, a large one rewards what stands
    in several rankings. A key that stands twice in one ranking counts once, at its better place.
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
