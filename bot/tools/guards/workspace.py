"""A folder that files can't lead out of: each step is opened from the folder before it, links never.

Nothing is looked up by a whole path, so nothing changes between a check and its use: what is opened
is what was judged. Blocking; callers run it in a thread.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.errors import Conflict, Denied, InputError, NotFound
from bot.tools.guards.paths import parts_of

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _SAFELY
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _SAFELY
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY
_PART = ".part-"

IS_SUPPORTED = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


@dataclass(frozen=True, slots=True)
class Quota:
    """What one workspace may hold: bytes of a file, bytes of all, and how many files and folders."""

    file_bytes: int = 10 * 1024 * 1024
    total_bytes: int = 100 * 1024 * 1024
    entries: int = 2000


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a folder; `size` is in bytes, 0 for a folder. `kind` `other` is never opened."""

    path: str
    kind: str  # "file", "folder", "other"
    size: int


class Workspace:
    """The files below `root`, which is made at the first write. Paths are judged by `guards.paths`.

    Every method raises `InputError` for a path that is none, `Denied` for links and special files,
    `NotFound`, `Conflict`, or `OSError` of the disk.
    """

    def __init__(self, root: Path, quota: Quota | None = None) -> None:
        self._root = root
        self._quota = quota or Quota()

    def read(self, path: str, max_bytes: int, offset: int = 0) -> tuple[bytes, int]:
        """`max_bytes` of a file, from `offset` on, and its whole size."""
        *folders, name = _parts(path)
        with (
            self._folder(folders) as folder,
            _opened(name, folder, path) as descriptor,
            os.fdopen(os.dup(descriptor), "rb") as file,
        ):
            file.seek(offset)
            return file.read(max_bytes), os.fstat(descriptor).st_size

    def write(self, path: str, content: bytes, *, append: bool = False, overwrite: bool = True) -> None:
        """Write a file whole or not at all; folders on the way are made.

        Raises `Denied` where the quota would be passed, `Conflict` for an existing file that is not to
        be overwritten.
        """
        *folders, name = _parts(path)
        before = b""
        if append and self._exists(path):
            before, size = self.read(path, self._quota.file_bytes)
            if size > len(before):
                raise Denied(f"a file may hold {self._quota.file_bytes} bytes")
        self._check_room(path, len(before) + len(content))
        with self._folder(folders, make=True) as folder:
            existing = _kind_at(name, folder)
            if existing == "file" and not overwrite and not append:
                raise Conflict(f"{path} is there already")
            if existing not in {"file", ""}:
                raise Denied(f"{path} is a {'folder' if existing == 'folder' else 'link or a special file'}")
            _replace(name, folder, before + content)

    def entries(self, path: str = "", *, deep: bool = False) -> list[Entry]:
        """What a folder holds, by name; with `deep` all that is below it, at most the quota's count."""
        parts = _parts(path) if path not in {"", ".", "./"} else []
        try:
            with self._folder(parts) as folder:
                found = list(_walk(folder, "/".join(parts), deep, self._quota.entries))
        except NotFound:
            if parts:
                raise
            return []  # nothing was written yet
        return sorted(found, key=lambda entry: entry.path)

    def delete(self, path: str, *, recursive: bool = False) -> str:
        """Remove a file, an empty folder, or a folder with all in it. The kind of what is gone.

        A link is removed itself; what it leads to stays.
        """
        *folders, name = _parts(path)
        with self._folder(folders) as folder:
            kind = _kind_at(name, folder)
            if not kind:
                raise NotFound(f"there is no {path}")
            if kind != "folder":
                os.unlink(name, dir_fd=folder)
                return "file"
            if recursive:
                _empty(name, folder, depth=0)
            try:
                os.rmdir(name, dir_fd=folder)
            except OSError:
                raise Conflict(f"{path} is not empty", hint="recursive removes all that is in it") from None
            return "folder"

    def copy(self, source: str, destination: str, *, move: bool = False, overwrite: bool = False) -> None:
        """Copy a file. With `move` the source is gone afterwards."""
        content, size = self.read(source, self._quota.file_bytes)
        if size > len(content):
            raise Denied(f"a file may hold {self._quota.file_bytes} bytes")
        if _parts(source) == _parts(destination):
            raise InputError("source and destination are the same", field="destination")
        self.write(destination, content, overwrite=overwrite)
        if move:
            self.delete(source)

    def _exists(self, path: str) -> bool:
        *folders, name = _parts(path)
        try:
            with self._folder(folders) as folder:
                return bool(_kind_at(name, folder))
        except NotFound:
            return False

    def _check_room(self, path: str, size: int) -> None:
        if size > self._quota.file_bytes:
            raise Denied(f"a file may hold {self._quota.file_bytes} bytes")
        held = self.entries(deep=True)
        # Folders that the write would make count with the file itself.
        if len(held) + path.count("/") + 1 > self._quota.entries:
            raise Denied(f"the workspace may hold {self._quota.entries} files and folders")
        others = sum(entry.size for entry in held if entry.path != "/".join(_parts(path)))
        if others + size > self._quota.total_bytes:
            raise Denied(f"the workspace may hold {self._quota.total_bytes} bytes")

    @contextmanager
    def _folder(self, parts: list[str], *, make: bool = False) -> Iterator[int]:
        """The open folder at the end of `parts`, each step from the one before it."""
        if not IS_SUPPORTED:
            raise Denied("files are not offered on this system", hint="it can't open a file from its folder")
        if make:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            current = os.open(self._root, _FOLDER)
        except FileNotFoundError:
            raise NotFound("the workspace is empty") from None
        try:
            for part in parts:
                current = _step(current, part, make)
            yield current
        finally:
            os.close(current)


