"""Shapes of words and figures that languages in Latin letters share."""

import re
from itertools import pairwise, zip_longest

from bot.schedule.when.clocks import Clock
from bot.schedule.when.shapes import NUMERIC_SHAPES
from bot.schedule.when.tokens import BREAK, UNKNOWN, Entry, Shape, Token

_LONGEST_ABBREVIATION = 5


def longest_first(words: dict[str, Entry], kinds: str) -> str:
    """An alternation of the words of some kinds."""
    chosen = [word for word, (kind, _) in words.items() if kind in kinds and word.isalpha()]
    return "|".join(sorted(chosen, key=len, reverse=True))


def shapes(words: dict[str, Entry], suffixes: str, ordinal: str, *, fixed_hours: bool) -> tuple[Shape, ...]:
    """The shapes of a language.

    `suffixes` are what may stand glued to figures beside units; `ordinal` the endings of ordinals.
    `fixed_hours` says whether "7h" is always the morning.
    """
    months, units = longest_first(words, "M"), longest_first(words, "Uu")
    known = re.compile(
        rf"(?:\d+(?:{units}|{suffixes}|{ordinal}))+"
        rf"|(?:{months})\d{{1,4}}(?:{ordinal})?|\d{{1,2}}(?:{months})\d{{0,4}}"
    )

    def code(match: re.Match[str]) -> Entry | None:
        return None if known.fullmatch(match.group()) else (UNKNOWN, "")

    def nth(match: re.Match[str]) -> Entry | None:
        return "O", int(re.sub(r"\D", "", match.group()))

    def hour(match: re.Match[str]) -> Entry | None:
        number = int(match.group()[:-1])
        return ("5", Clock(number, fixed=fixed_hours)) if number <= 24 else None

    def half(match: re.Match[str]) -> Entry | None:
        return "p", "am" if match.group()[0] == "a" else "pm"

    return (
        *NUMERIC_SHAPES,
        (r"(?<![^\W_])(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]{2,}", code),
        (rf"(?<!\d)\d{{1,3}}(?:{ordinal})(?![^\W_])", nth),
        (r"(?<![\w.,/])\d{1,2}h(?![^\W_])", hour),
        (r"(?<![^\W\d_])[ap](?:\s?\.)?\s?m(?:\s?\.|(?![^\W_]))", half),
        (r"(?<=\d)[ap](?![^\W_])", half),
    )


def without_stops(tokens: list[Token]) -> list[Token]:
    """Without the full stops of abbreviations ("Mon.", "Oct. 2")."""
    kept = tokens[:1]
    for before, token in pairwise(tokens):
        short = before.kind in "MWwpU" and before.end - before.start <= _LONGEST_ABBREVIATION
        if not (token.kind == "." and short and before.end == token.start):
            kept.append(token)
    return kept


def glued(tokens: list[Token], firm: frozenset[str], loose: frozenset[str]) -> list[Token]:
    """Small words and signs as glue between what they stand between; a full stop before a space ends it."""
    kept: list[Token] = []
    for token, following in zip_longest(tokens, tokens[1:]):
        kind = token.kind
        if kind == ".":
            kind = "f" if following is not None and following.start == token.end else BREAK
        elif kind in firm:
            kind = "f"
        elif kind in loose:
            kind = "?"
        kept.append(token if kind == token.kind else Token(kind, token.value, token.start, token.end))
    return kept
