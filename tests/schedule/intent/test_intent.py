"""What is taken for a wish for later: 300 everyday messages, written before the rule."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.schedule.intent import OFFER, WISH, Asking, judge
from bot.schedule.intent_hints import hinted

NOW = datetime(2026, 12, 2, 13, 53)  # noqa: DTZ001 - on the wall
BY = Asking(NOW)


def messages(lang: str) -> list[tuple[bool, str]]:
    """Whether it is a wish, and the message."""
    lines = Path(__file__).with_name(f"{lang}.txt").read_text(encoding="utf-8").splitlines()
    return [(line[0] == "+", line[2:]) for line in lines]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.pain("32")
def test_wishes_for_later_are_told_from_talk(lang: str) -> None:
    said = messages(lang)
    taken = {text for _, text in said if judge(text, Asking(NOW, lang)).verdict == "wish"}
    wishes = {text for is_wish, text in said if is_wish}
    assert len(said) == 150
    assert len(wishes) == 75
    assert len(taken & wishes) / len(taken) >= 0.99, taken - wishes
    assert len(taken & wishes) / len(wishes) >= 0.95, wishes - taken


@pytest.mark.parametrize("batch", sorted(file.stem for file in Path(__file__).parent.glob("batch_*.txt")))
@pytest.mark.pain("32")
def test_messages_written_after_the_rules_are_told_apart(batch: str) -> None:
    """Each batch was written, and kept, before the rules were measured on it; then they were mended by it."""
    said = messages(batch)
    wishes = {text for is_wish, text in said if is_wish}
    taken = {text for _, text in said if judge(text, BY).verdict == "wish"}
    assert taken - wishes == set()
    assert len(wishes - taken) <= 2, wishes - taken


@pytest.mark.parametrize(
    "text",
    [
        "猫五点叫我",
        "银行三点提醒我还款",
        "发小五点叫我",
        "日历三点会提醒我",
        "小王八点叫我起床",
        "老李九点提醒我们开会",
    ],
)
def test_somebody_before_a_time_is_who_asks(text: str) -> None:
    assert judge(text, BY).verdict == "none"


def test_more_messages_are_told_apart() -> None:
    said = messages("more")
    assert [(is_wish, text) for is_wish, text in said if (judge(text, BY).verdict == "wish") != is_wish] == []


@pytest.mark.parametrize(
    "text",
    [
        "recuérdame mañana a las 5 llamar a mamá",
        "cada lunes a las 9 mándame las noticias",
        "despiértame a las 6",
        "ذكرني غدا الساعة 5 مساء بالاتصال بأمي",
        "أيقظني الساعة 6 صباحا",
        "कल शाम 5 बजे मुझे माँ को फोन करने की याद दिलाना",
        "सुबह 6 बजे मुझे जगा देना",
    ],
)
def test_wishes_of_the_other_languages_are_seen(text: str) -> None:
    assert judge(text, BY).verdict == "wish"


@pytest.mark.parametrize(
    "text",
    [
        "ayer me recordaste la reunión a las 5",
        "¿qué hora es?",
        "كان الاجتماع أمس الساعة 5",
        "कल मीटिंग 5 बजे थी",
        '"remind me at 5" is what he wrote',
    ],
)
def test_talk_of_the_other_languages_is_no_wish(text: str) -> None:
    assert judge(text, BY).verdict == "none"


@pytest.mark.parametrize("text", ["call mum tomorrow at 5pm", "dentist appointment Friday 2pm", "remind me"])
def test_in_doubt_the_reminder_is_offered(text: str) -> None:
    intent = judge(text, BY)
    assert intent.verdict == "offer"
    assert OFFER <= intent.score < WISH


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("tell me to take the bread out in 25", "2026-12-02 14:18"),
        ("wake me by 6", "2026-12-02 18:00"),
        ("remind me at5 to call joe", "2026-12-02 17:00"),
        ("the roast is in, 40 minutes, tell me", "2026-12-02 14:33"),
        ("汤炖着，四十分钟，叫我", "2026-12-02 14:33"),
        ("gonna nap, wake me. 30 min", "2026-12-02 14:23"),
    ],
)
def test_a_bare_number_is_a_time_where_something_is_asked_for(text: str, at: str) -> None:
    assert f"{judge(text, BY).reading.at:%Y-%m-%d %H:%M}" == at


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("Remindme at 5 to rmnd on", "remind me at 5 to rmnd on"),
        ("cud u rmind me at 5", "could u remind me at 5"),
        ("lemme know at 5", "let me know at 5"),
    ],
)
def test_asking_words_typed_in_haste_are_written_out(typed: str, text: str) -> None:
    assert judge(typed, BY).text == text


def test_traditional_characters_ask_like_simplified_ones_and_are_kept() -> None:
    intent = judge("麻煩明天早上八點提醒我繳電費", BY)
    assert (intent.verdict, intent.text) == ("wish", "麻煩明天早上八點提醒我繳電費")


def test_a_timer_counts_from_now() -> None:
    assert judge("set a timer for 10 minutes", BY).reading.at == datetime(2026, 12, 2, 14, 3)  # noqa: DTZ001
    assert judge("定个10分钟的闹钟", BY).reading.at == datetime(2026, 12, 2, 14, 3)  # noqa: DTZ001


def test_the_clause_that_asks_says_the_hour_and_the_one_before_it_the_day() -> None:
    reading = judge("我周五早上六点的飞机，三点半叫我", BY).reading
    assert reading.at == datetime(2026, 12, 4, 3, 30)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("my flight is at 9, wake me at 6", "2026-12-03 06:00"),
        ("i have a meeting at 3 so remind me at 2:50", "2026-12-02 14:50"),
        ("tomorrow at 9, remind me to hand in the report due friday", "2026-12-03 09:00"),
        ("明天九点，提醒我交周五的报告", "2026-12-03 09:00"),
    ],
)
def test_the_time_beside_the_asking_words_counts(text: str, at: str) -> None:
    assert f"{judge(text, BY).reading.at:%Y-%m-%d %H:%M}" == at


def test_only_the_sentence_that_asks_counts_in_a_long_text() -> None:
    talk = "We met at 5 and had a very long talk about nothing in particular. " * 6
    intent = judge(f"{talk}Remind me tomorrow at 9 to write it down. {talk}", BY)
    assert intent.verdict == "wish"
    assert intent.text == "Remind me tomorrow at 9 to write it down."


@given(st.text())
def test_any_text_is_judged(text: str) -> None:
    assert 0 <= judge(text, BY).score <= 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_quick_look_misses_no_wish(lang: str) -> None:
    assert all(hinted(text) for is_wish, text in messages(lang) if is_wish)
