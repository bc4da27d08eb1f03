"""Servers as people use them, from PyPI and npm."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from bot.tools.strict import faults
from tests.fakes import mcp_modern, npm
from tests.tools.mcp.conftest import CONTEXT, Room, until

pytestmark = [pytest.mark.timeout(120), pytest.mark.slow]


def beside(name: str) -> str:
    """A program of this environment."""
    return str(Path(sys.executable).with_name(name))


def register(room: Room, **extra: list[str]) -> None:
    """The servers of PyPI and npm, each with what it needs."""
    repository = room.folder / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    commands = {
        "time": [beside("mcp-server-time")],
        "fetch": [beside("mcp-server-fetch"), "--allow-private-ips", "--ignore-robots-txt"],
        "git": [beside("mcp-server-git"), "--repository", str(repository)],
        "everything": npm.script("mcp-server-everything"),
        "filesystem": [*npm.script("mcp-server-filesystem"), str(room.folder)],
        "memory": npm.script("mcp-server-memory"),
        **extra,
    }
    for name, (command, *args) in commands.items():
        environ = {"MEMORY_FILE_PATH": str(room.folder / "memory.json")} if name == "memory" else {}
        room.registry.add(name, {"command": command, "args": args, "env": environ}, "user")


def process_of(marker: str) -> psutil.Process:
    """The program of a server, by a word of its command line."""
    found = [
        child for child in psutil.Process().children(recursive=True) if marker in " ".join(child.cmdline())
    ]
    return found[-1]


@pytest.mark.pain("46")
async def test_all_work_while_one_is_killed_and_one_hangs(room: Room) -> None:
    register(room, mute=[sys.executable, "-c", "import time; time.sleep(600)"])
    async with room.open():
        await until(lambda: all(room.state(name) == "ready" for name in (
            "time", "fetch", "git", "everything", "filesystem", "memory")), 90)  # fmt: skip
        assert room.state("mute") == "starting"
        for tool in await room.servers.tools(CONTEXT):
            assert faults(dict(tool.parameters)) == []
        long = asyncio.ensure_future(
            room.call("everything__trigger-long-running-operation", duration=60, steps=2)
        )
        os.kill(process_of("mcp-server-memory").pid, signal.SIGSTOP)
        await until(lambda: len(room.server("everything")._running) == 1)
        os.kill(process_of("mcp-server-everything").pid, signal.SIGKILL)
        killed = await asyncio.wait_for(long, 2)
        assert killed.is_error
        now = await room.call("time__get_current_time", timezone="Asia/Shanghai")
        assert json.loads(now.text)["timezone"] == "Asia/Shanghai"
        status = await room.call("git__git_status", repo_path=str(room.folder / "repository"))
        assert "On branch" in status.text
        written = room.folder / "note.txt"
        await room.call("filesystem__write_file", path=str(written), content="你好")
        assert (await room.call("filesystem__read_text_file", path=str(written))).text == "你好"
        refused = await room.call("filesystem__read_text_file", path="/etc/passwd")
        assert refused.is_error and "root:" not in refused.text
        fetched = await room.call("fetch__fetch", url="http://127.0.0.1:9/")
        assert fetched.is_error
        await room.ready("everything")  # it was started anew
        assert (await room.call("everything__echo", message="again")).text == "Echo: again"
        os.kill(process_of("mcp-server-memory").pid, signal.SIGKILL)


async def test_resources_prompts_and_progress_of_a_real_server(room: Room) -> None:
    command, *args = npm.script("mcp-server-everything")
    room.registry.add("everything", {"command": command, "args": args, "timeout_secs": 2}, "user")
    async with room.open():
        await room.ready("everything")
        listed = (await room.call("everything__resources")).text
        uri = listed.partition(": ")[0].splitlines()[0]
        assert len((await room.call("everything__resources", uri=uri)).text) > 20
        assert "args-prompt(city, state?)" in (await room.call("everything__prompts")).text
        got = await room.call("everything__prompts", name="args-prompt", arguments={"city": "Rome"})
        assert got.text.startswith("user: ") and "Rome" in got.text
        # Longer than the limit of silence: it lives on the progress that it shows.
        slow = await room.call("everything__trigger-long-running-operation", duration=4, steps=8)
        assert not slow.is_error, slow.text
        image = await room.call("everything__get-tiny-image")
        assert "[image image/png" in image.text


@asynccontextmanager
async def over_http(kind: str) -> AsyncGenerator[tuple[str, "asyncio.subprocess.Process"], None]:
    """The everything server on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *npm.script("mcp-server-everything"), kind,
        env={"PORT": str(port), "PATH": os.environ["PATH"]},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        await until(lambda: listens(port), 30)
        yield f"http://127.0.0.1:{port}", process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(("kind", "path", "extra"), [
    ("streamableHttp", "/mcp", {}),
    ("sse", "/sse", {"transport": "sse"}),
])  # fmt: skip
async def test_a_server_over_http_works_and_its_death_ends_calls(
    room: Room, kind: str, path: str, extra: dict[str, Any]
) -> None:
    async with over_http(kind) as (url, process):
        room.registry.add("remote", {"url": url + path, **extra}, "user")
        async with room.open():
            await room.ready("remote")
            assert (await room.call("remote__echo", message="hi")).text == "Echo: hi"
            long = asyncio.ensure_future(
                room.call("remote__trigger-long-running-operation", duration=60, steps=2)
            )
            await until(lambda: len(room.server("remote")._running) == 1)
            process.kill()
            assert (await asyncio.wait_for(long, 2)).is_error
            await until(lambda: room.state("remote") == "waiting")
            assert await room.names() == []


async def test_a_server_of_the_newest_protocol_announces_its_tools_by_a_subscription(room: Room) -> None:
    room.registry.add("modern", {"command": sys.executable, "args": [mcp_modern.__file__]}, "user")
    async with room.open() as servers:
        await room.ready("modern")
        assert room.server("modern").health.about.protocol == "2026-07-28"
        assert (await room.call("modern__grow")).text == "grown"
        await until(lambda: len(room.server("modern").listing.tools) == 2)
        async with asyncio.timeout(10):  # it is written down a moment after it was listed
            while not (approved := await servers.approve("modern")):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        assert approved == ["fruit"]
        await until(lambda: "modern__fruit" in {entry.tool.name for entry in servers.entries()})
        assert (await room.call("modern__fruit")).text == "apple"
