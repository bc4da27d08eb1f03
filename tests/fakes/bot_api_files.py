"""Pictures, files and albums that a bot sends, with the limits of the real API."""

from collections.abc import Mapping
from itertools import count
from typing import Any

from tests.fakes.bot_api_faults import bad
from tests.fakes.bot_api_text import utf16_len
from tests.fakes.bot_api_world import Json

MAX_ALBUM = 10
MAX_CAPTION = 1024
MAX_PHOTO = 10 * 1024 * 1024
MAX_FILE = 50 * 1024 * 1024
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF")
_numbers = count(1)


def read_file(kind: str, reference: str, caption: str, uploads: Mapping[str, bytes]) -> Json:
    """The fields of a message with one picture or file."""
    content = _uploaded(reference, uploads)
    if not content:
        raise bad("file must be non-empty")
    if len(content) > MAX_FILE:
        raise bad("file is too big")
    words = {"caption": text} if (text := read_caption(caption)) else {}
    number = next(_numbers)
    about: Json = {"file_id": f"sent{number}", "file_unique_id": f"us{number}", "file_size": len(content)}
    if kind == "document":
        return {"document": about, **words}
    if len(content) > MAX_PHOTO:
        size = f"file of size {len(content)} bytes is too big for a photo"
        raise bad(f"{size}; the maximum size is {MAX_PHOTO} bytes")
    if not content.startswith(_PICTURES):
        raise bad("IMAGE_PROCESS_FAILED")
    return {"photo": [about | {"width": 90, "height": 90}], **words}


def read_album(media: list[Json], uploads: Mapping[str, bytes]) -> list[Json]:
    """The fields of the messages of an album."""
    if not media:
        raise bad("Too few messages to send as an album")
    if len(media) > MAX_ALBUM:
        raise bad("Too many messages to send as an album")
    kinds = {one["type"] for one in media}
    for alone in ("document", "audio"):
        if alone in kinds and len(kinds) > 1:
            raise bad(f"{alone.title()} can't be mixed with other media types")
    return [read_file(one["type"], one["media"], one.get("caption", ""), uploads) for one in media]


def read_caption(caption: str) -> str:
    """A caption as it is shown."""
    if utf16_len(caption) > MAX_CAPTION:
        raise bad("message caption is too long")
    return caption.strip()


def _uploaded(reference: str, uploads: Mapping[str, bytes]) -> Any:
    name = reference.removeprefix("attach://")
    if name == reference or name not in uploads:
        raise bad("wrong file identifier/HTTP URL specified")
    return uploads[name]
