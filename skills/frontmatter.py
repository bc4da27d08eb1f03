"""The head of a SKILL.md file, read strictly: where its meaning is not clear, that is said with its line.

YAML is read without aliases, anchors, tags and duplicate keys. What people write although YAML forbids
it, and what can mean only one thing, is mended and told: a colon inside an unquoted description, and tabs
as indentation. A field that limits a skill is never guessed.
"""

import codecs
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
# A field that was meant to stand by itself is no text of the one above it.
_INNER_FIELD = re.compile(rf"(?:{'|'.join(_PROSE)}|metadata|allowed-tools|triggers|parameters):(?:\s|$)")
_FIELD = re.compile(r"(?:[^\s:\"']|:(?=\S))(?:[^:]|:(?=\S))*:(?:\s|$)|[\"']")
# What "\\0", "\\e" and "\\ud800" make: signs that steer a terminal, and halves of characters.
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_TAB_AFTER = re.compile(r"^(\s*[\w-]+:)\t+")
_QUOTED = re.compile(r"(\s*)(?:- +)?[\w-]+:[ \t]+([\"'])(.*)")
_PROSE_LINE = re.compile(rf"({'|'.join(_PROSE)}):[ \t]+(?=[^\s\"'\[\]{{}}|>*&!%@`#?-])(.*)")


class HeadError(ValueError):
    """What is wrong with a head; `line` counts from 1 in the file. It is mended where it is not `fatal`."""

    def __init__(self, line: int, text: str, hint: str = "", *, fatal: bool = True) -> None:
        super().__init__(text)
        self.line = line
        self.text = text
        self.hint = hint
        self.fatal = fatal


