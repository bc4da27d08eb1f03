"""The reader of English."""

import re
from zoneinfo import ZoneInfo

from bot.schedule.when import combine
from bot.schedule.when.en.amounts import AMOUNT_RULES
from bot.schedule.when.en.clocks import CLOCK_RULES, MEAL_RULES, NUMBER_RULES, PART_RULES
from bot.schedule.when.en.dates import DATE_RULES, DAY_NUMBER_RULES, WEEKDAY_RULES
from bot.schedule.when.en.days import DAY_RULES, ORDINAL_RULES
from bot.schedule.when.en.holidays import FEASTS
from bot.schedule.when.en.recurrences import DAYS_AHEAD_RULES, EVERY_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.en.words import WORDS, ZONES
from bot.schedule.when.latin.lexing import glued, shapes, without_stops
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import UNKNOWN, Entry, Shape, WordLexer, fold


def _ish(match: re.Match[str]) -> Entry | None:
    return "~", "ish"


def _at(match: re.Match[str]) -> Entry | None:
    return "@", "at"


def _no_time(match: re.Match[str]) -> Entry | None:
    return UNKNOWN, ""


_SHAPES: tuple[Shape, ...] = (
    *shapes(WORDS, "am|pm|a|p|ish|x|½", "st|nd|rd|th", fixed_hours=True),
    # an alarm for six o'clock; one for ten minutes is none
    (
        r"(?:alarms?|wake[- ]?up call) for(?=\s(?:1[0-2]|[1-9])(?![\w.:/])"
        r"(?!\s*-?(?:h|hours?|hrs?|m|minutes?|mins?|s|seconds?|secs?|days?|weeks?)(?![a-z])))",
        _at,
    ),
    # 12 Elm Street
    (r"\d+\s[a-z]+\s(?:street|st|avenue|ave|road|rd|lane|drive|boulevard|blvd)(?![^\W_])", _no_time),
    (r"(?<=\d)-?ish(?![^\W_])", _ish),
)
_ZONES: dict[str, Entry] = {name: ("Z", ZoneInfo(zone) if zone else None) for name, zone in ZONES.items()}
_LEXER = WordLexer({**FEASTS, **_ZONES, **WORDS}, _SHAPES)
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
_GLUE = frozenset("toi@r,-()f")
_LOOSE = frozenset("?&:")
_LEAD_IN = re.compile(
    r"^(?:(?:please|pls|hey|hi|ok|okay|can you|could you|would you|will you)[\s,]+)*"
    r"(?:(?:remind|tell|notify|alert|ping)\s+(?:me|us)"
    r"(?:\s+(?:to|that|about|of|for))?"
    r"|set (?:a|an) (?:reminder|alarm|timer)(?:\s+(?:to|for|about))?"
    r"|(?:add|create) (?:a )?reminder(?:\s+(?:to|for))?"
    r"|don't let me forget(?:\s+to)?|remember(?:\s+to)?|reminder(?:\s*:|\s+to)?)(?:[\s,:]+|$)",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:(?:^|[\s,;:-]+)(?:on|at|in|for|by|from|until|till|every|around|about|the|to|and|starting))*[\s,;:-]*$",
    re.IGNORECASE,
)


class _English:
    lang = "en"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        tokens = without_stops(_LEXER.lex(text))
        tokens = fold(_RULES, tokens, text, asked)
        kinds = {token.kind for token in tokens}
        if "3" in kinds and "T" not in kinds:
            tokens = fold(MEAL_RULES, tokens, text, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, text, asked)
        else:
            tokens = fold(DAYS_AHEAD_RULES, tokens, text, asked)
        if not any(token.kind in "DTRS" for token in tokens):
            tokens = fold(PART_RULES, tokens, text, asked)
        return combine.readings(glued(tokens, _GLUE, _LOOSE), asked)

    def task(self, before: str, after: str) -> str:
        return cleaned(before, after, _LEAD_IN, _DANGLING)


READER = _English()
