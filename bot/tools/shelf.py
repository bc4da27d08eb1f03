"""Where results that are too long to be shown whole are kept, and pictures that tools brought: among the
files of their conversation."""

import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import structlog

from bot.domain.conversation import ConversationId
from bot.domain.message import Attached, Picture
from bot.domain.tool import RunContext
from bot.errors import Denied, NotFound, XiaomaolvError
from bot.tools.guards.workspace import Quota, Workspace
from bot.tools.results import cut

log = structlog.get_logger(__name__)

FOLDER = "tool-results"
MOST_RESULTS = 20  # of a conversation; the oldest goes first
MOST_CHARS = 300_000  # of one of them
PICTURES = "tool-pictures"
MOST_PICTURES = 40  # of a conversation
_EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}
# How the content of each begins: what is in a file is for its bytes to say.
_BEGINS = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "image/gif": re.compile(rb"GIF8[79]a"),
}
_CAPTION = ".txt"  # beside a picture, under its name
_NAME_CHARS = 40


def folder_of(root: Path, conversation: ConversationId) -> Path:
    """The folder of a conversation: one that people can tell, and that no two conversations share.

    Of one that goes on under another id it is the other's: a turn under way knows the old id only.
    """
    folder = _own_folder(root, conversation)
    try:
        return root / _note_of(folder).read_text("utf-8")
    except FileNotFoundError:
        return folder


def _own_folder(root: Path, conversation: ConversationId) -> Path:
    readable = re.sub(r"[^A-Za-z0-9]+", "-", conversation).strip("-")[:_NAME_CHARS]
    digest = hashlib.sha256(conversation.encode()).hexdigest()[:16]
    return root / f"{readable}-{digest}"


def _note_of(folder: Path) -> Path:
    """Beside a folder that was moved: the name of the other one."""
    return folder.with_name(f"{folder.name}.moved")


def workspace_of(root: Path, conversation: ConversationId, quota: Quota) -> Workspace:
    """The files of a conversation."""
    return Workspace(folder_of(root, conversation), quota)


