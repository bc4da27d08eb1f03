"""Schemas of parameters, made such that every provider takes them.

One odd schema among hundreds makes providers refuse a whole request. What comes out here has a plain
object at its root, no references, one type at every place, and no keyword that any of them stumbles
over. It may allow more than the original did, for the tool checks its arguments itself; it never forbids
what the original allowed, other than leaving out what is null anyway.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.tools.strict import FORMATS, TYPES, faults

MOST_DEPTH = 24
MOST_CHARS = 100_000
_MOST_NODES = 6_000
_DESCRIPTION_CHARS = 4_000

Schema = dict[str, Any]

_SYNONYMS = {
    "str": "string", "text": "string", "date": "string", "datetime": "string", "file": "string",
    "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number",
    "bool": "boolean", "dict": "object", "map": "object", "list": "array", "tuple": "array", "none": "null",
}  # fmt: skip
_TELLING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("object", ("properties", "required", "additionalProperties", "patternProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "uniqueItems")),
    ("string", ("pattern", "minLength", "maxLength", "format")),
    ("number", ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")),
)
_SUPPORTED_PATTERN = re.compile(r"\(\?|\\[pPbBkKAZzG]|\\\d")


class Unfit(Exception):
    """No parameters of a tool can be made of this; why."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A schema that providers take, and what had to be left out or guessed, for people."""

    schema: Schema
    notes: tuple[str, ...] = ()


def repair(schema: Any) -> Repaired:
    """The schema of a tool's parameters as a provider takes it. Raises `Unfit`.

    Nothing, true and {} stand for an object about which nothing is said.
    """
    if schema is None or schema is True:
        schema = {}
    if not isinstance(schema, Mapping):
        raise Unfit(f"it is {_kind(schema)} in the place of a schema")
    walk = _Walk(dict(schema))
    try:
        made = _as_object(walk.clean(walk.root, ()), walk)
    except RecursionError:
        raise Unfit("it is nested too deeply") from None
    if len(json.dumps(made)) > MOST_CHARS:
        raise Unfit(f"it is larger than {MOST_CHARS} characters")
    if found := faults(made):
        raise Unfit(found[0])
    return Repaired(made, tuple(dict.fromkeys(walk.notes)))


