"""The set `text`: lines compared, sorted and sifted; patterns in time that grows with the text only."""

import asyncio
import difflib
import importlib
import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError

MAX_TEXT = 200_000  # characters
MAX_DIFF_LINES = 5_000
_MAX_FOUND = 1_000
_PATTERN_MEMORY = 8 * 1024 * 1024

_Text = Field(max_length=MAX_TEXT)
_Pattern = Field(max_length=1_000, description="RE2 syntax: no look-around, no back references.")


class Diff(Arguments):
    text1: str = _Text
    text2: str = _Text
    unified_lines: int = Field(3, ge=0, le=100, description="Unchanged lines shown around a change.")


class Sort(Arguments):
    text: str = _Text
    order: Literal["asc", "desc"] = "asc"
    numeric: bool = Field(False, description="By the number a line begins with; lines without one come last.")
    reverse: bool = Field(False, description="The other way round.")
    unique: bool = Field(False, description="Each line once.")


class Deduplicate(Arguments):
    text: str = _Text
    case_sensitive: bool = True


class Filter(Arguments):
    text: str = _Text
    pattern: str = Field(max_length=1_000, description="Words to look for, or with regex a pattern (RE2).")
    invert: bool = Field(False, description="Keep the lines that do not match.")
    regex: bool = False
    case_sensitive: bool = True


class Find(Arguments):
    text: str = _Text
    pattern: str = _Pattern


class Extract(Find):
    first_only: bool = False


class Replace(Find):
    replacement: str = Field(max_length=10_000, description="$1 or \\1 is the first group, $$ a dollar sign.")


async def diff(arguments: Diff, context: RunContext) -> str:
    """What changed from one text to the other, as a unified diff."""
    before, after = arguments.text1.splitlines(), arguments.text2.splitlines()
    if len(before) + len(after) > MAX_DIFF_LINES:
        raise InputError(f"the texts have more than {MAX_DIFF_LINES} lines together", field="text1")
    return await asyncio.to_thread(_unified, before, after, arguments.unified_lines)


async def sort(arguments: Sort, context: RunContext) -> str:
    """The lines in order."""
    lines = arguments.text.splitlines()
    if arguments.unique:
        lines = list(dict.fromkeys(lines))
    backwards = (arguments.order == "desc") != arguments.reverse
    if not arguments.numeric:
        return "\n".join(sorted(lines, reverse=backwards))
    numbered = [(number, line) for line in lines if (number := _leading(line)) is not None]
    numbered.sort(key=lambda pair: pair[0], reverse=backwards)
    return "\n".join([line for _, line in numbered] + [line for line in lines if _leading(line) is None])


async def deduplicate(arguments: Deduplicate, context: RunContext) -> str:
    """Each line once, where it first stood."""
    kept: dict[str, str] = {}
    for line in arguments.text.splitlines():
        kept.setdefault(line if arguments.case_sensitive else line.casefold(), line)
    return "\n".join(kept.values())


async def sift(arguments: Filter, context: RunContext) -> str:
    """The lines that match."""
    pattern = arguments.pattern if arguments.regex else re.escape(arguments.pattern)
    compiled = _compiled(pattern if arguments.case_sensitive else f"(?i){pattern}")
    lines = arguments.text.splitlines()
    kept = [line for line in lines if (compiled.search(line) is not None) != arguments.invert]
    return "\n".join(kept) or "No lines matched."


async def matches(arguments: Find, context: RunContext) -> str:
    """Whether the pattern is found anywhere."""
    found = _compiled(arguments.pattern).search(arguments.text) is not None
    return f"Pattern matches: {str(found).lower()}"


async def find(arguments: Find, context: RunContext) -> str:
    """Every match, one a line."""
    found = [match.group() for match in _found(arguments)]
    return "\n".join([f"Found {len(found)} match(es):", *found])


async def extract(arguments: Extract, context: RunContext) -> str:
    """The groups of each match; group 0 is the match itself."""
    lines = []
    for number, match in enumerate(_found(arguments), 1):
        groups = (match.group(), *match.groups())
        lines += [f"Match {number}: Group {place}: {text}" for place, text in enumerate(groups)]
        if arguments.first_only:
            break
    return "\n".join(lines) or "No match."


async def replace(arguments: Replace, context: RunContext) -> str:
    """The text with every match replaced."""
    pieces, at = [], 0
    for match in _found(arguments):
        pieces += [arguments.text[at : match.start()], _filled(arguments.replacement, match)]
        at = match.end()
        if sum(map(len, pieces[-2:])) + at > 4 * MAX_TEXT:
            raise InputError("the result gets too long", field="replacement")
    result = "".join([*pieces, arguments.text[at:]])
    if len(result) > 4 * MAX_TEXT:
        raise InputError("the result gets too long", field="replacement")
    return f"Result: {result}"


def text_tools() -> FunctionToolset:
    """Tools that only look at the text they are given."""
    return FunctionToolset(
        "text",
        [
            function_tool("text_diff", "Compare two texts line by line.", "pure", Diff, diff),
            function_tool("text_sort", "Sort the lines of a text.", "pure", Sort, sort),
            function_tool(
                "text_deduplicate", "Keep each line of a text once.", "pure", Deduplicate, deduplicate
            ),
            function_tool(
                "text_filter",
                "Keep the lines that match, or those that don't.",
                "pure",
                Filter,
                sift,
            ),
            function_tool("regex_match", "Whether a pattern is found in a text.", "pure", Find, matches),
            function_tool("regex_find", "All matches of a pattern in a text.", "pure", Find, find),
            function_tool("regex_replace", "Replace the matches of a pattern.", "pure", Replace, replace),
            function_tool(
                "regex_extract", "The groups of the matches of a pattern.", "pure", Extract, extract
            ),
        ],
    )


def _unified(before: list[str], after: list[str], around: int) -> str:
    lines = difflib.unified_diff(before, after, "text1", "text2", lineterm="", n=around)
    return "\n".join(lines) or "The texts are the same."


def _leading(line: str) -> float | None:
    found = re.match(r"\s*[-+]?(\d{1,300}(\.\d{1,300})?|\.\d{1,300})", line)
    return float(found[0]) if found else None


def _found(arguments: Find) -> Iterator[Any]:
    for number, match in enumerate(_compiled(arguments.pattern).finditer(arguments.text)):
        if number == _MAX_FOUND:
            raise InputError(f"there are more than {_MAX_FOUND} matches", field="pattern")
        yield match


def _filled(replacement: str, match: Any) -> str:
    def group(mark: re.Match[str]) -> str:
        if mark[0] == "$$":
            return "$"
        try:
            return match.group(int(mark[1] or mark[2])) or ""
        except IndexError:
            raise InputError(f"the pattern has no group {mark[0]}", field="replacement") from None

    return re.sub(r"\$\$|\$\{?(\d{1,2})\}?|\\(\d{1,2})", group, replacement)


def _compiled(pattern: str) -> Any:
    re2 = importlib.import_module("re2")
    options = re2.Options()
    options.max_mem = _PATTERN_MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        told = error.args[0] if error.args else "it can't be read"
        reason = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
        raise InputError(f"the pattern can't be used: {reason}", field="pattern") from None
