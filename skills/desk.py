"""What is done with the skills of a shelf: one is chosen for a message, loaded, and its files are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from bot.errors import InputError
from bot.text.kept import PerObject
from skills import files, keeping, prompt
from skills.choice import Limits, candidates, choose, is_clear, rearranged
from skills.fill import filled
from skills.fit import Machine
from skills.manifest import Skill
from skills.meaning import Meant
from skills.offers import Offers
from skills.places import places
from skills.room import Chosen, Settings
from skills.shelf import Kept, Shelf
from skills.shown import shown
from skills.sources import Download


@dataclass(frozen=True, slots=True)
class Overview:
    """A skill in a list; `state` is ready, off, quarantined or unfit."""

    name: str
    state: str
    summary: str
    against: tuple[str, ...]


class Desk:
    """The shelf of a running bot, and what is asked of it. Only `shelf.refresh` reads much."""

    def __init__(self, environ: Mapping[str, str], settings: Settings, download: Download) -> None:
        home = Path(environ.get("HOME") or Path.home())
        self.places = places(environ, home, Path.cwd())
        self.shelf = Shelf(self.places, Machine(environ))
        self.offers = Offers(self.places.user, environ, download)
        self._settings = settings
        self._sections: PerObject[str] = PerObject(64)  # most messages choose the same: none
        self._limits = Limits(settings.most, settings.min_score)

    def candidates(self, message: str, meant: Meant | None) -> list[Skill]:
        """What a model may pick from."""
        return candidates(self.shelf, message, meant)

    def chosen(
        self,
        message: str,
        meant: Meant | None,
        named: str,
        *,
        listed: bool,
        picked: Sequence[str] | None = None,
    ) -> Chosen:
        """See `Skills.chosen`; `picked` is what a model picked instead."""
        shelf = self.shelf
        if picked is None:
            matches = choose(shelf, message, meant, self._limits, named)
        else:
            matches = rearranged(shelf, picked, self._limits)
        usable = shelf.usable
        skills = [usable[match.name] for match in matches]
        names = tuple(skill.name for skill in skills)
        return Chosen(
            active=next((skill.name for skill in skills if not skill.is_always), ""),
            section=self._sections.get(
                usable, (names, listed), partial(self._section, skills, listed=listed)
            ),
            names=names,
            is_foreign=any(shelf.kept[skill.name].scope != "library" for skill in skills),
        )

    def _section(self, skills: Sequence[Skill], *, listed: bool) -> str:
        names = {skill.name for skill in skills}
        others = [
            skill for skill in self.shelf.usable.values() if skill.name not in names and not skill.is_manual
        ]
        return prompt.section(skills, others if listed else [], self._settings.prompt_chars)

    def is_clear(self, message: str, named: str) -> bool:
        """Whether no vector is needed to choose."""
        return is_clear(self.shelf, message, named)

    def find(self, name: str) -> Kept | None:
        """A skill by its name, usable or not; case and quotes around it make no difference."""
        return self.shelf.kept.get(name.strip(" `'\".").lower())

    def usable(self, name: str) -> Skill:
        """A usable skill. Raises `InputError`, with close names or with what stands against it."""
        kept = self.find(name)
        if kept is None:
            near = get_close_matches(name.strip().lower(), self.shelf.usable, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else ""
            raise InputError(f"there is no skill {name!r}", field="name", hint=hint)
        if not kept.is_usable:
            raise InputError(f"the skill {kept.skill.name} cannot be used: {'; '.join(kept.against)}")
        return kept.skill

    def instructions(self, name: str, parameters: Mapping[str, Any]) -> str:
        """A skill's text with its parameters filled in, and the names of its files. Raises `InputError`."""
        skill = self.usable(name)
        text = shown(filled(skill, parameters))
        names = files.listed(skill)
        more = f"\n\nFiles of this skill, for read_skill_file: {', '.join(names)}" if names else ""
        return f"Instructions of the skill {skill.name}:\n\n{text}{more}"

    def file(self, name: str, path: str) -> str:
        """The text of a file of a skill. Raises `InputError`."""
        return shown(files.read(self.usable(name), path))

    def overview(self) -> list[Overview]:
        """All skills, by name."""
        return [
            Overview(name, kept.state, prompt.summary(kept.skill.description), kept.against)
            for name, kept in self.shelf.kept.items()
        ]

    def errors(self) -> list[str]:
        """What is wrong with skill files, each with file and line."""
        return [str(fault) for fault in self.shelf.faults]

    def told(self, name: str) -> str:
        """A skill as the model gets it, whether usable or not. Raises `InputError`."""
        kept = self.find(name)
        if kept is None:
            return self.usable(name).body  # which tells what is there instead
        return f"{kept.skill.name}: {kept.skill.description}\n\n{shown(kept.skill.body)}"

    def change(self, verb: str, name: str) -> str:
        """enable, disable, approve or rm a skill; its name. Raises `InputError`, also `ConfigError`."""
        kept = self.find(name)
        if kept is None:
            return self.usable(name).name  # as above
        keeping.change(verb, kept, self.places)
        return kept.skill.name
