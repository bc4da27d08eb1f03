"""What a channel confirmed, and what was sent without knowing yet, written down at once.

Between a channel's acknowledgement and our commit lies the only moment in which a killed process makes
an answer appear twice. A transaction waits for the writer; a line at the end of a file does not. The
lines are read into the store when the next process starts, before anything is delivered. What was begun
and has no confirmation may be there or not: the channel is told of it and can look.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import structlog

log = structlog.get_logger(__name__)

# The file starts anew when everything in it is committed and it has grown past this, in bytes.
TRIM_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One confirmed part of the reply to a turn."""

    turn_id: str
    part: int
    message_ref: str
    text_hash: str
    final: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """One part that is being sent as a new message. `after_ref` is a message that was there before it."""

    turn_id: str
    part: int
    after_ref: str


class Journal:
    """The file of one process. Without a database file (a server keeps it) nothing is written."""

    def __init__(self, database: Path | None, holder_id: str) -> None:
        self._folder = None if database is None else database.with_name(database.name + "-sent")
        self._path = None if self._folder is None else self._folder / holder_id
        self._file: int | None = None
        self._uncommitted = 0
        self._begun: set[tuple[str, int]] = set()
        self._size = 0

    def write(self, line: Line) -> None:
        """Append a line; it survives the process from here on. `committed` must follow."""
        self._uncommitted += 1
        self._append(line)

    def begin(self, begun: Begun) -> None:
        """Append that a part is being sent. `end` must follow, whatever became of it."""
        self._begun.add((begun.turn_id, begun.part))
        self._append(begun)

    def end(self, turn_id: str, part: int) -> None:
        """It is known what became of a part that was begun."""
        self._begun.discard((turn_id, part))

    def committed(self) -> None:
        """The store has what a line said."""
        self._uncommitted -= 1
        if self._file is not None and self._is_settled and self._size > TRIM_BYTES:
            os.ftruncate(self._file, 0)
            self._size = 0

    def close(self) -> None:
        """Drop the file if all in it is committed and nothing is in doubt."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._path is not None and self._is_settled:
            self._path.unlink(missing_ok=True)

    def left_behind(self, is_dead: Callable[[str], bool]) -> Iterator[tuple[Path, list[Line | Begun]]]:
        """The files of processes that have ended, with their whole lines; one cut off is left out."""
        if self._folder is None or not self._folder.is_dir():
            return
        for path in sorted(self._folder.iterdir()):
            if path != self._path and is_dead(path.name):
                lines = (_read(raw) for raw in path.read_bytes().splitlines())
                yield path, [line for line in lines if line is not None]

    @property
    def _is_settled(self) -> bool:
        return not self._uncommitted and not self._begun

    def _append(self, line: Line | Begun) -> None:
        if self._folder is None or self._path is None:
            return
        if self._file is None:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._file = os.open(self._path, flags, 0o600)
        self._size += os.write(self._file, json.dumps(asdict(line)).encode() + b"\n")


def _read(raw: bytes) -> Line | Begun | None:
    try:
        data: dict[str, Any] = json.loads(raw)
        return Begun(**data) if "after_ref" in data else Line(**data)
    except (ValueError, TypeError):
        log.warning("journal.line_skipped")
        return None