class Shelf:
    """Keeps results below `root`. The disk is used in threads."""

    def __init__(self, root: Path, quota: Quota) -> None:
        self._root = root
        self._quota = quota
        self._writing = asyncio.Lock()  # they are counted and written in one go

    async def keep(self, conversation: ConversationId, tool: str, text: str, now: datetime) -> str:
        """Keep a result; its path in the workspace, or "" where there is no room for it."""
        name = f"{now:%Y%m%d-%H%M%S-%f}-{re.sub('[^A-Za-z0-9_-]', '_', tool)[:_NAME_CHARS]}"
        path = f"{FOLDER}/{name}-{secrets.token_hex(3)}.txt"
        try:
            async with self._writing:
                await asyncio.to_thread(self._write, conversation, path, text)
        except (Denied, OSError) as error:  # a courtesy: the result is shown in part all the same
            log.warning("tool.result_not_kept", tool=tool, reason=str(error))
            return ""
        return path

    async def keep_pictures(
        self, context: RunContext, call: str, pictures: Sequence[Picture], now: datetime
    ) -> list[str]:
        """Keep what a call of a run brought to be shown; the paths. The same call again replaces it."""
        try:
            async with self._writing:
                return await asyncio.to_thread(self._write_pictures, context, call, pictures, now)
        except (Denied, OSError) as error:  # the result says in words that there were pictures
            log.warning("tool.pictures_not_kept", reason=str(error))
            return []

    async def pictures(self, conversation: ConversationId, run_id: str) -> tuple[Attached, ...]:
        """The pictures that the tools of a run brought, in the order in which they came."""
        return await asyncio.to_thread(self._pictures_of, conversation, run_id)

    async def picture(self, conversation: ConversationId, shown: Attached) -> bytes | None:
        """What a picture of a conversation holds; None where it is gone, or is not what it was kept as."""
        content = await self.content(conversation, shown.path)
        begins = _BEGINS.get(shown.mime)
        return content if content and begins is not None and begins.match(content) else None

    async def content(self, conversation: ConversationId, path: str) -> bytes | None:
        """What a file of a conversation holds; None where it is gone."""
        workspace = workspace_of(self._root, conversation, self._quota)
        try:
            content, _ = await asyncio.to_thread(workspace.read, path, self._quota.file_bytes)
        except (XiaomaolvError, OSError):
            return None
        return content

    async def clear(self, conversations: Iterable[ConversationId]) -> None:
        """Remove the results of these conversations: something that may stand in them was forgotten."""
        async with self._writing:
            for one in conversations:
                await asyncio.to_thread(self._clear, one)

    async def remove(self, conversation: ConversationId) -> None:
        """Remove all files of a conversation."""
        async with self._writing:
            with suppress(FileNotFoundError):
                await asyncio.to_thread(shutil.rmtree, folder_of(self._root, conversation))

    async def move(self, old: ConversationId, new: ConversationId) -> None:
        """Let a conversation that goes on under another id keep its files; done twice it changes nothing."""
        try:
            async with self._writing:
                await asyncio.to_thread(self._move, _own_folder(self._root, old), folder_of(self._root, new))
        except OSError as error:  # the talk goes on without them
            log.warning("files.not_moved", conversation_id=old, reason=str(error))

    def _move(self, old: Path, new: Path) -> None:
        if old == new:
            return
        note = _note_of(old)
        part = note.with_name(f"{note.name}.part")
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.write_text(new.name, "utf-8")
        part.replace(note)  # from here on both ids lead to the new folder
        if old.is_dir():
            _merge(old, new)

    def _write(self, conversation: ConversationId, path: str, text: str) -> None:
        workspace = workspace_of(self._root, conversation, self._quota)
        held = _files_in(workspace, FOLDER)
        for old in held[: max(0, len(held) - MOST_RESULTS + 1)]:  # by name, and so by age
            workspace.delete(old)
        workspace.write(path, cut(text, MOST_CHARS).encode("utf-8", "replace"))

    def _write_pictures(
        self, context: RunContext, call: str, pictures: Sequence[Picture], now: datetime
    ) -> list[str]:
        workspace = workspace_of(self._root, context.conversation_id, self._quota)
        mark = f"{context.run_id}-{hashlib.sha256(call.encode()).hexdigest()[:8]}"
        held = [path for path in _files_in(workspace, PICTURES) if not path.endswith(_CAPTION)]
        again = [path for path in held if mark in path]
        old = [path for path in held if path not in again]
        for path in again + old[: max(0, len(old) + len(pictures) - MOST_PICTURES)]:
            workspace.delete(path)
            with suppress(NotFound):
                workspace.delete(path + _CAPTION)
        paths = []
        for number, picture in enumerate(pictures):
            path = f"{PICTURES}/{now:%Y%m%d-%H%M%S-%f}-{mark}-{number:02}.{_EXTENSIONS[picture.mime]}"
            workspace.write(path, picture.data)
            if picture.caption:
                workspace.write(path + _CAPTION, picture.caption.encode("utf-8", "replace"))
            paths.append(path)
        return paths

    def _pictures_of(self, conversation: ConversationId, run_id: str) -> tuple[Attached, ...]:
        workspace = workspace_of(self._root, conversation, self._quota)
        mine = [path for path in _files_in(workspace, PICTURES) if f"-{run_id}-" in path]
        found = []
        for path in mine:
            if path.endswith(_CAPTION):
                continue
            caption = b""
            if path + _CAPTION in mine:
                caption, _ = workspace.read(path + _CAPTION, self._quota.file_bytes)
            mime = next(mime for mime, extension in _EXTENSIONS.items() if path.endswith(f".{extension}"))
            found.append(Attached(path, mime, caption.decode("utf-8", "replace")))
        return tuple(found)

    def _clear(self, conversation: ConversationId) -> None:
        for folder in (FOLDER, PICTURES):
            with suppress(NotFound):
                workspace_of(self._root, conversation, self._quota).delete(folder, recursive=True)


def _files_in(workspace: Workspace, folder: str) -> list[str]:
    """The files in a folder, by name."""
    with suppress(NotFound):
        return [entry.path for entry in workspace.entries(folder) if entry.kind == "file"]
    return []


def _merge(old: Path, new: Path) -> None:
    """Move what is in a folder into another; what stands there already is newer and stays."""
    if not new.exists():
        old.rename(new)
        return
    for entry in list(old.iterdir()):
        there = new / entry.name
        if entry.is_dir() and there.is_dir() and not entry.is_symlink():
            _merge(entry, there)
        elif not there.exists():
            entry.rename(there)
    shutil.rmtree(old, ignore_errors=True)
