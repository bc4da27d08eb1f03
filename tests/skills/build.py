"""Skill folders for tests."""

from pathlib import Path

from skills.fit import Machine
from skills.places import Place, Places
from skills.shelf import Shelf

HEAD = "name: {name}\ndescription: Does {name} things. Use when the user wants {name}.\n"


def write_skill(root: Path, name: str, head: str | None = None, body: str = "Do it well.") -> Path:
    """One skill's folder; `head` replaces the usual fields."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    fields = HEAD.format(name=name) if head is None else head
    (folder / "SKILL.md").write_text(f"---\n{fields.rstrip()}\n---\n\n{body}\n", "utf-8")
    return folder


def places_in(root: Path) -> Places:
    """All places below one folder, with an empty library."""
    return Places(
        user=Place("user", root / "user", root / "user.toml"),
        project=Place("project", root / "project", root / "project.toml"),
        cache=root / "cache",
        library=root / "library",
    )


def shelf_of(folder: Path, machine: Machine | None = None) -> Shelf:
    """The skills of one folder, loaded."""
    shelf = Shelf(places_in(folder), machine or Machine(), folder)
    shelf.refresh()
    return shelf
