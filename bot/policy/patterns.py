"""Patterns of rules: `*` for anything and `?` for one sign, and nothing else means more than itself.

Who writes a call's arguments is a model, or who made it write them. So a rule that stops also sees
through other spellings of a value, and one that allows takes a `*` for what its author can have meant:
`*@home.example` is one address and no list of them, `/srv/open/*` does not lead to `/srv/open/../keys`.
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

# Before one of these a `*` stands for a name: of a person, a host, a file.
_AFTER_A_NAME = re.compile(r".*[@./:\\]", re.DOTALL)
_NAME = r"[^\s/\\?#@,;:<>\x00-\x1f]*"
_SEPARATORS = re.compile(r"[\s,;<>\"']+")
_MOST_PARTS = 1000
_UP = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|\x00")


def is_like(value: str, pattern: str) -> bool:
    """Whether a pattern fits, case apart."""
    return _compiled(pattern.casefold(), narrow=False).fullmatch(value.casefold()) is not None


def may_be_like(value: str, pattern: str) -> bool:
    """Whether a pattern fits a value, or what others may read it as: for rules that stop."""
    return any(is_like(reading, pattern) for reading in _readings(value))


def is_surely_like(value: str, pattern: str) -> bool:
    """Whether a pattern fits with each `*` as narrow as it must have been meant: for rules that allow."""
    if set(pattern) == {"*"}:
        return True
    found = _compiled(pattern.casefold(), narrow=True).fullmatch(value.casefold())
    return found is not None and not any(_UP.search(unquote(part)) for part in found.groups())


@lru_cache(maxsize=1024)
def _compiled(pattern: str, *, narrow: bool) -> re.Pattern[str]:
    """Never tried again further on: a value of a model's may be long, and a pattern have many `*`."""
    first, *pieces = re.sub(r"\*+", "*", pattern).split("*")
    made = _fixed(first)
    for at, piece in enumerate(pieces):
        kind = _NAME if narrow and _AFTER_A_NAME.match(piece) else ".*"
        is_last = at == len(pieces) - 1
        made += f"({kind}){_fixed(piece)}" if is_last else f"(?>({kind}?){_fixed(piece)})"
    return re.compile(made, re.DOTALL)


def _fixed(piece: str) -> str:
    return "".join("." if sign == "?" else re.escape(sign) for sign in piece)


def _readings(value: str) -> Iterator[str]:
    """The value, with its %-escapes decoded, its look-alikes plain, what it lists, a path without detours."""
    plain = unicodedata.normalize("NFKC", unquote(value))
    yield from dict.fromkeys((value, unquote(value), plain, *_SEPARATORS.split(plain)[:_MOST_PARTS]))
    if "://" not in plain and ("/" in plain or "\\" in plain):
        path = posixpath.normpath(plain.replace("\\", "/"))
        yield path.removeprefix("/") if path.startswith("//") else path
