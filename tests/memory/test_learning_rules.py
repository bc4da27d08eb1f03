"""What is learnt from a message by rules, and what is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.learning.model import read
from memory.learning.rules import statements

TOLD = [
    ("My name is Ann", "name", "Ann"),
    ("Hi, I'm Ann", "name", "Ann"),
    ("hi! call me Annie please", "name", "Annie"),
    ("I go by Anna now", "name", "Anna"),
    ("My name is Ann, nice to meet you", "name", "Ann"),
    ("I love Chinese food", "taste:chinese food", "like"),
    ("I hate Chinese food", "taste:chinese food", "dislike"),
    ("I really don't like cilantro.", "taste:cilantro", "dislike"),
    ("I moved to Rome because of work", "home", "Rome"),
    ("I'm from Ohio", "from", "Ohio"),
    ("I work as a nurse", "job", "nurse"),
    ("Remember that my favourite colour is teal.", "favourite:colour", "teal"),
    ("my sister is called Eva", "relation:sister", "Eva"),
    ("My mother's birthday is May 3", "birthday:mother", "May 3"),
    ("my birthday is on 3 May", "birthday", "3 May"),
    ("I was born in 1990", "birthday", "1990"),
    ("I'm allergic to peanuts", "allergy:peanuts", "peanuts"),
    ("I am vegan", "diet", "vegan"),
    ("don't forget my wife's birthday is 1 June", "birthday:wife", "1 June"),
    ("please remember: the gate is green", "note:the gate is green", "the gate is green"),
    ("我叫小明", "name", "小明"),
    ("叫我老王", "name", "老王"),
    ("我的生日是5月3日", "birthday", "5月3日"),
    ("我住在上海", "home", "上海"),
    ("我是北京人", "from", "北京"),
    ("我来自成都", "from", "成都"),
    ("我喜欢吃火锅", "taste:火锅", "like"),
    ("我不喜欢香菜", "taste:香菜", "dislike"),
    ("我最喜欢的颜色是蓝色", "favourite:颜色", "蓝色"),
    ("我对花生过敏", "allergy:花生", "花生"),
    ("我妈妈叫王芳", "relation:妈妈", "王芳"),
    ("我女儿生日是2015年6月1日", "birthday:女儿", "2015年6月1日"),
    ("记住：门禁在左边", "note:门禁在左边", "门禁在左边"),
    ("记住我喜欢喝茶", "taste:茶", "like"),
    ("我在腾讯工作", "job", "腾讯"),
]
NOT_TOLD = [
    "I like to know what you think",
    "I'd like a coffee",
    "I like it",
    "I like that you are short",
    "I enjoy it when it rains",
    "If I like tea then say so",
    "what's my name?",
    "is my name Ann?",
    "remember to buy milk",
    "remember me?",
    "do you remember that song",
    "my sister is tired",
    "translate: my name is Ann",
    "> My name is Bob",
    "`my name is Bob`",
    "```\nmy name is Bob\n```",
    "please remember that my password is hunter22",
    "my name is Ann. " * 200,
    "我叫什么名字？",
    "我叫他来的",
    "我喜欢你",
    "你记住了吗",
    "记得提醒我开会",
    "如果我叫小明",
    "hello there, nice weather today",
    "今天天气不错",
]


@pytest.mark.parametrize(("text", "slot", "value"), TOLD)
def test_a_clear_form_states_one_thing(text: str, slot: str, value: str) -> None:
    assert [(found.slot, found.value) for found in statements(text)] == [(slot, value)]


@pytest.mark.parametrize("text", NOT_TOLD)
def test_questions_wishes_quotations_and_guesses_state_nothing(text: str) -> None:
    assert statements(text) == []


def test_several_sentences_state_several_things() -> None:
    told = statements("Hi there! My name is Ann. I live in Berlin and I hate coffee. What about you?")
    assert [found.slot for found in told] == ["name", "home"]
    assert [found.slot for found in statements("大家好，我叫李雷，我来自武汉，我喜欢爬山")] == [
        "name",
        "from",
        "taste:爬山",
    ]


@pytest.mark.pain("27")
def test_in_a_group_what_is_said_of_others_is_less_sure_and_only_on_demand() -> None:
    (asked,) = statements("remember that Ben likes beer", group=True)
    assert (asked.third, asked.confidence) == (True, 0.5)
    assert statements("Ben likes beer", group=True) == []
    (own,) = statements("remember I like tea", group=True)
    assert (own.slot, own.third) == ("taste:tea", False)


@given(st.text(alphabet="I my likes name is 我叫喜欢记住remember that, .\n", max_size=400))
def test_any_text_is_read_without_error(text: str) -> None:
    for found in statements(text):
        assert found.text and found.value and found.slot


GOOD = '{"facts": [{"about": "home", "what": "", "value": "Porto", "quote": "we settled in Porto"}]}'


def test_a_fact_of_a_model_needs_the_words_of_the_message() -> None:
    (found,) = read(GOOD, "Last year we  settled in Porto, at last")
    assert (found.slot, found.value, found.text) == ("home", "Porto", "we settled in Porto")
    assert read(GOOD, "Last year we moved") == []
    for answer in (f"```json\n{GOOD}\n```", f"Here they are: {GOOD} and no more"):
        assert [one.value for one in read(answer, "we settled in Porto")] == ["Porto"]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I found nothing",
        "[]",
        "{}",
        '{"facts": [{"about": "crime", "value": "x", "quote": "we settled in Porto"}]}',
        '{"facts": [{"about": "home", "value": 7, "quote": "we settled in Porto"}]}',
        '{"facts": [{"about": "home", "value": "Porto", "quote": "we settled in Porto", "extra": 1}]}',
        '{"facts": "none"}',
        "[" * 5000,
    ],
)
def test_an_answer_that_is_not_the_json_asked_for_states_nothing(answer: str) -> None:
    assert read(answer, "we settled in Porto") == []


@given(st.text(max_size=200))
def test_any_answer_of_a_model_is_read_without_error(answer: str) -> None:
    assert read(answer, "hello") == []
