"""Reading the time in a text: the one door of this package."""

import re
from dataclasses import replace
from datetime import datetime, tzinfo

from bot.schedule.when.digits import normalise
from bot.schedule.when.reading import NOTHING, Asked, Reading
from bot.schedule.when.registry import READERS

# Longer texts are cut: nobody's wish has its time after this many characters, and reading stays quick.
MAX_CHARS = 2000

_SCRIPTS = (
    ("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")),
    ("ar", re.compile(r"[\u0600-\u06ff\u0750-\u077f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_LATIN = re.compile(r"[a-z\u00e0-\u024f]")
_LATIN_LANGUAGES = ("en", "es")
_OF_ANOTHER_LANGUAGE = 0.9  # a reading in a language that was not hinted at must be clearly better


def read(
    text: str,
    now: datetime,
    lang: str | None = None,
    zone: tzinfo | None = None,
    day_first: bool | None = None,
) -> Reading:
    """What `text` says about time, seen at `now` (local, without zone).

    `lang` is a hint ("es", "zh-hans"). A text without a time gives a reading of kind "none".
    """
    if now.tzinfo is not None:
        raise ValueError("now is a local time without zone")
    plain = normalise(text[:MAX_CHARS])
    asked = Asked(now, zone, day_first)
    best: Reading = NOTHING
    for language in languages(plain, lang):
        found = READERS[language].find(plain, asked)
        if found and (best is NOTHING or found[0].confidence * _OF_ANOTHER_LANGUAGE > best.confidence):
            best = replace(found[0], lang=language)
    return best


def languages(text: str, hint: str | None = None) -> list[str]:
    """The languages to try, likeliest first: the hint, then what the script and the words look like."""
    base = (hint or "").lower().replace("_", "-").split("-")[0]
    likely = [language for language, letters in _SCRIPTS if letters.search(text)]
    if not likely or _LATIN.search(text) or text.isascii():
        likely += _LATIN_LANGUAGES
    chosen = [base] if base in READERS else []
    if chosen and base in likely:
        likely = [language for language in likely if language not in _LATIN_LANGUAGES or language == base]
    return [*chosen, *(language for language in likely if language in READERS and language not in chosen)]


def task_of(text: str, reading: Reading) -> str:
    """What is to be done: the text without its time and without "remind me to"."""
    start, end = reading.span
    if reading.kind == "none" or reading.lang not in READERS:
        return text.strip()
    return READERS[reading.lang].task(text[:start], text[end:])
