"""What may lie in the project, and what may not."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator

from tests.house.repo import PACKAGES, READS_THE_TREE, ROOT, files, name_of, python_files, tree_of

pytestmark = READS_THE_TREE


EXCUSE = re.compile(r"pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)|unittest\.skip\w*|self\.skipTest")
LARGEST_BINARY = 300_000  # bytes

# Written in pieces, so that this file doesn't find itself.
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/" + r"(?:work|farm|root)/[\w.]")
OTHER_INDEX = re.compile(r"(?i)\b(?:extra-)?index" + r"[-_]url\b|--find" + r"-links")


def texts() -> Iterator[tuple[str, str]]:
    for path in files():
        try:
            yield name_of(path), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    found = [f"{name}: {hit.group()}" for name, text in texts() if (hit := MACHINE_PATH.search(text))]
    assert found == []


def test_packages_come_from_wherever_the_user_gets_packages() -> None:
    found = [f"{name}: {hit.group()}" for name, text in texts() if (hit := OTHER_INDEX.search(text))]
    assert found == []


def test_no_large_binary_is_kept() -> None:
    large = [
        name_of(path)
        for path in files()
        if path.stat().st_size > LARGEST_BINARY and b"\0" in path.read_bytes()[:8192]
    ]
    assert large == []


def test_every_folder_of_tests_is_a_package() -> None:
    """Else pytest takes tests/memory for the package memory."""
    folders = {path.parent for path in python_files("tests")}
    assert sorted(name_of(f) for f in folders if not (f / "__init__.py").exists()) == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    found = [
        f"{name_of(path)}:{node.lineno} {ast.unparse(node)}"
        for path in python_files("tests", "bench")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and EXCUSE.fullmatch(ast.unparse(node))
    ]
    assert found == []


def test_no_test_sleeps_to_wait() -> None:
    """A wait is for a condition: time.sleep blocks, and a fixed pause is wrong on another machine."""
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_files("tests")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "time.sleep"
    ]
    assert found == []


def test_the_commands_of_the_repository_can_be_run() -> None:
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert "make test" in run.read_text(encoding="utf-8")


def test_the_wheel_holds_the_four_packages() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert tuple(build["targets"]["wheel"]["packages"]) == PACKAGES
