"""What the bot says in its own voice, in the reader's language."""

import re
import tomllib
from functools import cache
from importlib import resources

# The first subtag of a language code -> file. Anything else is answered in English.
LOCALES = ("en", "zh", "es", "hi", "ar")
# What each language is called by those who speak it.
NATIVE_NAMES = {"en": "English", "zh": "中文", "es": "Español", "hi": "हिन्दी", "ar": "العربية"}

_PLACE = re.compile(r"\{(\w+)\}")


def language(code: str) -> str:
    """The catalogue's language for a code such as `zh-hans-CN`, `en_US` or an Accept-Language header."""
    for item in code.replace("_", "-").split(","):
        first = item.strip().split(";")[0].split("-")[0].lower()
        if first in LOCALES:
            return first
    return "en"


@cache
def texts(locale: str) -> dict[str, str]:
    """All texts of one language, keyed `section.name`."""
    raw = resources.files("bot.i18n").joinpath(f"locales/{locale}.toml").read_text(encoding="utf-8")
    return {
        f"{section}.{name}": text
        for section, names in tomllib.loads(raw).items()
        for name, text in names.items()
    }


def translate(key: str, locale: str, **values: object) -> str:
    """The text of `key` in the language of `locale`, with `{name}` places filled in.

    A value is put in as it stands and never read as a format.
    """
    text = texts(language(locale))[key]
    return _PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)
