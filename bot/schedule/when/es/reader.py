"""The reader of Spanish."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.schedule.when import combine
from bot.schedule.when.es.clocks import AMOUNT_RULES, CLOCK_RULES, NUMBER_RULES, PART_RULES
from bot.schedule.when.es.days import DATE_RULES, DAY_RULES, ORDINAL_RULES, WEEKDAY_RULES
from bot.schedule.when.es.holidays import FEASTS
from bot.schedule.when.es.recurrences import EVERY_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.es.words import WORDS, ZONES
from bot.schedule.when.latin.lexing import glued, shapes, without_stops
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import Entry, WordLexer, fold

_ZONES: dict[str, Entry] = {name: ("Z", ZoneInfo(zone) if zone else None) for name, zone in ZONES.items()}
_ORDINAL = r"\.?[ºª°]|(?<=(?<!\d)[13])(?:ro|er)|(?<=(?<!\d)2)do"
_LEXER = WordLexer({**FEASTS, **_ZONES, **WORDS}, shapes(WORDS, "am|pm|a|p|½", _ORDINAL, fixed_hours=False))
_RULES = (
    *NUMBER_RULES,
    *ORDINAL_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *WEEKDAY_RULES,
    *AMOUNT_RULES,
    *DATE_RULES,
    *DAY_RULES,
    *RECURRENCE_RULES,
)
_GLUE = frozenset("toi@4,-()fq")
_LOOSE = frozenset("?&:A")
_PLAIN = str.maketrans("áéíóúüñ", "aeiouun")
_LEAD_IN = re.compile(
    r"^(?:(?:por favor|oye|hola|puedes|podrías|podrias)[\s,]+)*"
    r"(?:(?:recu[ée]rda|av[íi]sa|record[áa]|av[íi]s[áa]|despi[ée]rta)(?:me|nos)(?:\s+(?:que|de|a|para))?"
    r"|recordarme(?:\s+(?:que|de))?|(?:pon|crea)(?:me)? (?:un )?(?:recordatorio|alarma)(?:\s+(?:para|de))?"
    r"|no me dejes olvidar|recordatorio:?)(?:[\s,:]+|$)",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:(?:^|[\s,;:-]+)(?:el|la|los|las|en|a|al|por|para|de|y|hasta|desde))*[\s,;:-]*$", re.IGNORECASE
)


class _Spanish:
    lang = "es"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        text = text.translate(_PLAIN)
        if asked.day_first is None:
            asked = replace(asked, day_first=True)
        tokens = fold(_RULES, without_stops(_LEXER.lex(text)), text, asked)
        kinds = {token.kind for token in tokens}
        if "R" in kinds:
            tokens = fold(LIMIT_RULES, tokens, text, asked)
        elif kinds.isdisjoint("DTS"):
            tokens = fold(PART_RULES, tokens, text, asked)
        return combine.readings(glued(tokens, _GLUE, _LOOSE), asked)

    def task(self, before: str, after: str) -> str:
        return cleaned(before, after, _LEAD_IN, _DANGLING)


READER = _Spanish()