@dataclass(slots=True)
class _Walk:
    """One schema being cleaned. `stack` in its methods are the references that lead to the place."""

    root: Schema
    notes: list[str] = field(default_factory=list)
    nodes: int = 0
    depth: int = 0

    def clean(self, node: Any, stack: tuple[str, ...]) -> Schema:
        """The schema at one place. An empty one is "anything"."""
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise Unfit("it grows too large once its references are filled in")
        if isinstance(node, bool) or not isinstance(node, Mapping):
            if not isinstance(node, bool):
                self.notes.append(f"{_kind(node)} stood in the place of a schema")
            return {}
        if self.depth >= MOST_DEPTH:
            self.notes.append("what is nested too deeply was left open")
            return {}
        self.depth += 1
        try:
            return self._known(*self._resolved(dict(node), stack))
        finally:
            self.depth -= 1

    def _resolved(self, node: Schema, stack: tuple[str, ...]) -> tuple[Schema, tuple[str, ...]]:
        """The node with its references and `allOf` filled in."""
        for key in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = node.pop(key, None)
            if not isinstance(reference, str):
                continue
            if reference in stack:
                self.notes.append(f"{reference} contains itself; it was left open further down")
                continue
            target = find(self.root, reference)
            if target is None:
                self.notes.append(f"{reference} leads nowhere")
                continue
            if isinstance(target, Mapping):
                node = _merged(dict(target), node)
            stack = (*stack, reference)
            return self._resolved(node, stack)
        parts = node.pop("allOf", None)
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, Mapping):
                inner, stack = self._resolved(dict(part), stack)
                node = _merged(inner, node)
        return node, stack

    def _known(self, node: Schema, stack: tuple[str, ...]) -> Schema:
        about = _about(node)
        if "const" in node:
            node["enum"] = [node["const"]]
        if isinstance(node.get("enum"), list):
            return {**self._enum(node), **about}
        variants = self._variants(node, stack)
        if variants is not None:
            return {**variants, **about}
        types = _types(node, self.notes)
        if not types:
            return about
        nullable = "null" in types or node.get("nullable") is True
        wanted = [name for name in types if name != "null"] or ["null"]
        made = [self._typed(name, node, stack) for name in wanted]
        if nullable and wanted != ["null"]:
            made.append({"type": "null"})
        return {**_either(made), **about}

    def _variants(self, node: Schema, stack: tuple[str, ...]) -> Schema | None:
        """`anyOf` and `oneOf`, each with what stands beside them; None where there are none."""
        parts = next((node[key] for key in ("anyOf", "oneOf") if isinstance(node.get(key), list)), None)
        if not parts:
            return None
        beside = {key: value for key, value in node.items() if key not in {"anyOf", "oneOf", *_WORDS}}
        made = []
        for part in parts:
            if not isinstance(part, Mapping) or _is_never(part):
                continue
            made.append(self.clean(_merged(dict(part), beside) if beside else part, stack))
        return _either(made)

    def _typed(self, kind: str, node: Schema, stack: tuple[str, ...]) -> Schema:
        match kind:
            case "object":
                return self._object(node, stack)
            case "array":
                return self._array(node, stack)
            case "string":
                return {"type": kind, **self._text(node)}
            case "integer" | "number":
                return {"type": kind, **_range(node)}
            case _:
                return {"type": kind}

    def _object(self, node: Schema, stack: tuple[str, ...]) -> Schema:
        made: Schema = {"type": "object", "properties": {}}
        wanted = node.get("required")
        required = [name for name in wanted if isinstance(name, str)] if isinstance(wanted, list) else []
        properties = node.get("properties")
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            if inner is False:
                continue
            if isinstance(inner, Mapping) and inner.get("required") is True:  # as in draft 3
                required.append(name)
            cleaned = self.clean(inner, stack)
            made["properties"][name] = _filled(cleaned if name in required else _without_null(cleaned))
        if kept := [name for name in dict.fromkeys(required) if name in made["properties"]]:
            made["required"] = kept
        more = node.get("additionalProperties")
        if more is False and not node.get("patternProperties"):
            made["additionalProperties"] = False
        elif isinstance(more, Mapping) and _says(cleaned := self.clean(more, stack)):
            made["additionalProperties"] = cleaned
        return made

    def _array(self, node: Schema, stack: tuple[str, ...]) -> Schema:
        listed = node.get("prefixItems")
        items = node.get("items")
        if isinstance(items, list):
            listed, items = items, node.get("additionalItems")
        if isinstance(listed, list) and listed:
            made = [self.clean(item, stack) for item in listed]
            if isinstance(items, Mapping):
                made.append(self.clean(items, stack))
            inner = _either(made)
        else:
            inner = self.clean(items, stack) if isinstance(items, Mapping) else {}
        found: Schema = {"type": "array", "items": _filled(inner)}
        for key in ("minItems", "maxItems"):
            if _is_count(node.get(key)):
                found[key] = int(node[key])
        return found

    def _text(self, node: Schema) -> Schema:
        found = {key: int(node[key]) for key in ("minLength", "maxLength") if _is_count(node.get(key))}
        made: Schema = dict(found)
        if isinstance(format_ := node.get("format"), str) and format_ in FORMATS:
            made["format"] = format_
        pattern = node.get("pattern")
        if isinstance(pattern, str) and _is_plain(pattern):
            made["pattern"] = pattern
        return made

    def _enum(self, node: Schema) -> Schema:
        """The values by their types. An empty list of them says nothing."""
        groups: dict[str, list[Any]] = {}
        for value in node["enum"]:
            kind = _type_of(value)
            if kind in {"object", "array"}:
                self.notes.append("a value that is no word or number was left out of an enum")
            elif value not in groups.setdefault(kind, []):
                groups[kind].append(value)
        made = [
            {"type": kind} if kind == "null" else {"type": kind, "enum": values}
            for kind, values in groups.items()
        ]
        return _either(made)


_WORDS = ("description", "title", "default", "examples", "example", "deprecated", "readOnly", "writeOnly")


def _as_object(made: Schema, walk: _Walk) -> Schema:
    """What stands at the root: an object. Of several shapes it has all parameters."""
    if made.get("type") == "object":
        return made
    shapes = [part for part in made.get("anyOf", ()) if part.get("type") == "object"]
    if not shapes:
        if made.get("type"):
            walk.notes.append(f"it describes {made['type']} in the place of an object with parameters")
        about = {"description": made["description"]} if "description" in made else {}
        return {"type": "object", "properties": {}, **about}
    properties: Schema = {}
    for shape in shapes:
        for name, inner in shape["properties"].items():
            other = properties.get(name)
            properties[name] = inner if other is None or other == inner else _either([other, inner])
    required = [name for name in properties if all(name in shape.get("required", ()) for shape in shapes)]
    joined: Schema = {"type": "object", "properties": properties}
    if required:
        joined["required"] = required
    if "description" in made:
        joined["description"] = made["description"]
    return joined


