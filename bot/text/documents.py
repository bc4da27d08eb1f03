"""The text of a file that somebody sent. Hostile files are bounded in time, memory and size."""

import asyncio
import contextlib
import json
import sys
from dataclasses import dataclass
from typing import Any, Literal

from bot.text.clean import clean

MAX_CHARS = 60_000
LIMIT_S = 30.0

Trouble = Literal["unknown", "damaged", "empty"]

_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TEXT_TYPES = {"application/json", "application/xml", "application/x-yaml", "application/toml"}
# Files of these kinds are bytes, also where some of them can be taken for letters.
_BINARY = (
    b"PK\x03\x04",
    b"\x7fELF",
    b"MZ",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"OggS",
    b"ID3",
)
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Unreadable(Exception):
    """No text could be had; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


@dataclass(frozen=True, slots=True)
class Extract:
    """The text of a file; `cut` where it is only the beginning."""

    text: str
    cut: bool


async def extract(name: str, mime: str, data: bytes, max_chars: int = MAX_CHARS) -> Extract:
    """The text of a file by its content, name and type. Raises `Unreadable`."""
    kind = _kind(name, mime, data)
    found = await _apart(kind, data, max_chars) if kind else _decoded(data, mime, max_chars)
    if not found.text.strip():
        raise Unreadable("empty")
    return found


def _kind(name: str, mime: str, data: bytes) -> str:
    """What has to be taken apart; "" for what is text or nothing we know."""
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    word = mime == _DOCX or name.lower().endswith(".docx")
    return "docx" if word and data.startswith(b"PK") else ""


def _decoded(data: bytes, mime: str, max_chars: int) -> Extract:
    """Text as it stands, in the encoding that fits."""
    if data.startswith(_BINARY):
        raise Unreadable("unknown")
    start = data[: max_chars * 4 + 4]
    marked = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), None)
    if marked is None and b"\0" in start:
        raise Unreadable("unknown")
    textual = mime.startswith("text/") or mime in _TEXT_TYPES or marked is not None
    text = _first_fitting(start, [marked] if marked else ["utf-8", "gb18030"], whole=len(start) == len(data))
    if text is None:
        if not textual:
            raise Unreadable("unknown")
        text = start.decode("latin-1")
    controls = sum(letter < " " and letter not in "\t\n\r\f\x1b" for letter in text[:4096])
    if controls * 20 > len(text[:4096]):
        raise Unreadable("unknown")
    kept = clean(text)
    return Extract(kept[:max_chars], len(kept) > max_chars or len(start) < len(data))


def _first_fitting(data: bytes, encodings: list[str], *, whole: bool) -> str | None:
    for encoding in encodings:
        # A piece may end inside a character.
        for dropped in range(1 if whole else 4):
            with contextlib.suppress(UnicodeDecodeError):
                return data[: len(data) - dropped].decode(encoding)
    return None


async def _apart(kind: str, data: bytes, max_chars: int) -> Extract:
    """Read a file in a process of its own, which is killed when it takes too long."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.text.extraction",
        kind,
        str(max_chars),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            output, _ = await process.communicate(data)
    except (TimeoutError, BrokenPipeError, ConnectionResetError):
        raise Unreadable("damaged") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _told(output, max_chars)


def _told(output: bytes, max_chars: int) -> Extract:
    try:
        found: dict[str, Any] = json.loads(output)
        text, cut = str(found["text"]), bool(found["cut"])
    except (ValueError, KeyError, TypeError):
        missing = b'"missing"' in output
        raise Unreadable("unknown" if missing else "damaged") from None
    return Extract(clean(text)[:max_chars], cut)
