"""Files stay in their workspace, whatever stands there already and whatever changes meanwhile."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.errors import Conflict, Denied, InputError, NotFound, XiaomaolvError
from bot.tools.guards.workspace import Entry, Quota, Workspace

SECRET = b"not yours"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_bytes(SECRET)
    return folder


@pytest.fixture
def root(tmp_path: Path, outside: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def test_what_is_written_is_read_listed_and_gone_when_deleted(root: Path) -> None:
    files = Workspace(root)
    files.write("a/b.txt", b"hello")
    files.write("a/b.txt", b", you", append=True)
    assert files.read("a/b.txt", 100) == (b"hello, you", 10)
    assert files.read("a/b.txt", 4) == (b"hell", 10)
    assert files.entries(deep=True) == [Entry("a", "folder", 0), Entry("a/b.txt", "file", 10)]
    assert files.delete("a/b.txt") == "file"
    assert files.delete("a") == "folder"
    assert files.entries() == []


def test_a_workspace_that_was_never_written_to_is_empty(tmp_path: Path) -> None:
    files = Workspace(tmp_path / "new")
    assert files.entries() == []
    with pytest.raises(NotFound):
        files.read("x", 10)
    assert not (tmp_path / "new").exists()


LINKS: dict[str, Callable[[Path, Path], None]] = {
    "a link to a file": lambda root, outside: (root / "x").symlink_to(outside / "secret.txt"),
    "a link to nothing yet": lambda root, outside: (root / "x").symlink_to(outside / "new.txt"),
    "a link in a row": lambda root, outside: link_in_a_row(root, outside),
    "a second name": lambda root, outside: os.link(outside / "secret.txt", root / "x"),
    "a pipe": lambda root, outside: os.mkfifo(root / "x"),
    "a socket": lambda root, outside: bind(root / "x"),
}


def link_in_a_row(root: Path, outside: Path) -> None:
    (root / "y").symlink_to(outside / "secret.txt")
    (root / "x").symlink_to("y")


def bind(path: Path) -> None:
    """A socket of the file system, under a name short enough for it."""
    here = Path.cwd()
    with socket.socket(socket.AF_UNIX) as end:
        os.chdir(path.parent)
        try:
            end.bind(path.name)
        finally:
            os.chdir(here)


@pytest.mark.pain("54")
@pytest.mark.parametrize("kind", LINKS)
def test_what_is_no_ordinary_file_is_neither_read_nor_written(root: Path, outside: Path, kind: str) -> None:
    LINKS[kind](root, outside)
    files = Workspace(root)
    with pytest.raises((Denied, NotFound)):
        files.read("x", 100)
    with pytest.raises(Denied):
        files.write("x", b"mine")
    with pytest.raises((Denied, NotFound)):
        files.copy("x", "copy")
    assert (outside / "secret.txt").read_bytes() == SECRET
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]


def test_a_link_can_be_removed_and_what_it_led_to_stays(root: Path, outside: Path) -> None:
    (root / "x").symlink_to(outside)
    (root / "d").mkdir()
    (root / "d" / "y").symlink_to(outside)
    files = Workspace(root)
    files.delete("x")
    files.delete("d", recursive=True)
    assert files.entries() == []
    assert (outside / "secret.txt").read_bytes() == SECRET


@pytest.mark.pain("54")
def test_a_folder_that_is_a_link_is_not_entered(root: Path, outside: Path) -> None:
    (root / "d").symlink_to(outside)
    files = Workspace(root)
    for act in (
        lambda: files.read("d/secret.txt", 10),
        lambda: files.write("d/new.txt", b"x"),
        lambda: files.delete("d/secret.txt"),
        lambda: files.entries("d"),
    ):
        with pytest.raises(Denied):
            act()
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]
    assert files.entries() == [Entry("d", "other", 0)]


def test_a_root_that_is_a_link_is_not_used(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "root-link").symlink_to(outside)
    with pytest.raises((XiaomaolvError, OSError)):
        Workspace(tmp_path / "root-link").read("secret.txt", 10)


@pytest.mark.parametrize("moment", ["open", "rename", "stat"])
def test_a_folder_exchanged_for_a_link_at_any_moment_changes_nothing_outside(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """The race of checks and uses, played out: the exchange happens right before each system call."""
    (root / "d").mkdir()
    real = getattr(os, moment)
    exchanges: list[str] = []

    def exchanged(*args: object, **kwargs: object) -> object:
        if args[0] != root and not exchanges:
            exchanges.append(moment)
            (root / "d").rename(root / "was-d")
            (root / "d").symlink_to(outside)
        return real(*args, **kwargs)

    monkeypatch.setattr(os, moment, exchanged)
    with suppress(XiaomaolvError, OSError):
        Workspace(root).write("d/secret.txt", b"mine")
    assert exchanges
    monkeypatch.undo()
    assert (outside / "secret.txt").read_bytes() == SECRET
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]


def test_a_file_exchanged_for_a_link_before_the_write_is_replaced_and_not_followed(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.rename

    def exchanged(*args: object, **kwargs: object) -> None:
        (root / "x").symlink_to(outside / "secret.txt")
        real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "rename", exchanged)
    Workspace(root).write("x", b"mine")
    monkeypatch.undo()
    assert (root / "x").read_bytes() == b"mine"
    assert (outside / "secret.txt").read_bytes() == SECRET


@pytest.mark.parametrize(
    "path", ["../outside/secret.txt", "/proc/self/environ", "a/../../outside/secret.txt", ""]
)
def test_a_path_that_leads_out_is_wrong_input(root: Path, path: str) -> None:
    with pytest.raises(InputError):
        Workspace(root).read(path, 10)


def test_what_would_pass_the_quota_is_not_written(root: Path) -> None:
    files = Workspace(root, Quota(file_bytes=10, total_bytes=15, entries=3))
    with pytest.raises(Denied):
        files.write("big", b"x" * 11)
    files.write("a", b"x" * 10)
    with pytest.raises(Denied):
        files.write("a", b"x", append=True)
    with pytest.raises(Denied):
        files.write("b", b"x" * 6)
    files.write("a", b"y" * 10)
    files.write("b", b"")
    with pytest.raises(Denied):
        files.write("c/d", b"")
    assert [entry.path for entry in files.entries(deep=True)] == ["a", "b"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = Workspace(root)
    files.write("x", b"old")

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(OSError, match="No space"):
        files.write("x", b"new")
    monkeypatch.undo()
    assert [path.name for path in root.iterdir()] == ["x"]
    assert files.read("x", 10) == (b"old", 3)


def test_a_folder_with_something_in_it_goes_only_when_that_is_said(root: Path) -> None:
    files = Workspace(root)
    files.write("d/e/x", b"")
    with pytest.raises(Conflict):
        files.delete("d")
    files.delete("d", recursive=True)
    assert list(root.iterdir()) == []


def test_a_copy_does_not_overwrite_unless_told_and_a_move_leaves_nothing_behind(root: Path) -> None:
    files = Workspace(root)
    files.write("x", b"1")
    files.write("y", b"2")
    with pytest.raises(Conflict):
        files.copy("x", "y")
    files.copy("x", "y", move=True, overwrite=True)
    assert [entry.path for entry in files.entries()] == ["y"]
    assert files.read("y", 10) == (b"1", 1)
    with pytest.raises(InputError):
        files.copy("y", "./y")
