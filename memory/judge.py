"""Which of the memories found belong to the question, and in which order.

The order is reciprocal rank fusion, in which recency, a speaker who is named in the question, and a
person's own words against the bot's answers weigh in a little.

The score of a hit is its relevance, from 0 to 1, of which up to 18 % is taken off with age. Relevance
is the greater of two: the share of the question's telling words that the memory holds, and the
likeness of the two vectors, 0 for what is unrelated. A memory whose relevance is below
`hybrid_min_score` is left out, whatever its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.text.fuse import reciprocal_rank
from bot.text.tokens import fold, spaced
from memory.index.base import Ranked
from memory.index.terms import MAX_QUERY_CHARS, asked_for
from memory.record import Hit, Memory, RecallQuery
from memory.store import load, shown_among

HALF_LIFE_DAYS = 30.0
RECENCY_IN_ORDER = 0.1  # of the fused score
RECENCY_IN_SCORE = 0.18  # of the score, as the original had it
ANSWER_WEIGHT = 0.85  # of the bot's own words against a person's
NAMED_WEIGHT = 1.15  # of a speaker whose name is in the question
# Of a long message nobody expects every word to come back.
MAX_COUNTED_PHRASES = 8
# Centred vectors: unrelated texts have a cosine about 0, standard deviation 0.1; a question and what
# answers it 0.3 to 0.6 (multilingual-e5-small, English and Chinese). With the default threshold of
# 0.18 a memory has to come to 0.25.
UNRELATED_COSINE = 0.08
# Memories looked at for each that is asked for: some are not relevant, some say the same.
OVERSAMPLING = 3
SHOWN_ALLOWANCE = 48
COMPARED_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a recall, out of the settings."""

    min_score: float
    snippet_chars: int
    keyword_only: int  # hits at most that were found by words alone
    fusion_k: int


def judge(
    conn: Connection,
    query: RecallQuery,
    keyword: Sequence[Ranked],
    nearest: Sequence[Ranked],
    limits: Limits,
) -> tuple[Hit, ...]:
    """The hits out of the two rankings, loaded, weighed, without repetitions, best first."""
    looked_at = query.limit * OVERSAMPLING + (SHOWN_ALLOWANCE if query.shown else 0)
    by_words = {ranked.id for ranked in keyword}
    cosines = {ranked.id: ranked.score for ranked in nearest}
    rankings = [[ranked.id for ranked in ranking[:looked_at]] for ranking in (keyword, nearest)]
    fused = reciprocal_rank(rankings, k=limits.fusion_k)
    question = Question(query)
    found: list[Found] = []
    shown = shown_among(conn, list(fused), query.shown)
    ids = [memory_id for memory_id in fused if memory_id not in shown]
    for memory in load(conn, ids[: query.limit * OVERSAMPLING]).values():
        if memory.scope not in query.scopes:
            continue
        lexical = question.share_of_words(memory.text) if memory.id in by_words else 0.0
        semantic = likeness(cosines[memory.id]) if memory.id in cosines else 0.0
        if max(lexical, semantic) >= limits.min_score:
            found.append(Found(memory, fused[memory.id] * question.weight(memory), lexical, semantic))
    found.sort(key=lambda item: (-item.weight, -item.memory.id))
    chosen = _select(found, query.limit, limits.keyword_only)
    return tuple(_hit(item, question, limits.snippet_chars) for item in chosen)


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that is relevant enough, and how it got here."""

    memory: Memory
    weight: float  # the fused score as it orders the hits
    lexical: float
    semantic: float


class Question:
    """A query, prepared for comparing many memories with it."""

    def __init__(self, query: RecallQuery) -> None:
        self._now = query.now
        phrases = asked_for(query.text)
        self._needles = [f" {' '.join(text)} " if cjk else f" {_stem(text)}" for text, cjk in phrases]
        self._text = f" {spaced(query.text[:MAX_QUERY_CHARS])} "

    def share_of_words(self, text: str) -> float:
        """The share of the question's telling words in a text that is known to hold one of them."""
        held = f" {spaced(text[:COMPARED_CHARS])} "
        count = sum(needle in held for needle in self._needles)
        return min(1.0, max(count, 1) / max(1, min(len(self._needles), MAX_COUNTED_PHRASES)))

    def recency(self, at: datetime) -> float:
        """1 for now, halved with each half-life."""
        days = max(0.0, (self._now - at).total_seconds() / 86_400)
        return float(0.5 ** (days / HALF_LIFE_DAYS))

    def names(self, speaker: str) -> bool:
        """Whether the question names this speaker."""
        return bool(name := spaced(speaker)) and f" {name} " in self._text

    def weight(self, memory: Memory) -> float:
        """By how much a memory's fused score is multiplied."""
        weight = 1.0 + RECENCY_IN_ORDER * self.recency(memory.at)
        if memory.role == "assistant":
            weight *= ANSWER_WEIGHT
        if self.names(memory.name):
            weight *= NAMED_WEIGHT
        return weight


def likeness(cosine: float) -> float:
    """A cosine as relevance: 0 for unrelated texts, 1 for the same."""
    return min(1.0, max(0.0, (cosine - UNRELATED_COSINE) / (1 - UNRELATED_COSINE)))


def _hit(found: Found, question: Question, snippet_chars: int) -> Hit:
    memory = found.memory
    aged = RECENCY_IN_SCORE * (1 - question.recency(memory.at))
    reasons = [name for name, share in (("words", found.lexical), ("meaning", found.semantic)) if share > 0]
    if question.names(memory.name):
        reasons.append("speaker")
    return Hit(
        id=memory.id,
        text=snippet(memory.text, snippet_chars),
        score=round(max(found.lexical, found.semantic) * (1 - aged), 4),
        at=memory.at,
        role=memory.role,
        name=memory.name,
        person_id=memory.person_id,
        conversation_id=memory.conversation_id,
        source=memory.source,
        reasons=tuple(reasons),
    )


def _select(found: Sequence[Found], limit: int, keyword_only: int) -> list[Found]:
    """The first `limit` that say something new, with few that only share words."""
    chosen: dict[str, Found] = {}
    for item in found:
        if not item.semantic:
            if keyword_only == 0:
                continue
            keyword_only -= 1
        chosen.setdefault(fold(item.memory.text).strip(), item)
        if len(chosen) == limit:
            break
    return list(chosen.values())


def snippet(text: str, max_chars: int) -> str:
    """`text` in at most `max_chars` characters, cut between words where it can be, with an ellipsis."""
    text = text.strip()
    if len(text) <= max_chars:
        return text
    head = text[: max_chars - 1]
    if (space := head.rfind(" ")) > max_chars // 2:
        head = head[:space]
    return head.rstrip() + "…"


def _stem(word: str) -> str:
    return word[: max(4, len(word) - 3)]
