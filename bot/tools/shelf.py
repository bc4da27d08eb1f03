"""Where results are kept that are too long to be shown whole: among the files of their conversation."""

import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import structlog

from bot.domain.conversation import ConversationId
from bot.errors import Denied, NotFound
from bot.tools.guards.workspace import Quota, Workspace
from bot.tools.results import cut

log = structlog.get_logger(__name__)

FOLDER = "tool-results"
MOST_RESULTS = 20  # of a conversation; the oldest goes first
MOST_CHARS = 300_000  # of one of them
_NAME_CHARS = 40


def folder_of(root: Path, conversation: ConversationId) -> Path:
    """The folder of a conversation: one that people can tell, and that no two conversations share."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", conversation).strip("-")[:_NAME_CHARS]
    digest = hashlib.sha256(conversation.encode()).hexdigest()[:16]
    return root / f"{readable}-{digest}"


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

    def _write(self, conversation: ConversationId, path: str, text: str) -> None:
        workspace = workspace_of(self._root, conversation, self._quota)
        held: list[str] = []
        with suppress(NotFound):
            held = [entry.path for entry in workspace.entries(FOLDER) if entry.kind == "file"]
        for old in held[: max(0, len(held) - MOST_RESULTS + 1)]:  # by name, and so by age
            workspace.delete(old)
        workspace.write(path, cut(text, MOST_CHARS).encode("utf-8", "replace"))

    def _clear(self, conversation: ConversationId) -> None:
        with suppress(NotFound):
            workspace_of(self._root, conversation, self._quota).delete(FOLDER, recursive=True)
