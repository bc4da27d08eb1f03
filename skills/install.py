"""Taking in a skill: what it may do is shown before, and what was shown is what is kept."""

import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.errors import Conflict, InputError
from skills.disk import FILE, digest_of, excess, file_of, files_of
from skills.load import load_folder
from skills.manifest import Fault, Mode, Skill
from skills.places import LIBRARY, Place
from skills.registry import Entry, Registry
from skills.shown import Finding, findings, visible
from skills.sources import Brought

_SCRIPTS = frozenset({
    ".py",
    ".sh",
    ".bash",
    ".js",
    ".mjs",
    ".ts",
    ".rb",
    ".pl",
    ".ps1",
    ".bat",
    ".exe",
    ".so",
})
_TEXTS = frozenset({".md", ".txt", ".json", ".yaml", ".yml", ".toml", ".csv", ""})


@dataclass(frozen=True, slots=True)
class Preview:
    """What a person decides about: the skill, what it may do, and what is odd about it."""

    skill: Skill
    faults: tuple[Fault, ...]
    findings: tuple[tuple[str, Finding], ...]  # by file
    files: tuple[str, ...]
    scripts: tuple[str, ...]
    bytes: int
    installed: Entry | None = None  # what is there under this name
    hides_ours: bool = False  # the product has one of this name

    def lines(self) -> list[str]:
        """It for people, a line each."""
        skill = self.skill
        tools = skill.allowed_tools
        told = "tools that only look" if tools is None else ", ".join(tools) or "none"
        needs = skill.requires
        wanted = (*needs.bins, *needs.env, *needs.api_key)
        triggers = ", ".join(trigger.pattern or trigger.kind for trigger in skill.triggers)
        lines = [
            f"{skill.name} {skill.version}".strip(),
            f"  {skill.description}",
            f"  tools: {told}",
            f"  chosen: {skill.mode}, triggers: {triggers or 'none'}",
            f"  files: {len(self.files)} ({self.bytes} bytes), scripts: {', '.join(self.scripts) or 'none'}",
        ]
        if wanted:
            lines.append(f"  needs: {', '.join(wanted)}")
        if self.hides_ours:
            lines.append("  look at this: the product has a skill of this name, which it takes the place of")
        lines += [f"  look at this: {file}:{finding.line}: {finding.text}" for file, finding in self.findings]
        lines += [f"  fault: {fault}" for fault in self.faults]
        lines.append(f"  content: {skill.digest}")
        return [line[: len(line) - len(line.lstrip())] + visible(line) for line in lines]


def preview(folder: Path, place: Place) -> Preview:
    """What a brought skill is. Raises `InputError` where it is not usable."""
    skill, faults = load_folder(folder)
    if skill is None:
        raise InputError("\n".join(map(str, faults)) or f"{folder} holds no skill")
    files = files_of(folder)
    if much := excess(files):
        raise InputError(much)
    names = [file.relative_to(folder).as_posix() for file in files]
    return Preview(
        skill=skill,
        faults=tuple(fault for fault in faults if "folder" not in fault.text),  # it gets its own
        findings=tuple(
            (name, finding)
            for name, file in zip(names, files, strict=True)
            if file.suffix.lower() in _TEXTS
            for finding in findings(file.read_text("utf-8", "replace").removeprefix("\ufeff"))
        ),
        files=tuple(names),
        scripts=tuple(name for name, file in zip(names, files, strict=True) if _is_script(file)),
        bytes=sum(file.stat().st_size for file in files),
        installed=Registry(place.registry).read().get(skill.name),
        hides_ours=file_of(LIBRARY / skill.name) is not None,
    )


def _is_script(file: Path) -> bool:
    if file.suffix.lower() in _SCRIPTS:
        return True
    with file.open("rb") as opened:
        return opened.read(2) == b"#!"


def one_of(brought: Brought, name: str) -> Path:
    """The folder of one skill: the only one, or that of a name. Raises `InputError`."""
    if not brought.folders:
        raise InputError(f"there is no {FILE} in it")
    names = {folder.name: folder for folder in brought.folders}
    if name:
        if name not in names:
            raise InputError(f"it has no skill {name!r}; it has: {', '.join(sorted(names))}")
        return names[name]
    if len(brought.folders) > 1:
        raise InputError(f"it has several skills: {', '.join(sorted(names))}", hint="name one with --name")
    return brought.folders[0]


def install(shown: Preview, brought: Brought, place: Place, now: datetime, mode: Mode | None = None) -> Path:
    """Keep a skill that was shown, approved as it is; an older one of its name is replaced.

    Raises `Conflict` where its files are not what was shown.
    """
    source = shown.skill.folder
    if digest_of(source) != shown.skill.digest:
        raise Conflict("its files were changed after they were shown")
    target = place.folder / shown.skill.name
    fresh = place.folder / f".{shown.skill.name}.new"
    place.folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(fresh, ignore_errors=True)
    for name in shown.files:
        file = fresh / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, file)
    if digest_of(fresh) != shown.skill.digest:
        shutil.rmtree(fresh, ignore_errors=True)
        raise Conflict("its files were changed while they were copied")
    # The approval is written before the files: whoever loads in between sees a changed skill, unused.
    Registry(place.registry).put(
        shown.skill.name,
        enabled=True,
        mode=mode,
        source_kind=brought.kind,
        source_ref=brought.ref,
        version=shown.skill.version or brought.version,
        checksum_sha256=shown.skill.digest,
        installed_at_unix=int(now.timestamp()),
    )
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    return target
