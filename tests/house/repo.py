"""What the checks of the house look at: the files of the project and their syntax trees."""

import ast
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "channels", "memory", "skills")


@cache
def files() -> tuple[Path, ...]:
    """All files that belong to the project: known to git, or new and not ignored."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return tuple(path for name in sorted(set(names)) if (path := ROOT / name).is_file())


def python_files(*folders: str) -> tuple[Path, ...]:
    """The Python files below the named top folders."""
    return tuple(f for f in files() if f.suffix == ".py" and f.relative_to(ROOT).parts[0] in folders)


def name_of(path: Path) -> str:
    """The path as people write it: from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


# Who reads the whole tree does so in one worker, which parses it once.
READS_THE_TREE = [pytest.mark.xdist_group("tree"), pytest.mark.slow]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(extras: set[str]) -> set[str]:
    """The names of the packages that the product asks for, with those of some extras."""
    project = pyproject()["project"]
    asked = list(project["dependencies"])
    for extra in sorted(extras):
        asked += project["optional-dependencies"][extra]
    return {re.split(r"[\[<>=!;~ ]", requirement, maxsplit=1)[0] for requirement in asked}
