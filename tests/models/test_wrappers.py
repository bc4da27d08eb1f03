import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import (
    Finished,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from bot.domain.ports import ChatModel
from bot.errors import ModelError, ModelErrorCode
from bot.models.fallback import Fallback
from bot.models.metered import Metered, ModelCall
from bot.models.overlap import Overlap
from bot.models.retried import Limited, Retried
from bot.models.routed import Routed
from bot.models.streams import closing
from tests.fakes.models import ScriptedModel
from tests.fakes.upstream import Answer, Upstream
from tests.models.asking import InstantClock, failure, model_of, request, said

BROKEN = Finished("broken", "m", "p")
STOP = Finished("stop", "m", "p")


def error(code: ModelErrorCode = "unavailable", retry_after_s: float | None = None) -> ModelError:
    return ModelError(code, "scripted", provider="p", retry_after_s=retry_after_s)


def words(*texts: str, end: Finished = STOP) -> Sequence[ModelEvent]:
    return [*(TextDelta(text) for text in texts), end]


def retried(model: ChatModel, clock: InstantClock, **options: Any) -> Retried:
    return Retried(model, clock=clock, jitter=lambda: 0.0, **options)


@pytest.mark.pain("40")
@pytest.mark.parametrize("code", ["rate_limited", "unavailable", "stream_broken"])
async def test_a_passing_failure_is_tried_again_after_a_growing_pause(code: ModelErrorCode) -> None:
    clock = InstantClock()
    model = ScriptedModel(error(code), error(code), "fine")
    assert (await said(retried(model, clock))).text == "fine"
    assert clock.slept == [0.25, 0.5]


@pytest.mark.parametrize("code", ["auth_failed", "bad_request", "context_too_long", "timeout"])
async def test_a_failure_that_stays_is_not_tried_again(code: ModelErrorCode) -> None:
    clock = InstantClock()
    model = ScriptedModel(error(code), "fine")
    assert (await failure(retried(model, clock))).code == code
    assert clock.slept == []


async def test_tries_end() -> None:
    clock = InstantClock()
    model = ScriptedModel(*(error() for _ in range(9)))
    assert (await failure(retried(model, clock, max_retries=2))).code == "unavailable"
    assert len(model.requests) == 3


@pytest.mark.pain("40")
async def test_the_providers_wish_is_honoured_up_to_a_limit() -> None:
    clock = InstantClock()
    model = ScriptedModel(error("rate_limited", 7), error("rate_limited", 31))
    assert (await failure(retried(model, clock, max_wait_s=30))).retry_after_s == 31
    assert clock.slept == [7]


async def test_pauses_have_jitter() -> None:
    clock = InstantClock()
    model = ScriptedModel(*([error()] * 9))
    await failure(Retried(model, clock=clock, jitter=lambda: 1.0))
    assert clock.slept == [0.5, 1.0]


async def test_a_time_limit_is_tried_again_only_where_that_is_wished() -> None:
    model = ScriptedModel(error("timeout"), error("timeout"), "fine")
    assert (await failure(retried(model, InstantClock(), timeout_retries=1))).code == "timeout"
    assert len(model.requests) == 2


async def test_hidden_reasoning_does_not_stand_in_the_way_of_a_retry() -> None:
    model = ScriptedModel([ReasoningDelta("hm"), error()], "fine")
    assert (await said(retried(model, InstantClock()))).text == "fine"


async def test_nothing_is_tried_again_after_a_word_was_shown() -> None:
    model = ScriptedModel([TextDelta("Hel"), error()], "fine")
    with pytest.raises(ModelError):
        await said(retried(model, InstantClock()))
    assert len(model.requests) == 1


async def test_a_continuation_is_not_tried_again() -> None:
    model = ScriptedModel(error(), "fine")
    await failure(retried(model, InstantClock()), request(answered="Hello"))
    assert len(model.requests) == 1


@pytest.mark.pain("P070")
async def test_the_chain_is_tried_to_its_end() -> None:
    dead = ScriptedModel(error()), ScriptedModel([ReasoningDelta("hm"), error("stream_broken")])
    assert (await said(Fallback([*dead, ScriptedModel("from C")]))).text == "from C"


@pytest.mark.pain("40")
@pytest.mark.parametrize("code", ["auth_failed", "rate_limited", "bad_request", "unavailable", "timeout"])
async def test_the_next_provider_answers_for_one_that_fails(code: ModelErrorCode) -> None:
    assert (await said(Fallback([ScriptedModel(error(code)), ScriptedModel("B")]))).text == "B"


@pytest.mark.pain("43")
async def test_a_context_that_is_too_long_is_for_the_caller_to_shorten() -> None:
    second = ScriptedModel("B")
    chain = Fallback([ScriptedModel(error("context_too_long")), second])
    assert (await failure(chain)).code == "context_too_long"
    assert second.requests == []


async def test_when_all_fail_the_last_failure_is_told() -> None:
    chain = Fallback([ScriptedModel(error("auth_failed")), ScriptedModel(error("rate_limited", 3))])
    assert (await failure(chain)).retry_after_s == 3
    assert (await failure(Fallback([]))).code == "no_model"


@pytest.mark.pain("40")
async def test_a_broken_answer_is_gone_on_with_by_the_same_provider() -> None:
    model, other = ScriptedModel(words("Once upon", end=BROKEN), words(" a time.")), ScriptedModel("B")
    answer = await said(Fallback([model, other]))
    assert answer.text == "Once upon a time."
    assert answer.finished == STOP
    assert model.requests[1].answered == "Once upon"
    assert other.requests == []


@pytest.mark.pain("P071")
async def test_a_continuation_that_starts_over_is_not_shown_twice() -> None:
    sentence = "Let me check that."
    model = ScriptedModel(words(sentence, end=BROKEN), words("Let me ", "check that.", " It is 4."))
    assert (await said(Fallback([model]))).text == f"{sentence} It is 4."


@pytest.mark.pain("P071")
async def test_an_answer_that_breaks_off_again_and_again_ends_honestly() -> None:
    model = ScriptedModel(*([words("Let me check that.", end=BROKEN)] * 5), "fine")
    answer = await said(Fallback([model]))
    assert answer.text == "Let me check that."
    assert answer.finished == BROKEN
    assert len(model.requests) == 2


async def test_a_continuation_that_cannot_be_had_ends_the_answer_as_broken() -> None:
    answer = await said(Fallback([ScriptedModel(words("Once", end=BROKEN), error())]))
    assert (answer.text, answer.finished) == ("Once", BROKEN)


async def test_what_was_taken_back_stays_so_after_a_continuation() -> None:
    first = words("plan", "Once", end=Finished("broken", retracted=4))
    model = ScriptedModel(first, words(" more"))
    assert (await said(Fallback([model]))).text == "Once more"
    assert model.requests[1].answered == "Once"


@pytest.mark.parametrize(
    ("answered", "pieces", "new"),
    [
        ("Once upon", [" a time"], " a time"),
        ("Once upon a time there was", ["a time there", " was a king"], " a king"),
        ("Once upon a time", ["Once upon", " a time there"], " there"),
        ("Done.", ["Done", ". Next"], " Next"),
        ("I am ti", ["ing my shoe"], "ing my shoe"),
        ("First.", ["Second."], " Second."),
        ("第一句。", ["第一句。", "第二句。"], "第二句。"),
        ("Once upon a time ", ["\nOnce upon a time there"], "there"),
        ("Once upon a time there", ["Once upon a time"], ""),
        ("", ["new"], "new"),
    ],
)
@pytest.mark.pain("P071")
def test_repeated_words_are_taken_off_a_continuation(answered: str, pieces: list[str], new: str) -> None:
    overlap = Overlap(answered)
    assert "".join(overlap.feed(piece) for piece in pieces) + overlap.end() == new


@given(st.text("ab .", max_size=30), st.text("ab .", max_size=30), st.data())
def test_the_pieces_of_a_continuation_do_not_matter(answered: str, further: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(further)), max_size=5)))
    pieces = [further[a:b] for a, b in zip([0, *cuts], [*cuts, len(further)], strict=True)]
    one, many = Overlap(answered), Overlap(answered)
    whole = one.feed(further) + one.end()
    assert "".join(many.feed(piece) for piece in pieces) + many.end() == whole


