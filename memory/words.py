"""How far memories hold the words of a question, themselves and in what was said around them.

The score is BM25 without the length of the text: chat messages are short, and a long one is no worse
an answer. A term counts fully where the memory holds it and partly where its neighbours do; what was
said in several of them counts once more, but ever less.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from math import log

from sqlalchemy import Connection

from memory.index.base import Matches, MemoryIndex, Within
from memory.index.terms import asked_for
from memory.recipe import Recipe
from memory.record import MemoryId
from memory.talk import Place, around

HEADS = 40  # memories that hold most of the question, whose surroundings are looked at
SATURATION = 1.2  # k1 of BM25
# A term that stands in one message colours about so many, so it is more common than it seems.
COLOURED = 4
# The best score counts as full where it has this share of what all terms together could give.
FULL_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class ByWords:
    """What the words of a question found. `scores`: 0 to 1, to order by. `shares`: how much of what
    the question tells is held, 0 to 1, to judge by."""

    places: dict[MemoryId, Place] = field(default_factory=dict)
    scores: dict[MemoryId, float] = field(default_factory=dict)
    shares: dict[MemoryId, float] = field(default_factory=dict)

    def best(self, count: int) -> list[MemoryId]:
        """The first `count` in their order."""
        return nlargest(count, self.scores, key=lambda key: (self.scores[key], key))


def by_words(conn: Connection, index: MemoryIndex, text: str, within: Within, recipe: Recipe) -> ByWords:
    """The memories that hold most of the words of `text`, and those around them."""
    terms = asked_for(text, with_forms=recipe.forms)
    found = index.matches(conn, terms, within)
    heads = _heads(found)
    places, talks = around(conn, heads, len(recipe.after), len(recipe.before))
    rarity = [_rarity(len(ids), found.total) for ids in found.of]
    weights = [_rarity(len(ids) * COLOURED, found.total) for ids in found.of]
    scores: dict[MemoryId, float] = {}
    shares: dict[MemoryId, float] = {}
    for talk in talks:
        held = [_presence(talk, ids, recipe) for ids in found.of]
        for at, place in enumerate(talk):
            score = sum(
                weight * counts[at] / (counts[at] + SATURATION)
                for weight, counts in zip(weights, held, strict=True)
            )
            if score:
                scores[place.id] = score
                shares[place.id] = _share(talk, at, found, rarity, recipe)
    return ByWords(places, _to_one(scores, sum(weights)), shares)


def _share(talk: Sequence[Place], at: int, found: Matches, rarity: Sequence[float], recipe: Recipe) -> float:
    """How much of the question is held by a memory itself, or by the question that it answers. What
    else was said around it helps it to its place, but makes nothing relevant that is not."""
    asked = talk[at - 1].id if at and talk[at - 1].asks else None
    told = sum(
        one if talk[at].id in ids else one * recipe.answers if asked in ids else 0.0
        for one, ids in zip(rarity, found.of, strict=True)
    )
    return told / sum(rarity)


def _heads(found: Matches) -> list[MemoryId]:
    """The memories that hold most of the terms by their rarity; of equal ones the newest."""
    sums: dict[MemoryId, float] = {}
    for ids in found.of:
        rarity = _rarity(len(ids), found.total)
        for key in ids:
            sums[key] = sums.get(key, 0.0) + rarity
    return [key for _, key in nlargest(HEADS, zip(sums.values(), sums.keys(), strict=True))]


def _rarity(count: int, total: int) -> float:
    """The inverse document frequency of BM25."""
    count = min(count, int(total * 0.9))
    return log(1 + (total - count + 0.5) / (count + 0.5))


def _presence(talk: Sequence[Place], ids: frozenset[MemoryId], recipe: Recipe) -> list[float]:
    """How often a term is said in and around each place of a talk, counted with the weights."""
    counts = [0.0] * len(talk)
    for at, place in enumerate(talk):
        if place.id not in ids:
            continue
        counts[at] += 1.0
        for step, weight in enumerate(recipe.before, start=1):
            if at + step < len(talk):
                answered = step == 1 and place.asks
                counts[at + step] += recipe.answers if answered else weight
        for step, weight in enumerate(recipe.after, start=1):
            if at >= step:
                counts[at - step] += weight
    return counts


def _to_one(scores: dict[MemoryId, float], weights: float) -> dict[MemoryId, float]:
    top = max(max(scores.values(), default=0.0), FULL_SHARE * weights)
    return {key: score / top for key, score in scores.items()}
