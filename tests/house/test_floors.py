"""The import contract holds, and breaks where it should."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.repo import PACKAGES, ROOT, name_of, pyproject, python_files

# The command itself, with the copy before the installed project on the path.
LINT_IMPORTS = """
import sys
sys.path.insert(0, sys.argv.pop())
import importlinter.cli
importlinter.cli.lint_imports_command()
"""


def check_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the import contract over the packages in `root` and nothing else."""
    return subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-cache", "--no-logo", "pyproject.toml", str(root)],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's packages in another place, to be spoiled there."""
    for path in python_files(*PACKAGES):
        target = tmp_path / name_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def add(root: Path, name: str, line: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")


def test_the_project_keeps_its_floors(copy: Path) -> None:
    result = check_imports(copy)
    assert result.returncode == 0, result.stdout + result.stderr


EVERY_ROOM = "every module of bot stands on a floor"

BREACHES = {
    "a drawer for anything": ("bot/utils.py", "", EVERY_ROOM),
    "the service knows Telegram": ("bot/service.py", "import telegram", "telegram stays in its channel"),
    "the service knows aiohttp": ("bot/service.py", "import aiohttp", "aiohttp stays in the web channel"),
    "memory knows skills": ("memory/gossip.py", "import skills", "floors"),
    "a turn calls upward": ("bot/turn/gossip.py", "import bot.commands", "floors"),
    "Telegram knows web": (
        "channels/telegram/gossip.py",
        "import channels.web",
        "no channel knows another",
    ),
    "runs know openai": ("bot/runs/gossip.py", "import openai", "model libraries stay with the models"),
    "a door knows SQL": ("channels/web/gossip.py", "import sqlalchemy", "SQL stays below the doors"),
}


@pytest.mark.parametrize(("name", "line", "broken"), BREACHES.values(), ids=BREACHES)
def test_a_broken_floor_is_named(copy: Path, name: str, line: str, broken: str) -> None:
    add(copy, name, line)
    result = check_imports(copy)
    assert result.returncode != 0
    assert f"{broken} BROKEN" in " ".join(result.stdout.split())


def test_a_channel_added_later_may_not_import_another(copy: Path) -> None:
    add(copy, "channels/pigeon/__init__.py", "")
    add(copy, "channels/pigeon/adapter.py", "import channels.web")
    result = check_imports(copy)
    assert result.returncode != 0
    assert "no channel knows another BROKEN" in " ".join(result.stdout.split())


def test_both_lists_of_floors_name_the_same_rooms_in_the_same_order() -> None:
    """The contract holds the floors twice: once with other packages between, once to be exhaustive."""
    by_name = {contract["name"]: contract for contract in pyproject()["tool"]["importlinter"]["contracts"]}
    among_all = [
        [room.removeprefix("bot.") for room in rooms(line) if room.startswith("bot.")]
        for line in by_name["floors"]["layers"]
    ]
    inside = [rooms(line) for line in by_name["every module of bot stands on a floor"]["layers"]]
    assert [line for line in among_all if line] == inside


def rooms(line: str) -> list[str]:
    return [room.strip().strip("()") for room in line.split("|")]
