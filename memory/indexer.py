"""Background indexing: every memory gets a vector, a little later than its words.

What is to be done is never stored: it is every memory without a vector of the model in use. A restart
goes on where it was, and another model begins again from the newest memory while words serve. The
vectors of former models go when the new ones are complete.
"""

import asyncio
from collections.abc import Callable

import structlog

from bot.domain.ports import Clock
from bot.errors import XiaomaolvError
from bot.store.engine import Store
from bot.store.sqlite import missing_vec_text
from memory.centred import Centred
from memory.index.base import Embedded
from memory.store import index_for
from memory.vectors import Pending, drop_other_means, drop_others, newest, pending, pending_count, put_vectors

log = structlog.get_logger(__name__)

BATCH = 8  # memories embedded at once; a question's vector waits no longer than this takes
POLL_S = 5.0  # memories that another process kept are seen after this long
YIELD_S = 0.05
QUIET = 4  # looks without a turn at work before a batch is begun: people write on after an answer
MAX_YIELDS = 20  # under steady load one batch is done in about each second
MAX_PAUSE_S = 60.0  # between attempts while the embedder fails
DROP_BATCH = 200
MAX_EMBEDDED_CHARS = 2_000  # more than the models at hand look at


class Indexer:
    """Owns the vectors of one store. Run `run` in a task group; call `wake` after new memories.

    `complete` hears when every memory has a vector of the model in use, before others' are dropped.
    """

    def __init__(
        self,
        store: Store,
        embedder: Centred,
        clock: Clock,
        *,
        busy: Callable[[], bool] = lambda: False,
        complete: Callable[[], None] = lambda: None,
        batch: int = BATCH,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._busy = busy
        self._complete = complete
        self._batch = batch
        self._wake = asyncio.Event()
        self._complete_to = 0  # every memory up to this id has its vector
        self._failures = 0
        self._quiet = 0  # looks in a row without a turn at work

    def wake(self) -> None:
        """There are new memories."""
        self._wake.set()

    async def run(self) -> None:
        """Index until cancelled. A failing embedder is tried again, at growing intervals.

        Returns at once, with a warning, where the database cannot search vectors.
        """
        if not index_for(self._store.dialect).searches_vectors:
            log.warning("memory.vectors_unavailable", reason=missing_vec_text())
            return
        while True:
            self._wake.clear()
            try:
                await self.catch_up()
                self._failures = 0
            except (XiaomaolvError, TimeoutError, OSError, RuntimeError) as error:
                await self._pause(error)
                continue
            try:
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def catch_up(self, told: Callable[[int, int], None] | None = None) -> int:
        """Give a vector to every memory that lacks one, then drop those of former models; how many.

        `told` hears after each batch how many are done and how many are left.
        """
        await self._embedder.prepare()
        left = 0 if told is None else await self._store.read(pending_count, self._embedder.model_id)
        done = 0
        while True:
            top = await self._store.read(newest)
            rows = await self._store.read(pending, self._embedder.model_id, self._batch, self._complete_to)
            if not rows:
                break
            await self._let_turns_pass()
            await self._index(rows)
            done += len(rows)
            if told is not None:
                told(done, max(0, left - done))
        self._complete_to = top
        self._complete()
        while await self._store.write(drop_others, self._embedder.model_id, DROP_BATCH):
            await self._let_turns_pass()
        await self._store.write(drop_other_means, self._embedder.model_id)
        if done:
            log.info("memory.indexed", memories=done, model=self._embedder.model_id)
        return done

    async def _index(self, rows: list[Pending]) -> None:
        texts = [row.text[:MAX_EMBEDDED_CHARS] for row in rows]
        vectors = await self._embedder.embed(texts, purpose="passage")
        embedded = [
            Embedded(row.id, row.scope, row.at, vector) for row, vector in zip(rows, vectors, strict=True)
        ]
        await self._store.write(put_vectors, self._embedder.model_id, embedded)

    async def _let_turns_pass(self) -> None:
        quiet = self._quiet
        for _ in range(MAX_YIELDS):
            quiet = 0 if self._busy() else quiet + 1
            if quiet >= QUIET:
                break
            await self._clock.sleep(YIELD_S)
        self._quiet = quiet

    async def _pause(self, error: Exception) -> None:
        self._failures += 1
        if self._failures == 1:
            log.warning("memory.indexing_failed", error=type(error).__name__)
        await self._clock.sleep(min(MAX_PAUSE_S, 2.0 ** min(self._failures, 6)))
