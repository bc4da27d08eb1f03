import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.config.lines import KeyPath, line_of, locate
from bot.config.toml import toml_key, toml_value

scalars = st.text() | st.integers() | st.booleans() | st.floats(allow_nan=False)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
tables = st.dictionaries(st.text(), st.dictionaries(st.text(), values, max_size=4), max_size=4)


@given(tables=tables)
def test_each_key_is_found_on_the_line_it_was_written_on(tables: dict[str, dict[str, Any]]) -> None:
    lines = ["# head", ""]
    expected: dict[KeyPath, int] = {}
    for table, keys in tables.items():
        lines.append(f"[{toml_key(table)}] # [no.table]")
        expected[(table,)] = len(lines)
        for key, value in keys.items():
            lines.append(f"{toml_key(key)} = {toml_value(value)} # {toml_value(value)}")
            expected[(table, key)] = len(lines)
            items = range(len(value)) if isinstance(value, list) else ()
            expected.update({(table, key, str(item)): len(lines) for item in items})
    text = "\n".join(lines)
    assert tomllib.loads(text) == tables
    assert locate(text) == expected


def test_values_over_many_lines_are_stepped_over() -> None:
    text = '''\
title = """
[no.table]
no = "key" \\""" ""
"""
list = [
  "]", # ] a comment
  { inner = 1 }, [
  "x" ],
]
other = \'\'\'
it's [no]
\'\'\'
[a . "b.c"]
d.e = {f = "}"} # }
[[many]]
x = 1979-05-27T07:32:00Z
[[many]]
x = 2
'''
    tomllib.loads(text)
    assert locate(text) == {
        ("title",): 1,
        ("list",): 5,
        ("list", "0"): 6,
        ("list", "1"): 7,
        ("list", "2"): 7,
        ("other",): 10,
        ("a", "b.c"): 13,
        ("a", "b.c", "d", "e"): 14,
        ("many",): 15,
        ("many", "0"): 15,
        ("many", "0", "x"): 16,
        ("many", "1"): 17,
        ("many", "1", "x"): 18,
    }


def test_tables_below_a_list_of_tables_belong_to_its_last_one() -> None:
    text = """\
[[a.rules]]
[a.rules.match]
x = 1
[[a.rules]]
match.x = 1
[[a.rules.inner]]
y = 1
[a]
z = 1
"""
    tomllib.loads(text)
    assert locate(text) == {
        ("a", "rules"): 1,
        ("a", "rules", "0"): 1,
        ("a", "rules", "0", "match"): 2,
        ("a", "rules", "0", "match", "x"): 3,
        ("a", "rules", "1"): 4,
        ("a", "rules", "1", "match", "x"): 5,
        ("a", "rules", "1", "inner"): 6,
        ("a", "rules", "1", "inner", "0"): 6,
        ("a", "rules", "1", "inner", "0", "y"): 7,
        ("a",): 8,
        ("a", "z"): 9,
    }


def test_lines_may_end_as_on_windows() -> None:
    assert locate('[a]\r\nb = 1\r\n\r\n"c\\u0041" = 2\r\n') == {("a",): 1, ("a", "b"): 2, ("a", "cA"): 4}


def test_a_key_without_a_line_has_that_of_its_table() -> None:
    assert line_of(("a", "b", "c"), {("a",): 3}) == 3
    assert line_of(("x",), {("a",): 3}) is None
