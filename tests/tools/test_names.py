"""Names that providers take."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tools.names import named

VALID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@pytest.mark.pain("45", "P079")
def test_odd_names_become_valid_and_stay_apart() -> None:
    odd = [
        "immich.search.metadata",
        "build:dev",
        "build_dev",
        "查天气",
        "a" * 90,
        "a" * 90 + "b",
        "with space",
    ]
    names = named([("s", name) for name in odd])
    assert all(VALID.fullmatch(name) for name in names.values())
    assert len(set(names.values())) == len(odd)
    assert names["s", "build_dev"] == "s__build_dev"


def test_two_servers_may_have_the_same_tool() -> None:
    assert list(named([("one", "echo"), ("two", "echo")]).values()) == ["one__echo", "two__echo"]


def test_a_name_does_not_depend_on_the_others() -> None:
    alone = named([("s", "build:dev")])
    among = named([("s", "build:dev"), ("s", "build_dev"), ("t", "x")])
    assert alone["s", "build:dev"] == among["s", "build:dev"]


@given(st.lists(st.tuples(st.text(min_size=1, max_size=70), st.text(max_size=80)), unique=True))
def test_all_names_are_valid_and_unique(origins: list[tuple[str, str]]) -> None:
    names = named(origins)
    assert len(set(names.values())) == len(origins)
    assert all(VALID.fullmatch(name) for name in names.values())