async def test_an_alias_finds_its_model_and_others_the_default() -> None:
    routed = Routed({"fast": ScriptedModel("fast one")}, ScriptedModel("default one"))
    assert (await said(routed, ModelRequest("fast", request().messages))).text == "fast one"
    assert (await said(routed)).text == "default one"


async def test_each_call_is_told_with_its_times_and_tokens() -> None:
    calls: list[ModelCall] = []
    metered = Metered(ScriptedModel("two words", error()), calls.append, provider="p", model="m")
    await said(metered)
    await failure(metered)
    async with closing(metered.stream(request())) as events:
        async for _ in events:
            break
    good, bad, left = calls
    assert (good.alias, good.provider, good.model, good.reason, good.usage) == (
        "chat",
        "p",
        "m",
        "stop",
        Usage(7, 2),
    )
    assert good.first_token_ms is not None and good.first_token_ms <= good.total_ms
    assert (bad.reason, bad.error_code, bad.first_token_ms) == (None, "unavailable", None)
    assert (left.reason, left.error_code) == (None, None)


async def test_no_more_than_the_limit_are_answered_at_once() -> None:
    model = ScriptedModel(*[words("a")] * 6)
    limited = Limited(model, at_once=2)
    await asyncio.gather(*(said(limited) for _ in range(6)))
    assert len(model.requests) == 6
    assert model.most_active <= 2


class Closable:
    """A model that notes when its stream was closed."""

    def __init__(self) -> None:
        self.closed = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        try:
            while True:
                yield TextDelta("a")
        finally:
            self.closed = True


async def test_leaving_the_outermost_stream_closes_the_innermost() -> None:
    leaf = Closable()
    clock = InstantClock()
    stack = Routed(
        {}, Fallback([Retried(Metered(Limited(leaf, 1), print, provider="", model=""), clock=clock)])
    )
    async with closing(stack.stream(request())) as events:
        async for _ in events:
            break
    assert leaf.closed


@pytest.mark.pain("P068")
async def test_a_provider_that_only_keeps_the_connection_alive_is_left_after_one_attempt() -> None:
    async with AsyncExitStack() as stack:
        silent, healthy = [await stack.enter_async_context(Upstream()) for _ in range(2)]
        silent.default = Answer.raw(keepalive_ms=10)
        models = [await stack.enter_async_context(model_of(up, timeout_secs=0.3)) for up in (silent, healthy)]
        chain = Fallback([retried(model, InstantClock()) for model in models])
        assert (await said(chain)).text == "echo: hello"
        assert len(silent.requests) == 1


@pytest.mark.pain("P071")
async def test_a_provider_that_breaks_off_five_times_is_asked_to_go_on_once() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(*[Answer.text("Let me check that.", drop_after=4)] * 5)
        answer = await said(Fallback([retried(model, InstantClock())]))
        assert answer.text == "Let me check that."
        assert len(upstream.requests) == 2
        assert upstream.refusals == []
