"""From the fields of a head to a `Skill`, with a fault for each that cannot be taken as it stands."""

import os
import re
import unicodedata
from pathlib import Path
from typing import Any, get_args

import yaml

from skills.fit import is_condition
from skills.inputs import parameters_of, triggers_of
from skills.manifest import MAX_DESCRIPTION, Fault, Mode, Requires, Skill, System, Trust
from skills.reading import Fields, is_text
from skills.tool_names import meant

STANDARD = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
OURS = (
    "allowed_tools", "author", "context-budget", "context_budget", "dependencies", "keywords", "mode", "os",
    "parameters", "priority", "requires", "tags", "triggers", "trust", "version",
)  # fmt: skip
# Fields of other products that mean something to them; they limit nothing here.
OTHERS = ("argument-hint", "user-invocable", "model", "category", "title", "homepage", "icon", "emoji")
_LIMITS = ("disable-model-invocation",)  # also another product's: the model may not choose it by itself

MAX_NAME = 64
MAX_COMPATIBILITY = 500
_SYSTEMS = {"linux": "linux", "darwin": "macos", "macos": "macos", "mac": "macos", "osx": "macos",
            "windows": "windows", "win32": "windows", "win": "windows"}  # fmt: skip
# One entry of allowed-tools; what stands in brackets is another product's finer rule and belongs to it.
_TOOL = re.compile(r"[^\s,()]+(?:\([^()]*\))?")


def skill_of(node: yaml.MappingNode, body: str, folder: Path, path: str) -> tuple[Skill | None, list[Fault]]:
    """The skill that a head and a body make, with all faults; None where one of them is fatal."""
    faults: list[Fault] = []
    fields = Fields(node, path, faults)
    meant = fields.known((*STANDARD, *OURS, *OTHERS, *_LIMITS))
    more = fields.sub("metadata")
    skill = Skill(
        name=_name(fields, folder, is_meant="name" in meant),
        description=_description(fields, is_meant="description" in meant),
        body=body,
        folder=folder,
        line=fields.line("name"),
        license=(fields.prose("license") or "").strip(),
        version=_of_either(fields, more, "version"),
        author=_of_either(fields, more, "author"),
        compatibility=_compatibility(fields),
        mode=_mode(fields),
        trust=_trust(fields),
        priority=fields.number("priority", -1000, 1000),
        triggers=triggers_of(fields),
        parameters=parameters_of(fields),
        allowed_tools=_allowed(fields),
        dependencies=fields.texts("dependencies"),
        tags=fields.texts("tags"),
        keywords=fields.texts("keywords"),
        os=_systems(fields) or (_systems(more) if more and _is_ours(more, "os") else ()),
        requires=_requires(fields)
        or (_requires(more) if more and _is_ours(more, "requires") else None)
        or Requires(),
        context_chars=fields.number(_spelling(fields, "context-budget"), 0, 1_000_000),
        metadata=_metadata(more),
    )
    usable = not any(fault.fatal for fault in faults) and bool(skill.name and skill.description)
    return (skill if usable else None), sorted(faults, key=lambda fault: fault.line)


def _name(fields: Fields, folder: Path, *, is_meant: bool) -> str:
    said = fields.prose("name")
    if said is None:
        return ""
    if not (name := unicodedata.normalize("NFKC", said.strip())):
        if not is_meant:
            fields.fault("name", "name is missing or empty")
        return ""
    if len(name) > MAX_NAME:
        fields.fault("name", f"the name has {len(name)} characters; {MAX_NAME} are allowed")
    if name != name.lower():
        fields.fault("name", f'the name "{name}" has to be in lower case', f"such as {name.lower()}")
    if name.startswith("-") or name.endswith("-") or "--" in name:
        fields.fault("name", f'in the name "{name}" a hyphen has to stand alone and between letters')
    if not all(letter.isalnum() or letter == "-" for letter in name):
        fields.fault("name", f'the name "{name}" may have letters, digits and hyphens only')
    # The name as it was written, for `.` and `..` have none; a link stands for itself.
    inside = unicodedata.normalize("NFKC", os.path.basename(os.path.abspath(folder)))
    # A name that is wrong in itself and for that alone is not its folder's has one fault, not two.
    if inside and inside != name and (_plain(inside) != _plain(name) or _is_form(name)):
        text = f'the name "{name}" has to be the name of its folder, "{inside}"'
        fields.fault("name", text, fatal=False)
    return name


def _is_form(name: str) -> bool:
    """Whether a name has the form of the standard, whatever its length."""
    return re.fullmatch(r"[^\W_]+(?:-[^\W_]+)*", name) is not None and name == name.lower()


def _plain(name: str) -> str:
    """A name as it would be with its form mended."""
    return "-".join(re.findall(r"[^\W_]+", name.lower()))[:MAX_NAME]