def _parts(path: str) -> list[str]:
    try:
        parts = list(parts_of(path))
    except ValueError as error:
        raise InputError(str(error), field="path") from None
    if any(part.startswith(_PART) for part in parts):
        raise InputError(f"names that begin with {_PART} are taken", field="path")
    return parts


def _step(folder: int, name: str, make: bool) -> int:
    """The folder one step below; the one above is closed."""
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=folder)
    try:
        below = os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        raise NotFound(f"there is no folder {name}") from None
    except OSError:
        raise Denied(f"{name} is not a folder", hint="links are not followed") from None
    os.close(folder)
    return below


@contextmanager
def _opened(name: str, folder: int, path: str) -> Iterator[int]:
    """An ordinary file with one name only: no link, pipe, device, nor a second name of another's file."""
    try:
        descriptor = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        raise NotFound(f"there is no file {path}") from None
    except OSError:
        raise Denied(f"{path} is not an ordinary file", hint="links are not followed") from None
    try:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{path} is a folder", field="path")
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            raise Denied(f"{path} is not an ordinary file of this workspace")
        yield descriptor
    finally:
        os.close(descriptor)


def _kind_at(name: str, folder: int) -> str:
    """`file`, `folder`, `other` or "" for nothing."""
    try:
        return _kind(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return ""


def _kind(found: os.stat_result) -> str:
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 else "other"


def _replace(name: str, folder: int, content: bytes) -> None:
    """Write beside and rename: a reader sees the old file or the new one; no link is written through."""
    beside = f"{_PART}{secrets.token_hex(8)}"
    descriptor = os.open(beside, _NEW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise


def _walk(folder: int, prefix: str, deep: bool, room: int) -> Iterator[Entry]:
    with os.scandir(folder) as listing:
        names = sorted(entry.name for entry in listing if not entry.name.startswith(_PART))
    for name in names[:room]:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        kind = _kind(found)
        path = f"{prefix}/{name}" if prefix else name
        yield Entry(path, kind, found.st_size if kind == "file" else 0)
        if deep and kind == "folder":
            below = os.open(name, _FOLDER, dir_fd=folder)
            try:
                yield from _walk(below, path, deep, room)
            finally:
                os.close(below)


def _empty(name: str, folder: int, depth: int) -> None:
    """Remove all that is in a folder, never through a link."""
    if depth > 64:
        raise Denied("the folders are too deep")
    inside = os.open(name, _FOLDER, dir_fd=folder)
    try:
        with os.scandir(inside) as listing:
            names = [entry.name for entry in listing]
        for below in names:
            if stat.S_ISDIR(os.stat(below, dir_fd=inside, follow_symlinks=False).st_mode):
                _empty(below, inside, depth + 1)
                os.rmdir(below, dir_fd=inside)
            else:
                os.unlink(below, dir_fd=inside)
    finally:
        os.close(inside)
