"""Values for a skill's parameters, and its text with them in their places."""

import json
import re
from collections.abc import Mapping
from typing import Any

from bot.errors import InputError
from skills.manifest import Parameter, Skill

_PLACE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")
_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


def filled(skill: Skill, values: Mapping[str, Any]) -> str:
    """The body with each `{{name}}` replaced, once, by the value as quoted data.

    Raises `InputError`: values that are missing (all of them at once), unknown or of another type, and
    places of the body that no parameter fills.
    """
    given = coerced(skill.parameters, values)
    if unknown := sorted(name for name, _ in places_without(skill)):
        raise InputError(f"in the skill {skill.name}, {nameless(unknown[0])}")
    return _PLACE.sub(
        lambda match: _quoted(given.get(match[1])) if match[1] in given else match[0], skill.body
    )


def places_without(skill: Skill) -> list[tuple[str, int]]:
    """Names in the body that no parameter has, each once, and where it stands.

    Where a skill has no parameters at all, such places are a part of its text.
    """
    known = {parameter.name for parameter in skill.parameters}
    places: dict[str, int] = {}
    for match in _PLACE.finditer(skill.body) if known else ():
        if match[1] not in known:
            places.setdefault(match[1], match.start())
    return list(places.items())


def nameless(name: str) -> str:
    """What is said of such a place."""
    return f"{{{{{name}}}}} is not a parameter"


def coerced(parameters: tuple[Parameter, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the types of their parameters, with defaults for those left out."""
    known = {parameter.name: parameter for parameter in parameters}
    if unknown := sorted(set(values) - set(known)):
        raise InputError(f"unknown parameter: {', '.join(unknown)}", field=unknown[0])
    missing = [p.name for p in parameters if p.required and not p.has_default and p.name not in values]
    if missing:
        raise InputError(f"missing parameter: {', '.join(missing)}", field=missing[0])
    result = {p.name: p.default for p in parameters if p.has_default or p.name in values}
    result |= {name: typed(known[name], value) for name, value in values.items()}
    return result


def typed(parameter: Parameter, value: Any) -> Any:
    """A value as its parameter wants it. Raises `InputError` where it cannot be that."""
    try:
        made = _as(parameter.type, value)
    except (ValueError, TypeError) as error:
        text = f"{parameter.name} has to be of type {parameter.type}"
        raise InputError(text, field=parameter.name) from error
    if parameter.choices and made not in parameter.choices:
        allowed = ", ".join(map(str, parameter.choices))
        raise InputError(f"{parameter.name} is one of {allowed}", field=parameter.name)
    return made


def _as(kind: str, value: Any) -> Any:
    match kind:
        case "string":
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        case "boolean":
            return value if isinstance(value, bool) else _flag(str(value))
        case "integer":
            if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
                raise ValueError(value)
            return int(value)
        case "number":
            if isinstance(value, bool):
                raise ValueError(value)
            return value if isinstance(value, int) else float(value)
        case _:
            made = json.loads(value) if isinstance(value, str) else value
            if not isinstance(made, list if kind == "array" else dict):
                raise TypeError(kind)
            return made


def _flag(text: str) -> bool:
    if text.strip().lower() in _TRUE:
        return True
    if text.strip().lower() in _FALSE:
        return False
    raise ValueError(text)


def _quoted(value: Any) -> str:
    """A value as data: plain words and numbers as they are, anything longer as a JSON text."""
    if isinstance(value, str) and not (value.replace(" ", "").isalnum() and len(value) <= 200):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
