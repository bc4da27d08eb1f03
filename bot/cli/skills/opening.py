"""The skills of this machine, opened for a command."""

import argparse
from typing import TYPE_CHECKING, Any

from bot.cli import lazy, read_environment
from bot.errors import InputError

if TYPE_CHECKING:
    from skills.places import Places
    from skills.shelf import Kept, Shelf


def find_places(args: argparse.Namespace) -> "Places":
    """Where skills are kept, for the person who types and the folder the command runs in."""
    path: Any = lazy("pathlib").Path
    made: Places = lazy("skills.places").places(read_environment(args), path.home(), path.cwd())
    return made


def open_shelf(args: argparse.Namespace) -> "Shelf":
    """The skills that were found; with `--dir` only those below that folder. Raises `InputError`."""
    named = getattr(args, "dir", None)
    folder: Any = lazy("pathlib").Path(named) if named else None
    if folder is not None and not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    machine = lazy("skills.fit").Machine(read_environment(args))
    shelf: Shelf = lazy("skills.shelf").Shelf(find_places(args), machine, folder)
    shelf.refresh()
    return shelf


def named(shelf: "Shelf", name: str) -> "Kept":
    """One skill. Raises `InputError` with the closest name."""
    kept = shelf.kept.get(name)
    if kept is None:
        near = lazy("difflib").get_close_matches(name, shelf.kept, n=1)
        raise InputError(f'there is no skill "{name}"', hint=f"did you mean {near[0]}?" if near else "")
    return kept
