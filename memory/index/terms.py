"""From texts to index terms and from questions to FTS5 expressions.

Characters of scripts without spaces are indexed one by one and asked for as phrases of pairs, so that
a question of two characters finds its place in a longer run. Words are left to FTS5's own tokenizer.
Expressions are put together from quoted words only: no text of a person can be read as syntax.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from bot.text.forms import forms
from bot.text.tokens import Segment, is_stop_word, pairs, pieces, segments, spaced

MAX_INDEXED_CHARS = 20_000  # of one memory; a pasted book is found by its beginning
MAX_QUERY_CHARS = 4_000
MAX_TERMS = 24
MIN_PREFIX_CHARS = 4


@dataclass(frozen=True, slots=True)
class Term:
    """Something a question asks for: a word with the other forms it may take, or a pair of characters
    of a script without spaces."""

    text: str
    cjk: bool = False
    forms: tuple[str, ...] = ()  # beside `text`

    @property
    def phrases(self) -> tuple[str, ...]:
        """What stands for the term in an index, each of words that follow one another."""
        if self.cjk:
            return (" ".join(self.text),)
        found = [self.text, *self.forms]
        if len(parts := pieces(self.text)) > 1:
            found.append(" ".join(parts))
        return tuple(found)

    @property
    def has_prefix(self) -> bool:
        """Whether words that begin with it may be meant."""
        return not self.cjk and len(self.text) >= MIN_PREFIX_CHARS


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


def asked_for(text: str, *, with_forms: bool = True) -> list[Term]:
    """What a question asks for: its words and pairs, without stop words where anything else remains."""
    return [
        Term(phrase, cjk, forms(phrase)[1:] if with_forms and not cjk else ())
        for phrase, cjk in key_phrases(segments(text[:MAX_QUERY_CHARS]))
    ]


def expression(terms: Sequence[Term], scopes: Sequence[str], *, prefix: bool = False) -> str:
    """The FTS5 expression for any of the terms within any of the scopes, or wherever they stand where no
    scope is given; there is one term at least."""
    wanted = f"terms : ({_any(_alternatives(terms, prefix=prefix))})"
    return f"{_within(scopes)} AND {wanted}" if scopes else wanted


def both(one: Sequence[Term], other: Sequence[Term], scopes: Sequence[str]) -> str:
    """The FTS5 expression for any of `one` together with any of `other`."""
    return f"{expression(one, scopes)} AND terms : ({_any(_alternatives(other))})"


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
    return (telling or list(every.items()))[:MAX_TERMS]


def _within(scopes: Sequence[str]) -> str:
    return f"scope : ({_any(_quoted(scope_term(scope)) for scope in scopes)})"


def _alternatives(terms: Sequence[Term], *, prefix: bool = False) -> list[str]:
    if prefix:
        return [f"{_quoted(term.text)} *" for term in terms]
    return [_quoted(phrase) for term in terms for phrase in term.phrases]


def _quoted(phrase: str) -> str:
    return '"' + phrase.replace('"', '""') + '"'


def _any(parts: Iterable[str]) -> str:
    return " OR ".join(parts)
