"""The set `files`: each conversation has its own, and nobody gets out of it."""

from pathlib import Path

import pytest

from bot.tools.guards.workspace import Quota
from bot.tools.sets.files import file_tools
from tests.tools.sets.calling import answer, context, fault


def folders(root: Path) -> list[Path]:
    return sorted(root.iterdir())


HERE, THERE = context("telegram:1"), context("telegram:-100#7")


async def test_a_file_is_written_read_listed_moved_and_deleted(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota())
    assert (
        await answer(tools, "file_write", {"path": "a/b.md", "content": "你好"})
        == "Content written to file: a/b.md"
    )
    await answer(tools, "file_write", {"path": "a/b.md", "content": "!", "append": True})
    assert await answer(tools, "file_read", {"path": "a/b.md"}) == "你好!"
    assert await answer(tools, "file_list", {}) == "Contents of .:\na"
    assert (
        await answer(tools, "file_list", {"path": "a", "detail": True})
        == "Contents of a:\nFILE  b.md  7 bytes"
    )
    await answer(tools, "file_copy", {"source": "a/b.md", "destination": "c.md", "move": True})
    assert await answer(tools, "file_list", {"path": "a"}) == "Directory is empty: a"
    assert await answer(tools, "file_delete", {"path": "a"}) == "Empty directory deleted: a"
    assert await answer(tools, "file_delete", {"path": "c.md"}) == "File deleted: c.md"


async def test_a_conversation_does_not_see_the_files_of_another(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota())
    await answer(tools, "file_write", {"path": "x", "content": "mine"}, HERE)
    assert await answer(tools, "file_list", {}, THERE) == "Directory is empty: ."
    await fault(tools, "file_read", {"path": "x"}, THERE)
    assert len(folders(tmp_path)) == 1


async def test_conversations_whose_names_look_alike_have_different_folders(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota())
    for name in ("http:a/b", "http:a-b", "http:A-B", "http:../b"):
        await answer(tools, "file_write", {"path": "x", "content": name}, context(name))
    assert len(folders(tmp_path)) == 4


async def test_a_text_that_is_too_long_is_shown_in_part_without_half_letters(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota())
    await answer(tools, "file_write", {"path": "x", "content": "é" * 10})
    told = await answer(tools, "file_read", {"path": "x", "max_size": 5})
    assert told == "File too large (20 bytes). Showing first 5 bytes:\néé\n[read on with offset 4]"
    told = await answer(tools, "file_read", {"path": "x", "max_size": 5, "offset": 4})
    assert told == "Showing bytes 4 to 8 of 20:\néé\n[read on with offset 8]"
    assert (
        await answer(tools, "file_read", {"path": "x", "offset": 16}) == "Showing bytes 16 to 20 of 20:\néé"
    )
    assert await answer(tools, "file_read", {"path": "x", "offset": 99}) == "Showing bytes 99 to 99 of 20:\n"


async def test_a_long_text_is_read_piece_by_piece_to_its_end(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota(), window=100)
    text = "".join(f"{n} é马🐴 " for n in range(100))
    await answer(tools, "file_write", {"path": "x", "content": text})
    read, offset = "", 0
    while offset < len(text.encode()):
        told = await answer(tools, "file_read", {"path": "x", "offset": offset})
        piece = told.split("\n", 1)[1].rpartition("\n[read on")[0] or told.split("\n", 1)[1]
        read, offset = read + piece, offset + len(piece.encode())
    assert read == text


async def test_a_file_that_is_no_text_is_told_and_not_shown(tmp_path: Path) -> None:
    tools = file_tools(tmp_path, Quota())
    await answer(tools, "file_write", {"path": "x", "content": ""})
    (folders(tmp_path)[0] / "x").write_bytes(b"\xff\xfe\x00\x01")
    assert "not a text" in await fault(tools, "file_read", {"path": "x"})


@pytest.mark.parametrize(
    "path", ["../x", "/etc/passwd", "/proc/self/environ", "~/x", ".ssh/id", "a/../../x", ""]
)
async def test_a_path_that_leads_out_is_an_error_that_names_no_place(tmp_path: Path, path: str) -> None:
    tools = file_tools(tmp_path, Quota())
    for name, arguments in (
        ("file_read", {"path": path}),
        ("file_write", {"path": path, "content": "x"}),
        ("file_delete", {"path": path, "recursive": True}),
        ("file_copy", {"source": "x", "destination": path}),
    ):
        assert str(tmp_path) not in await fault(tools, name, arguments)
    assert folders(tmp_path) == []
