"""What is wrong with a configuration, in one line each: where, what was expected, what was given."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.config.lines import KeyPath, line_of
from bot.config.mask import without_password
from bot.config.placeholders import Unresolved, variables
from bot.config.schema import in_list, is_secret, item_of, nearest_key, table_name
from bot.errors import ConfigError

_EXPECTED = {
    "int_parsing": "expected a whole number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "int_parsing_size": "expected a whole number",
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "finite_number": "expected a finite number",
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "string_type": "expected a text in quotes",
    "tuple_type": "expected a list",
    "list_type": "expected a list",
    "dict_type": "expected a table",
    "model_type": "expected a table",
    "literal_error": "expected {expected}",
    "greater_than": "expected more than {gt:g}",
    "greater_than_equal": "expected {ge:g} or more",
    "less_than": "expected less than {lt:g}",
    "less_than_equal": "expected {le:g} or less",
    "string_too_long": "expected at most {max_length} characters",
    "too_short": "expected at least {min_length} item(s)",
    "value_error": "{error}",
}
_GIVEN_MAX_CHARS = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend. `path` is the key it is about; `depends` are keys it was judged by."""

    path: KeyPath
    text: str
    hint: str = ""
    depends: tuple[KeyPath, ...] = ()


def of_placeholder(found: Unresolved) -> Problem:
    key = dotted(found.path)
    if found.variable is None:
        return Problem(
            found.path,
            f"{key}: a placeholder is not well formed; expected ${{NAME}} or ${{NAME:-default}}",
            hint="write $${ for a literal ${",
        )
    return Problem(
        found.path,
        f"{key}: the environment variable {found.variable} is not set",
        hint=f"set {found.variable}, or give a default: ${{{found.variable}:-default}}",
    )


def of_validation(error: ValidationError, raw: Mapping[str, Any]) -> list[Problem]:
    """The problems pydantic found. `raw` is the data before placeholders were filled in."""
    return [
        _of_detail(detail, raw)
        for detail in error.errors(include_url=False)
        if detail["type"] != "default_factory_not_called"  # follows from another one
    ]


def _of_detail(detail: ErrorDetails, raw: Mapping[str, Any]) -> Problem:
    path = tuple(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        return _unknown(path, isinstance(detail["input"], dict))
    if detail["type"] == "missing":
        return Problem(path, f"{dotted(path)}: this key is required")
    context: dict[str, Any] = detail.get("ctx", {})
    expected = _EXPECTED.get(detail["type"], detail["msg"]).format(**context)
    return Problem(path, f"{dotted(path)}: {expected}, got {_given(path, detail['input'], raw)}")


def _unknown(path: KeyPath, is_table: bool) -> Problem:
    near = nearest_key(path)
    what = (
        f"unknown table {table_name(path)}"
        if is_table
        else f'unknown key "{path[-1]}" in {table_name(path[:-1])}'
    )
    return Problem(path, f"{what}; {near}" if near else what)


def _given(path: KeyPath, value: Any, raw: Mapping[str, Any]) -> str:
    """The value as it may be shown: never a secret, nor what a variable holds."""
    written = _look_up(path, raw)
    if isinstance(written, str) and (names := list(variables(written))):
        return f"what the environment variable {' and '.join(names)} holds"
    if is_secret(tuple(part for part in path if not part.isdigit())):
        return "a value that is not shown"
    if isinstance(value, dict):
        return "a table"
    shown = without_password(json.dumps(value, ensure_ascii=False, default=str))
    return shown if len(shown) <= _GIVEN_MAX_CHARS else f"{shown[:_GIVEN_MAX_CHARS]}…"


def _look_up(path: KeyPath, raw: Any) -> Any:
    for part in path:
        match raw:
            case dict():
                raw = raw.get(part)
            case list() if part.isdigit() and int(part) < len(raw):
                raw = raw[int(part)]
            case _:
                return raw  # pydantic goes deeper than the file where a text is split into a list
    return raw


def dotted(path: KeyPath) -> str:
    """`channels.http.api_tokens[0]`: a path as people write it; `number 2 of [[policy.rules]]` for what is
    in a list of tables, counted as the operator's rules are everywhere."""
    if (item := item_of(path)) and item != path:
        return f"{in_list(item)}: {dotted(path[len(item) :])}"
    shown = ""
    for part in path:
        shown += f"[{part}]" if part.isdigit() and shown else f".{part}" if shown else part
    return shown


def as_error(problems: Sequence[Problem], source: str, lines: Mapping[KeyPath, int]) -> ConfigError:
    """All problems as one error, in the order of the file."""
    ordered = sorted(problems, key=lambda problem: line_of(problem.path, lines) or 0)
    if len(ordered) == 1:
        return ConfigError(f"{_place(ordered[0], source, lines)}{ordered[0].text}", hint=ordered[0].hint)
    listed = "\n".join(
        f"  {_place(problem, source, lines)}{problem.text}{f' ({problem.hint})' if problem.hint else ''}"
        for problem in ordered
    )
    return ConfigError(f"{source or 'the configuration'} has {len(ordered)} problems:\n{listed}")


def _place(problem: Problem, source: str, lines: Mapping[KeyPath, int]) -> str:
    if not source:
        return ""
    line = line_of(problem.path, lines)
    return f"{source}:{line}: " if line else f"{source}: "
