"""The forms that go on with an answer, each by what is said so."""

import pytest

from bot.turn.group.takes_up import FORMS, Form, takes_up

EXAMPLES = {
    "the same in another measure": (
        "shorter",
        "and one for tokyo",
        "now in french",
    ),
    "figures alone": ("3, 7, 12",),
    "the same of another thing": (
        "and 20%",
        "what about tea?",
    ),
    "look again": ("are you sure, check again",),
    "look again, in Chinese": ("你再算一遍吧",),
    "a question of nobody's own life": (
        "when's garden waste?",
        "who wrote it?",
    ),
    "the same without its mark": (
        "which flour is best",
        "does it freeze well",
    ),
    "a question that points to the answer": ("is bread ok for them?",),
    "a question of who was told of": ("when was she born?",),
    "a question that compares": ("does 5 ghz go further?",),
    "what else would do": ("would chicken work as well?",),
    "a question of a thing, in Chinese": ("用高压锅要多久",),
    "which of them, in Chinese": ("哪个送得快",),
    "not understood": (
        "没看懂",
        "what does that mean",
    ),
    "where that is from, in Chinese": (
        "是谁写的",
        "靠谱吗",
    ),
    "on a condition, in Chinese": ("两个人的话要多少",),
    "who did it": ("who discovered it?",),
    "once more": ("no, try again",),
    "once more, in Chinese": ("不对，重来",),
    "how it is done, in Chinese": ("红豆怎么煮",),
    "and another task": ("also list the prices",),
    "the same for another": ("same for Paris",),
    "that one too, in Chinese": ("上海也查一下",),
    "asked politely": ("can you also list them",),
    "and this one, in Chinese": ("那乔戈里峰呢",),
    "another one, in Chinese": ("再来一首",),
    "another form, in Chinese": ("换成英文",),
    "any other question, in Chinese": ("这个可以冷冻吗",),
}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_each_form_fits_its_examples(form: Form) -> None:
    for text in EXAMPLES[form.name]:
        assert form.fits(text), text


@pytest.mark.parametrize(
    "text",
    [
        "are you coming?",
        "what's for dinner?",
        "what about you?",
        "我们几点集合?",
        "你呢",
        "do you like it?",
        "who is coming tonight?",
    ],
)
def test_a_question_of_the_peoples_own_day_goes_on_with_nothing(text: str) -> None:
    assert not takes_up(text)
