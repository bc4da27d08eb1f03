"""Who a text calls by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.turn.group.address import Address, read_address
from bot.turn.group.records import OURS
from bot.turn.group.roster import Roster


def roster(*aliases: str) -> Roster:
    known = Roster()
    known.add_handle("donkey_bot", OURS)
    for name in ("Donkey", "小驴", *aliases):
        known.add(name, OURS)
    for name in ("Ann", "Ben Miller", "José", "Will", "小明", "Анна"):
        known.add(name, name)
    known.add_handle("annie99", "Ann")
    return known


def read(text: str, *aliases: str) -> Address:
    return read_address(text, roster(*aliases))


@pytest.mark.pain("15")
@pytest.mark.parametrize(
    "text",
    [
        "@donkey_bot hi", "hi @DONKEY_BOT", "(@Donkey_Bot)", "@donkey_bot你好", "<@donkey_bot> hi",
        "ok,@donkey_bot!",
        "DONKEY, hi", "donkey: hi", "Donkey - help", "hi donkey", "ok donkey so what now",
        "what now, Donkey?",
        "Donkey can you help", "Donkey is it late", "is it late donkey", "Ann, Donkey: hello you two",
        "小驴", "小驴，在吗", "小驴帮我查", "小驴你说", "小驴小驴，来", "好的，小驴你说", "几点了小驴",
        "小驴今天几号？",
        "Donkey帮我", "请问小驴，几点了",
        "小驴九点提醒我开会", "小驴明早七点叫我起床", "小驴周五下午三点提醒大家开会", "小驴十分钟后喊我",
        "Donkey tonight at 9 remind us", "Donkey earlier you said 5?",
    ],
)  # fmt: skip
def test_a_call_of_the_bot_is_heard(text: str) -> None:
    assert read(text).calls_us, text


@pytest.mark.pain("15")
@pytest.mark.parametrize(
    "text",
    [
        "@donkey_bot_test hi", "me@donkey_bot.org", "t.me/@donkey_bot", "@donkey_botx",
        "donkeys are nice", "ask Donkey",
        "Donkey is slow", "Donkey told me", "Donkey's answer", "the donkey", "I like donkey and Ann",
        "monkey, donkeys",
        "小驴好慢", "小驴说得对", "问小驴", "我家小驴会跳舞", "小驴的回答", "小驴肉火烧",
        "你们觉得小驴怎么样？", "小驴怎么不说话了？",
        "Donkey今天好慢", "Donkey? it's ok",
        "小驴昨天提醒我了", "小驴上周提醒我交房租", "小驴每天提醒我吃药，真好",
        "Donkey tonight was great", "Donkey yesterday told me a joke",
    ],
)  # fmt: skip
def test_talk_about_the_bot_calls_it_not(text: str) -> None:
    assert not read(text).calls_us, text


@pytest.mark.pain("24")
@pytest.mark.parametrize(
    "text",
    ["let's start", "the art of war", "art is long", "a smart party", "I love art", "modern art, really?"],
)
def test_a_name_inside_other_words_or_as_a_word_is_no_call(text: str) -> None:
    assert not read(text, "art").calls_us


@pytest.mark.parametrize(
    "text, key",
    [
        ("Ann: look", "Ann"), ("hi Ann", "Ann"), ("@ann look", "Ann"), ("@Annie99 look", "Ann"),
        ("Ben, look", "Ben Miller"),
        ("look, ben", "Ben Miller"), ("José, ¿vienes?", "José"), ("Анна, привет", "Анна"),
        ("小明你在哪", "小明"),
        ("Will: yes", "Will"), ("Dave, look", "@dave"), ("@dave look", "@dave"), ("mom, look", "@mom"),
        ("妈，吃饭", "@妈"), ("李四你来吗", "@李四"), ("thanks Maria!", "@maria"),
        ("you owe me 12, Max", "@max"),
    ],
)  # fmt: skip
def test_a_call_of_somebody_else_is_theirs(text: str, key: str) -> None:
    assert read(text).to == (key,)


@pytest.mark.parametrize(
    "text",
    [
        "Will you come?", "Ann is late", "where is Ann", "So, what now?", "Yes, sure", "Monday, maybe",
        "Can you come?", "Thank you!", "那你呢", "今天，你来吗",
    ],
)  # fmt: skip
def test_words_that_look_like_names_call_nobody(text: str) -> None:
    assert read(text).to == ()


@pytest.mark.pain("P045")
@pytest.mark.parametrize(
    "text, whose",
    [
        ("/help@donkey_bot", "ours"), ("/help@DONKEY_BOT now", "ours"), ("/help@other_bot", "other"),
        ("/grok who?", "open"), ("!weather Berlin", "other"), ("/ 3", ""), ("no /help", ""), ("!", ""),
    ],
)  # fmt: skip
def test_a_command_belongs_to_the_bot_it_names(text: str, whose: str) -> None:
    assert read(text).command == whose


def test_the_rest_is_the_text_without_the_calls() -> None:
    assert read("@donkey_bot: Donkey, be quiet please").rest == "be quiet please"


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    address = read(text)
    assert len(set(address.to)) == len(address.to)


@given(st.from_regex(r"[a-z]{1,6}", fullmatch=True), st.from_regex(r"[a-z]{1,6}", fullmatch=True))
def test_a_longer_word_never_calls_the_name_in_it(before: str, after: str) -> None:
    for word in (f"{before}donkey", f"donkey{after}", f"{before}donkey{after}"):
        if word.removesuffix("'s") != "donkey":
            assert not read(f"{word}, come here").calls_us


@given(st.text(alphabet="abc你好 ,.:@/", max_size=30))
def test_any_name_can_be_in_the_roster(name: str) -> None:
    known = roster()
    known.add(name, "x")
    read_address(f"{name}, hello", known)
