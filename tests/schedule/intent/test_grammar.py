"""What governs a verb in its base form, and so whether the listener is asked."""

import pytest

from bot.schedule.intent_grammar import is_commanded


@pytest.mark.parametrize(
    "before",
    [
        "",
        "psst",
        "hey bestie",
        "do",
        "possibly",
        "on friday at #",
        "could you",
        "would u kindly",
        "you should",
        "i want you to",
        "remember to",
        "it would be great to",
        "leaving for the airport at #",
    ],
)
def test_a_base_form_that_nothing_binds_is_asked_of_the_listener(before: str) -> None:
    assert is_commanded(before.split())


@pytest.mark.parametrize(
    "before",
    [
        "they",
        "my kids",
        "those old songs",
        "he'll",
        "will she",
        "does the app",
        "don't",
        "please don't",
        "they want you to",
        "he told me to",
        "i don't want you to",
        "make the phone",
        "how do you",
        "no need to",
        "people who",
        "when you",
        "i asked if you could",
    ],
)
def test_a_base_form_with_a_subject_of_its_own_or_taken_back_is_not(before: str) -> None:
    assert not is_commanded(before.split())
