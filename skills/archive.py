"""Archives taken apart: every entry is judged before a byte is written."""

import hashlib
import stat
import unicodedata
import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

from bot.errors import InputError
from skills.disk import MAX_BYTES, MAX_FILES

MAX_ARCHIVE_BYTES = 8 * 1024 * 1024
_PIECE = 64 * 1024
# What everybody writes. The others can ask for gigabytes of memory before they give a byte.
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
# An archive of a repository holds more than the skills in it; only what is kept counts against a skill.
_MAX_ENTRIES = 20 * MAX_FILES
_MAX_TOTAL = 20 * MAX_BYTES


def unpack(data: bytes, into: Path) -> None:
    """Write the files of a zip archive below a new folder.

    Raises `InputError`, which names the entry, for one that leads out of the folder, is a link, is
    encrypted, stands there twice, or for more than a skill may have; then nothing was written.
    """
    if len(data) > MAX_ARCHIVE_BYTES:
        raise InputError(f"the archive has {len(data)} bytes; {MAX_ARCHIVE_BYTES} are allowed")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            contents = _contents(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError, zlib.error) as error:
        raise InputError(f"this is not a zip archive that can be read: {error}") from error
    for path, content in contents.items():
        target = into.joinpath(*path.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _contents(archive: zipfile.ZipFile) -> dict[PurePosixPath, bytes]:
    entries = archive.infolist()
    if len(entries) > _MAX_ENTRIES:
        raise InputError(f"the archive has {len(entries)} entries; {_MAX_ENTRIES} are allowed")
    paths = [(entry, _path_of(entry)) for entry in entries]
    _refuse_doubles([path for entry, path in paths if not entry.is_dir()])
    declared = sum(entry.file_size for entry in entries)
    if declared > _MAX_TOTAL:
        raise InputError(f"the archive unpacks to {declared} bytes; {_MAX_TOTAL} are allowed")
    contents: dict[PurePosixPath, bytes] = {}
    left = _MAX_TOTAL
    for entry, path in paths:
        if not entry.is_dir():
            contents[path] = _read(archive, entry, left)
            left -= len(contents[path])
    return contents


def _path_of(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Where an entry belongs, relative to the folder."""
    name = entry.orig_filename
    shown = repr(name[:100])
    path = PurePosixPath(name)
    if "\\" in name or "\0" in name or ":" in path.parts[0:1] or (len(name) > 1 and name[1] == ":"):
        raise InputError(f"the archive holds {shown}, which is no plain path")
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise InputError(f"the archive holds {shown}, which leads out of the folder")
    if any(not part.strip(" .") or any(ord(sign) < 32 for sign in part) for part in path.parts):
        raise InputError(f"the archive holds {shown}, which is no plain path")
    mode = entry.external_attr >> 16
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and stat.S_IFMT(mode):
        raise InputError(f"the archive holds {shown}, which is a link or a device")
    if entry.flag_bits & 0x1:
        raise InputError(f"the archive holds {shown}, which is encrypted")
    if entry.compress_type not in _METHODS:
        raise InputError(f"the archive holds {shown}, which is packed in a way that is not read here")
    return path


def _refuse_doubles(paths: list[PurePosixPath]) -> None:
    """Names that are one file on some system, and files that others lie in."""
    seen: set[str] = set()
    for path in paths:
        folded = unicodedata.normalize("NFC", str(path)).casefold()
        if folded in seen:
            raise InputError(f"the archive holds {str(path)!r} twice")
        seen.add(folded)
    for path in paths:
        if any(unicodedata.normalize("NFC", str(parent)).casefold() in seen for parent in path.parents):
            raise InputError(f"the archive holds {str(path)!r} below a file")


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """The content of an entry, however large it says it is; at most `left` bytes."""
    pieces: list[bytes] = []
    with archive.open(entry) as file:
        while piece := file.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise InputError(f"the archive holds {entry.filename!r}, which unpacks to too much")
            pieces.append(piece)
    return b"".join(pieces)


def digest(data: bytes) -> str:
    """The SHA-256 of an archive, as an index names it."""
    return hashlib.sha256(data).hexdigest()
