"""What a text is made of, and how many tokens it may cost."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.tokens import estimate_tokens, fold, is_stop_word, segments, spaced, words


def test_words_of_every_script_come_out() -> None:
    assert words("Hello, Wörld 42!") == ["hello", "wörld", "42"]
    assert words("重跑gen-itgc后") == ["重跑", "gen", "itgc", "后"]
    assert words("テスト") == ["テス", "スト"]
    assert words("배포를 했다") == ["배포", "포를", "했다"]


def test_width_case_and_composition_make_no_difference() -> None:
    assert fold("ＡＢＣ") == fold("abc")
    assert fold("CAFE\u0301") == fold("café")
    assert fold("ﾃｽﾄ") == fold("テスト")


def test_a_word_of_letters_and_digits_is_also_indexed_by_its_pieces() -> None:
    assert spaced("sunflower88 blooms") == "sunflower88 blooms sunflower 88"


def test_a_pair_with_one_telling_character_is_no_stop_word() -> None:
    assert is_stop_word("the")
    assert is_stop_word("什么")
    assert not is_stop_word("方案")
    assert not is_stop_word("teal")


@given(st.text())
def test_any_text_splits_into_folded_pieces(text: str) -> None:
    for segment in segments(text):
        assert segment.text
        assert segment.text == fold(segment.text)
    assert estimate_tokens(text) >= (1 if text else 0)


@given(st.text(), st.text())
def test_more_text_never_costs_fewer_tokens(first: str, second: str) -> None:
    assert estimate_tokens(first + second) >= max(estimate_tokens(first), estimate_tokens(second))


@pytest.mark.pain("P066")
def test_a_chinese_text_counts_at_least_one_token_a_character() -> None:
    assert estimate_tokens("今天讨论了部署方案" * 1_000) >= 9_000


@pytest.mark.pain("P066")
def test_digits_and_json_are_counted_on_the_safe_side() -> None:
    # The least that common tokenizers make of them: three digits a token, each quote and brace with
    # its neighbour.
    assert estimate_tokens("1234567890" * 30) >= 100
    output = json.dumps([{"id": number, "ok": True, "name": f"item-{number}"} for number in range(100)])
    assert estimate_tokens(output) >= len(output) / 3


def test_english_is_not_counted_at_twice_its_cost() -> None:
    text = "The quick brown fox jumps over the lazy dog and runs into the quiet forest behind it. " * 20
    assert 20 * 18 <= estimate_tokens(text) <= 20 * 18 * 1.7


def test_a_lone_surrogate_is_counted_and_no_error() -> None:
    assert estimate_tokens("a\ud800b") >= 1
