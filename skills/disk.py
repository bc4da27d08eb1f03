"""The folders and files of skills as they lie on the disk; nothing of what stands in them."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

FILE = "SKILL.md"
MAX_FILES = 256
MAX_BYTES = 2 * 1024 * 1024
_DEEPEST = 4  # folders below the one that is looked through


def folders(root: Path) -> list[Path]:
    """The folders with a skill: this one, or those below it, in order; links are not followed."""
    if (root / FILE).exists():
        return [root]
    return list(_below(root, _DEEPEST))


def _below(root: Path, depth: int) -> Iterator[Path]:
    for inner in inner_folders(root):
        if (inner / FILE).exists():
            yield inner
        elif depth > 1:
            yield from _below(inner, depth - 1)


def inner_folders(root: Path) -> list[Path]:
    """The folders directly below one that may hold skills; none where it cannot be read."""
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError:
        return []
    return [
        Path(entry.path)
        for entry in entries
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith((".", "__"))
    ]


def files_of(folder: Path) -> list[Path]:
    """The files of a skill, in order. Raises `ValueError` for links, too many files or too much."""
    found: list[Path] = []
    total = 0
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if name != "__pycache__")
        for name in sorted((*names, *files)):
            if (Path(directory) / name).is_symlink():
                raise ValueError(f"{(Path(directory) / name).relative_to(folder)} is a link")
        for name in sorted(files):
            path = Path(directory) / name
            total += path.stat().st_size
            found.append(path)
            if len(found) > MAX_FILES or total > MAX_BYTES:
                raise ValueError(f"a skill has at most {MAX_FILES} files and {MAX_BYTES} bytes")
    return found


def digest_of(folder: Path) -> str:
    """The SHA-256 of names and contents of all files of a skill."""
    total = hashlib.sha256()
    for path in files_of(folder):
        name = path.relative_to(folder).as_posix().encode()
        total.update(len(name).to_bytes(4, "big") + name)
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stamp(roots: Iterable[Path]) -> tuple[tuple[str, int, int], ...]:
    """What changes when a skill is added, taken away or changed; cheap, by names and times."""
    found: list[tuple[str, int, int]] = []
    for root in roots:
        for folder in folders(root):
            for path in (folder, *sorted(folder.rglob("*"))):
                try:
                    state = path.stat()
                except OSError:
                    continue
                found.append((str(path), state.st_mtime_ns, state.st_size))
    return tuple(found)
