"""The reader of Arabic, for the common forms."""

import re
from dataclasses import replace

from bot.schedule.when import combine, marks
from bot.schedule.when.ar.clocks import AMOUNT_RULES, CLOCK_RULES, NUMBER_RULES, PART_RULES
from bot.schedule.when.ar.days import DATE_RULES, DAY_RULES, WEEKDAY_RULES
from bot.schedule.when.ar.recurrences import EVERY_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.ar.spelling import MARKS, parts, plain
from bot.schedule.when.ar.words import WORDS
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.shapes import NUMERIC_SHAPES
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import Token, WordLexer, fold

_LEXER = WordLexer(WORDS, NUMERIC_SHAPES)
_RULES = (
    *NUMBER_RULES,
    *WEEKDAY_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *AMOUNT_RULES,
    *DATE_RULES,
    *DAY_RULES,
    *RECURRENCE_RULES,
)
_GLUE = frozenset("fi,-()@.")
_LOOSE = frozenset("&:U")
_LEAD_IN = re.compile(
    r"^(?:من فضلك|رجاء|لو سمحت|ذك[ّ]?رني|ذكريني|نب[ّ]?هني|أيقظني|اتصل بي|أخبرني|بأن|أن|ب(?=\s)|عن|لا تنس"
    r"|تذكر)[\s,،:]+"
)
_DANGLING = re.compile(r"(?:^|[\s,،]+)(?:في|من|إلى|الى|كل|يوم|عند|و)?[\s,،]*$")


class _Arabic:
    lang = "ar"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        shortened, kept = marks.without(plain(text), MARKS)
        found = [part for token in _LEXER.lex(shortened) for part in parts(token, WORDS)]
        tokens = fold(_RULES, found, shortened, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, shortened, asked)
        if not any(token.kind in "DTRS" for token in tokens):
            tokens = fold(PART_RULES, tokens, shortened, asked)
        return combine.readings(marks.moved_back([_glue(token) for token in tokens], kept), asked)

    def task(self, before: str, after: str) -> str:
        return cleaned(before, after, _LEAD_IN, _DANGLING)


def _glue(token: Token) -> Token:
    if token.kind in _GLUE:
        return replace(token, kind="f")
    return replace(token, kind="?") if token.kind in _LOOSE else token


READER = _Arabic()
