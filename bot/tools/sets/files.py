"""The set `files`: files of the conversation, in a workspace of its own that nothing leads out of."""

import asyncio
import hashlib
import re
from pathlib import Path

from pydantic import Field

from bot.domain.conversation import ConversationId
from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError
from bot.tools.guards.workspace import Quota, Workspace

_PATH = "Relative to this conversation's workspace, such as notes/today.md."


class Read(Arguments):
    path: str = Field(description=_PATH)
    max_size: int = Field(1_048_576, ge=1, le=10_485_760, description="Bytes read at most.")


class Write(Arguments):
    path: str = Field(description=_PATH)
    content: str
    append: bool = Field(False, description="Add to the end of the file.")


class Delete(Arguments):
    path: str = Field(description=_PATH)
    recursive: bool = Field(False, description="Also all that is in a folder.")


class Listing(Arguments):
    path: str = Field("", description="A folder; the whole workspace when left out.")
    show_hidden: bool = Field(False, description="Also names that begin with a dot.")
    detail: bool = Field(False, description="With kind and size.")


class Copy(Arguments):
    source: str = Field(description=_PATH)
    destination: str = Field(description=_PATH)
    move: bool = Field(False, description="The source is gone afterwards.")
    overwrite: bool = Field(False, description="Replace a file that is there.")


def workspace_of(root: Path, conversation: ConversationId, quota: Quota) -> Workspace:
    """The workspace of a conversation: a folder that people can tell and no two conversations share."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", conversation).strip("-")[:40]
    digest = hashlib.sha256(conversation.encode()).hexdigest()[:16]
    return Workspace(root / f"{readable}-{digest}", quota)


class _Files:
    """The functions of the set; the disk is used in threads."""

    def __init__(self, root: Path, quota: Quota) -> None:
        self._root = root
        self._quota = quota
        self._writing = asyncio.Lock()  # quotas are counted and used up in one go

    async def read(self, arguments: Read, context: RunContext) -> str:
        content, size = await asyncio.to_thread(self._of(context).read, arguments.path, arguments.max_size)
        try:
            text = content.decode("utf-8", "strict" if size <= len(content) else "ignore")
        except UnicodeDecodeError:
            raise InputError(f"{arguments.path} is not a text ({size} bytes)", field="path") from None
        if size <= len(content):
            return text
        return f"File too large ({size} bytes). Showing first {len(content)} bytes:\n{text}"

    async def write(self, arguments: Write, context: RunContext) -> str:
        content = arguments.content.encode("utf-8", "strict")
        async with self._writing:
            await asyncio.to_thread(self._of(context).write, arguments.path, content, append=arguments.append)
        done = "appended" if arguments.append else "written"
        return f"Content {done} to file: {arguments.path}"

    async def delete(self, arguments: Delete, context: RunContext) -> str:
        async with self._writing:
            kind = await asyncio.to_thread(
                self._of(context).delete, arguments.path, recursive=arguments.recursive
            )
        if kind == "file":
            return f"File deleted: {arguments.path}"
        how = "Directory deleted recursively" if arguments.recursive else "Empty directory deleted"
        return f"{how}: {arguments.path}"

    async def listing(self, arguments: Listing, context: RunContext) -> str:
        found = await asyncio.to_thread(self._of(context).entries, arguments.path)
        place = arguments.path or "."
        lines = []
        for entry in found:
            name = entry.path.rpartition("/")[2]
            if name.startswith(".") and not arguments.show_hidden:
                continue
            kind = {"file": "FILE", "folder": "DIR"}.get(entry.kind, "OTHER")
            lines.append(f"{kind}  {name}  {entry.size} bytes" if arguments.detail else name)
        return "\n".join([f"Contents of {place}:", *lines]) if lines else f"Directory is empty: {place}"

    async def copy(self, arguments: Copy, context: RunContext) -> str:
        async with self._writing:
            await asyncio.to_thread(
                self._of(context).copy,
                arguments.source,
                arguments.destination,
                move=arguments.move,
                overwrite=arguments.overwrite,
            )
        return f"{'Moved' if arguments.move else 'Copied'} {arguments.source} to {arguments.destination}"

    def _of(self, context: RunContext) -> Workspace:
        return workspace_of(self._root, context.conversation_id, self._quota)


def file_tools(root: Path, quota: Quota) -> FunctionToolset:
    """Tools for the files below `root`, one folder a conversation. What files say is others' words."""
    files = _Files(root, quota)
    return FunctionToolset(
        "files",
        [
            function_tool(
                "file_read",
                "Read a text file of this conversation.",
                "read",
                Read,
                files.read,
                Traits(untrusted=True),
            ),
            function_tool(
                "file_list", "List the files of this conversation.", "read", Listing, files.listing
            ),
            function_tool(
                "file_write", "Write a text file of this conversation.", "write", Write, files.write
            ),
            function_tool(
                "file_copy", "Copy or move a file of this conversation.", "write", Copy, files.copy
            ),
            function_tool(
                "file_delete",
                "Delete a file or folder of this conversation.",
                "destructive",
                Delete,
                files.delete,
            ),
        ],
    )
