"""The skills that may be used here and now: loaded, filtered, looked up, and loaded again on change."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skills.disk import stamp
from skills.fit import Machine, needed, obstacles
from skills.manifest import Fault, Skill
from skills.match import Catalogue
from skills.places import Places
from skills.registry import Entry, Registry

if TYPE_CHECKING:
    from skills.load import Library


@dataclass(frozen=True, slots=True)
class Kept:
    """A skill with what stands against using it (nothing: it can be used), and where it is from."""

    skill: Skill
    scope: str  # library, user, project or folder
    entry: Entry = field(default_factory=Entry)
    against: tuple[str, ...] = ()
    is_changed: bool = False  # since a person approved it

    @property
    def is_usable(self) -> bool:
        return not self.against

    @property
    def state(self) -> str:
        """One word for lists: ready, off, quarantined or unfit."""
        if self.is_changed:
            return "quarantined"
        if not self.entry.enabled or self.skill.mode == "off":
            return "off"
        return "ready" if self.is_usable else "unfit"


class Shelf:
    """All skills of some places. Not thread-safe: one task reloads."""

    def __init__(self, places: Places, machine: Machine, folder: Path | None = None) -> None:
        """With `folder` only the skills below it are looked at, and no registry."""
        self._places = places
        self._machine = machine
        self._roots = places.roots if folder is None else (folder,)
        self._only = folder
        self._stamp: Any = None
        self.kept: dict[str, Kept] = {}
        self.faults: tuple[Fault, ...] = ()
        # The skills that may be used, by name, and those among which a message chooses, in the order of the
        # catalogue. None of these is changed; `refresh` puts others in their place.
        self.usable: dict[str, Skill] = {}
        self.chosen_by_score: list[Skill] = []
        self.catalogue = Catalogue([])

    @property
    def is_loaded(self) -> bool:
        """Whether the folders were looked at."""
        return self._stamp is not None

    def refresh(self) -> bool:
        """Load anew if a file has changed since the last time; whether it had. Reads the disk."""
        now = (stamp(self._roots), *(_time_of(place.registry) for place in self._registries()))
        if now == self._stamp:
            return False
        self._stamp = now
        # The reader of YAML takes a while to import, which the start of the bot does not wait for.
        library: Library = importlib.import_module("skills.load").load(self._roots)
        self.faults = library.faults
        self.kept = self._weighed(library)
        self.usable = {name: kept.skill for name, kept in self.kept.items() if kept.is_usable}
        choosable = [skill for skill in self.usable.values() if not skill.is_manual and not skill.is_always]
        self.chosen_by_score = choosable
        entries = [(skill.name, skill.description) for skill in choosable]
        self.catalogue = Catalogue(entries, [" ".join((*s.keywords, *s.tags)) for s in choosable])
        return True

    def _registries(self) -> tuple[Any, ...]:
        return () if self._only is not None else (self._places.user, self._places.project)

    def _weighed(self, library: "Library") -> dict[str, Kept]:
        entries: dict[str, Entry] = {}
        for place in self._registries():
            entries |= Registry(place.registry).read()
        kept = {
            name: self._weigh(skill, self._scope(skill), entries.get(name, Entry()))
            for name, skill in library.skills.items()
        }
        unusable = {name for name, one in kept.items() if one.against}
        return {
            name: replace(one, against=(*one.against, *_lacking(one.skill, library.skills, unusable)))
            for name, one in kept.items()
        }

    def _scope(self, skill: Skill) -> str:
        for scope, root in zip(("library", "user", "project"), self._places.roots, strict=True):
            if self._only is None and skill.folder.is_relative_to(root):
                return scope
        return "folder"

    def _weigh(self, skill: Skill, scope: str, entry: Entry) -> Kept:
        if entry.mode:
            skill = replace(skill, mode=entry.mode)
        if scope != "library" and skill.trust == "trusted":
            skill = replace(skill, trust="reviewed")  # nobody trusts himself
        is_changed = bool(entry.checksum_sha256) and entry.checksum_sha256 != skill.digest
        against = obstacles(skill, self._machine)
        if is_changed:
            against.append("it was changed after it was approved")
        if not entry.enabled or skill.mode == "off":
            against.append("it is switched off")
        if skill.trust == "untrusted":
            against.append("it is not trusted")
        return Kept(skill, scope, entry, tuple(against), is_changed)


def _lacking(skill: Skill, skills: Mapping[str, Skill], unusable: set[str]) -> list[str]:
    """What stands against a skill by way of those that it needs, directly or not."""
    found = []
    for name in needed(skill, skills):
        if name not in skills:
            found.append(f"the skill {name}, which it needs, is missing")
        elif name in unusable:
            found.append(f"the skill {name}, which it needs, cannot be used")
        elif name in needed(skills[name], skills):
            found.append(f"the skill {name} needs itself in a circle")
    return found


def _time_of(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
