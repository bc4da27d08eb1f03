"""Recall: what of the past belongs to a question, found by words and by meaning.

Both searches run inside the scopes of the query and nowhere else: by words while the question's vector
is made, then by meaning. `memory.judge` decides what is relevant enough and in which order it comes.
"""

import asyncio
from array import array
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from math import inf

import structlog
from sqlalchemy import Connection, select

from bot.config.memory import MemorySettings
from bot.domain.ports import Embedder, Reranker
from bot.errors import XiaomaolvError
from bot.store.engine import Store
from bot.store.tables import memories
from bot.text.clean import clean
from bot.text.kept import Once
from memory.centred import Centred, GettingReady
from memory.index.base import Ranked, Within
from memory.judge import Asked, Limits, judge
from memory.naming import names_in, without_names
from memory.recipe import RECIPE, Recipe
from memory.record import Hit, MemoryId, RecallQuery, Scope
from memory.store import index_for, index_of
from memory.times import asks_of_past, span_of
from memory.words import ByWords, by_words

log = structlog.get_logger(__name__)

# How long a recall waits for the question's vector, in seconds, before it goes by words alone.
EMBEDDING_LIMIT_S = 0.3
STEADY_S = 60.0  # without a failure before an embedder counts as recovered: under load many come and go
LOADING_S = 30.0  # nobody is warned of a first vector that is late by less: a model is being loaded
# Memories looked at for their meaning: the nearest, and the best by their words.
NEAREST = 100
COMPARED = 150
# The beginning of a long message says what it is about; more is not embedded.
MAX_EMBEDDED_CHARS = 2_000
# A reranker is shown so many times the memories that are wanted.
RERANKED = 2
# Searches that were begun and not asked for yet; a turn that waits behind more searches anew.
_BEGUN = 64


@dataclass(frozen=True, slots=True)
class _Read:
    """What a question asks for, its text as it is searched for, and what its words found."""

    asked: Asked
    text: str
    words: ByWords


