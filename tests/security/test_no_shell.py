"""No shell is started anywhere, and the tests that the table of advisories names are there."""

import ast
import re
from pathlib import Path

from tests.house.repo import PACKAGES, READS_THE_TREE, ROOT, name_of, python_files, tree_of

pytestmark = READS_THE_TREE


SHELLS = {"os.system", "os.popen", "asyncio.create_subprocess_shell", "subprocess.getoutput", "pty.spawn"}


def starts_shell(call: ast.Call) -> bool:
    """Whether a call hands a text to a shell."""
    if ast.unparse(call.func) in SHELLS:
        return True
    return any(word.arg == "shell" and ast.unparse(word.value) != "False" for word in call.keywords)


def test_nothing_hands_a_command_to_a_shell() -> None:
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_files(*PACKAGES)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and starts_shell(node)
    ]
    assert found == []


def test_every_test_that_answers_an_advisory_is_there() -> None:
    told = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[\w/]+\.py)`", told))
    assert len(named) > 12
    assert [name for name in named if not Path(ROOT, name).is_file()] == []
