"""The reader of English."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.schedule.when import combine
from bot.schedule.when.clocks import Clock
from bot.schedule.when.en.amounts import AMOUNT_RULES
from bot.schedule.when.en.clocks import CLOCK_RULES, NUMBER_RULES, PART_RULES
from bot.schedule.when.en.dates import DATE_RULES, DAY_NUMBER_RULES, WEEKDAY_RULES
from bot.schedule.when.en.days import DAY_RULES, ORDINAL_RULES
from bot.schedule.when.en.recurrences import EVERY_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.en.words import WORDS, ZONES
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.shapes import NUMERIC_SHAPES
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import UNKNOWN, Entry, Shape, Token, WordLexer, fold

_MONTHS = "|".join(sorted((word for word, (kind, _) in WORDS.items() if kind == "M"), key=len, reverse=True))
_UNITS = "|".join(
    sorted((word for word, (kind, _) in WORDS.items() if kind in "Uu" and word.isalpha()), key=len, reverse=True)
)
_SUFFIX = rf"(?:{_UNITS}|st|nd|rd|th|am|pm|a|p|ish|x)"
# Letters and figures in one word that are no code.
_KNOWN = re.compile(
    rf"(?:\d+{_SUFFIX})+|(?:{_MONTHS})\d{{1,4}}(?:st|nd|rd|th)?|\d{{1,2}}(?:{_MONTHS})\d{{0,4}}"
)


def _code(match: re.Match[str]) -> Entry | None:
    return None if _KNOWN.fullmatch(match.group()) else (UNKNOWN, "")


def _ordinal(match: re.Match[str]) -> Entry | None:
    return "O", int(match.group()[:-2])


def _half(match: re.Match[str]) -> Entry | None:
    return "p", "am" if match.group()[0] == "a" else "pm"


def _ish(match: re.Match[str]) -> Entry | None:
    return "~", "ish"


def _hour(match: re.Match[str]) -> Entry | None:
    hour = int(match.group()[:-1])
    return ("5", Clock(hour, fixed=True)) if hour <= 24 else None


_SHAPES: tuple[Shape, ...] = (
    *NUMERIC_SHAPES,
    (r"(?<![^\W_])(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]{2,}", _code),
    (r"(?<!\d)\d{1,3}(?:st|nd|rd|th)(?![^\W_])", _ordinal),
    (r"(?<![\w.,/])\d{1,2}h(?![^\W_])", _hour),
    (r"(?<![^\W\d_])[ap](?:\s?\.)?\s?m(?:\s?\.|(?![^\W_]))", _half),
    (r"(?<=\d)[ap](?![^\W_])", _half),
    (r"(?<=\d)-?ish(?![^\W_])", _ish),
)
_ZONES: dict[str, Entry] = {name: ("Z", ZoneInfo(zone) if zone else None) for name, zone in ZONES.items()}
_LEXER = WordLexer({**_ZONES, **WORDS}, _SHAPES)
_RULES = (
    *NUMBER_RULES,
    *WEEKDAY_RULES,
    *ORDINAL_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *AMOUNT_RULES,
    *DATE_RULES,
    *DAY_NUMBER_RULES,
    *DAY_RULES,
    *RECURRENCE_RULES,
)
# Small words hold together what stands around them.
_GLUE = frozenset("toi@r,-()f.")
_LOOSE = frozenset("?&:")
_LEAD_IN = re.compile(
    r"^(?:(?:please|pls|hey|hi|ok|okay|can you|could you|would you|will you)[\s,]+)*"
    r"(?:(?:remind|tell|notify|alert|ping|wake|message|text|call)\s+(?:me|us)(?:\s+up)?(?:\s+(?:to|that|about|of|for))?"
    r"|set (?:a|an) (?:reminder|alarm|timer)(?:\s+(?:to|for|about))?|(?:add|create) (?:a )?reminder(?:\s+(?:to|for))?"
    r"|don't let me forget(?:\s+to)?|remember(?:\s+to)?|reminder(?:\s*:|\s+to)?)(?:[\s,:]+|$)",
    re.IGNORECASE,
)
_DANGLING = re.compile(r"[\s,;:-]+(?:on|at|in|for|by|from|every|around|the|to|and)?[\s,;:-]*$", re.IGNORECASE)


class _English:
    lang = "en"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        tokens = _without_stops(_LEXER.lex(text))
        tokens = fold(_RULES, tokens, text, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, text, asked)
        if not any(token.kind in "DTRS" for token in tokens):
            tokens = fold(PART_RULES, tokens, text, asked)
        return combine.readings([_glue(token) for token in tokens], asked)

    def task(self, before: str, after: str) -> str:
        return cleaned(before, after, _LEAD_IN, _DANGLING)


def _without_stops(tokens: list[Token]) -> list[Token]:
    """Without the full stops of abbreviations ("Mon.", "Oct. 2")."""
    return [
        token
        for token, before in zip(tokens, (None, *tokens), strict=False)
        if not (token.kind == "." and before is not None and before.kind in "MWwpU" and before.end == token.start)
    ]


def _glue(token: Token) -> Token:
    if token.kind in _GLUE:
        return replace(token, kind="f")
    return replace(token, kind="?") if token.kind in _LOOSE else token


READER = _English()
