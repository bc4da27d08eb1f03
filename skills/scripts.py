"""Scripts of a skill, run in a process of their own with limits; this is no sandbox.

The process has its own session, an empty folder to work in, an environment without anything of ours, and
limits of time, memory, files and output. It has the rights of the bot's user all the same: so it is off
until the operator says otherwise, and each call is one that cannot be undone, which a person approves.
"""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.errors import InputError, Unavailable
from skills import files
from skills.manifest import Skill

MAX_ARGUMENTS = 32
MAX_ARGUMENT_CHARS = 4000
# Sets the limits in the new process, and becomes the script's interpreter.
_LAUNCHER = """\
import os, resource, sys
cpu, memory, size = map(int, sys.argv[1:4])
resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execv(sys.argv[4], sys.argv[4:])
"""


@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """Seconds in all and of computing, bytes of memory and of one file, characters of output."""

    total_s: float = 30.0
    cpu_s: int = 20
    memory_bytes: int = 512 * 1024 * 1024
    file_bytes: int = 16 * 1024 * 1024
    output_chars: int = 16_000


DEFAULT = ScriptLimits()


async def run(skill: Skill, name: str, arguments: Sequence[str], limits: ScriptLimits = DEFAULT) -> str:
    """Run a script below the skill's `scripts/`; its output, with its exit code where that is not 0.

    Raises `InputError` for what is no script of the skill, `Unavailable` where it took too long.
    """
    if sys.platform == "win32":
        raise Unavailable("scripts of skills do not run on Windows")
    command = (*_interpreter(name), str(_place(skill, name)), *_checked(arguments))
    numbers = (limits.cpu_s, limits.memory_bytes, limits.file_bytes)
    launcher = (sys.executable, "-I", "-c", _LAUNCHER, *map(str, numbers))
    with tempfile.TemporaryDirectory(prefix="skill-run-") as folder:
        process = await asyncio.create_subprocess_exec(
            *launcher,
            *command,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder, "SKILL_DIR": str(skill.folder)},
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(limits.total_s):
                output = await _read(process, limits.output_chars * 4)
                code = await process.wait()
        except TimeoutError:
            raise Unavailable(f"the script took longer than {limits.total_s:g} s") from None
        finally:
            await _end(process)
    text = output.decode("utf-8", "replace")
    text = text[: limits.output_chars] + ("\n[cut]" if len(text) > limits.output_chars else "")
    return text if code == 0 else f"exit code {code}\n{text}"


async def _read(process: Process, most: int) -> bytes:
    """What it says, up to `most` bytes; the rest is read and thrown away, so that it does not block."""
    assert process.stdout is not None  # it is a pipe
    kept = bytearray()
    while piece := await process.stdout.read(65_536):
        kept += piece[: max(most - len(kept), 0)]
    return bytes(kept)


async def _end(process: Process) -> None:
    """Kill what is left of it, with all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await asyncio.shield(process.wait())


def _interpreter(name: str) -> tuple[str, ...]:
    match Path(name).suffix.lower():
        case ".py":
            return (sys.executable, "-I")
        case ".sh":
            return ("/bin/sh",)
        case _:
            raise InputError(f"{name} is not a script that can be run: .py and .sh are", field="path")


def _place(skill: Skill, name: str) -> Path:
    path = files.place(skill, name)
    if not path.is_relative_to(skill.folder.resolve() / "scripts"):
        raise InputError("only scripts below scripts/ are run", field="path")
    return path


def _checked(arguments: Sequence[str]) -> Sequence[str]:
    if len(arguments) > MAX_ARGUMENTS or any(len(text) > MAX_ARGUMENT_CHARS for text in arguments):
        raise InputError(f"at most {MAX_ARGUMENTS} arguments of {MAX_ARGUMENT_CHARS} characters")
    if any("\0" in text for text in arguments):
        raise InputError("an argument holds a character that arguments cannot have")
    return arguments
