"""Which of the memories found belong to the question, and in which order.

The order joins how far the words are held and how close the vectors are, each as a share of the best.
A speaker who is named in the question, a time that is named, recency, whether a memory asks rather
than tells, whether it still holds, and a person's own words against the bot's answers weigh in.

The score of a hit is its relevance, from 0 to 1, of which up to 18 % is taken off with age. Relevance
is the greater of two: the share of what the question's words tell that the memory and its surroundings
hold, and the likeness of the two vectors, 0 for what is unrelated. A memory whose relevance is below
`hybrid_min_score` is left out, whatever its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.text.fuse import reciprocal_rank
from bot.text.tokens import fold
from memory.index.base import Ranked
from memory.recipe import Recipe
from memory.record import WORKSPACE, Hit, Memory, MemoryId, RecallQuery, Shown
from memory.store import load
from memory.talk import Place, places_of
from memory.times import Span
from memory.words import ByWords

HALF_LIFE_DAYS = 30.0
RECENCY_IN_ORDER = 0.1  # of the fused score
RECENCY_IN_SCORE = 0.18  # of the score, as the original had it
ANSWER_WEIGHT = 0.85  # of the bot's own words against a person's
# Centred vectors: unrelated texts have a cosine about 0, standard deviation 0.1; a question and what
# answers it 0.3 to 0.6 (multilingual-e5-small, English and Chinese). With the default threshold of
# 0.18 a memory has to come to 0.25.
UNRELATED_COSINE = 0.08
# A best cosine below this is no full measure: nothing is close then.
FULL_COSINE = 0.3
# Memories loaded for each that is asked for: some are not relevant, some say the same.
OVERSAMPLING = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a recall, out of the settings."""

    min_score: float
    snippet_chars: int
    keyword_only: int  # hits at most that were found by words alone


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what was understood of it."""

    query: RecallQuery
    names: tuple[str, ...] = ()  # of speakers
    time: Span | None = None  # the time that is asked about
    past: bool = False  # it asks how something was


def judge(
    conn: Connection, asked: Asked, words: ByWords, nearest: Sequence[Ranked], limits: Limits, recipe: Recipe
) -> tuple[Hit, ...]:
    """The hits out of the two searches: weighed, loaded, without repetitions, best first."""
    query = asked.query
    cosines = {ranked.id: ranked.score for ranked in nearest}
    places = words.places | places_of(conn, [key for key in cosines if key not in words.places])
    fused = _fused(words, cosines, recipe)
    weigher = Weigher(asked, recipe)
    weights = {
        key: fused[key] * weigher.weight(places[key])
        for key in fused
        if key in places and _may_be_told(places[key], query)
    }
    best = sorted(weights, key=lambda key: (-weights[key], -key))[: query.limit * OVERSAMPLING]
    loaded = load(conn, best)
    found: list[Found] = []
    for key in best:
        if key not in loaded or loaded[key].scope not in query.scopes:
            continue
        semantic = likeness(cosines[key]) if key in cosines else 0.0
        lexical = words.shares.get(key, 0.0)
        if max(lexical, semantic) >= limits.min_score:
            found.append(Found(loaded[key], lexical, semantic))
    chosen = _select(_each_once(found), query.limit, limits.keyword_only)
    return tuple(_hit(item, weigher, limits.snippet_chars) for item in chosen)


def _fused(words: ByWords, cosines: dict[MemoryId, float], recipe: Recipe) -> dict[MemoryId, float]:
    """One score for every memory that either search brought."""
    shares = recipe.words, 1.0 - recipe.words
    if recipe.rank_fusion:
        by_words = sorted(words.scores, key=lambda key: (-words.scores[key], -key))
        by_meaning = sorted(cosines, key=lambda key: -cosines[key])
        return reciprocal_rank([by_words, by_meaning], k=recipe.rank_fusion, weights=shares)
    top = max(max(cosines.values(), default=0.0), FULL_COSINE)
    return {
        key: shares[0] * words.scores.get(key, 0.0) + shares[1] * max(0.0, cosines.get(key, 0.0)) / top
        for key in words.scores.keys() | cosines.keys()
    }


def _may_be_told(place: Place, query: RecallQuery) -> bool:
    """Whether a memory is anything for the prompt: of this circle, not over, not there anyway."""
    over = place.expires_at is not None and place.expires_at <= query.now
    early = query.since is not None and place.at < query.since
    hidden = query.before_others and place.scope == WORKSPACE and place.visibility != "public"
    return place.scope in query.scopes and not (over or early or hidden or _is_shown(place, query.shown))


def _is_shown(place: Place, shown: Shown | None) -> bool:
    if shown is None or place.message_id is None or place.conversation_id != shown.conversation_id:
        return False
    return place.message_id >= shown.from_message_id


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that is relevant enough."""

    memory: Memory
    lexical: float
    semantic: float


