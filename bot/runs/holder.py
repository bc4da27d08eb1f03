"""Who holds a run, and whether that process is still alive.

Each process keeps a lock on a small file beside the database. The kernel drops the lock when the
process ends, however it ends, so a restarted bot takes up its predecessor's work at once and not
only after the lease. Where there is no such file (a database server, a system without `flock`), the
lease decides.
"""

import contextlib
import importlib
import os
import secrets
from pathlib import Path
from typing import IO, Any

try:
    fcntl: Any = importlib.import_module("fcntl")
except ImportError:  # Windows
    fcntl = None


class Holder:
    """This process, as the holder of runs."""

    def __init__(self, database: Path | None) -> None:
        self.id = secrets.token_hex(8)
        self._folder = None
        self._lock: IO[bytes] | None = None
        if database is not None and fcntl is not None:
            self._folder = database.with_name(database.name + "-holders")
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._lock = _locked(self._folder / self.id)

    def is_dead(self, holder_id: str) -> bool:
        """Whether that process has surely ended. False when it lives or nobody can tell."""
        if holder_id == self.id or self._folder is None:
            return False
        try:
            with (self._folder / holder_id).open("rb") as other:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return True
        except BlockingIOError:
            return False
        return True

    def bury(self) -> None:
        """Remove the files of processes that have ended."""
        if self._folder is None:
            return
        for path in self._folder.iterdir():
            if path.name == self.id:
                continue
            with contextlib.suppress(FileNotFoundError, BlockingIOError), path.open("rb") as other:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()  # while locked: a process that just made it sees that it is gone

    def close(self) -> None:
        """Say that this process holds nothing any more."""
        if self._lock is not None and self._folder is not None:
            with contextlib.suppress(FileNotFoundError):
                (self._folder / self.id).unlink()
            self._lock.close()
            self._lock = None


def _locked(path: Path) -> IO[bytes]:
    """Make the file and lock it. Another process may take it for a dead one's between the two steps,
    and remove it; then it is made again."""
    while True:
        file = path.open("wb")
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except FileNotFoundError:
            pass
        file.close()
