"""Whatever the model does, there is an honest reply in the reader's language."""

import asyncio

import pytest
from typing_extensions import override

from bot.domain.message import (
    Finished,
    Message,
    ModelRequest,
    ReasoningDelta,
    Reply,
    TextDelta,
    ToolCall,
    Usage,
)
from bot.errors import ModelError
from bot.i18n.catalogue import translate
from bot.turn.reply import stream_reply
from tests.fakes.models import Answer, ScriptedModel

REQUEST = ModelRequest("chat", (Message.of("user", "hi"),))


class Collected:
    """A sink that keeps what was written."""

    def __init__(self) -> None:
        self.text = ""

    async def write(self, delta: TextDelta) -> None:
        self.text += delta.text

    async def close(self, reply: Reply) -> None:
        raise AssertionError("whoever opened a sink closes it")


async def ask(
    answer: Answer, locale: str = "en", sink: Collected | None = None, *, may_be_silent: bool = False
) -> Reply:
    model = ScriptedModel(answer)
    reply = await stream_reply(
        model, REQUEST, sink or Collected(), asyncio.Event(), locale, may_be_silent=may_be_silent
    )
    assert model.active == 0, "the stream was closed"
    return reply


async def test_an_answer_is_streamed_as_it_comes_and_returned_whole() -> None:
    sink = Collected()
    reply = await ask("Hello dear Ann", sink=sink)
    assert reply == Reply("Hello dear Ann", "complete", Usage(7, 3))
    assert sink.text == reply.text


async def test_the_usage_of_several_calls_is_added_up() -> None:
    reply = await ask([TextDelta("a"), Usage(5, 1), Usage(2, 2), Finished("stop")])
    assert reply.usage == Usage(7, 3)


@pytest.mark.pain("8")
@pytest.mark.parametrize("locale", ["en", "zh-hans"])
@pytest.mark.parametrize(
    ("answer", "status", "key"),
    [
        ([Finished("stop")], "empty", "empty"),
        ([TextDelta(" \n"), Finished("stop")], "empty", "empty"),
        ([ReasoningDelta("hm, what could I say"), Finished("stop")], "empty", "empty"),
        ([ReasoningDelta("hm"), Finished("length")], "empty", "empty"),
        ([ToolCall("1", "search", {}), Finished("tool_calls")], "empty", "empty"),
        ([Finished("content_filter")], "filtered", "filtered"),
        ([ModelError("auth_failed", "x")], "failed", "auth_failed"),
        ([ModelError("rate_limited", "x")], "failed", "rate_limited"),
        ([ModelError("bad_request", "x")], "failed", "bad_request"),
        ([ModelError("unavailable", "x")], "failed", "unavailable"),
        ([ModelError("stream_broken", "x")], "failed", "stream_broken"),
        ([ModelError("timeout", "x")], "failed", "timeout"),
    ],
)
async def test_an_answer_without_words_is_an_honest_line(
    answer: Answer, status: str, key: str, locale: str
) -> None:
    reply = await ask(answer, locale)
    assert reply.status == status
    assert reply.text.strip() == translate(f"turn.{key}", locale)


@pytest.mark.pain("8")
@pytest.mark.parametrize(
    ("end", "status", "key"),
    [
        (Finished("length"), "cut", "cut"),
        (Finished("broken"), "cut", "broken"),
        (Finished("content_filter"), "filtered", "filtered"),
        (ModelError("stream_broken", "x"), "cut", "broken"),
        (ModelError("context_too_long", "x"), "cut", "broken"),
    ],
)
async def test_an_answer_that_was_cut_short_says_so_behind_what_was_shown(
    end: Finished | ModelError, status: str, key: str
) -> None:
    sink = Collected()
    reply = await ask([TextDelta("The first half"), end], sink=sink)
    assert reply.status == status
    assert reply.text == sink.text == f"The first half\n\n{translate(f'turn.{key}', 'en')}"


async def test_a_failure_names_its_kind_and_none_of_its_details() -> None:
    reply = await ask(ModelError("auth_failed", "key sk-123 of org 7 refused", provider="acme"))
    assert reply.error_code == "auth_failed"
    assert "sk-123" not in reply.text


