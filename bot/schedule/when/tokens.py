"""The machine that languages are data for: words to tokens, and rules that fold tokens into meaning.

A token's kind is one character. The kinds of a text side by side are a string, and a rule is a regular
expression over that string: what it matches becomes one token with a built value. Rules are applied
in order, each until it finds no more (a cascade of finite-state grammars).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bot.schedule.when.reading import Asked

_DIGITS = "0123456789"  # others have been normalised
UNKNOWN = "x"  # the kind of a word that means nothing here
BREAK = ";"  # the kind of a sign that ends what stands before it


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # one character
    value: Any  # what the kind's rules expect
    start: int
    end: int


class Found:
    """The tokens that a rule matched, by the names of its groups."""

    __slots__ = ("_match", "asked", "text", "tokens")

    def __init__(self, match: "re.Match[str]", tokens: Sequence[Token], text: str, asked: Asked) -> None:
        self._match = match
        self.tokens = tokens
        self.text = text
        self.asked = asked

    def _span(self, name: str) -> tuple[int, int]:
        return self._match.span(name) if name in self._match.re.groupindex else (-1, -1)

    def all(self, name: str) -> Sequence[Token]:
        """The tokens of a group, none if it took no part."""
        start, end = self._span(name)
        return () if start < 0 else self.tokens[start:end]

    def one(self, name: str) -> Any:
        """The value of a group's first token; None if it took no part."""
        start, end = self._span(name)
        return None if start < 0 or start == end else self.tokens[start].value

    def has(self, name: str) -> bool:
        """Whether the rule has such a group, and it took part."""
        start, end = self._span(name)
        return end > start

    @property
    def before(self) -> Any:
        """The value of the token before the match."""
        start = self._match.start()
        return self.tokens[start - 1].value if start else None

    @property
    def raw_before(self) -> str:
        """The text of the token before the match."""
        start = self._match.start()
        return self.text[self.tokens[start - 1].start : self.tokens[start - 1].end] if start else ""

    @property
    def whole(self) -> Sequence[Token]:
        return self.tokens[self._match.start() : self._match.end()]

    @property
    def glued(self) -> bool:
        """Whether no space stands between the tokens."""
        whole = self.whole
        return all(left.end == right.start for left, right in pairwise(whole))

    def glued_at(self, first: str, second: str) -> bool:
        """Whether no space stands between two groups."""
        return self.all(first)[-1].end == self.all(second)[0].start

    def raw(self, name: str) -> str:
        """The text of a group as it was written (normalised)."""
        tokens = self.all(name)
        return self.text[tokens[0].start : tokens[-1].end] if tokens else ""


