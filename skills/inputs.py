"""The triggers and parameters of a skill, in the notations of both origins."""

import re
from dataclasses import replace
from typing import Any, get_args

import yaml

from bot.errors import InputError
from skills.fill import typed
from skills.manifest import Parameter, Trigger, TriggerKind
from skills.patterns import PatternError, compiled
from skills.reading import Fields, plain

_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_TYPE_NAMES = {"int": "integer", "float": "number", "bool": "boolean", "list": "array", "str": "string"}
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_MAX_PATTERN = 200


def triggers_of(fields: Fields) -> tuple[Trigger, ...]:
    """The field `triggers`: a list of texts or mappings, or one mapping with `patterns`."""
    node = fields.raw("triggers")
    if node is None:
        return ()
    if isinstance(node, yaml.MappingNode):
        group = fields.inner(node, "triggers.")
        group.known(("patterns", "case_sensitive"))
        exact = group.flag("case_sensitive")
        made = [_trigger(fields, node, "keyword", pattern, exact) for pattern in group.texts("patterns")]
        return tuple(trigger for trigger in made if trigger)
    if not isinstance(node, yaml.SequenceNode):
        fields.fault("triggers", "triggers has to be a list")
        return ()
    found: list[Trigger] = []
    for item in node.value:
        if isinstance(item, yaml.ScalarNode):
            made = [_trigger(fields, item, "keyword", str(item.value), False)]
        elif isinstance(item, yaml.MappingNode):
            made = _listed_triggers(fields.inner(item, "triggers."), item)
        else:
            fields.fault_at(item, "a trigger has to be a text or a mapping")
            continue
        found += [trigger for trigger in made if trigger]
    return tuple(found)


def _listed_triggers(fields: Fields, item: yaml.Node) -> list[Trigger | None]:
    before = len(fields.faults)
    fields.known(("type", "pattern", "patterns", "case_sensitive"))
    kind: Any = fields.one_of("type", get_args(TriggerKind), "keyword")
    if kind in {"always", "manual"}:
        return [Trigger(kind)]
    patterns = [fields.text("pattern")] if "pattern" in fields else list(fields.texts("patterns"))
    if not patterns and len(fields.faults) == before:
        fields.fault_at(item, f"a trigger of type {kind} needs a pattern")
    exact = fields.flag("case_sensitive")
    return [_trigger(fields, item, kind, pattern, exact) for pattern in patterns]


def _trigger(fields: Fields, node: yaml.Node, kind: TriggerKind, pattern: str, exact: bool) -> Trigger | None:
    pattern = pattern.strip()
    if len(pattern) < 2 or len(pattern) > _MAX_PATTERN:
        text = f'the trigger "{pattern[:20]}" has to have 2 to {_MAX_PATTERN} characters'
        fields.fault_at(node, text, "a shorter one would fire in the middle of other texts")
        return None
    if kind == "regex":
        try:
            compiled(pattern, exact=exact)
        except PatternError as error:
            text = f'the pattern "{pattern}" is not a regular expression of RE2: {error}'
            fields.fault_at(node, text, fatal=not _is_pythons(pattern))
            return None
    return Trigger(kind, pattern, exact)


def _is_pythons(pattern: str) -> bool:
    """Whether only RE2 cannot run a pattern: then the skill is found without that trigger."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def parameters_of(fields: Fields) -> tuple[Parameter, ...]:
    """The field `parameters`, each with a name of its own."""
    node = fields.raw("parameters")
    if node is None:
        return ()
    if not isinstance(node, yaml.SequenceNode):
        fields.fault("parameters", "parameters has to be a list")
        return ()
    found: dict[str, Parameter] = {}
    for item in node.value:
        if not isinstance(item, yaml.MappingNode):
            fields.fault_at(item, "a parameter has to be a mapping with name, type and description")
            continue
        made = _parameter(fields.inner(item, "parameters."), item)
        if made.name and made.name in found:
            fields.fault_at(item, f'the parameter "{made.name}" stands there twice')
        found[made.name] = made
    return tuple(found.values())


def _parameter(item: Fields, node: yaml.Node) -> Parameter:
    meant = item.known((
        "name",
        "type",
        "description",
        "required",
        "default",
        "example",
        "enum",
        "enum_values",
    ))
    name = item.text("name")
    if not _PARAMETER.fullmatch(name) and "name" not in meant:
        item.fault_at(node, f'"{name}" is not a name for a parameter: letters, digits, _ and -')
    kind = item.text("type").lower() or "string"
    kind = _TYPE_NAMES.get(kind, kind)
    if kind not in _TYPES:
        item.fault("type", f'"{kind}" is not a type: it is one of {", ".join(_TYPES)}')
    default, example = item.raw("default"), item.raw("example")
    choices = item.raw("enum_values") or item.raw("enum")
    made = Parameter(
        name=name,
        type=kind,
        description=item.text("description"),
        required=item.flag("required"),
        has_default=default is not None,
        example=None if example is None else plain(example),
        choices=tuple(_value(one, kind) for one in choices.value)
        if isinstance(choices, yaml.SequenceNode)
        else (),
    )
    return made if default is None else replace(made, default=_default(item, made, default))


def _default(item: Fields, parameter: Parameter, node: yaml.Node) -> Any:
    """A default of its parameter's type and one of its choices."""
    if parameter.type not in _TYPES:
        return None  # told already
    try:
        return typed(parameter, _value(node, parameter.type))
    except InputError as error:
        item.fault("default", f"the default cannot be taken: {error.message}")
        return None


def _value(node: yaml.Node, kind: str) -> Any:
    """A node as a value; where a text is wanted, `yes` and `1.10` are texts."""
    return str(node.value) if kind == "string" and isinstance(node, yaml.ScalarNode) else plain(node)
