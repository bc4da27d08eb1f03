"""Whether another process lives is told by a lock that the kernel drops."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.runs import holder as holding
from bot.runs.holder import Holder

HOLD = """
import sys
from pathlib import Path
from bot.runs.holder import Holder
holder = Holder(Path(sys.argv[1]))
print(holder.id, flush=True)
sys.stdin.read()
holder.close()
"""


@contextlib.contextmanager
def another_process(database: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A process with a holder, and the holder's id."""
    command = [sys.executable, "-c", HOLD, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        yield process.stdout.readline().strip(), process
        if process.poll() is None:
            process.stdin.close()


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Holder]:
    holder = Holder(tmp_path / "bot.db")
    yield holder
    holder.close()


def test_a_killed_process_is_dead_at_once_and_is_buried(mine: Holder, tmp_path: Path) -> None:
    with another_process(tmp_path / "bot.db") as (other, process):
        assert not mine.is_dead(other)
        mine.bury()
        assert not mine.is_dead(other)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert mine.is_dead(other)
    mine.bury()
    assert [path.name for path in (tmp_path / "bot.db-holders").iterdir()] == [mine.id]
    assert mine.is_dead(other)


def test_a_process_that_ended_in_order_is_dead_too(mine: Holder, tmp_path: Path) -> None:
    with another_process(tmp_path / "bot.db") as (other, process):
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
        assert mine.is_dead(other)


def test_a_process_is_never_dead_to_itself(mine: Holder) -> None:
    assert not mine.is_dead(mine.id)
    mine.bury()
    assert not mine.is_dead(mine.id)


def test_a_holder_nobody_knows_is_dead(mine: Holder) -> None:
    assert mine.is_dead("0123456789abcdef")


def test_without_a_database_file_only_the_lease_decides() -> None:
    holder = Holder(None)
    assert not holder.is_dead("0123456789abcdef")
    holder.bury()
    holder.close()


def test_a_file_that_was_buried_before_it_was_locked_is_made_again(
    tmp_path: Path, mine: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may find the file between its making and its locking, and take it for a dead one's."""
    real = holding.fcntl.flock
    buried: list[object] = []

    def flock(file: object, flags: int) -> None:
        if not buried and flags == holding.fcntl.LOCK_EX:
            buried.append(file)
            mine.bury()
        real(file, flags)

    monkeypatch.setattr(holding.fcntl, "flock", flock)
    late = Holder(tmp_path / "bot.db")
    assert buried
    assert not mine.is_dead(late.id)
    late.close()
    assert mine.is_dead(late.id)
