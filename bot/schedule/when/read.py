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
# Small words that tell English and Spanish apart.
_SPANISH = re.compile(
    r"\b(?:el|la|los|las|del|de|que|en|cada|es|un|una|por|para|con|al|este|esta|mi|me|y|hoy|todos|pr\u00f3ximo|dentro)\b"
)
_ENGLISH = re.compile(
    r"\b(?:the|of|to|at|on|in|every|each|is|an?|for|with|this|my|me|and|next|from|i|you|it)\b"
)
# How many more of the other language's small words outweigh a hint.
_CLEARLY = 2
_DAY_FIRST = ("en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za", "en-sg")
_ORDERS = {**dict.fromkeys(_DAY_FIRST, True), "en-us": False}
_OF_ANOTHER_LANGUAGE = 0.9  # a reading in a language that was not hinted at must be clearly better


def read(
    text: str,
    now: datetime,
    lang: str | None = None,
    zone: tzinfo | None = None,
    day_first: bool | None = None,
) -> Reading:
    """What `text` says about time, seen at `now` (local, without zone).

    `lang` is a hint ("es", "zh-hans", "en-GB"); its region says how dates are written where `day_first`
    does not. A text without a time gives a reading of kind "none".
    """
    if now.tzinfo is not None:
        raise ValueError("now is a local time without zone")
    plain = normalise(text[:MAX_CHARS])
    order = _ORDERS.get((lang or "").lower().replace("_", "-")) if day_first is None else day_first
    asked = Asked(now, zone, order)
    best: Reading = NOTHING
    for language in languages(plain, lang):
        try:
            found = READERS[language].find(plain, asked)
        except OverflowError:  # beyond the calendar
            found = [Reading("none", refused="impossible")]
        if found and (best is NOTHING or found[0].confidence * _OF_ANOTHER_LANGUAGE > best.confidence):
            best = replace(found[0], lang=language)
    return best


def languages(text: str, hint: str | None = None) -> list[str]:
    """The languages to try, likeliest first: the hint, then what the script and the words look like."""
    base = (hint or "").lower().replace("_", "-").split("-")[0]
    likely = [language for language, letters in _SCRIPTS if letters.search(text)]
    if not likely or _LATIN.search(text) or text.isascii():
        likely += _latin_languages(text, base)
    likely = [language for language in likely if language in READERS]
    return likely if base in likely or base not in READERS else [base, *likely]


def _latin_languages(text: str, hint: str) -> tuple[str, ...]:
    """English and Spanish, the likelier first; only the hinted one unless the words speak against it."""
    more_spanish = len(_SPANISH.findall(text)) - len(_ENGLISH.findall(text))
    order = ("es", "en") if more_spanish > 0 else ("en", "es")
    if hint in order and (hint == order[0] or abs(more_spanish) < _CLEARLY):
        return (hint,)
    return order


def task_of(text: str, reading: Reading) -> str:
    """What is to be done: the text without its time and without "remind me to"."""
    start, end = reading.span
    if reading.kind == "none" or reading.lang not in READERS:
        return text.strip()
    reader = READERS[reading.lang]
    task = text[:start]
    for first, last in reading.gaps:
        task = reader.task(task, text[first:last])
    return reader.task(task, text[end:])
