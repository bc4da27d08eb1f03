"""A skill from elsewhere on its way in: brought, shown, and kept only as it was shown."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.errors import Conflict, InputError, NotFound
from skills.archive import MAX_ARCHIVE_BYTES
from skills.install import Preview, install, one_of, preview
from skills.places import Place
from skills.sources import Brought, Download, Listed, bring, kind_of, read_index

INDEX_VARIABLE = "XIAOMAOLV_SKILLS_TEAM_INDEX_URL"
_MOST = 16  # offers that wait at once
_CODE = 16  # signs of the digest that stand for an offer


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to bring: `name` is which, where the source has several; `usual` which if it has several and
    nobody said."""

    source: str
    name: str = ""
    usual: str = ""


@contextmanager
def brought(
    wanted: Wanted, place: Place, download: Download, environ: Mapping[str, str]
) -> Iterator[tuple[Preview, Brought]]:
    """A skill as it would be kept in a place; its files are gone afterwards. Raises `XiaomaolvError`."""
    try:
        with tempfile.TemporaryDirectory(prefix="skill-") as folder:
            index = index_of(environ, download) if kind_of(wanted.source) == "index" else {}
            found = bring(wanted.source, Path(folder) / "brought", download, index, environ)
            name = wanted.name or (wanted.usual if len(found.folders) > 1 else "")
            yield preview(one_of(found, name), place), found
    except OSError as error:
        raise InputError(f"{error.filename or 'a file'} cannot be used: {error.strerror}") from error


def index_of(environ: Mapping[str, str], download: Download) -> dict[str, Listed]:
    """The entries of the index; none where none is set."""
    where = environ.get(INDEX_VARIABLE, "")
    if not where:
        return {}
    path = Path(where).expanduser()
    return read_index(path.read_bytes() if path.is_file() else download(where, MAX_ARCHIVE_BYTES))


@dataclass(frozen=True, slots=True)
class Offer:
    """What a person decides about, in lines; `code` stands for exactly this content."""

    code: str
    name: str
    lines: tuple[str, ...]
    is_installed: bool  # as it is


class Offers:
    """What was shown in a chat and waits for a word. After a restart it has to be shown again.

    What is taken is brought once more, and refused where its content is not what was shown.
    """

    def __init__(self, place: Place, environ: Mapping[str, str], download: Download) -> None:
        self._place = place
        self._environ = environ
        self._download = download
        self._waiting: dict[str, tuple[Wanted, str]] = {}

    def show(self, wanted: Wanted) -> Offer:
        """Bring a skill and tell of it; nothing is kept. Raises `XiaomaolvError`."""
        with brought(wanted, self._place, self._download, self._environ) as (shown, _):
            digest, entry = shown.skill.digest, shown.installed
            code = digest[:_CODE]
            is_installed = entry is not None and entry.checksum_sha256 == digest
            if not is_installed:
                self._waiting[code] = wanted, digest
            while len(self._waiting) > _MOST:
                self._waiting.pop(next(iter(self._waiting)))
            return Offer(code, shown.skill.name, tuple(shown.lines()), is_installed)

    def take(self, code: str, now: datetime) -> str:
        """Install what was shown; its name. Raises `XiaomaolvError`, `Conflict` where it has changed."""
        if code not in self._waiting:
            raise NotFound("nothing that was shown waits under this code", hint="send /skills install again")
        wanted, digest = self._waiting[code]
        with brought(wanted, self._place, self._download, self._environ) as (shown, found):
            if shown.skill.digest != digest:
                raise Conflict("its files were changed after they were shown", hint="let it be shown again")
            install(shown, found, self._place, now)
        self._waiting.pop(code, None)
        return shown.skill.name

    def drop(self, code: str) -> None:
        """Forget what was shown."""
        self._waiting.pop(code, None)
