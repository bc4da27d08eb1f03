"""Names of tools that every provider takes: 1 to 64 letters, digits, `_` and `-`."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

MOST_CHARS = 64
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")
_HASH_CHARS = 8
_SEPARATOR = "__"

Origin = tuple[str, str]
"""A server or set, and the name of the tool there."""


def named(origins: Iterable[Origin]) -> dict[Origin, str]:
    """A name for each tool, `SERVER__TOOL` where that is allowed and nobody else's.

    Where letters had to go, it is too long, or two would be called the same, a hash of the origin takes
    part in it: a name is the same in every process, and stays when other tools come and go.
    """
    wanted = {origin: _SEPARATOR.join(origin) for origin in origins}
    often = Counter(wanted.values())
    return {
        origin: name if _is_valid(name) and often[name] == 1 else _hashed(origin, name)
        for origin, name in wanted.items()
    }


def _is_valid(name: str) -> bool:
    return 0 < len(name) <= MOST_CHARS and _FORBIDDEN.search(name) is None


def _hashed(origin: Origin, name: str) -> str:
    digest = hashlib.sha256("\0".join(origin).encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARS]
    plain = _FORBIDDEN.sub("_", name)[: MOST_CHARS - _HASH_CHARS - 1]
    return f"{plain}_{digest}"
