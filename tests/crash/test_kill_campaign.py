"""A short campaign of kills at random moments; the long one is `python -m bench.kill_campaign`."""

import random
from pathlib import Path

import pytest

from bench.kill_campaign import over_http, over_telegram
from tests.crash.counting import PAINTED
from tests.crash.launcher import Launcher

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.timeout(120), pytest.mark.slow]

KILLS = 6


@pytest.mark.pain("10", "11")
async def test_kills_at_random_moments_lose_and_double_nothing_over_http(
    launcher: Launcher, tmp_path: Path
) -> None:
    counts = await over_http(launcher, tmp_path, kills=KILLS, clients=8, dice=random.Random(7))
    assert counts.accepted >= 8
    assert counts.answered_once == counts.accepted
    assert (counts.missing, counts.doubled, counts.garbled, counts.open_runs) == (0, 0, 0, 0)


@pytest.mark.pain("10", "11")
async def test_kills_at_random_moments_lose_nothing_in_a_chat_and_double_only_what_was_in_doubt(
    launcher: Launcher, tmp_path: Path
) -> None:
    counts = await over_telegram(launcher, tmp_path, kills=KILLS, clients=6, dice=random.Random(7))
    assert counts.accepted >= 6
    assert counts.answered_once + counts.doubled == counts.accepted
    assert (counts.missing, counts.open_runs) == (0, 0)
    assert counts.doubled == counts.in_doubt
    assert counts.by_kind["pictures once"] >= PAINTED
    assert counts.by_kind["pictures missing"] == 0
    assert counts.by_kind["pictures doubled"] == counts.by_kind["pictures in doubt"]
