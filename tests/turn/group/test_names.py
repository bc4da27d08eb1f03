"""Names learned in a chat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.turn.group import Bot, names
from tests.turn.group.talk import Talk

NAMELESS = Bot("helper_x_bot", "Helper")


def test_a_name_the_bot_is_given_counts_at_once() -> None:
    talk = Talk(NAMELESS)
    talk.hear("Ann", "@helper_x_bot I'll call you Greenie")
    assert talk.state.learned_aliases == ("greenie",)
    assert talk.hear("Ben", "Greenie, what day is it?", after=900).decision == "respond"


def test_a_word_of_every_day_that_it_is_given_for_a_name_calls_it_where_it_stands_as_a_name() -> None:
    talk = Talk(NAMELESS)
    talk.hear("Ann", "@helper_x_bot I'll call you Biscuit from now on")
    assert talk.hear("Ben", "Biscuit, what day is it?", after=900).decision == "respond"
    assert talk.hear("Ben", "who ate the last biscuit?", after=900).decision != "respond"


def test_a_name_beside_a_mention_counts_when_it_is_seen_twice() -> None:
    talk = Talk(NAMELESS)
    talk.hear("小美", "小绿，@helper_x_bot 明天下雨吗？")
    assert talk.hear("小美", "小绿 帮我看下", after=900).decision != "respond"
    talk.hear("小美", "@helper_x_bot 小绿，后天呢？", after=900)
    assert talk.hear("阿强", "小绿 帮我看下", after=900).decision == "respond"


@pytest.mark.pain("24")
@pytest.mark.parametrize(
    "text",
    [
        "@helper_x_bot please, one more", "@helper_x_bot so, what now", "hey, @helper_x_bot hi",
        "@helper_x_bot 今天，天气",
        "@helper_x_bot Ben, who is that?", "@helper_x_bot I'll call you later",
        "@helper_x_bot you are called what?",
    ],
)  # fmt: skip
def test_words_and_names_of_people_are_never_learned(text: str) -> None:
    talk = Talk(NAMELESS)
    talk.hear("Ben", "hello")
    for _ in range(3):
        talk.hear("Ann", text)
    assert talk.state.learned_aliases == ()


def test_a_name_is_not_learned_from_talk_without_the_bot() -> None:
    talk = Talk(NAMELESS)
    for _ in range(3):
        talk.hear("小美", "老王，吃了吗？")
    assert talk.state.learned_aliases == ()


def test_a_learned_name_can_be_forgotten() -> None:
    talk = Talk(NAMELESS)
    talk.hear("Ann", "@helper_x_bot your name is Pip")
    assert talk.state.forget_alias("Pip")
    assert not talk.state.forget_alias("Pip")
    assert talk.hear("Ann", "Pip, what's up?", after=900).decision != "respond"


def test_no_more_than_twenty_four_names_are_kept() -> None:
    talk = Talk(NAMELESS)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        talk.hear("Ann", f"@helper_x_bot your name is Zip{letter}")
    assert len(talk.state.learned_aliases) == names.MAX_ALIASES


@pytest.mark.parametrize(
    "text, name",
    [
        ("call me Al", "Al"), ("Please call me Big Al", "Big"), ("my name is Mia", "Mia"),
        ("请叫我阿强", "阿强"),
        ("以后叫我小强就好", "小强"), ("我叫李雷", "李雷"), ("别叫我老李，叫我小李", "小李"),
        ("I'm Eve", "Eve"),
        ("not Bob, I am Rob and I have been here for quite a while", "Rob"),
        ("call me later", ""), ("call me when you are home", ""), ("I'm tired", ""), ("I am going", ""),
        ("我是来问问题的", ""), ("叫我起床", ""), ("考了60分叫我怎么开心", ""), ("hello", ""),
        ("I am Rob and I have been here for quite a while", ""),
    ],
)  # fmt: skip
def test_a_wish_for_a_name_is_heard(text: str, name: str) -> None:
    assert names.preferred_name(text) == name


def test_a_preferred_name_calls_its_bearer() -> None:
    talk = Talk()
    talk.hear("Benjamin", "call me Al")
    assert talk.state.preferred_names == {"Benjamin": "Al"}
    verdict = talk.hear("Ann", "Al, are you there?")
    assert verdict.decision == "ignore"
    assert "Al" in verdict.reasons[0]


@given(st.text(max_size=60))
def test_any_text_can_be_searched_for_names(text: str) -> None:
    assert len(names.preferred_name(text)) <= names.LONGEST_NAME
    assert len(names.given_alias(text)) <= names.LONGEST_ALIAS
    assert len(names.alias_beside(f"@x {text}", "x", replied=False)) <= names.LONGEST_ALIAS
