"""Why it answered or was silent is told in the language of who asks."""

import pytest

from bot.i18n.catalogue import LOCALES, texts
from bot.turn.group.explain import explain
from bot.turn.reasons import is_known, told
from tests.turn.group.moments import moments

SEEN = sorted({reason for _, _, moment in moments() for reason in explain(moment).reasons})


def test_every_reason_of_the_moments_can_be_told_in_every_language() -> None:
    assert [reason for reason in SEEN if not is_known(reason)] == []
    assert len(SEEN) > 100


@pytest.mark.parametrize("locale", [one for one in LOCALES if one != "en"])
def test_no_english_is_left_but_names(locale: str) -> None:
    english = [text for key, text in texts("en").items() if key.startswith("reason.") and "{" not in text]
    left = [told(text, locale) for text in english]
    assert not set(left) & set(english)


def test_names_and_numbers_stand_where_they_belong() -> None:
    assert told("likely for Mia 0.83, the room 0.10, the bot 0.08", "zh") == (
        "可能是说给 Mia 0.83, 所有人 0.10, 机器人 0.08"
    )
    assert told("for Ben: named at the start 'ben'", "es") == "para Ben: nombrado al principio 'ben'"
    assert told("a reply to the bot", "ar") == "رد على البوت"


def test_what_nobody_wrote_down_stays_as_it_is() -> None:
    assert told("the moon is full", "zh") == "the moon is full"
    assert told("asks", "en") == "asks"