Build = Callable[[Found], Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """`build` gives the value of the new token, or None where the match means nothing after all."""

    pattern: re.Pattern[str]
    kind: str
    build: Build


def rule(pattern: str, kind: str, build: Build) -> Rule:
    """A rule; spaces in the pattern are for the eye only."""
    return Rule(re.compile(pattern.replace(" ", "")), kind, build)


def fold(rules: Iterable[Rule], tokens: list[Token], text: str, asked: Asked) -> list[Token]:
    """Apply the rules in order; the tokens that are left."""
    kinds = "".join([token.kind for token in tokens])
    for each in rules:
        match = each.pattern.search(kinds)
        while match is not None:
            start, end = match.span()
            value = each.build(Found(match, tokens, text, asked)) if end > start else None
            if value is None:
                match = each.pattern.search(kinds, start + 1)
                continue
            folded = Token(each.kind, value, tokens[start].start, tokens[end - 1].end)
            tokens = [*tokens[:start], folded, *tokens[end:]]
            kinds = kinds[:start] + each.kind + kinds[end:]
            # what was built may be part of the next match, but a renamed token not of the same again
            match = each.pattern.search(kinds, start if end > start + 1 else start + 1)
    return tokens


Entry = tuple[str, Any]  # kind and value


def entries(
    plain: Iterable[tuple[str, Any, str]], counted: Iterable[tuple[str, int, str]] = ()
) -> dict[str, Entry]:
    """A table of words from its short form; a later row wins.

    A row of `plain` is a kind, a value and the forms that have it, between commas. A row of `counted`
    is a kind, the first number, and the forms of each number from there on, between bars.
    """
    table: dict[str, Entry] = {}
    for kind, first, text in counted:
        for value, forms in enumerate(text.split("|"), first):
            table.update((form, (kind, value)) for form in forms.split(",") if form)
    for kind, value, text in plain:
        table.update((form, (kind, value)) for form in text.split(",") if form)
    return table


# What a shape's match is; None where it is none after all and the next may try.
Shape = tuple[str, Callable[["re.Match[str]"], Entry | None]]


class WordLexer:
    """Tokens of a language that writes spaces.

    `words` maps a word, or several with single spaces between them, to kind and value; several are
    compared without apostrophes, and with hyphens or spaces between them alike. `shapes` are
    regular expressions tried first at each place (numeric dates, clock times), each with a function from
    the match to kind and value; their groups must not be named. Signs that no table names are tokens of
    their own character's kind when listed in `signs`, else breaks.
    """

    def __init__(
        self,
        words: Mapping[str, Entry],
        shapes: Sequence[Shape],
        signs: str = ",.-/:()+&",
        word: str = r"[^\W\d_]+(?:'[^\W\d_]+)*'?",
    ) -> None:
        self._single = {text: entry for text, entry in words.items() if " " not in text}
        self._phrases: dict[str, list[tuple[list[str], Entry]]] = {}
        for text, entry in words.items():
            first, *rest = _plain(text).split() or [""]
            if rest:
                self._phrases.setdefault(first, []).append((rest, entry))
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        self._shapes = [(re.compile(pattern), build) for pattern, build in shapes]
        parts = [f"(?P<s{i}>{pattern})" for i, (pattern, _) in enumerate(shapes)]
        self._scan = re.compile("|".join([*parts, f"(?P<w>{word})", r"(?P<n>\d+)", r"(?P<p>\S)"]))
        self._resume = re.compile(f"(?P<w>{word})|" + r"(?P<n>\d+)|(?P<p>\S)")
        self._signs = frozenset(signs)

    def lex(self, text: str) -> list[Token]:
        tokens: list[Token] = []
        position = 0
        while (match := self._scan.search(text, position)) is not None:
            token = self._token(match, text)
            tokens.append(token)
            position = token.end
        return self._joined(tokens, text) if self._phrases else tokens

    def _token(self, match: "re.Match[str]", text: str) -> Token:
        name = str(match.lastgroup)
        start, end, written = match.start(), match.end(), match.group()
        if name == "w":
            kind, value = self._single.get(written) or (UNKNOWN, written)
            return Token(kind, value, start, end)
        if name == "n":
            return Token("N", int(written[:18]), start, end)
        if name == "p":
            entry = self._single.get(written)
            kind, value = entry or ((written if written in self._signs else BREAK), written)
            return Token(kind, value, start, end)
        for pattern, build in self._shapes[int(name[1:]) :]:
            tried = pattern.match(text, start)
            if tried is not None and (entry := build(tried)) is not None:
                return Token(entry[0], entry[1], start, tried.end())
        plain = self._resume.match(text, start)
        return self._token(plain, text) if plain else Token(UNKNOWN, written, start, end)

    def _joined(self, tokens: list[Token], text: str) -> list[Token]:
        """Words that together are an entry of the table become one token."""
        joined: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            phrases = self._phrases.get(_plain(text[token.start : token.end]))
            last, entry = self._phrase(phrases, tokens, i, text) if phrases else (i, None)
            if entry is None:
                joined.append(token)
            else:
                joined.append(Token(entry[0], entry[1], token.start, tokens[last].end))
            i = last + 1
        return joined

    @staticmethod
    def _phrase(
        phrases: list[tuple[list[str], Entry]], tokens: list[Token], at: int, text: str
    ) -> tuple[int, Entry | None]:
        """The last token of the longest phrase that begins here, and its entry."""
        longest = len(phrases[0][0])
        words: list[str] = []
        ends: list[int] = []
        for i in range(at + 1, min(at + 2 * longest + 1, len(tokens))):
            if tokens[i].kind != "-":
                words.append(_plain(text[tokens[i].start : tokens[i].end]))
                ends.append(i)
        for rest, entry in phrases:
            if words[: len(rest)] == rest:
                return ends[len(rest) - 1], entry
        return at, None


def _plain(word: str) -> str:
    """A word as phrases are compared: "King's" and "Kings" are one."""
    return word.replace("'", "").replace("-", " ")


class RunLexer:
    """Tokens of a language without spaces: the longest entry of the table at each place.

    `shapes` as for `WordLexer`; they are tried where an ASCII letter, a digit or one of `starts` stands.
    A character that begins no entry is an unknown token.
    """

    def __init__(
        self,
        words: Mapping[str, Entry],
        shapes: Sequence[Shape],
        signs: str = ",.-/:()+",
        starts: str = "",
    ) -> None:
        self._starts = frozenset(starts)
        self._words = dict(words)
        self._lengths: dict[str, list[int]] = {}
        for text in words:
            lengths = self._lengths.setdefault(text[0], [])
            if len(text) not in lengths:
                lengths.append(len(text))
        for lengths in self._lengths.values():
            lengths.sort(reverse=True)
        self._shapes = [(re.compile(pattern), build) for pattern, build in shapes]
        self._signs = frozenset(signs)

    def lex(self, text: str) -> list[Token]:
        tokens: list[Token] = []
        position = 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            token = self._shape(text, position) or self._entry(text, position)
            tokens.append(token)
            position = token.end
        return tokens

    def _shape(self, text: str, position: int) -> Token | None:
        char = text[position]
        if char not in self._starts and not (char.isascii() and char.isalnum()):
            return None
        for pattern, build in self._shapes:
            match = pattern.match(text, position)
            if match is not None and (entry := build(match)) is not None:
                return Token(entry[0], entry[1], position, match.end())
        return None

    def _entry(self, text: str, position: int) -> Token:
        char = text[position]
        for length in self._lengths.get(char, ()):
            entry = self._words.get(text[position : position + length])
            if entry is not None and position + length <= len(text):
                return Token(entry[0], entry[1], position, position + length)
        if char in _DIGITS:
            end = position
            while end < len(text) and text[end] in _DIGITS:
                end += 1
            return Token("N", int(text[position:end][:18]), position, end)
        return Token(char if char in self._signs else UNKNOWN, char, position, position + 1)
