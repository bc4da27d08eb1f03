"""What was said and read in a turn, to tell an address that was given from one that was made up.

A made-up address can carry away what the model knows: `https://elsewhere.example/?d=…`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_URL = re.compile(r"https?://", re.IGNORECASE)
_ENDS = frozenset(" \t\r\n<>\"'`()[]{}|，。；：！？、）】」』")
_TRAILING = ".,;:!?"


@dataclass(frozen=True, slots=True)
class Heard:
    """`own` is what the person said; `others` what tools brought."""

    own: str = ""
    others: str = ""

    def vouches_for(self, arguments: Mapping[str, Any]) -> bool:
        """Whether every address in the arguments was given letter for letter: by the person, or by others
        without a query, which could be a place for secrets."""
        urls = [text for text in _texts(arguments) if _URL.search(text)]
        return bool(urls) and all(self._is_given(url.strip()) for url in urls)

    def _is_given(self, url: str) -> bool:
        if _holds(self.own, url):
            return True
        return not any(mark in url for mark in "?#@") and _holds(self.others, url)


NOTHING_HEARD = Heard()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _holds(text: str, url: str) -> bool:
    """Whether the address stands in the text as a whole, not as the beginning of a longer one."""
    at = text.find(url)
    while at >= 0:
        rest = text[at + len(url) :].lstrip(_TRAILING)
        if not rest or rest[0] in _ENDS:
            return True
        at = text.find(url, at + 1)
    return False
