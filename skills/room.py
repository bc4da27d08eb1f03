"""The skills of a running bot: kept fresh beside the turns, and chosen for messages.

What works on skills is imported when it is first needed, on a thread: a start does not wait for it.
"""

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from bot.config.agent import AgentSettings
from bot.domain.ports import ChatModel, Clock, Embedder
from bot.domain.tool import RunContext
from bot.errors import ConfigError, Unavailable

if TYPE_CHECKING:
    from skills.desk import Desk
    from skills.meaning import Meant, Space
    from skills.sources import Download

log = structlog.get_logger(__name__)

_FRESH_S = 3.0  # so often the folders are looked at
_LOGGED = 20  # faults; `skills ls --errors` shows all
_REMEMBERED = 512  # runs whose loaded skill is known


@dataclass(frozen=True, slots=True)
class Settings:
    """How many skills a message gets, from which score on, in how many characters of the prompt."""

    most: int = 3
    min_score: float = 0.45
    prompt_chars: int = 8000


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a message gets: the text for its prompt, and the skill that is active, "" for none.

    `is_foreign`: a skill among them does not come with the product, so that others wrote what it says.
    """

    active: str = ""
    section: str = ""
    names: tuple[str, ...] = ()
    is_foreign: bool = False


NONE = Chosen()


class _Nothing:
    """Where nothing can be brought from the web."""

    def __call__(self, url: str, max_bytes: int) -> bytes:
        raise Unavailable("nothing can be downloaded here")

    def judged(self, url: str) -> tuple[str, int, str]:
        raise Unavailable("nothing can be downloaded here")


_NOTHING = _Nothing()


class Skills:
    """All skills. `begin` lets `tend` load them, and so does the first message."""

    def __init__(
        self,
        environ: Mapping[str, str],
        settings: Settings,
        clock: Clock,
        embedder: Embedder | None,
        model: ChatModel | None = None,
        download: "Download" = _NOTHING,
    ) -> None:
        """`model` picks among the likeliest; without one the scores decide. `download` brings skills."""
        self._environ = environ
        self._settings = settings
        self._clock = clock
        self._embedder = embedder
        self._model = model
        self._download = download
        self._desk: Desk | None = None
        self._space: Space | None = None
        self._begun = asyncio.Event()
        self._lock = asyncio.Lock()
        self._loaded: dict[str, str] = {}

    def begin(self) -> None:
        """From now on the folders may be looked at: what is more urgent has been done."""
        self._begun.set()

    async def tend(self) -> None:
        """Load once it may begin, then again whenever a file changes; runs until it is cancelled."""
        await self._begun.wait()
        while True:
            await self.refresh()
            await self._embed()
            await self._clock.sleep(_FRESH_S)

    async def desk(self) -> "Desk":
        """What works on the skills; loaded at the first call."""
        if self._desk is None:
            await self.refresh()
        assert self._desk is not None  # it was made, whatever it found
        return self._desk

    async def refresh(self) -> bool:
        """Load what has changed; whether something had. A registry that cannot be read changes nothing."""
        async with self._lock:
            try:
                changed = await asyncio.to_thread(self._look)
            except ConfigError as error:
                log.warning("skills.registry_unreadable", error=error.message)
                return False
        if changed and self._desk is not None:
            self._space = None
            shelf = self._desk.shelf
            log.info("skills.loaded", usable=len(shelf.usable), faults=len(shelf.faults))
            for fault in shelf.faults[:_LOGGED]:
                log.warning("skills.fault", fault=str(fault))
        return changed

    def _look(self) -> bool:
        """On a thread."""
        if self._desk is None:
            made: Any = importlib.import_module("skills.desk").Desk
            self._desk = made(self._environ, self._settings, self._download)
        return self._desk.shelf.refresh()

    async def _embed(self) -> None:
        """Give vectors to what messages choose from, where it has none; the cache keeps them."""
        desk, embedder = self._desk, self._embedder
        if desk is None or embedder is None or self._space is not None:
            return
        catalogue = desk.shelf.catalogue
        if not catalogue.entries:
            return
        try:
            make: Any = importlib.import_module("skills.meaning").space_of
            space = await make(catalogue.entries, embedder, desk.places.cache)
        except Unavailable as error:
            log.warning("skills.by_words_alone", error=error.message)
            self._embedder = None
            return
        if catalogue is desk.shelf.catalogue:  # it may have been made anew meanwhile
            self._space = space

    async def chosen(
        self, message: str, *, named: str = "", listed: bool = False, run_id: str = ""
    ) -> Chosen:
        """The skills for a message. `named` is one that the person named; `listed`: tell of the others,
        too, because the model can load them."""
        desk = await self.desk()
        if not desk.shelf.kept:
            return NONE
        has_others = self._space is not None or self._model is not None  # to decide where words do not
        if not has_others or desk.is_clear(message, named):
            return desk.chosen(message, None, named, listed=listed)
        meant = await self._meant(message) if self._space is not None else None
        picked = await self._picked(desk, message, meant, run_id)
        return desk.chosen(message, meant, named, listed=listed, picked=picked)

    async def _picked(
        self, desk: "Desk", message: str, meant: "Meant | None", run_id: str
    ) -> list[str] | None:
        """What a model picks among the likeliest; None where none is asked, or none answers."""
        if self._model is None or not (found := desk.candidates(message, meant)):
            return None
        module: Any = importlib.import_module("skills.rerank")
        names: list[str] | None = await module.picked(self._model, message, found, run_id)
        if names is None or any(name not in desk.shelf.usable for name in names):
            return None  # a skill may have gone while the model was thinking
        return names

    async def _meant(self, message: str) -> "Meant | None":
        space = self._space
        if self._embedder is None or space is None or not message.strip():
            return None
        try:
            # Memory has asked for the same vector, or will: it is made once.
            (vector,) = await self._embedder.embed([message], purpose="query")
        except Unavailable:
            return None
        return space.compare(vector, message) if space is self._space else None

    def note_loaded(self, run_id: str, name: str) -> None:
        """A model has loaded a skill in a run: from now on that one narrows it."""
        self._loaded[run_id] = name
        while len(self._loaded) > _REMEMBERED:
            self._loaded.pop(next(iter(self._loaded)))

    def narrowing(self, context: RunContext) -> frozenset[str] | None:
        """What the active skill of a run leaves of its tools; None where none is active.

        The words are names of tools, names of toolsets, and `effect:read` for all that only look.
        """
        name = self._loaded.get(context.run_id) or context.skill
        if not name:
            return None
        # A skill that is gone since it was chosen leaves nothing.
        kept = None if self._desk is None else self._desk.shelf.kept.get(name)
        module: Any = importlib.import_module("skills.narrowing")
        left: frozenset[str] = module.OWN if kept is None else module.permitted(kept.skill)
        return left


def open_skills(
    agent: AgentSettings,
    environ: Mapping[str, str] | None,
    clock: Clock,
    embedder: Embedder | None,
    model: ChatModel,
    download: "Download",
) -> Skills | None:
    """The skills of the usual folders; none without an environment, which says where those are."""
    if environ is None or not agent.skills_enabled:
        return None
    limits = agent.skills_max_selected, agent.skills_match_min_score, agent.skills_max_prompt_chars
    picks = model if agent.skills_llm_rerank_enabled else None
    return Skills(environ, Settings(*limits), clock, embedder, picks, download)
