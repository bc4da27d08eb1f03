"""The bot and a fake provider as processes of their own, for benchmarks."""

import asyncio
import os
import socket
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Started:
    """A server under test. `ready_s` is from its start to its first healthy answer."""

    port: int
    pid: int
    ready_s: float


@asynccontextmanager
async def upstream(*, first_token_ms: int, tokens: int) -> AsyncIterator[Started]:
    """The fake provider: `first_token_ms` to the first token, then the rest at once."""
    command = ["-m", "tests.fakes.upstream", "--first-token-ms", str(first_token_ms), "--tokens", str(tokens)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        port = int((await process.stdout.readline()).split()[-1])
        yield Started(port, process.pid, 0.0)
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def bot(folder: Path, *, upstream_port: int, memory: str) -> AsyncIterator[Started]:
    """`xiaomaolv serve` with a fresh configuration and the database in `folder`."""
    port = free_port()
    config = folder / "config.toml"
    config.write_text(
        f"""
[app]
bind = "127.0.0.1:{port}"
default_provider = "bench"
[providers.bench]
kind = "openai-compatible"
base_url = "http://127.0.0.1:{upstream_port}/v1"
api_key = "bench"
model = "fake-model"
[storage]
url = "sqlite:///{folder}/bot.db"
[memory]
backend = "{memory}"
[logging]
level = "warning"
""",
        encoding="utf-8",
    )
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "serve", "--config", str(config), cwd=ROOT, env={**os.environ}
    )
    try:
        ready_s = await _ready(port, process, began)
        yield Started(port, process.pid, ready_s)
    finally:
        process.terminate()
        await process.wait()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_mb(pid: int) -> float:
    """Resident memory of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no memory figure for process {pid}")


async def _ready(port: int, process: asyncio.subprocess.Process, began: float) -> float:
    while time.perf_counter() - began < 30:
        if process.returncode is not None:
            raise RuntimeError(f"the bot ended with {process.returncode} at its start")
        try:
            await asyncio.to_thread(urllib.request.urlopen, f"http://127.0.0.1:{port}/health", None, 1)
        except OSError:
            await asyncio.sleep(0.01)
            continue
        return time.perf_counter() - began
    raise RuntimeError("the bot was not ready within 30 seconds")
