"""The set `files`: files of the conversation, in a workspace of its own that nothing leads out of."""

import asyncio
import codecs
from pathlib import Path

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError
from bot.tools.guards.workspace import Quota, Workspace
from bot.tools.shelf import workspace_of

_MOST_BYTES = 1_048_576
_PATH = "Relative to this conversation's workspace, such as notes/today.md."


class Read(Arguments):
    path: str = Field(description=_PATH)
    max_size: int = Field(_MOST_BYTES, ge=1, le=10_485_760, description="Bytes read at most.")
    offset: int = Field(0, ge=0, description="Bytes to pass over, to read on.")


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


class _Files:
    """The functions of the set; the disk is used in threads."""

    def __init__(self, root: Path, quota: Quota, window: int) -> None:
        """`window` is how many bytes are read at once at most."""
        self._root = root
        self._quota = quota
        self._window = window
        self._writing = asyncio.Lock()  # quotas are counted and used up in one go

    async def read(self, arguments: Read, context: RunContext) -> str:
        begin, most = arguments.offset, min(arguments.max_size, self._window)
        content, size = await asyncio.to_thread(self._of(context).read, arguments.path, most, begin)
        whole = not begin and size <= len(content)
        decoder = codecs.getincrementaldecoder("utf-8")("strict" if whole else "ignore")
        try:
            text = decoder.decode(content, final=whole)
        except UnicodeDecodeError:
            raise InputError(f"{arguments.path} is not a text ({size} bytes)", field="path") from None
        if whole:
            return text
        end = begin + len(content) - len(decoder.getstate()[0])  # half a letter is read next time
        more = f"\n[read on with offset {end}]" if end < size else ""
        if begin:
            return f"Showing bytes {begin} to {end} of {size}:\n{text}{more}"
        return f"File too large ({size} bytes). Showing first {len(content)} bytes:\n{text}{more}"

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


def file_tools(root: Path, quota: Quota, window: int = _MOST_BYTES) -> FunctionToolset:
    """Tools for the files below `root`, one folder a conversation. What files say is others' words.

    A file is read in pieces of `window` bytes: what the gate would cut out of a longer one is lost.
    """
    files = _Files(root, quota, window)
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
