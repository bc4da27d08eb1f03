"""Regular expressions that cost nothing until they are used."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from re import Match


class Pattern:
    """A regular expression over texts, compiled when it is first asked.

    The tables of words of five languages are some hundred large expressions: compiled at import they
    were a tenth of a second of every start, most of them for groups or languages that nobody has.
    """

    def __init__(self, source: str, flags: int | re.RegexFlag = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, self.flags)

    def search(self, text: str, start: int = 0) -> Match[str] | None:
        return self._compiled.search(text, start)

    def match(self, text: str, start: int = 0) -> Match[str] | None:
        return self._compiled.match(text, start)

    def fullmatch(self, text: str) -> Match[str] | None:
        return self._compiled.fullmatch(text)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[Match[str]]:
        return self._compiled.finditer(text, start, end)

    def findall(self, text: str) -> list[str]:
        """What each match holds; the expression must have at most one group."""
        return self._compiled.findall(text)

    def sub(self, replacement: str | Callable[[Match[str]], str], text: str, count: int = 0) -> str:
        return self._compiled.sub(replacement, text, count)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """The pieces between the matches."""
        return self._compiled.split(text, maxsplit)