class Weigher:
    """By how much what is known of a memory beside its text makes it count more or less."""

    def __init__(self, asked: Asked, recipe: Recipe) -> None:
        self._now = asked.query.now
        self._names = asked.names
        self._time = asked.time
        self._past = asked.past or asked.time is not None
        self._recipe = recipe

    def recency(self, at: datetime) -> float:
        """1 for now, halved with each half-life."""
        days = max(0.0, (self._now - at).total_seconds() / 86_400)
        return float(0.5 ** (days / HALF_LIFE_DAYS))

    def names(self, speaker: str) -> bool:
        """Whether the question names this speaker, and no other."""
        return len(self._names) == 1 and speaker == self._names[0]

    def in_time(self, at: datetime) -> bool:
        """Whether something was said in the time that the question names."""
        return self._time is not None and self._time.begin <= at < self._time.end

    def weight(self, place: Place) -> float:
        """By how much a memory's fused score is multiplied."""
        weight = 1.0 + RECENCY_IN_ORDER * self.recency(place.at)
        if place.role == "assistant":
            weight *= ANSWER_WEIGHT
        if self.names(place.name):
            weight *= self._recipe.named
        if self.in_time(place.at):
            weight *= self._recipe.in_time
        if place.asks > 1:
            weight *= self._recipe.asking
        if place.status == "superseded" and not self._past:
            weight *= self._recipe.superseded
        return weight


def likeness(cosine: float) -> float:
    """A cosine as relevance: 0 for unrelated texts, 1 for the same."""
    return min(1.0, max(0.0, (cosine - UNRELATED_COSINE) / (1 - UNRELATED_COSINE)))


def _hit(found: Found, weigher: Weigher, snippet_chars: int) -> Hit:
    memory = found.memory
    aged = RECENCY_IN_SCORE * (1 - weigher.recency(memory.at))
    reasons = [name for name, share in (("words", found.lexical), ("meaning", found.semantic)) if share > 0]
    if weigher.names(memory.name):
        reasons.append("speaker")
    if weigher.in_time(memory.at):
        reasons.append("time")
    if memory.status == "superseded":
        reasons.append("superseded")
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


def _each_once(found: Sequence[Found]) -> list[Found]:
    """Without messages of which a fact tells the same, and facts of which their message does.

    What comes first stays; but a message whose fact is over gives way to the fact, which says so.
    """
    closed = [item.memory for item in found if item.memory.status == "superseded"]
    over = {origin for memory in closed for origin in _origins(memory)}
    said: set[str] = set()  # by messages
    stated: set[str] = set()  # by facts
    kept: list[Found] = []
    for item in found:
        origins = _origins(item.memory)
        if item.memory.slot and not origins & said:
            stated |= origins
        elif not item.memory.slot and not origins & (stated | over):
            said |= origins
        else:
            continue
        kept.append(item)
    return kept


def _origins(memory: Memory) -> set[str]:
    """The messages that a memory is, or was drawn from."""
    own = {f"message:{memory.message_id}"} if memory.message_id is not None else set[str]()
    return own | {origin for origin in memory.provenance if origin.startswith("message:")}


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
