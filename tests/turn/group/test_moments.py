"""The labelled moments, as a whole and in the kinds that people complained about."""

from collections import Counter
from typing import Any

import pytest

from bot.turn.group.explain import explain
from tests.turn.group.moments import moments

ALL = list(moments())
WANTED_RIGHT, ALLOWED_FALSE = 0.97, 0.02


def answered(moment: dict[str, Any]) -> bool:
    return explain(moment).decision == "respond"


@pytest.mark.slow
@pytest.mark.pain("23")
def test_moments_are_judged_as_people_would_and_hardly_ever_answered_falsely() -> None:
    wrong = [(name, expect) for name, expect, moment in ALL if answered(moment) != (expect == "respond")]
    silent = sum(1 for _, expect, _ in ALL if expect == "silent")
    false = sum(1 for _, expect in wrong if expect == "silent")
    assert len(ALL) >= 400
    assert len(wrong) <= (1 - WANTED_RIGHT) * len(ALL), wrong
    assert false <= ALLOWED_FALSE * silent, wrong


def test_the_moments_are_of_both_kinds_languages_and_modes() -> None:
    kinds = Counter((expect, moment["mode"]) for _, expect, moment in ALL)
    assert min(kinds.values()) >= 5
    assert len(kinds) == 4
    chinese = sum(
        1 for _, _, moment in ALL if any("\u4e00" <= c <= "\u9fff" for c in moment["messages"][-1]["text"])
    )
    assert chinese >= 120


@pytest.mark.slow
def test_strict_mode_answers_no_more_than_smart_mode() -> None:
    smart = [(name, moment) for name, _, moment in ALL if moment["mode"] == "smart"]
    more = [name for name, moment in smart if answered({**moment, "mode": "strict"}) and not answered(moment)]
    assert len(smart) >= 400
    assert more == []
