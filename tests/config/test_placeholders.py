from string import ascii_letters

from hypothesis import given
from hypothesis import strategies as st

from bot.config.placeholders import Unresolved, expand

names = st.text(ascii_letters + "_", min_size=1)
plain = st.text().filter(lambda text: "$" not in text)
values = st.text(min_size=1)


@given(before=plain, name=names, after=plain, value=values)
def test_a_set_variable_takes_the_place_of_its_name(before: str, name: str, after: str, value: str) -> None:
    data, unresolved = expand({"key": f"{before}${{{name}}}{after}"}, {name: value})
    assert data == {"key": f"{before}{value}{after}"}
    assert unresolved == []


@given(name=names, default=plain.filter(lambda text: not set(text) & set("{}")))
def test_a_default_stands_for_a_variable_that_is_unset_or_empty(name: str, default: str) -> None:
    for environ in ({}, {name: ""}):
        assert expand({"key": f"${{{name}:-{default}}}"}, environ) == ({"key": default}, [])


@given(text=plain)
def test_a_text_without_a_dollar_stays_as_it_is(text: str) -> None:
    assert expand({"key": text}, {}) == ({"key": text}, [])


@given(text=st.text())
def test_any_text_is_expanded_or_reported_but_never_a_crash(text: str) -> None:
    data, unresolved = expand({"key": text}, {})
    assert ("key" in data) != bool(unresolved)


@given(value=st.text(min_size=1))
def test_what_a_variable_holds_is_not_expanded_again(value: str) -> None:
    environ = {"OUTER": f"{value}${{INNER}}", "INNER": "never"}
    assert expand({"key": "${OUTER}"}, environ)[0] == {"key": f"{value}${{INNER}}"}


def test_lists_and_tables_inside_are_expanded_too() -> None:
    data, _ = expand({"a": ["${X}", 1, {"b": "${X}"}], "c": {"d": "${X}"}}, {"X": "x"})
    assert data == {"a": ["x", 1, {"b": "x"}], "c": {"d": "x"}}


def test_a_doubled_dollar_is_a_literal_placeholder() -> None:
    assert expand({"key": "$${HOME} and $5"}, {"HOME": "x"}) == ({"key": "${HOME} and $5"}, [])


def test_a_missing_variable_is_reported_with_its_key_and_the_key_left_out() -> None:
    data, unresolved = expand({"a": {"b": ["${X}"], "c": 1}}, {})
    assert data == {"a": {"c": 1}}
    assert unresolved == [Unresolved(("a", "b"), "X")]


def test_a_table_that_is_off_may_miss_its_variables() -> None:
    assert expand({"a": {"enabled": False, "token": "${X}"}}, {}) == ({"a": {"enabled": False}}, [])


def test_a_placeholder_inside_a_default_is_not_well_formed() -> None:
    assert expand({"key": "${A:-${B}}"}, {"B": "b"})[1] == [Unresolved(("key",), None)]
