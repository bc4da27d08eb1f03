"""Remarks after an answer: which of them want another one."""

from pathlib import Path

import pytest

from bench.remarks import read
from bot.turn.group import remarks
from bot.turn.group.weights import REMARKS
from tests.turn.group.talk import Talk

LABELLED = [pair for path in sorted(Path(__file__).parent.glob("remarks_*.txt")) for pair in read(path)]


def test_most_remarks_are_told_apart_by_their_signs() -> None:
    right = [(remarks.wants_answer(text)[0] > 0) == wanted for text, wanted in LABELLED]
    assert len(right) >= 700
    assert sum(right) >= 0.93 * len(right)


def test_every_sign_has_a_weight_and_is_borne_by_some_remark() -> None:
    assert set(REMARKS) == {"bias", *remarks.SIGNS}
    assert {name for text, _ in LABELLED for name in remarks.signs_of(text)} == set(remarks.SIGNS)


def test_a_remark_without_any_sign_wants_no_answer() -> None:
    logit, reason = remarks.wants_answer("the moon")
    assert logit < 0
    assert reason == remarks.SIGNLESS


@pytest.mark.parametrize(
    "text, reason",
    [
        ("it still crashes", remarks.OBJECTS),
        ("I don't eat meat", remarks.NEEDS),
        ("my budget is 50", remarks.NEEDS),
        ("without onions", remarks.GOES_ON),
        ("便宜一点的", remarks.GOES_ON),
        ("还是报错", remarks.OBJECTS),
    ],
)
def test_an_objection_a_need_and_half_a_sentence_want_an_answer(text: str, reason: str) -> None:
    logit, told = remarks.wants_answer(text)
    assert logit > 0
    assert told == reason


@pytest.mark.parametrize("text", ["poor guy", "my cat does that too", "tuesday it is", "好可怜", "那就周二"])
def test_who_feels_tells_or_concludes_wants_none(text: str) -> None:
    assert remarks.wants_answer(text)[0] < 0


def test_a_longer_talk_with_the_bot_makes_room_for_plain_remarks() -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, tell me about owls")
    talk.say("They hunt at night.")
    assert talk.hear("Ann", "ours sits on the barn").decision != "respond"
    for question in ("what do they eat?", "how long do they live?"):
        talk.hear("Ann", question)
        talk.say("Mice, and ten years.")
    assert talk.hear("Ann", "ours sits on the barn").decision == "respond"


def test_a_question_of_the_bot_that_it_answers_itself_waits_for_nothing() -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, a joke please")
    talk.say("Why did the hen cross the road? To reach the other side, as hens do.")
    assert talk.hear("Ann", "classic").decision != "respond"
    talk.hear("Ann", "Donkey, a quiz please")
    talk.say("Which planet is the largest?")
    assert talk.hear("Ann", "saturn").decision == "respond"


def test_the_first_word_of_an_answer_is_nobody_that_the_bot_speaks_to() -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, three rivers in Spain please")
    talk.say("Ebro, Tagus, Duero.")
    assert talk.hear("Ann", "two more").decision == "respond"


def test_chinese_names_are_called_with_an_at_sign_as_well() -> None:
    talk = Talk()
    assert talk.hear("李雷", "@小驴帮我查一下天气").decision == "respond"
    talk.say("晴。")
    assert talk.hear("李雷", "@韩梅 你带伞了吗").decision == "ignore"