def find(root: Schema, reference: str) -> Any:
    """What a reference within the same document leads to; None where that is nothing."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return _by_anchor(root, reference.removeprefix("#"))
    here: Any = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~").replace("%24", "$").replace("%25", "%")
        if isinstance(here, Mapping) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            return None
    return here


def _by_anchor(root: Schema, name: str) -> Any:
    for table in ("$defs", "definitions"):
        known = root.get(table)
        for key, value in known.items() if isinstance(known, Mapping) else ():
            marks = (
                [value.get(mark) for mark in ("$anchor", "$id", "id")] if isinstance(value, Mapping) else []
            )
            if name in (key, *marks):
                return value
    return None


def _merged(under: Schema, over: Schema) -> Schema:
    """Both together. Parameters of both are kept, and required by either."""
    made = {**under, **over}
    for key in ("properties", "$defs", "definitions"):
        one, other = under.get(key), over.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            made[key] = {**one, **other}
    one, other = under.get("required"), over.get("required")
    if isinstance(one, list) and isinstance(other, list):
        made["required"] = [*one, *(name for name in other if name not in one)]
    return made


def _either(parts: list[Schema]) -> Schema:
    """Any of the parts; one that says nothing makes them all say nothing."""
    flat: list[Schema] = []
    for part in parts:
        inner = part["anyOf"] if set(part) == {"anyOf"} else [part]
        flat += [item for item in inner if item not in flat]
    if not flat or any(not _says(part) for part in flat):
        return {}
    return flat[0] if len(flat) == 1 else {"anyOf": [_filled(part) for part in flat]}


def _says(part: Schema) -> bool:
    return "type" in part or "anyOf" in part


def _without_null(made: Schema) -> Schema:
    """What is optional can be left out, and need not be null."""
    parts = made.get("anyOf")
    if parts is None:
        return made
    kept = [part for part in parts if part.get("type") != "null"]
    if len(kept) == len(parts) or not kept:
        return made
    about = {key: value for key, value in made.items() if key != "anyOf"}
    return {**_either(kept), **about} if len(kept) == 1 else {**made, "anyOf": kept}


_ANYTHING: Schema = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"type": "string"}},
    ]
}


def _filled(made: Schema) -> Schema:
    """Some providers want a type at every place: "anything" is spelled out."""
    return made if _says(made) else {**_ANYTHING, **made}


def _about(node: Schema) -> Schema:
    text = node.get("description") or node.get("title")
    told = text[:_DESCRIPTION_CHARS] if isinstance(text, str) and text.strip() else ""
    default = node.get("default")
    if isinstance(default, str | int | float) and default != "" and "default" not in told.lower():
        told = f"{told} (default: {json.dumps(default, ensure_ascii=False)})".lstrip()
    return {"description": told} if told else {}


def _types(node: Schema, notes: list[str]) -> list[str]:
    """The types that a node names, or those that its keywords tell."""
    named = node.get("type")
    given = named if isinstance(named, list) else [named]
    found = []
    for name in given:
        if name is None:
            continue
        word = _SYNONYMS.get(str(name).lower(), str(name).lower())
        if word in TYPES:
            found.append(word)
        elif word != "any":
            notes.append(f'"{name}" is no type')
    if not found:
        found = [kind for kind, keys in _TELLING if any(key in node for key in keys)][:1]
    return list(dict.fromkeys(found))


def _range(node: Schema) -> Schema:
    made = {}
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        value = node.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            continue
        if key != "multipleOf" or value > 0:
            made[key] = value
    return made


def _is_plain(pattern: str) -> bool:
    """Whether every regular-expression engine reads it alike."""
    if _SUPPORTED_PATTERN.search(pattern):
        return False
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 2**53


def _is_never(part: Mapping[str, Any]) -> bool:
    return part.get("not") in ({}, True) and isinstance(part.get("not"), dict | bool)


def _type_of(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case list():
            return "array"
        case _:
            return "object"


_KINDS = {"array": "a list", "null": "null", "boolean": "a truth value", "integer": "a number"}


def _kind(value: Any) -> str:
    kind = _type_of(value)
    return _KINDS.get(kind, f"a {kind}")
