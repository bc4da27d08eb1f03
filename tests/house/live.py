"""The real program as a process of its own, before a scripted model."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from tests.fakes.upstream import Upstream

READY_WITHIN_S = 60.0
STOPPED_WITHIN_S = 30.0

CONFIG = """
[app]
bind = "{bind}"

[providers.fake]
base_url = "{upstream}"
model = "fake-model"

[storage]
url = "sqlite:///{folder}/bot.db"

[memory]
embedder = "none"
"""


@asynccontextmanager
async def serving(program: Path, folder: Path) -> AsyncGenerator[str]:
    """`program serve` in the root folder, its data in `folder`; the address while it is ready.

    When the block ends it is told to stop, and must end with 0.
    """
    bind = f"127.0.0.1:{_free_port()}"
    config, log = folder / "config.toml", folder / "log"
    async with Upstream() as upstream:
        text = CONFIG.format(bind=bind, upstream=upstream.base_url, folder=folder)
        config.write_text(text, encoding="utf-8")
        with log.open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                program, "serve", "--config", config, cwd="/", stdout=output, stderr=output
            )
        try:
            await _ready(f"http://{bind}", process, log)
            yield f"http://{bind}"
        finally:
            if process.returncode is None:
                process.terminate()
            async with asyncio.timeout(STOPPED_WITHIN_S):
                code = await process.wait()
    assert code == 0, _read(log)


async def _ready(address: str, process: asyncio.subprocess.Process, log: Path) -> None:
    """Wait until /health answers 200; fail at once when the process ends before."""
    async with asyncio.timeout(READY_WITHIN_S), aiohttp.ClientSession() as client:
        while process.returncode is None:
            try:
                async with client.get(f"{address}/health") as response:
                    if response.status == 200:
                        return
            except aiohttp.ClientConnectionError:
                pass
            await asyncio.sleep(0.05)
    raise AssertionError(_read(log))


def _read(log: Path) -> str:
    return log.read_text(encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
