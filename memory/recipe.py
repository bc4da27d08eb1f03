"""What a recall does to a question, each step of which was measured; see `docs/memory.md`.

The defaults are what the product does. Others are for taking a step out and measuring without it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """The steps of a recall and their weights."""

    forms: bool = True  # "buy" finds "bought"
    # A word said a little before or after counts for a memory, less the further away it was said.
    before: tuple[float, ...] = (0.5, 0.4, 0.3, 0.2, 0.1)
    after: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    answers: float = 0.9  # of the message just before, where it asks: this one probably answers it
    named: float = 1.6  # by which the memories of a speaker who is named count more
    nameless: bool = True  # such a name is not searched for: it tells who spoke, not what was said
    asking: float = 0.8  # by which a memory that ends with a question counts less
    superseded: float = 0.6  # by which what a newer fact closed counts less, but for questions on the past
    words: float = 0.5  # the share of words in the order; the rest is that of meaning
    rank_fusion: int = 0  # the constant of reciprocal rank fusion; 0 fuses the scores themselves
    in_time: float = 1.3  # by which the memories of a time that is named count more


RECIPE = Recipe()
