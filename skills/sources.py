"""Where a skill can come from: a folder, a zip archive, a git repository, or an entry of an index."""

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.errors import InputError, NotFound
from skills import archive, repository
from skills.disk import excess, files_of, folders
from skills.shown import visible


class Download(Protocol):
    """Brings what is in the web, behind the guard. Both raise `XiaomaolvError`."""

    def __call__(self, url: str, max_bytes: int, /) -> bytes:
        """The content at an address, of so many bytes at most."""
        ...

    def judged(self, url: str, /) -> tuple[str, int, str]:
        """Host and port of a URL, and the address that a program may connect to for it."""
        ...


_SHA = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of an index."""

    id: str
    name: str
    description: str
    version: str = ""
    download_url: str = ""
    checksum: str = ""  # SHA-256 of what is downloaded
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brought:
    """What was brought: the folders of its skills, and what the registry says of its origin."""

    folders: tuple[Path, ...]
    kind: str
    ref: str
    version: str = ""


def kind_of(source: str) -> str:
    """folder, zip, url, git or index."""
    path = Path(source).expanduser()
    if path.is_dir():
        return "folder"
    if path.is_file():
        return "zip"
    if source.startswith(("https://", "http://")) and source.split("?")[0].lower().endswith(".zip"):
        return "url"
    if repository.read(source) is not None:
        return "git"
    return "index"


def bring(
    source: str, into: Path, download: Download, index: Mapping[str, Listed], environ: Mapping[str, str]
) -> Brought:
    """Bring a source below a new folder and find its skills. Nothing of it is used yet.

    Raises `InputError` for what is refused, `NotFound` where there is no such thing, `Unavailable`.
    """
    kind = kind_of(source)
    ref, version = source, ""
    match kind:
        case "folder":
            found = _from_folder(Path(source).expanduser(), into)
            ref = str(Path(source).expanduser().resolve())
            return Brought(tuple(found), kind, ref)
        case "zip":
            path = Path(source).expanduser()
            if path.stat().st_size > archive.MAX_ARCHIVE_BYTES:
                raise InputError(f"{path} has more than {archive.MAX_ARCHIVE_BYTES} bytes")
            archive.unpack(path.read_bytes(), into)
            ref = str(path.resolve())
        case "url":
            archive.unpack(download(source, archive.MAX_ARCHIVE_BYTES), into)
        case "git":
            version = repository.clone(source, into, environ, download.judged)
        case _:
            listed = index.get(source)
            if listed is None:
                raise NotFound(f"there is no folder, archive or entry of an index called {source!r}")
            data = download(listed.download_url, archive.MAX_ARCHIVE_BYTES)
            verify(data, listed)
            archive.unpack(data, into)
            version = listed.version
    within = repository.read(source) if kind == "git" else None
    root = into / within.path if within else into
    return Brought(tuple(folders(root)), kind, ref, version)


def _from_folder(source: Path, into: Path) -> list[Path]:
    """Copies of the skills of a folder. Links are refused, for they may lead anywhere."""
    copied = []
    for number, folder in enumerate(folders(source)):
        try:
            files = files_of(folder)
        except ValueError as error:
            raise InputError(f"{folder}: {error}") from error
        if much := excess(files):
            raise InputError(f"{folder}: {much}")
        name = folder.resolve().name
        target = into / str(number) / name
        for file in files:
            place = target / file.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place, follow_symlinks=False)
        copied.append(target)
    return copied


def verify(data: bytes, listed: Listed) -> None:
    """Raise `InputError` where what was downloaded is not what the index promised."""
    if not listed.checksum:
        return
    if not _SHA.fullmatch(listed.checksum) or archive.digest(data) != listed.checksum:
        raise InputError(f"what was downloaded for {listed.id} is not what the index promises")


def read_index(data: bytes) -> dict[str, Listed]:
    """The entries of a JSON index `{"skills": [{id, name, description, …}]}`. Raises `InputError`."""
    try:
        items = json.loads(data)["skills"]
        entries = [_listed(item) for item in items]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f'this is not an index {{"skills": [{{"id", "download_url", …}}]}}: {error}'
        ) from error
    return {entry.id: entry for entry in entries}


def _listed(item: Mapping[str, Any]) -> Listed:
    return Listed(
        id=visible(str(item["id"])),
        name=visible(str(item.get("name") or item["id"])),
        description=visible(str(item.get("description", ""))),
        version=visible(str(item.get("version", ""))),
        download_url=str(item.get("download_url", "")),
        checksum=str(item.get("checksum_sha256", "")),
        keywords=tuple(map(str, (*item.get("tags", ()), *item.get("keywords", ())))),
    )
