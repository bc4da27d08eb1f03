from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.message import Finished, ReasoningDelta, TextDelta, ToolCall
from bot.models.masked import Mask, Masked
from bot.policy.secrets import REMOVED
from tests.fakes.models import Beat, ScriptedModel
from tests.fakes.upstream import Answer, Upstream
from tests.models.asking import request, said
from tests.models.test_build import built, provider

KEY = "sk-proj-4f9a8b7c6d5e"


def shown(mask: Mask, *pieces: str) -> list[str]:
    return [*(mask.feed(piece) for piece in pieces), mask.end()]


@given(
    st.lists(st.sampled_from(["s", "k", "-", "4f", KEY[:9], KEY[3:], KEY, KEY + "!", "word "]), max_size=8)
)
@example(["sk-s", "k-proj-4f9a8", "b7c6d5e"])
@example([KEY[:5], KEY])
def test_a_secret_is_masked_wherever_the_pieces_end(pieces: list[str]) -> None:
    assert "".join(shown(Mask((KEY,)), *pieces)) == "".join(pieces).replace(KEY, REMOVED)


@given(st.text("ab", max_size=30), st.lists(st.integers(0, 30)))
def test_of_secrets_that_stand_in_one_another_none_is_left(text: str, cuts: list[int]) -> None:
    secrets = ("ababab", "abaa", "baa", "aab")
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    whole = shown(Mask(secrets), *pieces)
    assert "".join(whole) == "".join(shown(Mask(secrets), text))
    for part in "".join(whole).split(REMOVED):
        assert not any(secret in part for secret in secrets)


def test_only_what_may_become_a_secret_waits() -> None:
    assert shown(Mask((KEY,)), "ask", "s me", " sk-pro", "per") == ["a", "sks me", " ", "sk-proper", ""]


def test_a_word_of_two_secrets_that_end_alike_is_masked_once() -> None:
    assert shown(Mask(("xyzab", "abq12")), "xyzab", "q12") == [REMOVED, "q12", ""]


async def test_what_was_held_comes_before_a_call_and_before_the_end() -> None:
    call = ToolCall("1", "look", {})
    events: list[Beat] = [
        TextDelta("as"),
        ReasoningDelta("hm"),
        call,
        TextDelta("yes"),
        Finished("tool_calls"),
    ]
    model = Masked(ScriptedModel(events), (KEY,))
    got = [event async for event in model.stream(request())]
    assert got[:5] == [TextDelta("a"), ReasoningDelta("hm"), TextDelta("s"), call, TextDelta("ye")]
    assert got[5:] == [TextDelta("s"), Finished("tool_calls")]


async def test_what_is_taken_back_is_counted_as_it_was_shown() -> None:
    words = f"my key {KEY} is secret."
    events: list[Beat] = [TextDelta(words), TextDelta("The answer"), Finished("stop", retracted=len(words))]
    assert (await said(Masked(ScriptedModel(events), (KEY,)))).text == "The answer"


@pytest.mark.parametrize("cut", range(1, len(KEY)))
async def test_a_provider_that_says_our_key_is_not_repeated(cut: int) -> None:
    async with Upstream() as upstream:
        pieces = ("Your key is " + KEY[:cut], KEY[cut:] + ".")
        upstream.script(Answer.deltas(*({"content": piece} for piece in pieces)))
        models = built({"providers": {"acme": provider(upstream, api_key=KEY)}})
        assert (await said(models.chat)).text == f"Your key is {REMOVED}."
        await models.aclose()


async def test_a_key_that_a_continuation_completes_is_masked_too() -> None:
    async with Upstream() as upstream:
        upstream.script(
            Answer.deltas({"content": f"It is {KEY[:8]}"}, finish=None, done=False),
            Answer.deltas({"content": KEY[8:]}),
        )
        models = built({"providers": {"acme": provider(upstream, api_key=KEY)}})
        assert (await said(models.chat)).text == f"It is {REMOVED}"
        await models.aclose()


async def test_a_word_in_place_of_a_key_is_no_secret() -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("Run ollama serve"))
        models = built({"providers": {"acme": provider(upstream, api_key="ollama")}})
        assert (await said(models.chat)).text == "Run ollama serve"
        await models.aclose()
