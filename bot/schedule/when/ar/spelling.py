"""Arabic as it is written, brought to one spelling."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.schedule.when.tokens import UNKNOWN, Entry, Token

# Vowel marks, the lengthening stroke, and the marks of direction.
MARKS = re.compile(r"[\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c-\u200f]")
_LETTERS = str.maketrans("أإآٱىةؤ", "ااااي" + "هو")
_ARTICLE = "ال"
_SHORTEST = 2  # letters that are left when something was taken off


def plain(text: str) -> str:
    """One alef, ه for ة, ي for ى; as long as `text`."""
    return text.translate(_LETTERS)


def parts(token: Token, words: Mapping[str, Entry]) -> Iterator[Token]:
    """The tokens of an unknown word: "and", a preposition and the article are written with the next word."""
    if token.kind != UNKNOWN or not isinstance(token.value, str):
        yield token
        return
    word, start = token.value, token.start
    entry = _known(word, words)
    if entry is not None:
        yield replace(token, kind=entry[0], value=entry[1])
        return
    for prefix, kind in (("و", "&"), ("ب", "i"), ("ل", "i"), ("ف", "i")):
        rest = word.removeprefix(prefix)
        if rest == word or len(rest) < _SHORTEST:
            continue
        if prefix == "ل" and rest[0] == "ل":  # "for the" is written with two lams
            rest = f"{_ARTICLE[0]}{rest}"
        if (entry := _known(rest, words)) is not None:
            yield Token(kind, prefix, start, start + 1)
            yield Token(entry[0], entry[1], start + 1, token.end)
            return
    yield token


def _known(word: str, words: Mapping[str, Entry]) -> Entry | None:
    if word in words:
        return words[word]
    bare = word.removeprefix(_ARTICLE)
    return words.get(bare) if bare != word and len(bare) >= _SHORTEST else None
