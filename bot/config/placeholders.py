"""`${NAME}` and `${NAME:-default}` in any string of the configuration.

`$${` stands for a literal `${`. A variable that is set but empty counts as not set. What a variable
holds is taken as it is, never looked through for placeholders again.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.config.lines import KeyPath

_PLACEHOLDER = re.compile(r"\$\$\{|\$\{(?P<body>[^{}]*)\}|\$\{")
_BODY = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>.*))?", re.DOTALL)
_OFF = {"false", "off", "no", "0", "f", "n"}


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A placeholder that has no value; `variable` is None where it is not even well formed."""

    path: KeyPath
    variable: str | None


class _Missing(Exception):
    def __init__(self, variable: str | None) -> None:
        super().__init__(variable)
        self.variable = variable


def variables(value: str) -> Iterator[str]:
    """The names of the variables a raw string asks for."""
    for found in _PLACEHOLDER.finditer(value):
        if found.group("body") and (body := _BODY.fullmatch(found.group("body"))):
            yield body.group("name")


def expand(data: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[dict[str, Any], list[Unresolved]]:
    """The data with every placeholder filled in, and those that could not be.

    A key whose placeholder has no value is left out. In a table that says `enabled = false` that is
    no mistake, and is not reported.
    """
    unresolved: list[Unresolved] = []
    return _table(data, environ, (), unresolved), unresolved


def _fill(found: re.Match[str], environ: Mapping[str, str]) -> str:
    if found.group() == "$${":
        return "${"
    body = _BODY.fullmatch(found.group("body") or "")
    if body is None:
        raise _Missing(None)
    value = environ.get(body.group("name"), "") or body.group("default")
    if value is None:
        raise _Missing(body.group("name"))
    return value


def _table(
    data: Mapping[str, Any], environ: Mapping[str, str], path: KeyPath, unresolved: list[Unresolved]
) -> dict[str, Any]:
    inside: list[Unresolved] = []
    result = {}
    for key, value in data.items():
        try:
            result[key] = _value(value, environ, (*path, key), inside)
        except _Missing as missing:
            inside.append(Unresolved((*path, key), missing.variable))
    if not _is_off(result.get("enabled")):
        unresolved.extend(inside)
    return result


def _value(value: Any, environ: Mapping[str, str], path: KeyPath, unresolved: list[Unresolved]) -> Any:
    match value:
        case str():
            return _PLACEHOLDER.sub(lambda found: _fill(found, environ), value)
        case dict():
            return _table(value, environ, path, unresolved)
        case list():
            return [_value(item, environ, path, unresolved) for item in value]
        case _:
            return value


def _is_off(enabled: Any) -> bool:
    return enabled is False or (isinstance(enabled, str) and enabled.strip().lower() in _OFF)
