"""The folders and files of skills as they lie on the disk; nothing of what stands in them."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

FILE = "SKILL.md"
_SPELLINGS = (FILE, "skill.md")  # the standard's tools take both, the first one first
# What is installed; a skill that lies there with more is used, up to so many times as much.
MAX_FILES = 256
MAX_BYTES = 2 * 1024 * 1024
_STILL_READ = 16
_TOO_MUCH = f"a skill has at most {MAX_FILES} files and {MAX_BYTES} bytes"
_DEEPEST = 4  # folders below the one that is looked through


def file_of(folder: Path) -> Path | None:
    """What stands in a folder as its SKILL.md, also a link or worse; None where nothing does."""
    return next((folder / name for name in _SPELLINGS if os.path.lexists(folder / name)), None)


def is_manifest(name: str) -> bool:
    """Whether a file of a skill is its SKILL.md."""
    return name in _SPELLINGS


def folders(root: Path) -> list[Path]:
    """The folders with a skill: this one, or those below it, in order; links are not followed."""
    if file_of(root) is not None:
        return [root]
    return list(_below(root, _DEEPEST))


def _below(root: Path, depth: int) -> Iterator[Path]:
    for inner in inner_folders(root):
        if file_of(inner) is not None:
            yield inner
        elif depth > 1:
            yield from _below(inner, depth - 1)


def inner_folders(root: Path) -> list[Path]:
    """The folders directly below one that may hold skills; none where it cannot be read."""
    return [Path(entry.path) for entry in _entries(root) if entry.is_dir(follow_symlinks=False)]


def linked_folders(root: Path) -> list[Path]:
    """The links directly below one that lead to folders: they are passed over."""
    return [Path(entry.path) for entry in _entries(root) if entry.is_symlink() and entry.is_dir()]


def _entries(root: Path) -> list[os.DirEntry[str]]:
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except OSError:
        return []
    return [entry for entry in entries if not entry.name.startswith((".", "__"))]


def files_of(folder: Path) -> list[Path]:
    """The files of a skill, in order. Raises `ValueError` for links, too many files or too much, and for
    what is no plain file: reading a pipe would wait for ever."""
    found: list[Path] = []
    total = 0
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if name != "__pycache__")
        for name in sorted((*names, *files)):
            if (Path(directory) / name).is_symlink():
                raise ValueError(f"{(Path(directory) / name).relative_to(folder)} is a link")
        for name in sorted(files):
            path = Path(directory) / name
            if not path.is_file():
                raise ValueError(f"{path.relative_to(folder)} is no plain file")
            total += path.stat().st_size
            found.append(path)
            if len(found) > MAX_FILES * _STILL_READ or total > MAX_BYTES * _STILL_READ:
                raise ValueError(_TOO_MUCH)
    return found


def excess(files: Iterable[Path]) -> str:
    """What speaks against installing so many files; "" for nothing."""
    sizes = [path.stat().st_size for path in files]
    return _TOO_MUCH if len(sizes) > MAX_FILES or sum(sizes) > MAX_BYTES else ""


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
