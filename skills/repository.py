"""Skills from a git repository: its newest state, looked at before a file of it is written."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.errors import InputError, Unavailable
from skills.shown import visible

MAX_BYTES = 128 * 1024 * 1024  # of all files that are written, and of what git itself keeps of them
MAX_FILES = 20_000

_ADDRESS = re.compile(r"(?P<url>(?:https|ssh|file)://[^\s#]+|git@[\w.-]+:[^\s#]+)(?:#(?P<path>[^\s#]*))?")
_LIKE_AN_OPTION = re.compile(r"(?:://|@)-")  # of the program that git starts for it
_TIMEOUT_S = 120
# Sets the limit of a file in the new process, and becomes git: a pack may hold far more than it shows.
_LAUNCHER = """\
import os, resource, sys
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execvp(sys.argv[2], sys.argv[2:])
"""
_OPTIONS = ("core.symlinks=false", "core.hooksPath=/dev/null", "protocol.ext.allow=never")


Judged = Callable[[str], tuple[str, int, str]]
"""See `skills.sources.Download.judged`."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a repository is, and the folder in it that is wanted; "" for all of it."""

    url: str
    path: str


def read(source: str) -> Address | None:
    """The address of a repository, None for what is none. Raises `InputError` for a folder outside of it."""
    match = _ADDRESS.fullmatch(source)
    if match is None or _LIKE_AN_OPTION.search(match["url"]):
        return None
    path = (match["path"] or "").strip("/")
    if ".." in path.split("/"):
        raise InputError(f"{path!r} leads out of the repository")
    return Address(match["url"], path)


def clone(source: str, into: Path, environ: Mapping[str, str], judged: Judged) -> str:
    """Bring the newest state of a repository, without its history; the commit's name.

    Nothing of the repository is run: no hooks, no submodules, no filters, no prompts for passwords.
    Over https it is called where the guard judged it, and a redirect is not followed.
    Raises `InputError` for one with more than `MAX_FILES` or `MAX_BYTES`, before any is written.
    """
    address = read(source)
    if address is None:
        raise InputError(f"{source!r} is not the address of a repository")
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_LFS_SKIP_SMUDGE": "1"}
    env = {key: environ[key] for key in ("PATH", "HOME", "SSH_AUTH_SOCK", "LANG") if key in environ} | quiet
    fresh = ("--quiet", "--depth=1", "--no-tags", "--single-branch", "--no-checkout", "--template=")
    _git((*_way(address.url, judged), "clone", *fresh, "--", address.url, str(into)), env)
    here = ("-C", str(into))
    commit = _git((*here, "rev-parse", "HEAD"), env).strip()
    only = (address.path,) if address.path else ()
    if _weigh(_git((*here, "ls-tree", "-r", "-l", "-z", "HEAD", "--", *only), env)):
        pathspec = f":(top,literal){address.path}"
        _git((*here, "checkout", "--quiet", "HEAD", "--", pathspec), env)
    shutil.rmtree(into / ".git", ignore_errors=True)
    return commit


def _way(url: str, judged: Judged) -> tuple[str, ...]:
    """Options of git by which it connects to the address that was judged, and to no other."""
    if not url.startswith("https://"):
        return ()
    host, port, address = judged(url)
    shown = f"[{address}]" if ":" in address else address
    return ("-c", f"http.curloptResolve={host}:{port}:{shown}", "-c", "http.followRedirects=false")


def _weigh(listed: str) -> bool:
    """Whether there are files. Raises `InputError` for too many or too large ones."""
    files = [line.partition("\t")[0].split() for line in listed.split("\0") if line]
    size = sum(int(about[3]) for about in files if about[3].isdecimal())
    if len(files) > MAX_FILES or size > MAX_BYTES:
        raise InputError(
            f"the repository has {len(files)} files of {size} bytes; {MAX_FILES} of {MAX_BYTES} are allowed",
            hint="name a folder of it: ADDRESS#FOLDER",
        )
    return bool(files)


def _git(arguments: tuple[str, ...], env: Mapping[str, str]) -> str:
    program = shutil.which("git", path=env.get("PATH"))
    if program is None:
        raise Unavailable("git is not installed")
    options = [word for option in _OPTIONS for word in ("-c", option)]
    limited = () if sys.platform == "win32" else (sys.executable, "-I", "-c", _LAUNCHER, str(MAX_BYTES))
    try:
        done = subprocess.run(
            (*limited, program, *options, *arguments),
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"git took longer than {_TIMEOUT_S} s") from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        reason = next((line for line in told if line.startswith(("fatal: ", "error: "))), told[-1])
        raise Unavailable(f"git could not bring it: {visible(reason)}")
    return done.stdout.decode("utf-8", "replace")