@pytest.mark.pain("43")
async def test_a_prompt_that_is_too_long_is_the_callers_to_mend_where_nothing_was_shown() -> None:
    with pytest.raises(ModelError, match="too long"):
        await ask(ModelError("context_too_long", "too long"))


async def test_text_that_was_reasoning_after_all_is_no_part_of_the_reply() -> None:
    reply = await ask([TextDelta("let me think"), TextDelta("Paris"), Finished("stop", retracted=12)])
    assert reply == Reply("Paris")
    alone = await ask([TextDelta("let me think"), Finished("stop", retracted=12)])
    assert alone.status == "empty"


async def test_stopping_keeps_what_there_is_and_lets_go_of_the_model() -> None:
    stop, sink = asyncio.Event(), Collected()
    model = ScriptedModel([TextDelta("Once upon"), asyncio.Event()])
    asking = asyncio.ensure_future(stream_reply(model, REQUEST, sink, stop, "en"))
    async with asyncio.timeout(5):
        while not sink.text:  # noqa: ASYNC110 - the sink tells nobody
            await asyncio.sleep(0)
        stop.set()
        reply = await asking
    assert (reply.text, reply.status) == ("Once upon\n\n(stopped)", "stopped")
    assert model.active == 0


async def test_stopping_before_the_first_word_is_told_too() -> None:
    stop = asyncio.Event()
    stop.set()
    reply = await stream_reply(ScriptedModel("never said"), REQUEST, Collected(), stop, "en")
    assert (reply.text, reply.status) == ("(stopped)", "stopped")


async def test_a_stop_that_comes_after_the_end_changes_nothing() -> None:
    stop = asyncio.Event()

    class Sets(Collected):
        @override
        async def write(self, delta: TextDelta) -> None:
            await super().write(delta)
            stop.set()

    reply = await stream_reply(
        ScriptedModel([TextDelta("all"), Finished("stop")]), REQUEST, Sets(), stop, "en"
    )
    assert reply.status in {"complete", "stopped"}
    assert reply.text.startswith("all")


async def test_cancelling_closes_the_model_and_is_not_swallowed() -> None:
    model = ScriptedModel([TextDelta("a"), asyncio.Event()])
    asking = asyncio.ensure_future(stream_reply(model, REQUEST, Collected(), asyncio.Event(), "en"))
    await model.until_asked()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert model.active == 0


SILENT = [
    "NO_REPLY",
    "**NO_REPLY**",
    "`NO_REPLY`",
    "NO_REPLY.",
    "  [SILENT]\n",
    "<silent>",
    "__NO_RESPONSE__!",
]


@pytest.mark.pain("P055")
@pytest.mark.parametrize("said", [*SILENT, "NO_REPLY because they talk among themselves"])
async def test_a_word_for_silence_is_silence_where_nobody_asked(said: str) -> None:
    sink = Collected()
    reply = await ask(said, sink=sink, may_be_silent=True)
    assert (reply.text, reply.status, sink.text) == ("", "empty", "")


@pytest.mark.pain("P055", "8")
@pytest.mark.parametrize("said", SILENT)
async def test_a_word_for_silence_is_an_honest_line_where_somebody_asked(said: str) -> None:
    sink = Collected()
    reply = await ask(said, sink=sink)
    assert reply.text == sink.text == translate("turn.empty", "en")


@pytest.mark.parametrize(
    "said",
    ["NO_REPLYING is a word", "No reply came from the server.", "[x] done", "*", "N", "`NO_` is a prefix"],
)
@pytest.mark.parametrize("may_be_silent", [True, False])
async def test_what_only_looks_like_a_word_for_silence_is_shown_whole(said: str, may_be_silent: bool) -> None:
    sink = Collected()
    assert (await ask(said, sink=sink, may_be_silent=may_be_silent)).text == sink.text == said


async def test_an_answer_about_the_word_is_shown_to_who_asked() -> None:
    sink = Collected()
    said = "`NO_REPLY` is what some models say for silence."
    assert (await ask(said, sink=sink)).text == sink.text == said
