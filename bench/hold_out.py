"""Weights chosen without the conversation they are measured on: each is held out once.

For each conversation the weights begin with every step off, and one after the other takes the value that
finds most at 10 in the other conversations. What is then found in the one held out has no part in the
choice. The steps themselves were thought up with all of them in view, which this cannot undo.
"""

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.recall_figures import AT, heading, line
from memory.recipe import Recipe

CHOSEN_AT = 10
Found = Mapping[int, Sequence[float]]  # for each k the share found, question by question

NOTHING = Recipe(
    forms=False, before=(0.0,), after=(0.0,), answers=0.0, named=1.0, nameless=False, asking=1.0, in_time=1.0
)
# In this order; the first value of each is that of `NOTHING`.
CHOICES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "forms": [{}, {"forms": True}],
    "surroundings": [
        {},
        {"before": (0.5,), "after": (), "answers": 0.5},
        {"before": (0.5, 0.25), "after": (0.25,), "answers": 0.5},
        {"before": (0.5, 0.4, 0.3, 0.2, 0.1), "after": (0.4, 0.3, 0.2, 0.1), "answers": 0.5},
        {"before": (0.8, 0.6, 0.4, 0.2), "after": (0.6, 0.4, 0.2), "answers": 0.8},
    ],
    "answers": [{}, {"answers": 0.7}, {"answers": 0.9}],
    "names": [{}, {"nameless": True, "named": 1.3}, {"nameless": True, "named": 1.6}, {"named": 2.0}],
    "asking": [{}, {"asking": 0.9}, {"asking": 0.8}, {"asking": 0.6}],
    "time": [{}, {"in_time": 1.3}, {"in_time": 1.6}],
    "words": [{}, {"words": 0.4}, {"words": 0.6}],
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen without one conversation."""

    held_out: str
    recipe: Recipe


class Measured:
    """What recipes find, each measured once. `group_of` tells the conversation of each question."""

    def __init__(self, ask: Callable[[Recipe], Awaitable[Found]], group_of: Sequence[str]) -> None:
        self._ask = ask
        self.group_of = group_of
        self._known: dict[Recipe, Found] = {}

    async def found(self, recipe: Recipe) -> Found:
        """All that a recipe finds."""
        if recipe not in self._known:
            self._known[recipe] = await self._ask(recipe)
        return self._known[recipe]

    async def without(self, recipe: Recipe, held_out: str) -> float:
        """The mean share found in all other conversations."""
        shares = (await self.found(recipe))[CHOSEN_AT]
        kept = [share for share, group in zip(shares, self.group_of, strict=True) if group != held_out]
        return math.fsum(kept) / len(kept)


async def choose(measured: Measured, held_out: str) -> Recipe:
    """The weights that find most without a conversation; of equal ones the first."""
    recipe = NOTHING
    for values in CHOICES.values():
        variants = [replace(recipe, **value) for value in values]
        scores = [await measured.without(variant, held_out) for variant in variants]
        recipe = variants[max(range(len(variants)), key=lambda at: (scores[at], -at))]
    return recipe


async def held_out_figures(measured: Measured) -> tuple[list[Choice], dict[int, list[float]]]:
    """What each conversation's questions find by the weights chosen without it."""
    choices: list[Choice] = []
    total: dict[int, list[float]] = {k: [] for k in AT}
    for group in dict.fromkeys(measured.group_of):
        recipe = await choose(measured, group)
        choices.append(Choice(group, recipe))
        found = await measured.found(recipe)
        for at, of in enumerate(measured.group_of):
            if of == group:
                for k in AT:
                    total[k].append(found[k][at])
    return choices, total


async def report(measured: Measured, product: Found) -> None:
    """Print the figure beside the product's, and what was chosen."""
    choices, total = await held_out_figures(measured)
    print(heading("LoCoMo, evidence found"))
    print(line("the weights of the product", product))
    print(line("weights chosen without the conversation", total))
    print()
    for choice in choices:
        changed = {
            name: getattr(choice.recipe, name)
            for name in (
                "before",
                "after",
                "answers",
                "named",
                "nameless",
                "asking",
                "in_time",
                "words",
                "forms",
            )
        }
        print(f"{choice.held_out}: {changed}", flush=True)
