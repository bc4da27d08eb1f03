"""The pictures that go with a reply: as albums after its text, one by one where an album is refused."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import structlog

from bot.delivery.outbox import Delivery, Outbox, SentPart, text_hash
from bot.domain.message import Attached
from channels.telegram.client import NO_CHAT, NO_MEDIA, NO_THREAD, Client, Refused, Upload
from channels.telegram.contents import CHANNEL
from channels.telegram.fresh import Spot, on_record
from channels.telegram.utf16 import utf16_len

log = structlog.get_logger(__name__)

FIRST_PART = 1_000  # the parts of a reply below this are its texts
MOST_IN_ALBUM = 10
MOST_CAPTION = 1_024  # UTF-16 units
MOST_PHOTO = 10 * 1024 * 1024  # bytes
_PHOTOS = {"image/jpeg", "image/png", "image/webp"}  # others are shown by clients when sent as files


@dataclass(frozen=True, slots=True)
class Target:
    """A reply whose pictures are due, and the chat they go to. `place` waits for a place among the calls."""

    delivery: Delivery
    chat_id: str
    thread_id: str
    place: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Item:
    part: int
    upload: Upload


class Albums:
    """Sends what is not on record yet. Raises as the client does, but for pictures that are not taken.

    An album comes into being as a whole: with its first message on record, all of it is there.
    """

    def __init__(self, client: Client, outbox: Outbox) -> None:
        self._client = client
        self._outbox = outbox

    async def bring(self, target: Target) -> bool:
        """Send the pictures of a reply; a repeat goes on where the last one stopped. False where some are
        not taken there."""
        whole = True
        sent = await self._outbox.sent(target.delivery.turn_id)
        numbered = list(enumerate(target.delivery.files, FIRST_PART))
        for _, run in groupby(sorted(numbered, key=_kind), _kind):
            files = list(run)
            for begin in range(0, len(files), MOST_IN_ALBUM):
                whole &= await self._bring_some(target, files[begin : begin + MOST_IN_ALBUM], sent)
        return whole

    async def _bring_some(
        self, target: Target, files: Sequence[tuple[int, Attached]], sent: dict[int, SentPart]
    ) -> bool:
        first, album = files[0][0], _album_hash(files)
        if first in sent and sent[first].text_hash == album:
            return True
        items = await self._read(target.delivery, [one for one in files if one[0] not in sent])
        alike = len({item.upload.kind for item in items}) == 1
        whole = len(items) == len(files) > 1 and alike
        if whole and await self._bring_album(target, items, album):
            return True
        return all([await self._bring_one(target, item) for item in items])

    async def _bring_album(self, target: Target, items: Sequence[_Item], album: str) -> bool:
        """Whether all of them are there as one album now."""
        refs = await self._found(target, items[0])
        try:
            refs = refs or await self._send(target, items)
        except Refused as error:
            _raise_if_serious(error)
            log.warning("telegram.album.refused", run_id=target.delivery.turn_id, reason=error.description)
            return False
        for item, ref in zip(items, refs, strict=False):
            await self._note(target, item.part, ref, album)
        return True

    async def _bring_one(self, target: Target, item: _Item) -> bool:
        refs = await self._found(target, item)
        try:
            refs = refs or await self._send_one(target, item)
        except Refused as error:
            _raise_if_serious(error)
            log.warning("telegram.file.refused", run_id=target.delivery.turn_id, reason=error.description)
            return False
        await self._note(target, item.part, refs[0], text_hash(item.upload.name))
        return True

    async def _send_one(self, target: Target, item: _Item) -> list[str]:
        """Send one; a picture that is not taken as one goes as a file."""
        try:
            return await self._send(target, [item])
        except Refused as error:
            _raise_if_serious(error)
            if item.upload.kind != "photo":
                raise
            log.warning("telegram.photo.refused", run_id=target.delivery.turn_id, reason=error.description)
        return await self._send(target, [replace(item, upload=replace(item.upload, kind="document"))])

    async def _send(self, target: Target, items: Sequence[_Item]) -> list[str]:
        thread_id = target.thread_id
        uploads = [item.upload for item in items]
        while True:
            await target.place()
            spot = Spot(target.delivery.turn_id, items[0].part, target.chat_id, thread_id)
            try:
                async with on_record(self._client, self._outbox, spot):
                    return await self._client.upload(target.chat_id, thread_id, uploads)
            except Refused as error:
                if not thread_id or not error.says(*NO_THREAD):
                    raise
                thread_id = ""  # better in the main view than nowhere

    async def _found(self, target: Target, item: _Item) -> list[str]:
        """The message whose confirmation was lost or that a kill cut off, if it is there.

        As for texts, it is looked for by an edit: the API says that the caption is what it was.
        """
        after_ref = self._outbox.doubt(target.delivery.turn_id, item.part)
        if after_ref is None:
            return []
        moved = target.chat_id != target.delivery.conversation.chat_id
        candidates = [] if moved else self._client.marks.after(target.chat_id, after_ref)
        taken = await self._outbox.recorded(candidates)
        for ref in candidates:
            if ref not in taken and await self._is_there(target, ref, item.upload.caption):
                log.info("telegram.message.found", run_id=target.delivery.turn_id)
                return [ref]
        self._outbox.clear(target.delivery.turn_id, item.part)
        return []

    async def _is_there(self, target: Target, ref: str, caption: str) -> bool:
        await target.place()
        try:
            await self._client.edit_caption(target.chat_id, ref, caption)
        except Refused as error:
            if error.code != 400 or error.migrated_to:
                raise
            return error.says("message is not modified")
        return True

    async def _note(self, target: Target, part: int, ref: str, hash_: str) -> None:
        done = SentPart(part, ref, hash_, final=True)
        await self._outbox.note(target.delivery.turn_id, done, channel=CHANNEL)

    async def _read(self, delivery: Delivery, files: Sequence[tuple[int, Attached]]) -> list[_Item]:
        """The files with what they hold; those that are gone are left out."""
        items = []
        for part, file in files:
            data = await self._outbox.content(delivery, file)
            if not data:
                log.warning("telegram.file.gone", run_id=delivery.turn_id)
                continue
            fits = _is_photo(file) and len(data) <= MOST_PHOTO
            upload = Upload("photo" if fits else "document", file.path.rpartition("/")[2], data)
            items.append(_Item(part, replace(upload, caption=shortened(file.caption))))
        return items


def shortened(caption: str) -> str:
    """A caption as long as one may be."""
    if utf16_len(caption) <= MOST_CAPTION:
        return caption
    while utf16_len(caption) >= MOST_CAPTION:
        caption = caption[: min(len(caption) - 1, MOST_CAPTION - 1)]
    return f"{caption}…"


def _kind(numbered: tuple[int, Attached]) -> bool:
    """Pictures and files can't be in one album; pictures come first."""
    return not _is_photo(numbered[1])


def _is_photo(file: Attached) -> bool:
    return file.mime in _PHOTOS


def _album_hash(files: Sequence[tuple[int, Attached]]) -> str:
    return text_hash("\n".join(["album", *(file.path for _, file in files)]))


def _raise_if_serious(error: Refused) -> None:
    """Raise what is said of the chat, or passes, rather than of what was sent."""
    if error.says(*NO_MEDIA):
        return
    if error.code != 400 and error.code != 413:
        raise error
    if error.says(*NO_CHAT) or error.migrated_to:
        raise error
