"""What the strictest of the providers demand of a schema, in one check."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
FORMATS = frozenset({
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uuid",
})
MOST_DEPTH = 60
_KEYS: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "enum"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum"}),
    "boolean": frozenset({"enum"}),
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "null": frozenset(),
}


def faults(schema: Any) -> list[str]:
    """What is wrong with the schema of a tool's parameters, each with its place; empty if nothing is."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return ["the root is no object"]
    return list(_faults(schema, "#", 0))


def _faults(node: Any, place: str, depth: int) -> Iterator[str]:
    if depth > MOST_DEPTH:
        yield f"{place} is nested too deeply"
        return
    if not isinstance(node, dict):
        yield f"{place} is no schema"
        return
    if "description" in node and not isinstance(node["description"], str):
        yield f"{place} has a description that is no text"
    if "anyOf" in node:
        yield from _faults_of_variants(node, place, depth)
        return
    kind = node.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        yield f"{place} has no type"
        return
    allowed = _KEYS["number" if kind == "integer" else kind] | {"type", "description"}
    yield from (f"{place} has {key}, which some refuse" for key in node if key not in allowed)
    yield from _faults_of_enum(node, kind, place)
    match kind:
        case "object":
            yield from _faults_of_object(node, place, depth)
        case "array":
            yield from _faults(node.get("items"), f"{place}/items", depth + 1)
        case "string":
            yield from _faults_of_text(node, place)


def _faults_of_variants(node: dict[str, Any], place: str, depth: int) -> Iterator[str]:
    parts = node["anyOf"]
    if not isinstance(parts, list) or len(parts) < 2:
        yield f"{place}/anyOf has no choice"
        return
    yield from (f"{place} has {key} beside anyOf" for key in node if key not in {"anyOf", "description"})
    for number, part in enumerate(parts):
        yield from _faults(part, f"{place}/anyOf/{number}", depth + 1)


def _faults_of_object(node: dict[str, Any], place: str, depth: int) -> Iterator[str]:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        yield f"{place} has no properties"
        return
    for name, inner in properties.items():
        if not isinstance(name, str) or not name:
            yield f"{place} has a property without a name"
        yield from _faults(inner, f"{place}/properties/{name}", depth + 1)
    required = node.get("required", [])
    if not isinstance(required, list) or len(set(required)) != len(required):
        yield f"{place}/required is no list of names"
    elif missing := [name for name in required if name not in properties]:
        yield f"{place} requires {missing[0]}, which it does not have"
    more = node.get("additionalProperties", True)
    if not isinstance(more, bool):
        yield from _faults(more, f"{place}/additionalProperties", depth + 1)


def _faults_of_enum(node: dict[str, Any], kind: str, place: str) -> Iterator[str]:
    if "enum" not in node:
        return
    values = node["enum"]
    if not isinstance(values, list) or not values:
        yield f"{place}/enum is empty"
    elif any(not _is_of(value, kind) for value in values):
        yield f"{place}/enum has a value of another type"


def _faults_of_text(node: dict[str, Any], place: str) -> Iterator[str]:
    if "format" in node and not (isinstance(node["format"], str) and node["format"] in FORMATS):
        yield f"{place} has the format {node['format']}, which some refuse"
    try:
        re.compile(node.get("pattern", ""))
    except (re.error, TypeError):
        yield f"{place}/pattern is no regular expression"


def _is_of(value: Any, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)
