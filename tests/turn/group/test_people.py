"""Calls of people who have said nothing yet."""

import pytest

from bot.turn.group.people import calls_a_person
from tests.turn.group.talk import Talk


@pytest.mark.parametrize("name", ["海涛", "丽丽", "子轩", "老王", "王小明", "李老师", "妈妈", "阿杰"])
def test_a_word_made_as_names_are_calls_a_person(name: str) -> None:
    assert calls_a_person(name)


@pytest.mark.parametrize(
    "word", ["谢谢", "哈哈", "天天", "对了", "苹果", "北京", "明天", "等等", "抱歉", "国语"]
)
def test_a_word_of_every_day_calls_nobody(word: str) -> None:
    assert not calls_a_person(word)


@pytest.mark.parametrize(
    "text, decision",
    [
        ("海涛，你的车能开吗", "ignore"), ("丽丽你来猜", "ignore"), ("done. Ben can you look?", "ignore"),
        ("对了，明年呢", "respond"), ("谢谢，那周末呢", "respond"),
        ("Done. Now can you shorten it?", "respond"),
    ],
)  # fmt: skip
def test_who_calls_somebody_unseen_after_an_answer_does_not_mean_the_bot(text: str, decision: str) -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, 明天限号多少")
    talk.say("3 和 8")
    assert talk.hear("Ann", text).decision == decision
