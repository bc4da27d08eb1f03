"""The reader of Hindi, for the common forms."""

import re
from dataclasses import replace

from bot.schedule.when import combine, marks
from bot.schedule.when.clocks import Clock
from bot.schedule.when.hi.clocks import AMOUNT_RULES, CLOCK_RULES, NUMBER_RULES, PART_RULES
from bot.schedule.when.hi.days import DATE_RULES, DAY_RULES
from bot.schedule.when.hi.recurrences import EVERY_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.hi.words import WORDS
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.shapes import NUMERIC_SHAPES
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import UNKNOWN, Entry, Shape, Token, WordLexer, fold

# The dot below letters of foreign words, and the joiners: writers leave them out.
_MARKS = re.compile(r"[\u093c\u200b-\u200d]")
_LETTERS = str.maketrans("\u0901\u0958\u0959\u095a\u095b\u095c\u095d\u095e", "\u0902कखगजडढफ")
_WORD = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u097f])+"


def _spaced_colon(match: re.Match[str]) -> Entry | None:
    hour, minute = (int(part) for part in match.group().split(":"))
    return ("T", Clock(hour, minute)) if hour <= 24 and minute < 60 else None


_ENDING = re.compile(r"व[ािीे]ं?$")
_SHAPES: tuple[Shape, ...] = (*NUMERIC_SHAPES, (r"(?<![\d:])\d{1,2}:\s\d{2}(?![\d:])", _spaced_colon))
_LEXER = WordLexer(WORDS, _SHAPES, word=_WORD, signs=",.-/:()+&@")
_RULES = (
    *NUMBER_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *AMOUNT_RULES,
    *DATE_RULES,
    *DAY_RULES,
    *RECURRENCE_RULES,
)
_GLUE = frozenset("firz,-().@")
_LOOSE = frozenset("&:Al")
_LEAD_IN = re.compile(
    r"^(?:कृपया|मुझे|हमें|याद दिलाना|याद दिलाएं|याद दिला देना|बताना|कि|के लिए|को|पर|में|तक|से)(?:[\s,]+|$)"
)
_TRAILING = re.compile(
    r"\s*(?:की |के लिए |का )?(?:मुझे )?(?:याद दिला(?:ना|एं|ओ|इए| देना| दो)|बता देना|बताना)[\s।.!]*$"
)
_DANGLING = re.compile(r"[\s,]+(?:को|पर|में|के|की|से)?[\s,]*$")


def _ordinal(token: Token) -> Token:
    """चौबीसवीं: a number with the ending of an ordinal."""
    if token.kind != UNKNOWN or not isinstance(token.value, str) or not _ENDING.search(token.value):
        return token
    entry = WORDS.get(_ENDING.sub("", token.value))
    return replace(token, kind="O", value=entry[1]) if entry and entry[0] == "N" else token


class _Hindi:
    lang = "hi"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        shortened, kept = marks.without(text.translate(_LETTERS), _MARKS)
        tokens = [_ordinal(token) for token in _LEXER.lex(shortened)]
        tokens = fold(_RULES, tokens, shortened, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, shortened, asked)
        if not any(token.kind in "DTRS" for token in tokens):
            tokens = fold(PART_RULES, tokens, shortened, asked)
        return combine.readings(marks.moved_back([_glue(token) for token in tokens], kept), asked)

    def task(self, before: str, after: str) -> str:
        return _TRAILING.sub("", cleaned(before, after, _LEAD_IN, _DANGLING)).strip()


def _glue(token: Token) -> Token:
    if token.kind in _GLUE:
        return replace(token, kind="f")
    return replace(token, kind="?") if token.kind in _LOOSE else token


READER = _Hindi()
