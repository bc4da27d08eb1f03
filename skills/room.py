"""The skills of a running bot: kept fresh beside the turns, chosen for a message, worded for a prompt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog

from bot.domain.ports import Clock, Embedder
from bot.domain.tool import RunContext
from bot.errors import ConfigError, Unavailable
from skills import prompt
from skills.choice import Limits, choose
from skills.manifest import Skill
from skills.match import Match
from skills.meaning import Meant, Space, space_of
from skills.narrowing import permitted
from skills.shelf import Kept, Shelf

log = structlog.get_logger(__name__)

_FRESH_S = 2.0  # so often the folders are looked at while messages come
_REMEMBERED = 512  # runs whose loaded skill is known


@dataclass(frozen=True, slots=True)
class Settings:
    """How skills are chosen, and how many characters all of them may take of a prompt."""

    limits: Limits = field(default_factory=Limits)
    prompt_chars: int = 8000


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a message gets: the text for its prompt, and the skill that is active, "" for none.

    `is_foreign`: a skill among them does not come with the product, so that others wrote what it says.
    """

    active: str = ""
    section: str = ""
    matches: tuple[Match, ...] = ()
    is_foreign: bool = False


NONE = Chosen()


class Skills:
    """All skills. The first message that comes before they are loaded goes without."""

    def __init__(
        self, shelf: Shelf, settings: Settings, clock: Clock, embedder: Embedder | None, cache: Path | None
    ) -> None:
        self.shelf = shelf
        self.settings = settings
        self._clock = clock
        self._embedder = embedder
        self._cache = cache
        self._space: Space | None = None
        self._looked: Any = None
        self._lock = asyncio.Lock()
        self._loaded: dict[str, str] = {}

    async def tend(self) -> None:
        """Load at the start, then again whenever a file changes; runs until it is cancelled."""
        while True:
            await self.refresh()
            await self._clock.sleep(_FRESH_S)

    async def refresh(self) -> bool:
        """Load what has changed; whether something had. A registry that cannot be read changes nothing."""
        async with self._lock:
            try:
                changed = await asyncio.to_thread(self.shelf.refresh)
            except ConfigError as error:
                log.warning("skills.registry_unreadable", error=error.message)
                return False
            if changed:
                self._space = None
                log.info("skills.loaded", usable=len(self.shelf.usable), faults=len(self.shelf.faults))
                await self._embed()
        return changed

    async def _embed(self) -> None:
        entries = self.shelf.catalogue.entries
        if self._embedder is None or not entries:
            return
        try:
            self._space = await space_of(entries, self._embedder, self._cache)
        except Unavailable as error:
            log.warning("skills.by_words_alone", error=error.message)

    async def chosen(self, message: str, *, named: str = "", listed: bool = False) -> Chosen:
        """The skills for a message. `named` is one that the person named; `listed`: tell of the others,
        too, because the model can load them."""
        if not self.shelf.kept:
            return NONE
        shelf, space = self.shelf, self._space
        meant = await self._meant(message, space)
        matches = choose(shelf, message, meant, self.settings.limits, named)
        usable = shelf.usable
        skills = [usable[match.name] for match in matches if match.name in usable]
        others = [skill for skill in usable.values() if skill not in skills and not skill.is_manual]
        section = prompt.section(skills, others if listed else [], self.settings.prompt_chars)
        active = next((skill.name for skill in skills if not skill.is_always), "")
        foreign = any(shelf.kept[skill.name].scope != "library" for skill in skills)
        return Chosen(active, section, tuple(matches), foreign)

    async def _meant(self, message: str, space: Space | None) -> Meant | None:
        if self._embedder is None or space is None or not message.strip():
            return None
        try:
            # Memory has asked for the same vector, or will: it is made once.
            (vector,) = await self._embedder.embed([message], purpose="query")
        except Unavailable:
            return None
        # The catalogue may have been made anew meanwhile.
        return space.compare(vector, message) if space is self._space else None

    def find(self, name: str) -> Kept | None:
        """A skill by its name, whether usable or not; case and surrounding quotes make no difference."""
        return self.shelf.kept.get(name.strip(" `'\".").lower())

    def loaded(self, run_id: str, name: str) -> None:
        """Remember that a model has loaded a skill in a run: from now on that one narrows it."""
        self._loaded[run_id] = name
        while len(self._loaded) > _REMEMBERED:
            self._loaded.pop(next(iter(self._loaded)))

    def narrowing(self, context: RunContext) -> frozenset[str] | None:
        """What the active skill of a run leaves of its tools; None where none is active.

        The words are names of tools, names of toolsets, and `effect:read` for all that only look.
        """
        name = context.skill or self._loaded.get(context.run_id, "")
        kept = self.shelf.kept.get(name)
        return None if kept is None else permitted(kept.skill)


def names_of(skills: Sequence[Skill]) -> str:
    """The names of skills, for people."""
    return ", ".join(skill.name for skill in skills)
