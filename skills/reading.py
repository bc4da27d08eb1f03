"""The fields of one mapping of a head, read one by one; what is not as it should be becomes a fault."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

import yaml

from skills.frontmatter import line_of
from skills.manifest import Fault


class Fields:
    """The fields of one mapping, taken out one by one; what is not as it should be becomes a fault."""

    def __init__(self, node: yaml.MappingNode, path: str, faults: list[Fault], where: str = "") -> None:
        self._nodes = {str(key.value): (key, value) for key, value in node.value}
        self._path = path
        self._where = where
        self.faults = faults

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._nodes)

    def line(self, key: str) -> int:
        return line_of(self._nodes[key][0]) if key in self._nodes else 2

    def fault(self, key: str, text: str, hint: str = "", *, fatal: bool = True) -> None:
        self.faults.append(Fault(self._path, self.line(key), text, hint, fatal))

    def fault_at(self, node: yaml.Node, text: str, hint: str = "", *, fatal: bool = True) -> None:
        """A fault on the line of a node, such as one item of a list."""
        self.faults.append(Fault(self._path, line_of(node), text, hint, fatal))

    def raw(self, key: str) -> yaml.Node | None:
        node: yaml.Node | None = self._nodes.get(key, (None, None))[1]
        return None if is_null(node) else node

    def text(self, key: str) -> str:
        """The text of a scalar as it stands, so that version 1.10 stays 1.10."""
        node = self.raw(key)
        if node is None:
            return ""
        if not isinstance(node, yaml.ScalarNode):
            self.fault(key, f"{self._where}{key} has to be a text")
            return ""
        return str(node.value).strip()

    def prose(self, key: str) -> str | None:
        """The text of a field of the standard, "" for nothing; None, with a fault, for what is no text.

        A bare number or date is no text for other products, and is told; its meaning is clear.
        """
        node = self.raw(key)
        if node is None:
            return ""
        if not isinstance(node, yaml.ScalarNode):
            self.fault(key, f"{self._where}{key} has to be a text")
            return None
        if not is_text(node):
            self.fault(key, f"{self._where}{key} has to be a text", "put it in quotes", fatal=False)
        return str(node.value)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; one text is a list of its parts between commas."""
        node = self.raw(key)
        if node is None:
            return ()
        if isinstance(node, yaml.ScalarNode):
            return tuple(part.strip() for part in str(node.value).split(",") if part.strip())
        if isinstance(node, yaml.SequenceNode):
            return tuple(text for item in node.value if (text := self._item(key, item)))
        self.fault(key, f"{self._where}{key} has to be a list of texts")
        return ()

    def _item(self, key: str, node: yaml.Node) -> str:
        if isinstance(node, yaml.ScalarNode) and not is_null(node) and str(node.value).strip():
            return str(node.value).strip()
        self.fault_at(node, f"{self._where}{key} has to be a list of texts")
        return ""

    def flag(self, key: str) -> bool:
        value = self.text(key).lower()
        if value not in {"", "true", "false", "yes", "no", "on", "off"}:
            self.fault(key, f"{self._where}{key} has to be true or false")
        return value in {"true", "yes", "on"}

    def number(self, key: str, low: int, high: int) -> int:
        value = self.text(key)
        if not value:
            return 0
        if re.fullmatch(r"[+-]?\d{1,9}", value) and low <= int(value) <= high:
            return int(value)
        self.fault(key, f"{self._where}{key} has to be a whole number from {low} to {high}")
        return 0

    def one_of(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.text(key).lower() or default
        if value in allowed:
            return value
        near = get_close_matches(value, allowed, n=1)
        hint = f"did you mean {near[0]}?" if near else ""
        self.fault(key, f'"{value}" is not a {self._where}{key}: it is one of {", ".join(allowed)}', hint)
        return default

    def sub(self, key: str) -> "Fields | None":
        node = self.raw(key)
        if node is None:
            return None
        if not isinstance(node, yaml.MappingNode):
            self.fault(key, f"{self._where}{key} has to be a mapping")
            return None
        return Fields(node, self._path, self.faults, f"{self._where}{key}.")

    def inner(self, node: yaml.MappingNode, where: str) -> "Fields":
        """The fields of a mapping within, with the same list of faults."""
        return Fields(node, self._path, self.faults, where)

    def known(self, names: tuple[str, ...], *, others: bool = False) -> frozenset[str]:
        """A fault for each other field; fatal where it is likely one of `names`, written wrongly.

        With `others` only those that are written wrongly are faults.
        Returns those that are written wrongly: that they are missing needs not be told as well.
        """
        meant: set[str] = set()
        for key in self.keys:
            if key in names:
                continue
            near = get_close_matches(key.lower(), names, n=1, cutoff=0.75)
            hint = f'did you mean "{near[0]}"?' if near else ""
            if near or not others:
                self.fault(key, f'"{key}" is not a field', hint, fatal=bool(near))
            meant.update(name for name in near if name not in self)
        return frozenset(meant)


def is_null(node: yaml.Node | None) -> bool:
    """Whether nothing stands there."""
    return node is None or (isinstance(node, yaml.ScalarNode) and str(node.tag).endswith(":null"))


def is_text(node: yaml.Node) -> bool:
    """Whether a scalar is a text by the rules of YAML, not a number, a date or yes and no."""
    return isinstance(node, yaml.ScalarNode) and str(node.tag).endswith(":str")


def plain(node: yaml.Node) -> Any:
    """A node as numbers, texts, lists and mappings."""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(item) for item in node.value]
    kind = str(node.tag).rpartition(":")[2]
    value = str(node.value)
    readers: Mapping[str, Callable[[str], Any]] = {
        "null": lambda _: None,
        "bool": lambda text: text.lower() in {"true", "yes", "on"},
        "int": lambda text: int(text.replace("_", ""), 0 if not text.lstrip("+-").isdigit() else 10),
        "float": float,
    }
    try:
        return readers.get(kind, str)(value)
    except ValueError:
        return value
