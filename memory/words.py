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


# A place in its talk.
Stand = tuple[Sequence[Place], int]


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
    stands = {place.id: (talk, at) for talk in talks for at, place in enumerate(talk)}
    scores: dict[MemoryId, float] = {}
    told: dict[MemoryId, float] = {}
    for ids in found.of:
        held = [stands[key] for key in stands.keys() & ids]
        weight = _rarity(len(ids) * COLOURED, found.total)
        for key, count in _presence(held, recipe).items():
            scores[key] = scores.get(key, 0.0) + weight * count / (count + SATURATION)
        for key, share in _shares(held, recipe).items():
            told[key] = told.get(key, 0.0) + share * _rarity(len(ids), found.total)
    weights = sum(_rarity(len(ids) * COLOURED, found.total) for ids in found.of)
    whole = sum(_rarity(len(ids), found.total) for ids in found.of)
    return ByWords(places, _to_one(scores, weights), {key: one / whole for key, one in told.items()})


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


def _presence(held: Sequence[Stand], recipe: Recipe) -> dict[MemoryId, float]:
    """How often a term that is held at these places is said in and around each, counted with the weights."""
    counts: dict[MemoryId, float] = {}
    for talk, at in held:
        place = talk[at]
        counts[place.id] = counts.get(place.id, 0.0) + 1.0
        for step, weight in enumerate(recipe.before[: len(talk) - at - 1], start=1):
            answers = step == 1 and place.asks
            near = talk[at + step].id
            counts[near] = counts.get(near, 0.0) + (recipe.answers if answers else weight)
        for step, weight in enumerate(recipe.after[:at], start=1):
            near = talk[at - step].id
            counts[near] = counts.get(near, 0.0) + weight
    return counts


def _shares(held: Sequence[Stand], recipe: Recipe) -> dict[MemoryId, float]:
    """How far a term is held by each memory itself, or by the question that it answers. What else was
    said around it helps it to its place, but makes nothing relevant that is not."""
    answers = (talk[at + 1].id for talk, at in held if talk[at].asks and at + 1 < len(talk))
    return dict.fromkeys(answers, recipe.answers) | {talk[at].id: 1.0 for talk, at in held}


def _to_one(scores: dict[MemoryId, float], weights: float) -> dict[MemoryId, float]:
    top = max(max(scores.values(), default=0.0), FULL_SHARE * weights)
    return {key: score / top for key, score in scores.items()}
