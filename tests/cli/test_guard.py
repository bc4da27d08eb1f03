from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from bot.cli.guard import PACKAGES, Finder, check_packages
from bot.errors import ConfigError


def finder(**homes: Path) -> Finder:
    """Finds each package in the folder given for it, else in /own."""

    def find(name: str) -> ModuleSpec | None:
        spec = ModuleSpec(name, loader=None, is_package=True)
        spec.submodule_search_locations = [str(homes.get(name, Path("/own")) / name)]
        return spec

    return find


def test_our_packages_stand_in_one_folder() -> None:
    assert check_packages() == Path(__file__).parents[2]
    assert check_packages(finder()) == Path("/own")


@pytest.mark.parametrize("taken", PACKAGES[1:])
def test_a_name_taken_by_another_distribution_is_told_with_both_places(taken: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_packages(finder(**{taken: Path("/other")}))
    assert caught.value.message.startswith(f"the package {taken} comes from /other, but bot from /own")
    assert "environment of its own" in caught.value.hint


def test_a_package_that_is_missing_is_told() -> None:
    with pytest.raises(ConfigError, match="skills of xiaomaolv cannot be found"):
        check_packages(lambda name: None if name == "skills" else finder()(name))