@dataclass(frozen=True, slots=True)
class Parts:
    """A file taken apart. `head` begins at line 2 of the file; `body` is trimmed and begins at `line`."""

    head: str
    body: str
    line: int


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a mark in front, any line ends. Raises `HeadError`."""
    if len(data) > MAX_FILE_BYTES:
        raise HeadError(1, f"the file has {len(data)} bytes; {MAX_FILE_BYTES} are allowed")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise HeadError(1, "this is UTF-16", "save the file as UTF-8")
    try:
        text = _with_plain_ends(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = _with_plain_ends(data[: error.start].decode("utf-8", "replace"))
        raise HeadError(before.count("\n") + 1, "this is not UTF-8", "save the file as UTF-8") from error
    if (at := text.find("\0")) >= 0:
        raise HeadError(text.count("\n", 0, at) + 1, "there is a NUL character", "this is no text file")
    return text


def _with_plain_ends(text: str) -> str:
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
    rest = "\n".join(lines[end + 1 :])
    blank = rest[: len(rest) - len(rest.lstrip())]
    return Parts(head, rest.strip(), end + 2 + blank.count("\n"))


def read(head: str) -> tuple[yaml.MappingNode, list[HeadError]]:
    """The fields of a head, as YAML nodes, and what is wrong though they could be read.

    Raises `HeadError` where they cannot.
    """
    try:
        return _composed(head)
    except HeadError as error:
        mended, told = _mended(head)
        if mended == head:
            raise
        try:
            node, more = _composed(mended)
        except HeadError:
            raise error from None
        return node, [*told, *more]


class _Loader(yaml.SafeLoader):
    """Builds the tree of nodes, and refuses what can hide or multiply content."""

    def __init__(self, head: str) -> None:
        super().__init__(head)
        self.depth = 0
        self.doubles: list[HeadError] = []

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
            self.doubles += _doubles(node)
        elif isinstance(node, yaml.ScalarNode) and _NO_TEXT.search(str(node.value)):
            raise HeadError(line_of(node), "an escape here stands for no character")
        return node


def _composed(head: str) -> tuple[yaml.MappingNode, list[HeadError]]:
    try:
        loader = _Loader(f"{head}\n")  # a block of text ends as it does in the file
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise _slip(head) or HeadError(_where(error, head), _told(error), _advice(error)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, HeadError):
            raise
        raise HeadError(_line_of_reader(error, head), f"this is not YAML: {error}".splitlines()[0]) from error
    if not isinstance(node, yaml.MappingNode):
        raise HeadError(2, "the frontmatter has no fields", "such as `name: my-skill`")
    return node, loader.doubles


def _doubles(node: yaml.MappingNode) -> list[HeadError]:
    """An error for each field that stands twice. Raises `HeadError` for what is no name of a field."""
    found: list[HeadError] = []
    seen: dict[str, int] = {}
    for key, _ in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        if not name:
            raise HeadError(line_of(key), "a field needs a name that is one word")
        if name in seen:
            found.append(HeadError(line_of(key), f'"{name}" stands here twice (first in line {seen[name]})'))
        else:
            seen[name] = line_of(key)
    return found


def line_of(node: yaml.Node) -> int:
    """The line of the file on which a node of a head begins."""
    return _line(node.start_mark)


def _line(mark: Any) -> int:
    """By the line ends that editors know: YAML counts three others, which may stand inside a text."""
    return 2 if mark is None else int(mark.buffer.count("\n", 0, mark.pointer)) + 2


def _line_of_reader(error: Exception, head: str) -> int:
    position = getattr(error, "position", None)
    return 2 if position is None else head.count("\n", 0, position) + 2


def _where(error: yaml.MarkedYAMLError, head: str) -> int:
    """The line of an error: where a bracket or quote was opened, if the next field was taken for its text."""
    line = _line(error.problem_mark or error.context_mark)
    if not re.search(r"quoted scalar|flow|simple key", error.context or ""):
        return line
    rest = head.split("\n")[line - 2] if line - 2 <= head.count("\n") else ""
    return line if rest.startswith((" ", "]", "}")) else _line(error.context_mark)


def _slip(head: str) -> HeadError | None:
    """What YAML finds only some lines later: a quote without an end, a line that is no field."""
    lines = head.split("\n")
    depths = [len(line) - len(line.lstrip()) if line.strip() else -1 for line in (*lines, "")]
    for at in range(len(lines) - 1, -1, -1):  # a blank line is as deep as what follows it
        depths[at] = depths[at + 1] if depths[at] < 0 else depths[at]
    for at, line in enumerate(lines):
        opened = _QUOTED.match(line)
        if opened and not _closed(opened) and depths[at + 1] <= len(opened[1]):
            return HeadError(at + 2, "this is not YAML: the quote has no end", "close it, or leave it out")
        if line[:1].isspace() or not line.strip() or line.startswith(("#", "-", "]", "}", "?", "{", "[")):
            continue
        if not _FIELD.match(line):
            text = f'this is not YAML: "{line.strip()[:40]}" is no field'
            return HeadError(at + 2, text, "a field is `name: value`, with a space after the colon")
    return None


def _closed(opened: re.Match[str]) -> bool:
    quote, rest = opened[2], opened[3]
    inner = r"(?:[^\"\\]|\\.)*" if quote == '"' else "(?:[^']|'')*"
    return re.match(inner + quote, rest) is not None


def _told(error: yaml.MarkedYAMLError) -> str:
    return f"this is not YAML: {error.problem or error.context or 'it cannot be read'}"


def _advice(error: yaml.MarkedYAMLError) -> str:
    if "mapping values" in (error.problem or ""):
        return "a text with a colon in it belongs in quotes"
    if "'\\t'" in (error.problem or ""):
        return "indent with spaces"
    return "put the text in quotes"


def _mended(head: str) -> tuple[str, list[HeadError]]:
    """The head with tabs of indentation as spaces and prose with a colon in quotes, and each such place."""
    told: list[HeadError] = []
    # A tab after a field's colon is YAML, though not to the reader that is used here.
    lines = [_TAB_AFTER.sub(r"\1 ", line) for line in head.split("\n")]
    for at, line in enumerate(lines):
        lines[at] = _untabbed(line)
        if lines[at] != line and line.strip():
            text = "this is not YAML: a tab stands before the text"
            told.append(HeadError(at + 2, text, "indent with spaces", fatal=False))
    result: list[str] = []
    at = 0
    while at < len(lines):
        match = _PROSE_LINE.fullmatch(lines[at])
        at += 1
        if match is None:
            result.append(lines[at - 1])
            continue
        began = at
        while at < len(lines) and lines[at].startswith(" ") and lines[at].strip():
            at += 1
        more = [line.strip() for line in lines[began:at]]
        value = " ".join((match[2].strip(), *more))
        if any(map(_INNER_FIELD.match, more)) or not _has_colon(value):
            result += lines[began - 1 : at]
            continue
        result.append(f"{match[1]}: '{value.replace(chr(39), chr(39) * 2)}'")
        result += [""] * len(more)  # so that the lines after it keep their numbers
        text = f"this is not YAML: a colon stands in the {match[1]}"
        told.append(HeadError(began + 1, text, "a text with a colon in it belongs in quotes", fatal=False))
    return "\n".join(result), told


def _has_colon(value: str) -> bool:
    """Whether a text needs quotes for its colon alone: what follows a # is a comment, or not; who knows."""
    return (": " in value or value.endswith(":")) and " #" not in value


def _untabbed(line: str) -> str:
    rest = line.lstrip("\t")
    tabs = len(line) - len(rest)
    return "  " * tabs + rest if tabs and not rest.startswith(" ") else line