def _description(fields: Fields, *, is_meant: bool) -> str:
    text = fields.prose("description")
    if text is None:
        return ""
    if not text.strip() and not is_meant:
        fields.fault("description", "description is missing or empty", "say what it does and when to use it")
    if len(text) > MAX_DESCRIPTION:
        told = f"the description has {len(text)} characters; {MAX_DESCRIPTION} are allowed"
        fields.fault("description", told, fatal=False)
    return " ".join(text.split())


def _compatibility(fields: Fields) -> str:
    text = fields.prose("compatibility")
    if text is not None and not text.strip() and "compatibility" in fields:
        fields.fault("compatibility", "compatibility is empty", "fill it in, or leave it out", fatal=False)
    if len(text or "") > MAX_COMPATIBILITY:
        told = f"compatibility has {len(text or '')} characters; {MAX_COMPATIBILITY} are allowed"
        fields.fault("compatibility", told, fatal=False)
    return (text or "").strip()


def _mode(fields: Fields) -> Mode:
    mode: Any = fields.one_of("mode", get_args(Mode), "semantic")
    if fields.flag("disable-model-invocation") and mode in {"semantic", "always"}:
        return "manual"
    return mode  # type: ignore[no-any-return]  # one of the allowed words


def _trust(fields: Fields) -> Trust:
    trust: Any = fields.one_of("trust", get_args(Trust), "reviewed")
    return trust  # type: ignore[no-any-return]  # one of the allowed words


def _of_either(fields: Fields, more: Fields | None, key: str) -> str:
    return fields.text(key) or (more.text(key) if more else "")


def _spelling(fields: Fields, key: str) -> str:
    """The spelling of a field that is used: with hyphens, or with underscores."""
    other = key.replace("-", "_")
    if key in fields and other in fields:
        fields.fault(other, f'"{other}" and "{key}" are the same field')
    return other if other in fields else key


def _allowed(fields: Fields) -> tuple[str, ...] | None:
    key = _spelling(fields, "allowed-tools")
    if key not in fields:
        return None
    node = fields.raw(key)
    if node is None:
        fields.fault(key, f"{key} is empty", "write [] for no tools, or leave it out")
        return ()
    if not isinstance(node, yaml.SequenceNode) and not is_text(node):
        fields.fault(key, f"{key} has to be a text or a list of texts")
        return ()
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for item in items:
        if not is_text(item):
            fields.fault_at(item, f"each of {key} has to be a text")
        elif _TOOL.sub("", str(item.value)).strip(" ,\t\n"):
            fields.fault_at(item, f"{key} cannot be read: brackets do not match")
        else:
            _named(fields, key, item, as_one=isinstance(node, yaml.SequenceNode))
    if isinstance(node, yaml.ScalarNode):
        return tuple(_TOOL.findall(str(node.value)))
    return tuple(str(item.value).strip() for item in items if is_text(item))


def _named(fields: Fields, key: str, item: yaml.Node, *, as_one: bool) -> None:
    """A fault for each name that is none, and is close to one: it would leave the skill without that tool."""
    text = str(item.value)
    for entry in [text.strip()] if as_one else _TOOL.findall(text):
        if name := meant(entry):
            told = f'"{entry}" in {key} is no tool of the product'
            fields.fault_at(item, told, f'did you mean "{name}"?', fatal=False)


def _is_ours(more: Fields, key: str) -> bool:
    """Whether a field of the metadata has the form of ours: by the standard any text may stand there."""
    node = more.raw(key)
    return not isinstance(node, yaml.ScalarNode) or (key == "os" and str(node.value).lower() in _SYSTEMS)


def _systems(fields: Fields) -> tuple[System, ...]:
    found: list[System] = []
    for name in fields.texts("os"):
        system: Any = _SYSTEMS.get(name.lower())
        if system is None:
            fields.fault("os", f'"{name}" is not an os: it is one of linux, macos, windows')
        else:
            found.append(system)
    return tuple(found)


def _requires(fields: Fields) -> Requires | None:
    node = fields.raw("requires")
    if node is None:
        return None
    if isinstance(node, yaml.SequenceNode):
        return Requires(bins=fields.texts("requires"))
    needs = fields.sub("requires")
    if needs is None:
        return None
    needs.known(("bins", "env", "python", "api_key"), others=True)
    if (python := needs.text("python")) and not is_condition(python):
        needs.fault("python", f'"{python}" is not a version of Python', "such as >=3.11,<4")
    return Requires(
        bins=needs.texts("bins"),
        env=needs.texts("env"),
        python=python,
        api_key=needs.texts("api_key"),
    )


def _metadata(more: Fields | None) -> dict[str, str]:
    if more is None:
        return {}
    texts = {}
    for key in more.keys:
        node = more.raw(key)
        if isinstance(node, yaml.ScalarNode):
            texts[key] = str(node.value)
    return texts
