"""Which skill a message is for: by triggers, by words and notions, and by meaning; with reasons.

What a trigger says is certain and needs no model. Else each skill gets a score from 0 to 1, the chance
that it is meant, from how many telling words and notions it shares with the message and, where an
embedder works, how close it is in meaning. The weights were fitted on messages for public skills and
on small talk (`bench/skills.py` measures them).
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from skills.meaning import Meant, positive
from skills.tone import is_fact, is_news, is_wish
from skills.words import terms, weight

# BM25's: how fast repeats stop counting, and how much long texts are held back.
_REPEATS, _LENGTH = 1.0, 0.4
_NAME = 2.0  # a word of the name counts as so many of the description
# How descriptions speak of themselves: "use this skill when the user asks" is no subject.
_ABOUT_ITSELF = re.compile(
    r"\b(?:(?:you|claude|the assistant) should )?(?:use|trigger|activate|invoke)s? (?:this|the) skill\b"
    r"|\bthis skill\b|\bwhen(?:ever)? (?:the )?users? (?:asks?|wants?|requests?|needs?|mentions?|says?)\b"
    r"|\bwhen claude needs\b|(?:请)?使用此技能|当用户(?:提到|需要|要求|想要)",
    re.IGNORECASE,
)
_MAX_MESSAGE = 1200  # characters that are looked at; wishes stand at the start or the end


@dataclass(frozen=True, slots=True)
class Weights:
    """From what was found to the logarithm of the odds that a skill is meant.

    `talk` counts closeness to small talk above `_FAR`; `none` is how likely it is that nothing is meant.
    """

    words: float
    meaning: float
    talk: float
    wish: float
    news: float
    fact: float
    none: float


WITH_MEANING = Weights(words=1.6, meaning=12.0, talk=-12.0, wish=0.7, news=-1.5, fact=-1.0, none=-2.8)
BY_WORDS = Weights(words=1.8, meaning=0.0, talk=0.0, wish=1.2, news=-1.5, fact=-1.0, none=-2.3)
_FAR = 0.15


@dataclass(frozen=True, slots=True)
class Match:
    """One skill with its score, and why: `trigger` for a pattern that fired, else what it shares."""

    name: str
    score: float
    reasons: tuple[str, ...] = ()
    by_trigger: bool = False


class Catalogue:
    """Names and descriptions, indexed by their words; cheap to make (0.1 ms an entry)."""

    def __init__(self, entries: Sequence[tuple[str, str]], more: Sequence[str] = ()) -> None:
        """`more` holds further words for each entry, such as its keywords."""
        self.entries = tuple(entries)
        self._texts = [
            _counted(name, description, extra)
            for (name, description), extra in zip(entries, more or [""] * len(entries), strict=True)
        ]
        lengths = [sum(counts.values()) for counts in self._texts]
        average = sum(lengths) / len(lengths) if lengths else 1.0
        self._held = [1 - _LENGTH + _LENGTH * length / (average or 1.0) for length in lengths]
        self._holders: dict[str, list[int]] = {}
        for at, counts in enumerate(self._texts):
            for term in counts:
                self._holders.setdefault(term, []).append(at)

    def by_words(self, message: str) -> list[float]:
        """For each entry how much it shares with the message: 0 for nothing, 1 for one telling word."""
        scores = [0.0] * len(self.entries)
        for term, said in _said(message).items():
            for at in self._holders.get(term, ()):
                scores[at] += self._share(term, said, at)
        return scores

    def shared(self, message: str, at: int) -> list[str]:
        """The terms an entry shares with a message, the most telling first."""
        found = {
            term: self._share(term, said, at)
            for term, said in _said(message).items()
            if term in self._texts[at]
        }
        return sorted(found, key=lambda term: -found[term])

    def _share(self, term: str, said: float, at: int) -> float:
        count = self._texts[at][term]
        filled = count * (_REPEATS + 1) / (count + _REPEATS * self._held[at])
        return weight(term) * min(said, 1.0) * self._rarity(len(self._holders[term])) * filled

    def _rarity(self, holders: int) -> float:
        """1 for a term of one entry, less for one of many."""
        total = len(self.entries)
        return math.log(1 + (total - holders + 0.5) / (holders + 0.5)) / math.log(1 + (total - 0.5) / 1.5)

    def scores(self, message: str, meant: Meant | None = None) -> list[float]:
        """For each entry the chance that the message is for it; `meant` is its closeness in meaning."""
        message = shortened(message)
        weights = BY_WORDS if meant is None else WITH_MEANING
        given = weights.none + (weights.wish if is_wish(message) else 0.0)
        given += weights.news if is_news(message) else 0.0
        given += weights.fact if is_fact(message) else 0.0
        given += weights.talk * max(meant.talk - _FAR, 0.0) if meant else 0.0
        found = []
        for at, words in enumerate(self.by_words(message)):
            odds = given + weights.words * words + (weights.meaning * meant.entries[at] if meant else 0.0)
            found.append(1 / (1 + math.exp(-max(min(odds, 60.0), -60.0))))
        return found


def _counted(name: str, description: str, extra: str) -> dict[str, float]:
    said = _ABOUT_ITSELF.sub(" ", " ".join(positive(description)))
    counts = terms(f"{said} {extra}")
    for term, count in terms(name).items():
        counts[term] = counts.get(term, 0.0) + _NAME * count
    return counts


@lru_cache(maxsize=64)
def _said(message: str) -> Mapping[str, float]:
    """The terms of a message. A turn may ask twice: whether words are enough, and with meaning."""
    return terms(shortened(message))


def shortened(message: str) -> str:
    """The start and the end of a long message."""
    if len(message) <= _MAX_MESSAGE:
        return message
    return f"{message[: _MAX_MESSAGE // 2]} {message[-_MAX_MESSAGE // 2 :]}"


def best(catalogue: Catalogue, message: str, meant: Meant | None, count: int) -> list[Match]:
    """The `count` likeliest entries, best first, whatever their scores."""
    scores = catalogue.scores(message, meant)
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], catalogue.entries[at][0]))[:count]
    return [Match(catalogue.entries[at][0], scores[at]) for at in order]
