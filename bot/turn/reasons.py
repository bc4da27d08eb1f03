"""The reasons of a judgement in the language of who asks for them.

They are kept as they are made, in English; the English catalogue is what they are recognised by.
"""

import re
from functools import cache

from bot.i18n.catalogue import language, texts, translate
from bot.text.lazy import Pattern

_SECTION = "reason."
_PLACE = Pattern(r"\\\{(\w+)\\\}")
_NESTED = "how"  # a place that holds a reason itself


def told(reason: str, locale: str) -> str:
    """A reason in a language; one that nobody wrote down stays as it is."""
    if language(locale) == "en":
        return reason
    for key, pattern in _patterns():
        if match := pattern.fullmatch(reason):
            found = match.groupdict()
            values = {
                name: told(value, locale) if name == _NESTED else _named(value, locale)
                for name, value in found.items()
            }
            return translate(key, locale, **values)
    return reason


def is_known(reason: str) -> bool:
    """Whether a reason can be told in every language."""
    return any(pattern.fullmatch(reason) for _, pattern in _patterns())


def _named(value: str, locale: str) -> str:
    """The names in a reason; the bot and the room have none of their own."""
    for key in ("reason.bot", "reason.room"):
        value = re.sub(rf"\b{texts('en')[key]}\b", translate(key, locale), value)
    return value


@cache
def _patterns() -> list[tuple[str, Pattern]]:
    """Fixed texts first: a place takes anything."""
    known = [(key, text) for key, text in texts("en").items() if key.startswith(_SECTION)]
    known.sort(key=lambda item: (item[1].count("{"), -len(item[1])))
    return [(key, Pattern(_PLACE.sub(r"(?P<\1>.+?)", re.escape(text)), re.DOTALL)) for key, text in known]
