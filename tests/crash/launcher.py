"""Starts the real application in child processes, and ends each at the commit it is told.

As a program it imports everything once and then forks, so that a start costs a tenth of a second. It
reads one order a line, `{"config": path, "commit": k or 0, "when": "before" or "after", "counts": path}`
(the last one, if not empty, for a bot with the tool of `tests.crash.counting`), and answers with
`pid <n>`, from the child `ready <url>` and `last <name of the transaction>`, and, when the child has
ended, `exit <code>`.

No production code knows of this: the driver's commit is wrapped from outside. What commits by the clock is
held still, so that the k-th commit is the same one in every life.
"""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import alembic.command  # noqa: F401 - what a child would load by itself is loaded before the fork
import openai.resources.chat.completions  # noqa: F401
import structlog
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

import channels.telegram.adapter  # noqa: F401
import channels.web.server  # noqa: F401
from bot.app import assembly, open_app
from bot.config.load import load
from bot.events import log as event_log
from tests.crash.counting import Counting

When = Literal["before", "after"]

KILLED = 77
ROOT = Path(__file__).resolve().parents[2]
BOUND_S = 30.0


class Child:
    """One start of the application. `ended` is its exit code; None while it lives."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.url = ""
        self.last_commit = ""  # the transaction it was ended in
        self.ended: int | None = None


class Launcher:
    """The fork server, as a test sees it. One child at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.launcher"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    async def spawn(
        self, config: Path, *, commit: int = 0, when: When = "before", counts: Path | None = None
    ) -> Child:
        """Begin to start the application; with `counts`, with a tool that counts in that file."""
        assert self._process.stdin is not None
        order = {"config": str(config), "commit": commit, "when": when, "counts": str(counts or "")}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        word, pid = await self._line()
        assert word == "pid", word
        return Child(int(pid))

    async def start(
        self, config: Path, *, commit: int = 0, when: When = "before", counts: Path | None = None
    ) -> Child:
        """Start the application; returns when it is ready, or has ended before it was."""
        child = await self.spawn(config, commit=commit, when=when, counts=counts)
        while not child.url and child.ended is None:
            await self._hear(child)
        return child

    async def wait(self, child: Child) -> int:
        """Wait until the child has ended; its exit code."""
        while child.ended is None:
            await self._hear(child)
        return child.ended

    async def _hear(self, child: Child) -> None:
        match await self._line():
            case "ready", url:
                child.url = url
            case "last", name:
                child.last_commit = name
            case "exit", code:
                child.ended = int(code)
            case other:
                raise AssertionError(other)

    async def until(self, condition: Callable[[], bool], child: Child, timeout_s: float) -> None:
        """Wait until the condition holds, or the child has ended."""
        async with asyncio.timeout(timeout_s):
            while child.ended is None and not condition():
                await asyncio.sleep(0.02)
                if is_gone(child.pid):
                    await self.wait(child)

    async def stop(self, child: Child) -> int:
        """Ask the child to end, as an operator would; its exit code."""
        return await self._end(child, signal.SIGTERM)

    async def kill(self, child: Child) -> None:
        """End the child without a word."""
        await self._end(child, signal.SIGKILL)

    async def _end(self, child: Child, how: signal.Signals) -> int:
        if child.ended is None:
            with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(child.pid, how)
        return await self.wait(child)

    async def _line(self) -> tuple[str, str]:
        assert self._process.stdout is not None
        async with asyncio.timeout(BOUND_S):
            line = await asyncio.to_thread(self._process.stdout.readline)
        word, _, rest = line.strip().partition(" ")
        return word, rest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The children end with the server: it stands at the head of their process group."""
        self._process.kill()
        self._process.communicate()


def is_gone(pid: int) -> bool:
    """Whether a child has ended (and its parent has seen it)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def _end_at(commit: int, when: When, recovered: threading.Event) -> None:
    """End this process at its `commit`-th commit, before or after the database knows of it.

    `recovered` is set when what earlier lives left behind has been taken up.
    """
    commits = itertools.count(1)
    real: Any = SQLiteDialect_pysqlite.do_commit

    def do_commit(self: object, dbapi_connection: object) -> None:
        if next(commits) != commit:
            real(self, dbapi_connection)
            if _transaction() == "recover":
                recovered.set()
            return
        _say(f"last {_transaction()}")
        if when == "after":
            real(self, dbapi_connection)
        os._exit(KILLED)

    setattr(SQLiteDialect_pysqlite, "do_commit", do_commit)  # noqa: B010 - it is not ours to assign


def _transaction() -> str:
    """The name of the function that is being committed: `Store` calls it `fn`."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if "fn" in frame.f_locals and frame.f_code.co_name == "_attempt":
            return str(frame.f_locals["fn"].__name__)
    return "migrate"


async def _serve(config: Path, recovered: threading.Event) -> None:
    """Run the bot; its doors open after `recovered`, so that every life commits in the same order."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with open_app(load(config, {})) as app:
        await asyncio.to_thread(recovered.wait, BOUND_S)
        await app.serve_until(stop, lambda url: _say(f"ready {url}"))


def _child(order: Mapping[str, Any]) -> int:
    recovered = threading.Event()
    if order["counts"]:
        setattr(assembly, "_toolsets", lambda *_parts: [Counting(Path(order["counts"]))])  # noqa: B010
    if order["commit"]:
        event_log.FLUSH_EVERY_S = 3600.0
        _end_at(order["commit"], order["when"], recovered)
    else:
        recovered.set()
    asyncio.run(_serve(Path(order["config"]), recovered))
    return 0


def main() -> None:
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(40),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                code = _child(json.loads(line))
            finally:
                sys.stderr.flush()
                os._exit(code)
        _say(f"pid {pid}")
        _, status = os.waitpid(pid, 0)
        _say(f"exit {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
