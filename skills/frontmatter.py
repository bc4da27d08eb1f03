"""The head of a SKILL.md file, read strictly: where its meaning is not clear, that is said with its line.

YAML is read without aliases, anchors, tags and duplicate keys. What people write although YAML forbids
it, and what can mean only one thing, is mended first: a colon inside an unquoted description, and tabs
as indentation. A field that limits a skill is never guessed.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml
from typing_extensions import override

MAX_FILE_BYTES = 200 * 1024
MAX_HEAD_CHARS = 64 * 1024
_MAX_DEPTH = 12
_DELIMITER = re.compile(r"---[ \t]*")
_PROSE = ("name", "description", "license", "compatibility", "author", "version", "title", "argument-hint")
_PROSE_LINE = re.compile(rf"({'|'.join(_PROSE)}):[ \t]+(?=[^\s\"'\[\]{{}}|>*&!%@`#?-])(.*)")


class HeadError(ValueError):
    """The head cannot be read; `line` counts from 1 in the file."""

    def __init__(self, line: int, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.line = line
        self.text = text
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Parts:
    """A file taken apart. `head` begins at line 2 of the file; `body` is trimmed."""

    head: str
    body: str


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a mark in front, any line ends. Raises `HeadError`."""
    if len(data) > MAX_FILE_BYTES:
        raise HeadError(1, f"the file has {len(data)} bytes; {MAX_FILE_BYTES} are allowed")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HeadError(line, "this is not UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split(text: str) -> Parts:
    """Head and body; the head stands between two lines of three dashes, the first one at the start."""
    lines = text.split("\n")
    if not _DELIMITER.fullmatch(lines[0]):
        hint = "the first line of the file has to be ---"
        raise HeadError(1, "there is no frontmatter", hint)
    end = next((at for at, line in enumerate(lines[1:], 1) if _DELIMITER.fullmatch(line)), None)
    if end is None:
        raise HeadError(1, "the frontmatter has no end", "a line of --- has to stand after it")
    head = "\n".join(lines[1:end])
    if len(head) > MAX_HEAD_CHARS:
        raise HeadError(1, f"the frontmatter has {len(head)} characters; {MAX_HEAD_CHARS} are allowed")
    return Parts(head, "\n".join(lines[end + 1 :]).strip())


def read(head: str) -> yaml.MappingNode:
    """The fields of a head, as YAML nodes (their lines count from 0 = line 2). Raises `HeadError`."""
    try:
        return _composed(head)
    except HeadError as error:
        mended = _mended(head)
        if mended == head:
            raise
        try:
            return _composed(mended)
        except HeadError:
            raise error from None


class _Loader(yaml.SafeLoader):
    """Builds the tree of nodes, and refuses what can hide or multiply content."""

    depth = 0

    @override
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise HeadError(_line(event.start_mark), "anchors and aliases are not allowed here")
        if getattr(event, "tag", None) is not None:
            raise HeadError(_line(event.start_mark), "tags are not allowed here")
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise HeadError(_line(event.start_mark), f"this is nested more than {_MAX_DEPTH} deep")
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.MappingNode):
            _refuse_duplicates(node)
        return node


def _composed(head: str) -> yaml.MappingNode:
    try:
        loader = _Loader(head)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise HeadError(_line(mark), _told(error), _advice(error)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, HeadError):
            raise
        raise HeadError(_line_of_reader(error, head), f"this is not YAML: {error}".splitlines()[0]) from error
    if not isinstance(node, yaml.MappingNode):
        raise HeadError(2, "the frontmatter has no fields", "such as `name: my-skill`")
    return node


def _refuse_duplicates(node: yaml.MappingNode) -> None:
    seen: dict[str, int] = {}
    for key, _ in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        if not name:
            raise HeadError(line_of(key), "a field needs a name that is one word")
        if name in seen:
            raise HeadError(line_of(key), f'"{name}" stands here twice (first in line {seen[name]})')
        seen[name] = line_of(key)


def line_of(node: yaml.Node) -> int:
    """The line of the file on which a node of a head begins."""
    return _line(node.start_mark)


def _line(mark: Any) -> int:
    return 2 if mark is None else int(mark.line) + 2


def _line_of_reader(error: Exception, head: str) -> int:
    position = getattr(error, "position", None)
    return 2 if position is None else head.count("\n", 0, position) + 2


def _told(error: yaml.MarkedYAMLError) -> str:
    return f"this is not YAML: {error.problem or error.context or 'it cannot be read'}"


def _advice(error: yaml.MarkedYAMLError) -> str:
    if "mapping values" in (error.problem or ""):
        return "a text with a colon in it belongs in quotes"
    if "'\\t'" in (error.problem or ""):
        return "indent with spaces"
    return "put the text in quotes"


def _mended(head: str) -> str:
    """The head with tabs of indentation as spaces, and prose with a colon in quotes, line by line."""
    lines = [_untabbed(line) for line in head.split("\n")]
    result: list[str] = []
    at = 0
    while at < len(lines):
        match = _PROSE_LINE.fullmatch(lines[at])
        at += 1
        if match is None:
            result.append(lines[at - 1])
            continue
        more: list[str] = []
        while at < len(lines) and lines[at].startswith((" ", "\t")) and lines[at].strip():
            more.append(lines[at].strip())
            at += 1
        result.append(_quoted(match[1], " ".join((match[2].strip(), *more))))
        result += [""] * len(more)  # so that the lines after it keep their numbers
    return "\n".join(result)


def _untabbed(line: str) -> str:
    rest = line.lstrip("\t")
    tabs = len(line) - len(rest)
    return "  " * tabs + rest if tabs and not rest.startswith(" ") else line


def _quoted(key: str, value: str) -> str:
    if ": " not in value and not value.endswith(":"):
        return f"{key}: {value}"
    if " #" in value:  # a comment or a part of the text: that is not clear
        return f"{key}: {value}"
    return f"{key}: '{value.replace(chr(39), chr(39) * 2)}'"
