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
    by_signs: dict[str, tuple[tuple[str, tuple[str, ...]], ...]]  # by the first sign; the longest first


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
        _by_first_sign(by_signs),
    )


def _by_first_sign(names: dict[str, list[str]]) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for term in sorted(names, key=len, reverse=True):
        found.setdefault(term[0], []).append((term, tuple(names[term])))
    return {sign: tuple(terms) for sign, terms in found.items()}


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
        plain, counted = _stems(word)
        stems.append(plain)
        if counted:
            counts[counted] = counts.get(counted, 0.0) + 1
    for notion, share in _notions_in(fold(text), stems):
        counts[notion] = counts.get(notion, 0.0) + share
    return counts


@lru_cache(maxsize=4096)
def _stems(word: str) -> tuple[str, str]:
    """The stem of a word as it stands, and what it counts as: "" for what says nothing of a subject."""
    if is_stop_word(word):
        return stem(word), ""
    known = forms(word)
    return stem(word), stem(known[-1])


def _notions_in(folded: str, stems: list[str]) -> list[tuple[str, float]]:
    table = notions()
    found = [(notion, 1.0) for word in stems for notion in table.by_word.get(word, ()) if word not in _LITTLE]
    for at, word in enumerate(stems):
        for phrase, notion in table.by_phrase.get(word, ()):
            if tuple(stems[at : at + len(phrase)]) == phrase:
                found.append((notion, 1.0))
    if not folded.isascii():
        found += _by_signs(folded)
    return found


def _by_signs(folded: str) -> list[tuple[str, float]]:
    """The longest term at each place; a single sign is a vague hit, for it is part of many words."""
    table = notions().by_signs
    found: list[tuple[str, float]] = []
    end = 0
    for at, sign in enumerate(folded):
        if at < end or sign not in table:
            continue
        for term, names in table[sign]:
            if folded.startswith(term, at):
                found += [(name, 1.0 if len(term) > 1 else 0.5) for name in names]
                end = at + len(term)
                break
    return found
