"""Nobody is told what another person said in private, or what was said in another group."""

import pytest

from bench.isolation import measure
from bot.domain.ports import Embedder
from tests.memory.fakes import FakeEmbedder


@pytest.mark.slow
@pytest.mark.pain("26")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("embedder", [None, FakeEmbedder()], ids=["words", "words and meaning"])
async def test_adversarial_questions_bring_out_no_secret_of_others(embedder: Embedder | None) -> None:
    result = await measure((12, 4, 120), embedder=embedder, seed=7)
    assert result.leaks == []
    assert result.answered == result.asked == 120
    assert result.own_found == result.own_asked, "a memory that finds nothing leaks nothing either"
