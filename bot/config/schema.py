"""The known keys, read off the settings' models: for near misses, secrets and the example file."""

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Union

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from bot.config.lines import KeyPath
from bot.config.settings import Settings

ANY_NAME = "*"  # stands in a path for the name a person chooses, as in providers.*
_SECRET_WORDS = ("key", "token", "secret", "password", "authorization", "credential")


@dataclass(frozen=True, slots=True)
class Table:
    """One table: where it stands, the record behind it, and its keys that are no tables themselves."""

    path: KeyPath
    model: type[BaseModel]
    description: str

    def plain_keys(self) -> Iterator[tuple[str, FieldInfo]]:
        for name, field in self.model.model_fields.items():
            if _record_of(field.annotation) is None:
                yield name, field


@cache
def tables() -> tuple[Table, ...]:
    """Every table, in the order of the records; a table of chosen names has `*` in its path."""
    return tuple(_walk(Settings, (), ""))


def _walk(model: type[BaseModel], path: KeyPath, description: str) -> Iterator[Table]:
    yield Table(path, model, description)
    for name, field in model.model_fields.items():
        if (inner := _record_of(field.annotation)) is not None:
            named, record = inner
            yield from _walk(record, (*path, name, *([ANY_NAME] if named else [])), field.description or "")


def _record_of(annotation: Any) -> tuple[bool, type[BaseModel]] | None:
    """(whether by chosen names, the record) of an annotation that is a table, else None."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return (False, annotation) if issubclass(annotation, BaseModel) else None
    if typing.get_origin(annotation) is dict:
        inner = typing.get_args(annotation)[1]
        return (True, inner) if isinstance(inner, type) and issubclass(inner, BaseModel) else None
    return None


def table_at(path: KeyPath) -> Table | None:
    """The table a path of actual names leads to."""
    for table in tables():
        if len(table.path) == len(path) and all(
            known in {ANY_NAME, name} for known, name in zip(table.path, path, strict=True)
        ):
            return table
    return None


def is_secret(path: KeyPath) -> bool:
    """Whether the value at a path must not be shown: by its type, or by its name where unknown."""
    table = table_at(path[:-1])
    field = table.model.model_fields.get(path[-1]) if table else None
    if field is not None:
        return holds_secret(field.annotation)
    return any(word in part.lower() for part in path[1:] for word in _SECRET_WORDS)


def holds_secret(annotation: Any) -> bool:
    """Whether a type is, or may hold, a secret."""
    if annotation is SecretStr:
        return True
    origin = typing.get_origin(annotation)
    if origin in {Union, types.UnionType, tuple, list, typing.Annotated}:
        return any(holds_secret(part) for part in typing.get_args(annotation))
    return False


def nearest_key(path: KeyPath) -> str:
    """What an unknown key may have meant: a phrase such as `did you mean "bind"?`, or nothing."""
    name, parent = path[-1], table_at(path[:-1])
    homes = [table for table in tables() if name in table.model.model_fields]
    if len(homes) == 1:
        return f"it belongs in {table_name(homes[0].path)}"
    known = list(parent.model.model_fields) if parent else []
    close = get_close_matches(name.lower(), known, n=1)
    return f"did you mean {_shown(parent, close[0])}?" if close else ""


def _shown(parent: Table | None, key: str) -> str:
    field = parent.model.model_fields[key] if parent else None
    is_table = field is not None and _record_of(field.annotation) is not None
    return table_name((*parent.path, key)) if parent and is_table else f'"{key}"'


def table_name(path: KeyPath) -> str:
    """A table as one writes it in the file; the top of the file has no name."""
    if not path:
        return "the top of the file"
    if item := item_of(path):
        below = ".".join(path[len(item) :])
        return f"{below} of {in_list(item)}" if below else in_list(item)
    return f"[{'.'.join('<name>' if part == ANY_NAME else part for part in path)}]"


def item_of(path: KeyPath) -> KeyPath:
    """The part of a path that leads to a table in a list of tables, such as a rule; () where none does."""
    for end in range(2, len(path) + 1):
        *around, name, number = path[:end]
        table = table_at(tuple(around))
        field = table.model.model_fields.get(name) if table else None
        if number.isdigit() and field is not None and _lists_tables(field.annotation):
            return path[:end]
    return ()


def _lists_tables(annotation: Any) -> bool:
    items = typing.get_args(annotation) if typing.get_origin(annotation) is tuple else ()
    return any(isinstance(item, type) and issubclass(item, BaseModel) for item in items)


def in_list(path: KeyPath) -> str:
    """A table in a list of them, whose number, from 0, is the path's last part."""
    return f"number {int(path[-1]) + 1} of [[{'.'.join(path[:-1])}]]"
