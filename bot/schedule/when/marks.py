"""Texts without their marks (vowel signs that writers leave out), and the way back to the original."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.schedule.when.tokens import Token


def without(text: str, marks: "re.Pattern[str]") -> tuple[str, list[int]]:
    """The text without the characters that `marks` matches, and where in `text` each that is left stood."""
    kept = [i for i, char in enumerate(text) if not marks.match(char)]
    return "".join([text[i] for i in kept]), kept


def moved_back(tokens: Sequence[Token], kept: Sequence[int]) -> list[Token]:
    """Tokens of the shortened text at their places in the original."""
    return [replace(token, start=kept[token.start], end=kept[token.end - 1] + 1) for token in tokens]
