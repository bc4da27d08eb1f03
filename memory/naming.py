"""People who are named in a question: those who spoke in the conversations that are searched."""

import re
from collections.abc import Sequence

from sqlalchemy import Connection, text

from bot.text.tokens import fold, segments, spaced
from memory.record import Scope

MOST_NAMES = 200  # of one scope; a question is compared with each
# A walk over the index from one name to the next: it reads as many entries as there are names.
_NAMES = text(
    "WITH RECURSIVE names(name) AS ("
    "SELECT min(name) FROM memories WHERE scope = :scope UNION ALL "
    "SELECT (SELECT min(name) FROM memories WHERE scope = :scope AND name > names.name) "
    "FROM names WHERE names.name IS NOT NULL"
    f") SELECT name FROM names WHERE name IS NOT NULL AND name <> '' LIMIT {MOST_NAMES}"
)


def names_in(conn: Connection, scopes: Sequence[Scope], question: str) -> tuple[str, ...]:
    """The speakers of these scopes whom the question names, by their whole or their first name."""
    asked = f" {spaced(question)} "
    known = dict.fromkeys(name for scope in scopes for name in conn.scalars(_NAMES, {"scope": scope}))
    return tuple(name for name in known if any(f" {spaced(part)} " in asked for part in _ways(name)))


def without_names(question: str, names: Sequence[str]) -> str:
    """The question without these names: who spoke is known of each memory, and its text does not say
    it. A question that would be empty stays as it is."""
    rest = question
    for part in sorted({part for name in names for part in _ways(name)}, key=len, reverse=True):
        # A script without spaces has no edges of words.
        edges = ("", "") if any(segment.cjk for segment in segments(part)) else (r"(?<!\w)", r"(?!\w)")
        rest = re.sub(rf"{edges[0]}{re.escape(part)}(?:['’]s)?{edges[1]}", " ", rest, flags=re.IGNORECASE)
    rest = " ".join(rest.split())
    return rest if any(letter.isalnum() for letter in rest) else question


def _ways(name: str) -> list[str]:
    """The ways somebody is named: the whole name, and the first one where it is long enough to tell."""
    first = name.split()[0] if name.split() else ""
    ways = [name] if len(fold(first)) < 2 else [name, first]
    return [way for way in dict.fromkeys(ways) if spaced(way)]