class Recall:
    """Searches the memories of one store.

    Without an embedder, or where the database cannot search vectors, it goes by words alone. The
    vectors of a `former` embedder serve until those of the one in use are complete.
    """

    def __init__(
        self,
        store: Store,
        settings: MemorySettings,
        embedder: Embedder | None = None,
        *,
        former: Centred | None = None,
        embedding_limit_s: float = EMBEDDING_LIMIT_S,
        recipe: Recipe = RECIPE,
    ) -> None:
        self._store = store
        self._settings = settings
        self._embedder = embedder if index_for(store.dialect).searches_vectors else None
        self._former = former
        self._embedding_limit_s = embedding_limit_s
        self._limits = Limits(
            min_score=settings.hybrid_min_score,
            snippet_chars=settings.hybrid_memory_snippet_max_chars,
            keyword_only=settings.hybrid_keyword_topk,
        )
        self._recipe = recipe
        self._reranker: Reranker | None = None
        self._failures = 0  # since it was warned of
        self._failed_at = -inf
        self._loaded_by: float | None = None  # on the loop's clock; None before the first question
        self._begun: Once[Future[_Read]] = Once(_BEGUN)

    def rerank_by(self, reranker: Reranker) -> None:
        """Let something that reads question and memories together have the last word on their order."""
        self._reranker = reranker

    def anticipate(self, query: RecallQuery) -> None:
        """A question has come that will be asked: its vector is made, and its words are looked for,
        while its turn is set up."""
        query = self._looked_for(query)
        if self._embedder is None or not query.scopes or not query.text.strip():
            return
        self._embedder.anticipate(query.text[:MAX_EMBEDDED_CHARS])
        self._begun.keep(_key(query), self._store.begin(self._read, query))

    async def recall(self, query: RecallQuery) -> tuple[Hit, ...]:
        """The memories that belong to the question, best first; at most `query.limit`.

        An embedder that fails or is late costs the search by meaning, never the recall; a reranker that
        does costs its order.
        """
        wanted = self._looked_for(query)
        if not wanted.scopes or query.limit <= 0 or not wanted.text.strip():
            return ()
        hits = await self._search(wanted)
        return hits if self._reranker is None else await self._reranked(self._reranker, query, hits)

    async def _search(self, query: RecallQuery) -> tuple[Hit, ...]:
        if self._embedder is None:
            return await self._store.read(self._by_words_alone, query)
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._found(query))
            embedding = group.create_task(self._embed(self._embedder, query.text))
        read, vector = reading.result(), embedding.result()
        if read.text != query.text:  # somebody is named in it, which few questions do
            vector = await self._embed(self._embedder, read.text)
        vectors = [] if vector is None else [(self._embedder.model_id, vector)]
        if (former := self._former) is not None:
            vectors += await self._by_former(former, read.text)
        return await self._store.read(self._judge, read, vectors)

    def retire_former(self) -> None:
        """The vectors of the embedder in use are complete."""
        self._former = None

    def _looked_for(self, query: RecallQuery) -> RecallQuery:
        """The question as it is searched for: a reranker chooses among more than are wanted."""
        limit = query.limit if self._reranker is None else query.limit * RERANKED
        return replace(query, text=clean(query.text), limit=limit)

    async def _reranked(
        self, reranker: Reranker, query: RecallQuery, hits: tuple[Hit, ...]
    ) -> tuple[Hit, ...]:
        """The hits that a reranker named, in its order; the others behind them as they were."""
        if len(hits) < 2:
            return hits
        named: Sequence[int] = ()
        try:
            async with asyncio.timeout(self._settings.rerank_timeout_ms / 1000):
                named = await reranker.order(query.text[:MAX_EMBEDDED_CHARS], [hit.text for hit in hits])
        except (XiaomaolvError, TimeoutError, OSError, RuntimeError) as error:
            log.info("memory.reranking_failed", error=type(error).__name__)
        known = range(len(hits))
        order = dict.fromkeys([*(at for at in named if at in known), *known])
        return tuple(hits[at] for at in order)[: query.limit]

    async def _by_former(self, former: Centred, text: str) -> "list[tuple[str, array[float]]]":
        """The question's vector of the former model; nothing where it cannot be had in time."""
        try:
            async with asyncio.timeout(self._embedding_limit_s):
                await former.prepare()
                vectors = await former.embed([text[:MAX_EMBEDDED_CHARS]], purpose="query")
        except (XiaomaolvError, TimeoutError, OSError, RuntimeError) as error:
            log.info("memory.former_embedding_failed", error=type(error).__name__)
            return []
        return [(former.model_id, vectors[0])]

    async def _found(self, query: RecallQuery) -> "_Read":
        """What the words of a question found, which may have been begun."""
        begun = self._begun.take(_key(query))
        if begun is None:
            return await self._store.read(self._read, query)
        read = await asyncio.wrap_future(begun)
        return replace(read, asked=replace(read.asked, query=query))

    async def _embed(self, embedder: Embedder, text: str) -> "array[float] | None":
        now = asyncio.get_running_loop().time
        if self._loaded_by is None:
            self._loaded_by = now() + LOADING_S
        try:
            async with asyncio.timeout(self._embedding_limit_s):
                vectors = await embedder.embed([text[:MAX_EMBEDDED_CHARS]], purpose="query")
        except (XiaomaolvError, TimeoutError, OSError, RuntimeError) as error:
            if isinstance(error, GettingReady) or (
                isinstance(error, TimeoutError) and now() < self._loaded_by
            ):
                log.debug("memory.embedder_getting_ready", searching="words only")
                return None
            if not self._failures:
                log.warning("memory.embedding_failed", error=type(error).__name__, searching="words only")
            self._failures, self._failed_at = self._failures + 1, now()
            return None
        self._loaded_by = -inf
        if self._failures and now() - self._failed_at >= STEADY_S:
            log.info("memory.embedding_recovered", failures=self._failures)
            self._failures = 0
        return vectors[0]

    def _by_words_alone(self, conn: Connection, query: RecallQuery) -> tuple[Hit, ...]:
        read = self._read(conn, query)
        return judge(conn, read.asked, read.words, [], self._limits, self._recipe)

    def _judge(
        self, conn: Connection, read: "_Read", vectors: "list[tuple[str, array[float]]]"
    ) -> tuple[Hit, ...]:
        query = read.asked.query
        within = Within(query.scopes, query.since, max(NEAREST, 2 * query.limit))
        index, best = index_of(conn), read.words.best(COMPARED) if vectors else []
        nearest: dict[MemoryId, Ranked] = {}
        for model_id, vector in vectors:  # the model in use first: where it has a vector that one counts
            for ranked in index.nearest(conn, model_id, vector, within, best):
                nearest.setdefault(ranked.id, ranked)
        return judge(conn, read.asked, read.words, list(nearest.values()), self._limits, self._recipe)

    def _read(self, conn: Connection, query: RecallQuery) -> "_Read":
        names = names_in(conn, query.scopes, query.text[:MAX_EMBEDDED_CHARS])
        asked = Asked(query, names, span_of(query.text, query.now), asks_of_past(query.text))
        text = without_names(query.text, names) if self._recipe.nameless else query.text
        if not self._settings.hybrid_keyword_enabled and self._embedder is not None:
            return _Read(asked, text, ByWords())
        return _Read(asked, text, by_words(conn, index_of(conn), text, self._within(query), self._recipe))

    def _within(self, query: RecallQuery) -> Within:
        limit = max(query.limit, self._settings.hybrid_keyword_candidate_limit)
        return Within(query.scopes, query.since, limit)


def _key(query: RecallQuery) -> tuple[object, ...]:
    """What the search by words depends on."""
    return query.text, query.scopes, query.now, query.limit, query.lookback_days


def scopes(conn: Connection) -> tuple[Scope, ...]:
    """Every scope that holds a memory: for an operator, who may look everywhere."""
    return tuple(Scope(found) for found in conn.scalars(select(memories.c.scope).distinct()))
