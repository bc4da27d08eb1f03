"""Summaries without a model: what tells most, in its order, within the tokens, without secrets."""

from hypothesis import given
from hypothesis import strategies as st

from bot.text.tokens import estimate_tokens
from memory.summary import Said, by_picking

TALK = [
    Said("Ann", "Hello there! How are you?"),
    Said("assistant", "I am fine, thank you. How can I help you today?", mine=True),
    Said("Ann", "The boiler in flat 7 leaks again. I live at the harbour."),
    Said("Ben", "我们周五下午三点在图书馆开会。好的。"),
    Said("Ann", "ok"),
]


def test_facts_numbers_and_rare_words_are_kept_with_their_speakers_in_their_order() -> None:
    lines = by_picking("", TALK, tokens=60).splitlines()
    assert "Ann: The boiler in flat 7 leaks again." in lines
    assert "Ben: 我们周五下午三点在图书馆开会。" in lines
    assert lines.index("Ann: The boiler in flat 7 leaks again.") < lines.index(
        "Ben: 我们周五下午三点在图书馆开会。"
    )


def test_the_summary_before_goes_into_the_next() -> None:
    former = "Ann: My parrot Quetzal weighs 412 grams."
    assert former in by_picking(former, TALK, tokens=200).splitlines()


def test_a_secret_is_in_no_summary() -> None:
    said = [Said("Ann", "my password is hunter22tiger and the flat is number 7")]
    assert "hunter22tiger" not in by_picking("", said, tokens=200)


def test_the_same_said_twice_is_told_once() -> None:
    said = [Said("Ann", "The boiler in flat 7 leaks.")] * 3
    assert by_picking("", said, tokens=200).splitlines() == ["Ann: The boiler in flat 7 leaks."]


@given(
    st.lists(st.tuples(st.sampled_from(["Ann", "Ben"]), st.text(max_size=200)), max_size=8),
    st.integers(0, 80),
)
def test_no_text_breaks_it_and_it_never_takes_more_than_it_may(
    said: list[tuple[str, str]], tokens: int
) -> None:
    text = by_picking("", [Said(*one) for one in said], tokens=tokens)
    assert estimate_tokens(text) <= tokens + 1
