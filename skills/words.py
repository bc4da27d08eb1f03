"""What a text is about, as terms that can be compared: word stems, and notions that many words name.

The notions (`concepts.txt`) bring "幻灯片" to "slide deck" and "reply to my landlord" to "email" without a
model. `common.txt` tells how many of 199 unrelated tools people asked for with a word: "help" of most,
"earthquake" of one; so a word that says little counts little, whatever catalogue it is compared with.
"""

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from bot.text.forms import forms
from bot.text.tokens import fold, is_stop_word, segments, words

NOTION = "~"  # the first sign of a term that is a notion, not a word
_ENDINGS = (
    "ational", "ization", "ations", "ingly", "ation", "ments", "ings", "ment", "edly", "ies", "ing", "ers",
    "est", "ed", "es", "er", "ly", "s",
)  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_|-")
_LITTLE = frozenset({"let", "may", "us", "it", "mean"})  # stems of other words too ("letter")
_LONGEST = 8  # signs of a term in a script without spaces
_TOOLS = 199  # which `common.txt` was counted over
_UNHEARD = 0.6  # of a tool: what a word counts as that nobody used


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its English ending, roughly: the same for `design`, `designs` and `designing`."""
    if not word.isascii() or len(word) < 4:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


@dataclass(frozen=True, slots=True)
class Notions:
    """The table of notions, to be looked up by words or by runs of signs."""

    by_word: dict[str, tuple[str, ...]]
    by_phrase: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    by_signs: dict[str, tuple[str, ...]]


@cache
def notions() -> Notions:
    """The packaged table; read once."""
    table = resources.files("skills").joinpath("concepts.txt").read_text("utf-8")
    by_word: dict[str, list[str]] = {}
    by_phrase: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    by_signs: dict[str, list[str]] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        terms = [term.strip() for term in line.split(",")]
        name = NOTION + terms[0]
        for term in terms[1:] if "-" in terms[0] else terms:
            if any(segment.cjk for segment in segments(term)):
                by_signs.setdefault(fold(term), []).append(name)
                continue
            phrase = tuple(stem(word) for word in words(term))
            if len(phrase) == 1:
                by_word.setdefault(phrase[0], []).append(name)
            elif phrase:
                by_phrase.setdefault(phrase[0], []).append((phrase, name))
    return Notions(
        {key: tuple(names) for key, names in by_word.items()},
        {key: tuple(found) for key, found in by_phrase.items()},
        {key: tuple(names) for key, names in by_signs.items()},
    )


@cache
def _common() -> dict[str, int]:
    table = resources.files("skills").joinpath("common.txt").read_text("utf-8")
    pairs = (line.split() for line in table.splitlines() if not line.startswith("#"))
    return {word: int(count) for word, count in pairs}


def weight(term: str) -> float:
    """How much a term says of a subject: 1 for what nobody says by the way, towards 0 for what all say."""
    count = _common().get(term, _UNHEARD)
    return min(math.log(_TOOLS / (count + 0.4)) / math.log(_TOOLS), 1.0)


def terms(text: str) -> dict[str, float]:
    """The stems and notions of a text, with how often each occurs (a vague hit counts half)."""
    spaced = _CAMEL.sub(" ", text)
    counts: dict[str, float] = {}
    stems: list[str] = []
    for word in words(spaced):
        plain, known = stem(word), forms(word)
        first = stem(known[-1]) if known[1:] else plain
        stems.append(plain)
        if not is_stop_word(word):
            counts[first] = counts.get(first, 0.0) + 1
    for notion, share in _notions_in(fold(text), stems):
        counts[notion] = counts.get(notion, 0.0) + share
    return counts


def _notions_in(folded: str, stems: list[str]) -> list[tuple[str, float]]:
    table = notions()
    found = [(notion, 1.0) for word in stems for notion in table.by_word.get(word, ()) if word not in _LITTLE]
    for at, word in enumerate(stems):
        for phrase, notion in table.by_phrase.get(word, ()):
            if tuple(stems[at : at + len(phrase)]) == phrase:
                found.append((notion, 1.0))
    if not folded.isascii():
        found += _by_signs(folded, table.by_signs)
    return found


def _by_signs(folded: str, table: dict[str, tuple[str, ...]]) -> list[tuple[str, float]]:
    """Longest terms first at each place; a single sign is a vague hit, for it is part of many words."""
    found: list[tuple[str, float]] = []
    at = 0
    while at < len(folded):
        for length in range(min(_LONGEST, len(folded) - at), 0, -1):
            if names := table.get(folded[at : at + length]):
                found += [(name, 1.0 if length > 1 else 0.5) for name in names]
                at += length - 1
                break
        at += 1
    return found
