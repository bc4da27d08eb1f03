"""The bot's own voice: every text in every language, and the right language for every code."""

import re
import unicodedata

import pytest

from bot.i18n.catalogue import LOCALES, NATIVE_NAMES, language, texts, translate

SCRIPTS = {"zh": "CJK", "hi": "DEVANAGARI", "ar": "ARABIC"}


def letters_of(text: str) -> list[str]:
    """The scripts of a text's letters, places and commands left out."""
    plain = re.sub(r"\{\w+\}|/\w+.*|@\w+", "", text)
    return [unicodedata.name(char, "").split()[0] for char in plain if char.isalpha()]


@pytest.mark.parametrize("locale", [locale for locale in LOCALES if locale in SCRIPTS])
def test_texts_are_written_in_the_script_of_their_language(locale: str) -> None:
    for key, text in texts(locale).items():
        scripts = letters_of(text)
        assert not scripts or SCRIPTS[locale] in {script.split("-")[0] for script in scripts}, key


@pytest.mark.parametrize("locale", [locale for locale in LOCALES if locale != "en"])
def test_hardly_a_text_is_left_in_english(locale: str) -> None:
    english = texts("en")
    same = {key for key, text in texts(locale).items() if text == english[key] and letters_of(text)}
    assert same <= {"command.people_line", "command.why_line"}


@pytest.mark.parametrize("locale", LOCALES)
def test_commands_and_names_of_settings_are_the_same_in_every_language(locale: str) -> None:
    for key, text in texts("en").items():
        named = set(re.findall(r"/[a-z]+\b", text))
        assert named == set(re.findall(r"/[a-z]+\b", texts(locale)[key])), key


def test_every_language_has_a_name_of_its_own() -> None:
    assert set(NATIVE_NAMES) == set(LOCALES)
    assert len(set(NATIVE_NAMES.values())) == len(LOCALES)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en-US", "en"),
        ("zh-CN", "zh"),
        ("hi-IN", "hi"),
        ("es-ES", "es"),
        ("ar", "ar"),
        ("es-419", "es"),
        ("ar_EG", "ar"),
        ("pt-BR,es;q=0.7", "es"),
        ("fr", "en"),
    ],
)
def test_the_locales_of_the_configuration_and_of_channels_find_their_catalogue(
    code: str, expected: str
) -> None:
    assert language(code) == expected
    assert translate("command.stopped", code) == texts(expected)["command.stopped"]


@pytest.mark.parametrize("locale", LOCALES)
def test_what_stands_in_menus_and_on_buttons_is_short(locale: str) -> None:
    for key, text in texts(locale).items():
        if key.startswith("command.help_"):
            assert len(text) <= 100, key
        if key.startswith(("settings.button_", "button.")) or key in {"access.allow", "access.ignore"}:
            assert len(text) <= 50, key
