"""Files, functions and classes stay small enough to be read in one go."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.repo import PACKAGES, READS_THE_TREE, ROOT, name_of, python_files, tree_of

pytestmark = READS_THE_TREE


FILE_LINES = 500
DOOR_LINES = 200
SERVICE_LINES = 150
FUNCTION_LINES = 60
PARAMETERS = 6
CONSTRUCTOR_PARAMETERS = 8
PUBLIC_METHODS = 20

DOORS = ("bot/cli/", "bot/commands/", "channels/web/routes/")
EXCEPTIONS = Path(__file__).with_name("exceptions.toml")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Excess:
    """Something that is larger than its budget. `place` is what exceptions.toml names it by."""

    place: str
    size: int
    limit: int

    @property
    def told(self) -> str:
        return f"{self.place} is {self.size}, at most {self.limit}"


def line_limit(name: str) -> int:
    if name == "bot/service.py":
        return SERVICE_LINES
    return DOOR_LINES if name.startswith(DOORS) else FILE_LINES


def excesses() -> Iterator[Excess]:
    for path in python_files(*PACKAGES, "tests", "bench"):
        name = name_of(path)
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > (limit := line_limit(name)):
            yield Excess(f"{name} lines", lines, limit)
        yield from code_excesses(name, tree_of(path))


def code_excesses(name: str, tree: ast.Module) -> Iterator[Excess]:
    is_product = name.split("/")[0] in PACKAGES
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield from function_excesses(name, node, is_product)
        elif isinstance(node, ast.ClassDef) and is_product:
            public = [f for f in node.body if isinstance(f, Function) and not f.name.startswith("_")]
            if len(public) > PUBLIC_METHODS:
                yield Excess(f"{name} {node.name} public methods", len(public), PUBLIC_METHODS)


def function_excesses(name: str, node: Function, is_product: bool) -> Iterator[Excess]:
    assert node.end_lineno is not None
    if (lines := node.end_lineno - node.lineno + 1) > FUNCTION_LINES:
        yield Excess(f"{name} {node.name} lines", lines, FUNCTION_LINES)
    limit = CONSTRUCTOR_PARAMETERS if node.name == "__init__" else PARAMETERS
    if is_product and (count := len(parameters(node))) > limit:
        yield Excess(f"{name} {node.name} parameters", count, limit)


def parameters(node: Function) -> list[str]:
    """The names a caller may give; `self` and `cls` come by themselves."""
    given = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return [name for name in given if name not in {"self", "cls"}]


def allowed() -> dict[str, dict[str, str | int]]:
    return tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))


@pytest.mark.timeout(120)  # it reads every file of the project
def test_nothing_is_larger_than_its_budget() -> None:
    exceptions = allowed()
    over = [e.told for e in excesses() if e.size > int(exceptions.get(e.place, {}).get("size", e.limit))]
    assert over == []


def test_each_exception_is_needed_exact_and_has_a_reason() -> None:
    """An exception that shrank must be written down as shrunk: the list only ever gets shorter."""
    sizes = {e.place: e.size for e in excesses()}
    wrong = [
        place
        for place, entry in allowed().items()
        if entry.get("size") != sizes.get(place) or len(str(entry.get("why", ""))) < 20
    ]
    assert wrong == []


def test_a_file_of_501_lines_would_be_found() -> None:
    assert line_limit("bot/store/engine.py") == 500
    assert line_limit("bot/service.py") == 150
    assert line_limit("channels/web/routes/chat.py") == 200
    long_function = "def f(a, b, c, d, e, f, *, g):\n" + "    pass\n" * 60
    found = [e.told for e in code_excesses("bot/x.py", ast.parse(long_function))]
    assert found == ["bot/x.py f lines is 61, at most 60", "bot/x.py f parameters is 7, at most 6"]


def test_the_four_packages_hold_nothing_of_their_own() -> None:
    assert [p for p in PACKAGES if (ROOT / p / "__init__.py").read_text(encoding="utf-8").strip()] == []
