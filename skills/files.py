"""The files of a skill, read by a model: only those within its folder, and only so much at once."""

from pathlib import Path

from bot.errors import InputError
from skills.disk import files_of, is_manifest
from skills.manifest import Skill

MAX_CHARS = 40_000


def listed(skill: Skill) -> list[str]:
    """The paths of a skill's files besides SKILL.md, relative to its folder."""
    try:
        found = [path.relative_to(skill.folder).as_posix() for path in files_of(skill.folder)]
    except ValueError:
        return []
    return [name for name in found if not is_manifest(name)]


def place(skill: Skill, name: str) -> Path:
    """Where a file of a skill lies. Raises `InputError` for what is not a file within its folder."""
    root = skill.folder.resolve()
    if "\0" in name or not name.strip():
        raise InputError("this is not the name of a file", field="path")
    path = root / name
    resolved = path.resolve()
    inside = resolved.is_relative_to(root) and not Path(name).is_absolute()
    if not inside or _has_link(root, path):
        raise InputError(f"{name} is not within the skill", field="path")
    if not resolved.is_file():
        known = ", ".join(listed(skill)[:20]) or "none"
        raise InputError(f"the skill has no file {name}; it has: {known}", field="path")
    return resolved


def read(skill: Skill, name: str) -> str:
    """The text of one file. Raises `InputError` for what is not a text file of this skill."""
    path = place(skill, name)
    try:
        text = path.read_bytes()[: MAX_CHARS * 4].decode("utf-8", "ignore")
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}", field="path") from error
    if "\0" in text:
        raise InputError(f"{name} is not a text", field="path")
    return text[:MAX_CHARS] + ("\n[the rest is left out]" if len(text) > MAX_CHARS else "")


def _has_link(root: Path, path: Path) -> bool:
    """Whether a link stands on the way, though it leads back inside."""
    parts = path.relative_to(root).parts
    return any((root.joinpath(*parts[: at + 1])).is_symlink() for at in range(len(parts)))
