"""Nobody is told what another person said in private, or what was said in another group."""

import pytest

from bench.isolation import measure


@pytest.mark.pain("26")
@pytest.mark.timeout(120)
async def test_adversarial_questions_bring_out_no_secret_of_others() -> None:
    result = await measure(people=12, groups=4, questions=120, seed=7)
    assert result.leaks == []
    assert result.answered == result.asked == 120
    assert result.own_found == result.own_asked, "a memory that finds nothing leaks nothing either"
