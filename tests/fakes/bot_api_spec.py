"""Checks a request against the Bot API's own description: methods, fields, requirements, types."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.fakes.bot_api_derive import SPEC_PATH

_EMPTY_TEXTS = {
    "text": "Bad Request: message text is empty",
    "chat_id": "Bad Request: chat_id is empty",
    "file_id": "Bad Request: file_id not specified",
}


class Refused(Exception):
    """The request doesn't fit the description; `str()` is the API's text."""


@cache
def spec() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SPEC_PATH.read_text(encoding="utf-8"))
    return loaded


@cache
def method_names() -> dict[str, str]:
    """The real names by their lower-case form: the API doesn't mind case."""
    return {name.lower(): name for name in spec()["methods"]}


def read_parameters(method: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Parse form or JSON values to what the method declares; unknown fields are refused.

    The real server ignores unknown fields. The fake doesn't, because such a field is a mistake of the
    client that nobody would see.
    """
    fields: dict[str, str] = spec()["methods"][method]
    for name in raw:
        if name not in fields:
            raise Refused(f"Bad Request: the fake knows no field {name!r} of {method}")
    parsed = {name: _parameter(name, fields[name], value) for name, value in raw.items() if value is not None}
    for name, kind in fields.items():
        if kind.endswith("!") and parsed.get(name) in (None, ""):
            raise Refused(_EMPTY_TEXTS.get(name, f"Bad Request: field {name} is required"))
    return parsed


def _parameter(name: str, declared: str, value: Any) -> Any:
    kinds = declared.removesuffix("!").split("|")
    if isinstance(value, str):
        value = _from_form(name, kinds, value)
    check(kinds, value, name)
    return value


def _from_form(name: str, kinds: list[str], value: str) -> Any:
    if "Integer" in kinds and value.lstrip("-").isdigit():
        return int(value)
    if "String" in kinds:
        return value
    if kinds == ["Boolean"]:
        return value.strip().lower() in {"true", "yes", "1"}
    if kinds == ["Float"]:
        return float(value)
    if "InputFile" in kinds:
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise Refused(f"Bad Request: can't parse {name} JSON object") from None


def check(kinds: list[str], value: Any, place: str) -> None:
    """Refuse a value that none of the kinds accepts."""
    reasons = []
    for kind in kinds:
        try:
            _check_one(kind, value, place)
        except Refused as error:
            reasons.append(error)
        else:
            return
    raise reasons[-1] if len(reasons) == 1 else Refused(f"Bad Request: can't parse {place}")


def _check_one(kind: str, value: Any, place: str) -> None:
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            raise Refused(f"Bad Request: can't parse {place}: expected an Array")
        for item in value:
            check([kind.removeprefix("Array of ")], item, place)
    elif kind in _PLAIN:
        if not _PLAIN[kind](value):
            raise Refused(f"Bad Request: field {place!r} must be of type {kind}")
    elif kind in spec()["unions"]:
        check(spec()["unions"][kind], value, place)
    else:
        _check_object(kind, value, place)


_PLAIN = {
    "String": lambda value: isinstance(value, str),
    "Integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "Boolean": lambda value: isinstance(value, bool),
    "Float": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "InputFile": lambda value: isinstance(value, str | bytes),
}


def _check_object(kind: str, value: Any, place: str) -> None:
    if kind == "MessageEntity":  # read by its own rules, with the API's own texts
        return
    if not isinstance(value, dict):
        raise Refused(f"Bad Request: can't parse {place}: expected an Object")
    fields: dict[str, str] = spec()["types"][kind]
    for name, declared in fields.items():
        if declared.endswith("!") and name not in value:
            raise Refused(f"Bad Request: can't parse {kind}: Can't find field \"{name}\"")
    for name, item in value.items():
        if name not in fields:
            raise Refused(f"Bad Request: the fake knows no field {name!r} of {kind}")
        check(fields[name].removesuffix("!").split("|"), item, f"{place}.{name}")


def check_object(kind: str, value: Any) -> None:
    """Refuse an object that is not a valid `kind`; for what the fake itself sends out."""
    _check_object(kind, value, kind)
