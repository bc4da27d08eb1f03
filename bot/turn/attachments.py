"""What people attach to a message, made into what a model can read; and a clear line where it can't be."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol

import structlog
from sqlalchemy import Connection, update

from bot.domain.conversation import Inbound
from bot.domain.message import Document, File, Image, Part, Text
from bot.domain.run import Run
from bot.errors import InputError, ModelError, NotFound
from bot.i18n.catalogue import translate
from bot.store.tables import runs
from bot.text.documents import Unreadable, extract
from bot.turn import codec, gathering

log = structlog.get_logger(__name__)

MAX_MB = 20
MAX_IMAGES = 10
MAX_IMAGE_BYTES = 8_000_000
EXTRACTIONS_AT_ONCE = 2
MAX_REMEMBERED = 64  # recordings, by what was heard: one that waits for its turn may have been heard before
_IMAGES = {"image/jpeg", "image/png", "image/webp", "image/gif"}
_MAGIC = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG", "image/png"), (b"GIF8", "image/gif"))

# Brings the bytes of a file. Raises `InputError` for one that is too big, `NotFound` for one that can't
# be had.
Fetch = Callable[[Inbound, File], Awaitable[bytes]]


class Hearing(Protocol):
    """Turns a recording into words; raises `ModelError`."""

    async def transcribe(self, audio: bytes, name: str, mime: str) -> str: ...


class _Unread(Exception):
    """A file that is not read. `key` is the line that says why; a `soft` one matters less than words."""

    def __init__(self, key: str, *, soft: bool = False, **values: object) -> None:
        super().__init__(key)
        self.key = f"media.{key}"
        self.soft = soft
        self.values = values


@dataclass(frozen=True, slots=True)
class Read:
    """A message as the model gets it. `line` is the whole answer where nothing of it could be read."""

    inbound: Inbound
    line: str = ""

    @property
    def is_heard(self) -> bool:
        """Whether words of it were spoken."""
        return any(isinstance(part, File) and part.is_heard for part in self.inbound.parts)


class Attachments:
    """Reads files through the channel they came by. `sees`: the model can look at pictures."""

    def __init__(self, *, sees: bool = False, hearing: Hearing | None = None) -> None:
        self.fetchers: dict[str, Fetch] = {}
        self._sees = sees
        self._hearing = hearing
        self._gate = asyncio.Semaphore(EXTRACTIONS_AT_ONCE)
        self._heard_before: dict[tuple[str, str], str] = {}

    async def read(self, inbound: Inbound) -> Read:
        """The message with its files read."""
        fetch = self.fetchers.get(inbound.conversation.channel)
        if not any(isinstance(part, File) for part in inbound.parts):
            return Read(inbound)
        parts: list[Part] = []
        failures: list[_Unread] = []
        read = images = 0
        for part in inbound.parts:
            if not isinstance(part, File) or part.is_heard:
                parts.append(part)
                continue
            try:
                if fetch is None:
                    raise _Unread("not_understood", soft=True, kind=part.name)
                found = await self._read(inbound, part, fetch, images)
            except _Unread as error:
                failures.append(error)
                parts.append(part)
            else:
                read += 1
                images += isinstance(found[-1], Image)
                parts += found
        whole = replace(inbound, parts=tuple(parts))
        return Read(whole, _line(inbound, failures, read))

    async def _read(self, inbound: Inbound, file: File, fetch: Fetch, images: int) -> list[Part]:
        """What a file becomes."""
        self._check(file, images)
        recording = (inbound.conversation.channel, file.ref)
        if recording in self._heard_before:
            return [Text(self._heard_before[recording]), replace(file, ref="")]
        try:
            data = await fetch(inbound, file)
        except InputError:
            raise _Unread("too_big", name=file.name, size=MAX_MB) from None
        except NotFound:
            raise _Unread("lost", name=file.name) from None
        if _is_image(file):
            return [_image(file, data)]
        if file.is_sound:
            words = self._heard_before[recording] = await self._heard(file, data)
            while len(self._heard_before) > MAX_REMEMBERED:
                del self._heard_before[next(iter(self._heard_before))]
            return [Text(words), replace(file, ref="")]
        try:
            async with self._gate:
                found = await extract(file.name, file.mime, data)
        except Unreadable as error:
            raise _Unread(error.trouble, name=file.name) from None
        return [Document(file.name, found.text, found.cut)]

    def _check(self, file: File, images: int) -> None:
        """Refuse what needs not be fetched to know that it can't be read."""
        if not file.ref:
            raise _Unread("not_understood", soft=True, kind=file.name)
        if file.mime.startswith("video/") or file.kind in {"video", "video_note", "animation"}:
            raise _Unread("unwatched", soft=True)
        if _is_image(file) and (not self._sees or images >= MAX_IMAGES):
            raise _Unread("no_vision" if not self._sees else "too_big", name=file.name, size=MAX_IMAGES)
        if file.is_sound and self._hearing is None:
            raise _Unread("no_voice")

    async def _heard(self, file: File, data: bytes) -> str:
        assert self._hearing is not None  # `_check` refused the file else
        try:
            words = await self._hearing.transcribe(data, file.name, file.mime)
        except ModelError as error:
            log.warning("attachment.unheard", code=error.code, detail=error.message)
            raise _Unread("voice_failed") from None
        if not words.strip():
            raise _Unread("voice_empty")
        return words


def _is_image(file: File) -> bool:
    return file.kind == "photo" or file.mime in _IMAGES


def _image(file: File, data: bytes) -> Image:
    if len(data) > MAX_IMAGE_BYTES:
        raise _Unread("too_big", name=file.name, size=MAX_IMAGE_BYTES // 1_000_000)
    mime = next((mime for magic, mime in _MAGIC if data.startswith(magic)), None)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        mime = "image/webp"
    if mime is None:
        raise _Unread("damaged", name=file.name)
    return Image(f"data:{mime};base64,{base64.b64encode(data).decode()}")


def _line(inbound: Inbound, failures: list[_Unread], read: int) -> str:
    """The answer where the files are what matters and none could be read."""
    if not failures or read:
        return ""
    hard = [failure for failure in failures if not failure.soft]
    if not hard and inbound.text.strip():
        return ""
    told = dict.fromkeys(translate(one.key, inbound.locale, **one.values) for one in hard or failures)
    return "\n".join(told)


def keep(conn: Connection, run: Run, inbound: Inbound) -> Run:
    """Note in a turn and its message what was read, so that a second try need not read it again.

    Pictures are not kept, only where they can be had.
    """
    before = codec.load(run.payload["inbound"])
    files = iter([part for part in before.parts if isinstance(part, File) and _is_image(part)])
    parts = tuple(next(files, part) if isinstance(part, Image) else part for part in inbound.parts)
    payload = {**run.payload, "inbound": codec.dump(replace(before, parts=parts))}
    conn.execute(update(runs).where(runs.c.id == run.id, runs.c.token == run.token).values(payload=payload))
    gathering.rewrite_message(conn, run.id, payload)
    return replace(run, payload=payload)
