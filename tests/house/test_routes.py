"""Every route of the HTTP interface is documented, and every documented route exists."""

import ast
import re

from tests.house.repo import READS_THE_TREE, ROOT, python_files, tree_of

pytestmark = READS_THE_TREE


METHODS = {"get", "post", "put", "patch", "delete"}
PATTERN = re.compile(r":[^}]*(?=})")  # of `{path:.+}`
IN_THE_PAGE = re.compile(r"^\| `([A-Z]+ /\S*)` \|", re.MULTILINE)


def path_in(node: ast.expr) -> str:
    """The path of a route: a text, or `STATIC + "..."`."""
    if isinstance(node, ast.BinOp):
        return path_in(node.left) + path_in(node.right)
    return str(node.value) if isinstance(node, ast.Constant) else f"/{ast.unparse(node).lower()}/"


def served() -> set[str]:
    """All routes of the code, as `GET /v1/sessions/{id}`."""
    calls = [node for path in python_files("channels") for node in ast.walk(tree_of(path))]
    return {
        f"{call.func.attr.upper()} {PATTERN.sub('', path_in(call.args[0]))}"
        for call in calls
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in METHODS
        and ast.unparse(call.func.value) == "web"
    }


def test_every_route_is_documented_and_no_other() -> None:
    documented = set(IN_THE_PAGE.findall((ROOT / "docs" / "http.md").read_text(encoding="utf-8")))
    assert served()
    assert documented == served()
