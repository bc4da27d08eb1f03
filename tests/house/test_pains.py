"""Promises and tests are tied in both directions."""

import ast
from collections.abc import Iterator

from tests.house.repo import READS_THE_TREE, name_of, python_files, tree_of
from tests.pains import PAINS

pytestmark = READS_THE_TREE


def marks() -> Iterator[tuple[str, str]]:
    """Each pain mark as (where it stands, the number it names)."""
    for path in python_files("tests"):
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("mark.pain"):
                continue
            for argument in node.args:
                number = argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)
                yield f"{name_of(path)}:{node.lineno}", str(number)


def test_every_promise_is_kept_by_a_test() -> None:
    kept = {number for _, number in marks()}
    assert sorted(set(PAINS) - kept) == []


def test_every_mark_names_a_promise() -> None:
    assert sorted(f"{where} {number}" for where, number in marks() if number not in PAINS) == []


def test_every_promise_says_what_it_is() -> None:
    assert [number for number, promise in PAINS.items() if len(promise) < 20] == []
