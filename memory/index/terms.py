"""From texts to index terms and from questions to FTS5 expressions.

Characters of scripts without spaces are indexed one by one and asked for as phrases of pairs, so that
a question of two characters finds its place in a longer run. Words are left to FTS5's own tokenizer.
Expressions are put together from quoted words only: no text of a person can be read as syntax.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from bot.text.tokens import Segment, is_stop_word, pairs, pieces, segments, spaced

MAX_INDEXED_CHARS = 20_000  # of one memory; a pasted book is found by its beginning
MAX_QUERY_CHARS = 4_000
MAX_PHRASES = 24
MIN_PREFIX_CHARS = 4


@dataclass(frozen=True, slots=True)
class Expressions:
    """FTS5 expressions of one question.

    `exact` asks for its words, `prefix` for words that begin with one of its words; the second is
    empty where no word is long enough. `phrases` are the words and pairs that were kept.
    """

    exact: str
    prefix: str
    phrases: tuple[str, ...]


def index_terms(text: str) -> str:
    """The text as it goes into the index."""
    return spaced(text[:MAX_INDEXED_CHARS])


def scope_term(scope: str) -> str:
    """One index term for a scope, out of digits, which no stemmer touches.

    It narrows the search; what may be seen is decided by comparing the scope itself.
    """
    return str(hash64(scope))


def hash64(text: str) -> int:
    """A short stand-in for a long key: positive, below 2 to the 63rd, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def asked_for(text: str) -> list[tuple[str, bool]]:
    """The words and CJK pairs of a question that are looked for, each with whether it is CJK."""
    return key_phrases(segments(text[:MAX_QUERY_CHARS]))


def expressions(kept: Sequence[tuple[str, bool]], scopes: Sequence[str]) -> Expressions | None:
    """The FTS5 expressions for what is looked for; None where that is nothing, or there is no scope."""
    if not kept or not scopes:
        return None
    within = _within(scopes)
    exact = _any(part for phrase, cjk in kept for part in _exact(phrase, cjk=cjk))
    prefix = _any(f"{_quoted(word)} *" for word, cjk in kept if not cjk and len(word) >= MIN_PREFIX_CHARS)
    return Expressions(
        exact=f"{within} AND terms : ({exact})",
        prefix=f"{within} AND terms : ({prefix})" if prefix else "",
        phrases=tuple(phrase for phrase, _ in kept),
    )


def exact_expression(phrase: str, scopes: Sequence[str], *, cjk: bool) -> str:
    """The FTS5 expression for one word or pair within scopes, of which there is at least one."""
    return f"{_within(scopes)} AND terms : ({_any(_exact(phrase, cjk=cjk))})"


def key_phrases(found: Iterable[Segment]) -> list[tuple[str, bool]]:
    """The words and CJK pairs to look for, each with whether it is CJK; without stop words where
    anything else remains."""
    every: dict[str, bool] = {}
    for segment in found:
        if segment.cjk:
            every.update(dict.fromkeys(pairs(segment.text), True))
        else:
            every[segment.text] = False
    telling = [item for item in every.items() if not is_stop_word(item[0])]
    return (telling or list(every.items()))[:MAX_PHRASES]


def _within(scopes: Sequence[str]) -> str:
    return f"scope : ({_any(_quoted(scope_term(scope)) for scope in scopes)})"


def _exact(phrase: str, *, cjk: bool) -> list[str]:
    if cjk:
        return [_quoted(" ".join(phrase))]
    parts = pieces(phrase)
    return [_quoted(phrase), _quoted(" ".join(parts))] if len(parts) > 1 else [_quoted(phrase)]


def _quoted(phrase: str) -> str:
    return '"' + phrase.replace('"', '""') + '"'


def _any(parts: Iterable[str]) -> str:
    return " OR ".join(parts)
