"""The JSON protocol's answer as one object, so that an endpoint which takes a JSON Schema can be held to it.

    {"answer": "words"}    or    {"calls": [{"server": "...", "tool": "...", "arguments": {...}}]}

The words are shown while they come, although they stand in a JSON string.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from bot.domain.message import ToolSpec
from bot.text.kept import PerObject

# How closely an endpoint is held to it: also the arguments of each tool, only the names, or not at all.
Form = Literal["shaped", "named", "plain"]
LOOSER: Mapping[Form, Form] = {"shaped": "named", "named": "plain"}

MOST_SHAPED = 64  # tools: a grammar of more takes servers long to prepare
MOST_CALLS = 8  # at once: a small model held to a list may never end it
ANSWER_BEGINS = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"answer"\s*:\s*"')
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n?|\n?```\s*\Z")
_ANYTHING: Mapping[str, Any] = {"type": "object"}
# Whole characters of a JSON string: the two halves of one outside the first plane go together.
_WHOLE = re.compile(
    r'(?:[^"\\]|\\["\\/bfnrt]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|'
    r"\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})*"
)
_LONGEST_ESCAPE = 12
_ALONE: PerObject[Mapping[str, Any]] = PerObject()  # every turn asks it of the same tools


def form_of(tools: Sequence[ToolSpec], form: Form) -> Mapping[str, Any] | None:
    """The schema of an answer; with no tools it can only be words. None for `plain`."""
    if form == "plain":
        return None
    answer = _object(answer={"type": "string"})
    if not tools:
        return answer
    item = _shaped(tools) if form == "shaped" and len(tools) <= MOST_SHAPED else _named(tools)
    calls = {"type": "array", "minItems": 1, "maxItems": MOST_CALLS, "items": item}
    return {"anyOf": [answer, _object(calls=calls)]}


def _shaped(tools: Sequence[ToolSpec]) -> Mapping[str, Any]:
    return {"anyOf": [_call([tool.toolset], [tool.name], _alone(tool.parameters)) for tool in tools]}


def _named(tools: Sequence[ToolSpec]) -> Mapping[str, Any]:
    toolsets = sorted({tool.toolset for tool in tools})
    return _call(toolsets, [tool.name for tool in tools], _ANYTHING)


def _call(toolsets: list[str], names: list[str], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(server={"enum": toolsets}, tool={"enum": names}, arguments=arguments)


def _object(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _alone(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema, where it still means the same inside another one: references start at the root."""
    return _ALONE.get(parameters, "", lambda: _ANYTHING if '"$ref"' in json.dumps(parameters) else parameters)


def parsed(text: str) -> Any:
    """The JSON value that a text is, a code fence around it or not. Raises `ValueError`."""
    try:
        return json.loads(bare(text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def bare(text: str) -> str:
    """The text without a code fence around it."""
    return _FENCE.sub("", text.strip()).strip()


def answer_in(text: str) -> str | None:
    """The words of a whole answer in this form; None where it is none."""
    try:
        value = parsed(text)
    except ValueError:
        begun = ANSWER_BEGINS.match(text)
        return None if begun is None else Unquoted().feed(text[begun.end() :])
    words = value.get("answer") if isinstance(value, dict) else None
    return words if isinstance(words, str) else None


class Unquoted:
    """What stands in a JSON string, read piece by piece from behind its opening quote."""

    def __init__(self) -> None:
        self._rest = ""
        self._closed = False

    def feed(self, piece: str) -> str:
        """The characters that this piece completes. What follows the closing quote is left out."""
        if self._closed:
            return ""
        self._rest += piece
        said = ""
        while self._rest:
            whole = _WHOLE.match(self._rest)
            assert whole is not None  # it matches nothing at least
            said += json.loads(f'"{whole[0]}"', strict=False)
            self._rest = self._rest[whole.end() :]
            if self._rest.startswith('"'):
                self._closed = True
                break
            if len(self._rest) < _LONGEST_ESCAPE and _may_go_on(self._rest):
                break
            if self._rest:  # no escape of JSON: what it hides is shown as it stands
                self._rest = self._rest[1:]
        return said


def _may_go_on(rest: str) -> bool:
    """Whether the beginning of an escape may still become a whole one."""
    half = re.fullmatch(r"\\(?:u[0-9a-fA-F]{0,3})?", rest)
    surrogate = re.fullmatch(
        r"\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?", rest
    )
    return half is not None or surrogate is not None
