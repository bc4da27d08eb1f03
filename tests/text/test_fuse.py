"""Fusing rankings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.fuse import reciprocal_rank

rankings = st.lists(st.lists(st.integers(0, 20), unique=True), max_size=4)


def test_what_stands_in_both_rankings_comes_first() -> None:
    assert list(reciprocal_rank([["a", "b"], ["c", "b"]])) == ["b", "a", "c"]


def test_a_weight_lets_one_ranking_win() -> None:
    assert next(iter(reciprocal_rank([["a"], ["b"]], weights=[1.0, 2.0]))) == "b"


def test_as_many_weights_as_rankings_are_needed() -> None:
    with pytest.raises(ValueError, match="shorter"):
        reciprocal_rank([["a"], ["b"]], weights=[1.0])


def test_a_key_that_stands_twice_counts_once() -> None:
    assert reciprocal_rank([["a", "a", "b"]], k=1) == {"a": 1 / 2, "b": 1 / 3}


@given(rankings)
def test_every_key_is_there_and_one_ranking_keeps_its_order(lists: list[list[int]]) -> None:
    fused = reciprocal_rank(lists)
    assert set(fused) == {key for ranking in lists for key in ranking}
    assert list(fused.values()) == sorted(fused.values(), reverse=True)
    for ranking in lists:
        assert list(reciprocal_rank([ranking])) == ranking
