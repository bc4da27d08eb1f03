"""Skills from folders: each usable one by its name, and every fault with file and line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skills import fields, frontmatter
from skills.disk import FILE, digest_of, folders, inner_folders
from skills.manifest import Fault, Skill


@dataclass(frozen=True, slots=True)
class Library:
    """What was found. A skill of a later folder takes the place of one of the same name before it."""

    skills: Mapping[str, Skill] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def load_folder(folder: Path, shown: str | None = None) -> tuple[Skill | None, list[Fault]]:
    """The skill of one folder, None where it is not usable; `shown` is the path that faults name."""
    path = folder / FILE
    named = shown or str(path)
    try:
        if path.is_symlink() or not path.is_file():
            return None, [Fault(named, 1, "there is no such file", f"a skill is a folder with a {FILE}")]
        data = path.read_bytes() if path.stat().st_size <= frontmatter.MAX_FILE_BYTES * 2 else b""
        if not data and path.stat().st_size:
            size = path.stat().st_size
            limit = frontmatter.MAX_FILE_BYTES
            return None, [Fault(named, 1, f"the file has {size} bytes; {limit} are allowed")]
        parts = frontmatter.split(frontmatter.decoded(data))
        node = frontmatter.read(parts.head)
    except frontmatter.HeadError as error:
        return None, [Fault(named, error.line, error.text, error.hint)]
    except OSError as error:
        return None, [Fault(named, 1, f"the file cannot be read: {error.strerror}")]
    skill, faults = fields.skill_of(node, parts.body, folder, named)
    if skill is None:
        return None, faults
    try:
        digest = digest_of(folder)
    except ValueError as error:
        return None, [*faults, Fault(named, 1, str(error))]
    return replace(skill, digest=digest), faults


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
                faults.append(Fault(str(folder / FILE), 1, text))
            elif skill is not None:
                found[skill.name] = skill
        skills |= found
    return Library(dict(sorted(skills.items())), tuple(faults))


def check(root: Path) -> tuple[list[Skill], list[Fault]]:
    """What `skills check` tells: the skills below a folder, and all faults, also what is no skill at all."""
    if not root.is_dir():
        return [], [Fault(str(root), 1, "there is no such folder")]
    found = folders(root)
    if not found:
        text = "there is no skill in this folder"
        return [], [Fault(str(root / FILE), 1, text, f"a skill is a folder with a {FILE}")]
    library = load([root])
    faults = list(library.faults)
    others = [] if found == [root] else inner_folders(root)
    faults.extend(
        Fault(str(inner / FILE), 1, f"the folder has no {FILE}")
        for inner in others
        if not any(folder.is_relative_to(inner) for folder in found)
    )
    return list(library.skills.values()), faults
