"""Skills from folders: each usable one by its name, and every fault with file and line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skills import fields, frontmatter
from skills.disk import (
    FILE,
    digest_of,
    excess,
    file_of,
    files_of,
    folders,
    inner_folders,
    is_manifest,
    linked_folders,
)
from skills.fill import nameless, places_without
from skills.fit import needed
from skills.manifest import Fault, Skill


@dataclass(frozen=True, slots=True)
class Library:
    """What was found. A skill of a later folder takes the place of one of the same name before it."""

    skills: Mapping[str, Skill] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def load_folder(folder: Path, shown: str | None = None) -> tuple[Skill | None, list[Fault]]:
    """The skill of one folder, None where it is not usable; `shown` is the path that faults name."""
    path = file_of(folder) or folder / FILE
    named = shown or str(path)
    try:
        if wrong := _no_file(path):
            return None, [Fault(named, 1, *wrong)]
        size = path.stat().st_size
        if size > frontmatter.MAX_FILE_BYTES:
            text = f"the file has {size} bytes; {frontmatter.MAX_FILE_BYTES} are allowed"
            return None, [Fault(named, 1, text)]
        parts = frontmatter.split(frontmatter.decoded(path.read_bytes()))
        node, flaws = frontmatter.read(parts.head)
    except frontmatter.HeadError as error:
        return None, [_fault(named, error)]
    except OSError as error:
        return None, [Fault(named, 1, f"the file cannot be read: {error.strerror}")]
    skill, faults = fields.skill_of(node, parts.body, folder, named)
    faults = sorted((*(_fault(named, flaw) for flaw in flaws), *faults), key=lambda fault: fault.line)
    if skill is not None:
        faults += [
            Fault(named, parts.line + parts.body.count("\n", 0, at), nameless(name), fatal=False)
            for name, at in places_without(skill)
        ]
    if skill is None or any(flaw.fatal for flaw in flaws):
        return None, faults
    try:
        digest = digest_of(folder)
        if much := excess(files_of(folder)):
            faults.append(Fault(named, 1, much, fatal=False))
    except OSError as error:
        return None, [*faults, Fault(named, 1, f"{error.filename} cannot be read: {error.strerror}")]
    except ValueError as error:
        return None, [*faults, Fault(named, 1, str(error))]
    return replace(skill, digest=digest), faults


def _fault(path: str, error: frontmatter.HeadError) -> Fault:
    return Fault(path, error.line, error.text, error.hint, error.fatal)


def _no_file(path: Path) -> tuple[str, str] | None:
    """Why there is no file to read, and what helps."""
    if path.is_symlink():
        return "this is a link; links are not followed", "put the file itself there"
    if path.is_dir():
        return f"this is a folder; it has to be the file {FILE}", ""
    if not path.exists():
        return "there is no such file", f"a skill is a folder with a {FILE}"
    return None if path.is_file() else ("this is no plain file", "")


def load(roots: Sequence[Path]) -> Library:
    """All skills below the folders; what is missing is no fault, for folders may be made later."""
    skills: dict[str, Skill] = {}
    faults: list[Fault] = []
    for root in roots:
        found: dict[str, Skill] = {}
        for folder in folders(root):
            skill, told = load_folder(folder)
            faults += told
            if skill is not None and skill.name in found:
                other = found[skill.name].folder
                text = f'the name "{skill.name}" is taken by the skill in {other}'
                faults.append(Fault(str(file_of(folder) or folder), skill.line, text))
            elif skill is not None:
                found[skill.name] = skill
        skills |= found
    return Library(dict(sorted(skills.items())), tuple(faults))


def check(root: Path) -> tuple[list[Skill], list[Fault]]:
    """What `skills check` tells: the skills below a folder, and all faults, also what is no skill at all.

    A path to a SKILL.md file stands for its folder.
    """
    if is_manifest(root.name) and not root.is_dir() and root.parent.is_dir():
        root = root.parent
    if not root.is_dir():
        text = "this is a file" if root.exists() else "there is no such folder"
        return [], [
            Fault(str(root), 1, text, f"name the folder of a skill, its {FILE}, or a folder of skills")
        ]
    found = folders(root)
    library = load([root])
    faults = [*library.faults, *_circles(library.skills)]
    if found != [root]:
        faults += _unused(root, found)
    if not found and not faults:
        hint = f"a skill is a folder with a {FILE}"
        faults.append(Fault(str(root / FILE), 1, "there is no skill in this folder", hint))
    return list(library.skills.values()), faults


def _circles(skills: Mapping[str, Skill]) -> list[Fault]:
    """Skills that need themselves, by way of others or not."""
    return [
        Fault(
            str(file_of(skill.folder) or skill.folder),
            skill.line,
            f"the skill {name} needs itself in a circle",
        )
        for name, skill in skills.items()
        if name in needed(skill, skills)
    ]


def _unused(root: Path, found: Sequence[Path]) -> list[Fault]:
    """Folders beside skills that are none."""
    faults = [
        Fault(str(inner / FILE), 1, f"the folder has no {FILE}")
        for inner in inner_folders(root)
        if not any(folder.is_relative_to(inner) for folder in found)
    ]
    return faults + [
        Fault(str(link), 1, "this is a link; links are not followed", "put the folder itself there")
        for link in linked_folders(root)
    ]
