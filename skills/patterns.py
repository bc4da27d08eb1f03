"""Patterns of triggers, run by RE2: whoever wrote a skill, none takes longer than the message is long.

What they mean is what they mean to Python, as far as RE2 can be told: letters of all scripts are letters.
References back and looks ahead or behind are what it does not have, for they are what takes for ever.
"""

import importlib
import re
from functools import lru_cache
from typing import Any

_MEMORY = 1 << 20  # bytes that one pattern may take when it is made
_PIECE = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)
# A boundary that RE2 sees beside ASCII letters only; in scripts without spaces it is none anyway.
_FOREIGN_BOUNDARY = re.compile(r"\\b(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])\\b")
_CLASSES = {r"\w": r"\pL\pM\pN_", r"\d": r"\p{Nd}", r"\s": r"\s\pZ"}


class PatternError(ValueError):
    """Why a pattern cannot be used."""


@lru_cache(maxsize=1024)
def compiled(pattern: str, *, exact: bool) -> Any:
    """What finds a pattern in a text, with `search`. Raises `PatternError`."""
    re2 = importlib.import_module("re2")  # which takes a while, and few need it at once
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    options.case_sensitive = exact
    try:
        return re2.compile(_as_re2(pattern), options)
    except re2.error as error:
        told = error.args[0] if error.args else "it cannot be read"
        raise PatternError(
            told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
        ) from None


def _as_re2(pattern: str) -> str:
    """A pattern of Python's in the words of RE2."""
    pieces = []
    is_inside = False  # of brackets
    for piece in _PIECE.findall(_FOREIGN_BOUNDARY.sub("", pattern)):
        if piece in {"[", "]"}:
            is_inside = piece == "["
        if signs := _CLASSES.get(piece):
            piece = signs if is_inside else f"[{signs}]"
        elif piece.startswith("\\u"):
            piece = f"\\x{{{piece[2:]}}}"
        elif piece == r"\Z":
            piece = r"\z"
        pieces.append(piece)
    return "".join(pieces)
