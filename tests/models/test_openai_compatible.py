import asyncio
import json
import socket
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.message import Message, ReasoningDelta, TextDelta, ToolCall, ToolResult, ToolSpec, Usage
from bot.models import sse, transport
from bot.models.streams import closing
from tests.fakes.upstream import Answer, Upstream, chunk
from tests.fakes.upstream_rules import Rules
from tests.models.asking import KEY, failure, model_of, request, said
from tests.models.test_build import built, provider

FOREVER = 3600.0


async def test_an_answer_is_streamed_with_its_usage_over_one_connection() -> None:
    async with Upstream(rules=Rules(api_key=KEY)) as upstream, model_of(upstream) as model:
        for _ in range(3):
            answer = await said(model, request("good morning"))
            assert answer.text == "echo: good morning"
            assert answer.usage is not None and answer.usage.input_tokens > 0
            assert answer.finished is not None
            assert (answer.finished.reason, answer.finished.provider) == ("stop", "fake")
        assert upstream.connections == 1
        assert upstream.refusals == []


async def test_words_are_given_as_soon_as_they_come() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.deltas({"content": "first"}, finish=None, done=False, hang=True))
        async with closing(model.stream(request())) as events:
            assert await anext(aiter(events)) == TextDelta("first")


@pytest.mark.pain("39")
async def test_bytes_may_come_in_any_pieces() -> None:
    whole = b"".join(Answer.text("Grüße 好 😀 done").chunks)
    async with Upstream() as upstream, model_of(upstream) as model:
        for size in (1, 7, 33, 4096):
            pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
            upstream.script(Answer.raw(*pieces))
            assert (await said(model)).text == "Grüße 好 😀 done"


async def test_a_plain_answer_is_read_although_a_stream_was_asked_for() -> None:
    call = {"id": "x", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.completion({"content": "<think>hm</think>whole"}))
        upstream.script(Answer.completion({"content": None, "tool_calls": [call]}, finish="tool_calls"))
        answer = await said(model)
        assert (answer.text, answer.reasoning, answer.usage) == ("whole", "hm", Usage(10, 5))
        assert (await said(model)).calls == (ToolCall("x", "read", {}),)


async def test_a_stream_under_a_wrong_content_type_is_read() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.text("all the same").but(content_type="text/plain; charset=utf-8"))
        assert (await said(model)).text == "all the same"


async def test_a_web_page_instead_of_an_answer_names_the_setting() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.raw(b"<html>login</html>", content_type="text/html", plain=True))
        error = await failure(model)
        assert error.code == "unavailable"
        assert "base_url" in error.message


@pytest.mark.pain("39")
async def test_tool_calls_come_whole_and_the_round_trip_is_accepted() -> None:
    pieces: list[dict[str, Any]] = [
        {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "read"}}]},
        *({"tool_calls": [{"index": 0, "function": {"arguments": c}}]} for c in '{"path": "x"}'),
    ]
    tool = ToolSpec("read", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}})
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.deltas(*pieces, finish="tool_calls"))
        answer = await said(model, request("read x", tools=(tool,)))
        assert answer.calls == (ToolCall("a", "read", {"path": "x"}),)
        history = (
            Message.of("user", "read x"),
            Message("assistant", answer.calls),
            Message("tool", (ToolResult("a", "read", "the text"),)),
        )
        assert (await said(model, request(messages=history, tools=(tool,)))).text == "echo: read x"
        assert upstream.refusals == []


@pytest.mark.pain("P056")
async def test_empty_and_usage_only_chunks_are_read_off_the_wire() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 50, "total_tokens": 60}}
    events: tuple[Any, ...] = (
        {"choices": []},
        chunk({"content": "text"}),
        chunk({"content": None}, "stop"),
        usage,
    )
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(*events))
        answer = await said(model)
        assert (answer.text, answer.usage) == ("text", Usage(10, 50))


@pytest.mark.pain("P060")
async def test_reasoning_without_an_opening_tag_is_taken_back_and_then_expected() -> None:
    pieces = ({"content": "plan..."}, {"content": "</think>"}, {"content": "The answer"})
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.deltas(*pieces, gap_ms=5), Answer.deltas(*pieces, gap_ms=5))
        assert (await said(model)).text == "The answer"
        second = [event async for event in model.stream(request())]
        assert second[:2] == [ReasoningDelta("plan..."), TextDelta("The answer")]


@pytest.mark.pain("P060")
async def test_an_answer_that_is_all_in_an_open_tag_is_shown_and_noted() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.text("<think>Hello! How are you?"))
        with capture_logs() as logs:
            assert (await said(model)).text == "Hello! How are you?"
        assert [line["event"] for line in logs] == ["model.reasoning.unclosed"]


@pytest.mark.pain("P072")
async def test_one_broken_event_costs_only_itself() -> None:
    events: list[Any] = [chunk({"content": f"{n} "}) for n in range(60)]
    events[10] = '{"choices":[{"delta":{"cont'
    events[20] = "{{"
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(*events))
        with capture_logs() as logs:
            answer = await said(model)
        assert answer.text.split() == [str(n) for n in range(60) if n not in {10, 20}]
        assert [line["event"] for line in logs] == ["model.event.malformed"]


@pytest.mark.parametrize(
    "ending",
    [
        ('{"choices":[{"delta":{"cont',),
        ("<html>502 Bad Gateway</html>",),
        ('{"choices":[{"delta":{"cont', chunk({}, "stop")),
        ("upstream closed", '{"choi', chunk({}, "stop"), {"choices": [], "usage": None}),
    ],
)
async def test_an_answer_whose_end_cannot_be_read_is_broken_and_no_complete_one(
    ending: tuple[Any, ...],
) -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(chunk({"content": "half"}), *ending), Answer.events(*ending))
        answer = await said(model)
        assert answer.text == "half"
        assert answer.finished is not None
        assert answer.finished.reason == "broken"
        assert (await failure(model)).code == "stream_broken"


@pytest.mark.parametrize(
    "noise",
    ["", " ", "ping", ": keep-alive", "OPENROUTER PROCESSING", "[heartbeat]", "null", '"pong"', "{}", "0"],
)
async def test_what_keeps_a_connection_awake_is_no_damage(noise: str) -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(noise, chunk({"content": "whole"}), noise))
        with capture_logs() as logs:
            answer = await said(model)
        assert (answer.text, answer.finished and answer.finished.reason, logs) == ("whole", "stop", [])


async def test_a_line_that_says_nothing_of_the_answer_does_not_undo_its_end() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(chunk({"content": "whole"}), "bye", chunk({}, "stop"), "bye"))
        answer = await said(model)
        assert (answer.text, answer.finished and answer.finished.reason) == ("whole", "stop")


@pytest.mark.parametrize("mark", ["[DONE]", " [DONE] ", "[done]", '"[DONE]"', "DONE", "[DONE]\r"])
async def test_the_end_mark_is_known_however_it_is_written(mark: str) -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.events(chunk({"content": "whole"}), mark, done=False, hang=True))
        answer = await said(model)
        assert (answer.text, answer.finished and answer.finished.reason) == ("whole", "stop")


async def test_events_without_a_blank_line_between_them_are_told_apart() -> None:
    lines = b"".join(b"data: " + json.dumps(chunk({"content": c})).encode() + b"\n" for c in "abc")
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.raw(lines + b"data: [DONE]\n\n"))
        upstream.script(Answer.raw(lines + b"\n", b"data: [DONE]\n\n"))
        assert (await said(model)).text == "abc"
        assert (await said(model)).text == "abc"


@pytest.mark.pain("40")
@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (Answer.text("a b c", drop_after=0), "stream_broken"),
        (Answer.text("a b c", drop_after=-1), "unavailable"),
        (Answer.raw(), "stream_broken"),
        (Answer.raw(b"x", headers={"Content-Encoding": "gzip"}), "stream_broken"),
        (Answer.raw(b"x", headers={"": "a header without a name"}), "unavailable"),
        (Answer.raw(b"data: [DONE]\n\n"), "stream_broken"),
        (Answer.raw(b": hello\n\n"), "stream_broken"),
        (Answer.deltas({"reasoning": "hm"}, finish=None, done=False), "stream_broken"),
        (Answer.deltas({"tool_calls": [{"id": "a"}]}, finish=None, done=False), "stream_broken"),
        (Answer.events({"error": {"message": "Rate limit reached"}}), "rate_limited"),
        (Answer.json({"error": {"message": "no", "code": 500}}), "unavailable"),
        (Answer.error(500), "unavailable"),
        (Answer.error(429, headers={"retry-after": "7"}), "rate_limited"),
        (Answer.error(400, "bad"), "bad_request"),
        (Answer.error(404, "no model"), "bad_request"),
        (Answer.error(400, "maximum context length is 5"), "context_too_long"),
    ],
)
async def test_a_failure_before_any_word_is_an_error_with_a_code(broken: Answer, code: str) -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(broken)
        assert (await failure(model)).code == code
        assert (await said(model)).text == "echo: hello"


@pytest.mark.pain("40")
@pytest.mark.parametrize(
    "broken",
    [
        Answer.text("a b c", drop_after=3),
        Answer.deltas(*({"content": c} for c in ("a", " b", " c")), finish=None, done=False),
        Answer.events(*(chunk({"content": c}) for c in ("a", " b", " c")), {"error": {"message": "x"}}),
        Answer.deltas(*({"content": c} for c in ("a", " b", " c")), finish=None, done=False, hang=True),
    ],
)
async def test_a_failure_after_words_ends_the_answer_as_broken(broken: Answer) -> None:
    async with Upstream() as upstream, model_of(upstream, timeout_secs=0.2) as model:
        upstream.script(broken)
        answer = await said(model)
        assert answer.text == "a b c"
        assert answer.finished is not None
        assert answer.finished.reason == "broken"


async def test_an_end_that_was_told_is_an_end_whatever_comes_after() -> None:
    finished = Answer.deltas({"content": "whole"}, finish="length", done=False)
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(finished, finished.but(drop_after=2))
        for _ in range(2):
            answer = await said(model)
            assert answer.text == "whole"
            assert answer.finished is not None
            assert answer.finished.reason == "length"


@pytest.mark.pain("P068")
@pytest.mark.parametrize(
    "silent",
    [
        Answer.raw(hang=True),
        Answer.raw(keepalive_ms=10),
        Answer.events(chunk({"role": "assistant", "content": ""}), done=False, keepalive_ms=10),
        Answer.raw(head_ms=FOREVER * 1000),
    ],
)
async def test_a_provider_that_says_nothing_runs_into_the_limit(silent: Answer) -> None:
    async with Upstream() as upstream, model_of(upstream, timeout_secs=0.2) as model:
        upstream.script(silent)
        error = await failure(model)
        assert error.code == "timeout"
        assert "0.2 s" in error.message
        await upstream.until(lambda up: up.open_connections == 0)


async def test_reasoning_counts_as_a_sign_of_life() -> None:
    thinking = [{"reasoning": "hm"}] * 8
    async with Upstream() as upstream, model_of(upstream, timeout_secs=0.5) as model:
        upstream.script(Answer.deltas(*thinking, {"content": "yes"}, gap_ms=100))
        assert (await said(model)).text == "yes"


async def test_a_whole_answer_has_a_limit_too() -> None:
    async with Upstream() as upstream, model_of(upstream, total_timeout_secs=0.3) as model:
        upstream.script(Answer.deltas(*([{"content": "a"}] * 10_000), gap_ms=10))
        answer = await said(model)
        assert answer.finished is not None
        assert answer.finished.reason == "broken"


async def test_a_slow_listener_is_not_taken_for_a_silent_provider() -> None:
    async with Upstream() as upstream, model_of(upstream, timeout_secs=0.2) as model:
        upstream.script(Answer.deltas({"content": "a"}, {"content": "b"}, gap_ms=20))
        answer = ""
        async for event in model.stream(request()):
            if isinstance(event, TextDelta):
                answer += event.text
                # The listener's own time, longer than the provider's limit.
                await asyncio.sleep(0.3)
        assert answer == "ab"


async def test_a_refused_connection_is_unavailable() -> None:
    async with Upstream() as upstream:
        pass
    async with model_of(upstream) as model:
        assert (await failure(model)).code == "unavailable"


@pytest.mark.pain("40")
async def test_a_connection_that_is_never_taken_up_runs_into_its_own_limit() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        # The kernel takes up one connection for the deaf server; whoever comes next hears nothing.
        with socket.create_connection(deaf.getsockname()):
            upstream = Upstream(port=deaf.getsockname()[1])
            async with model_of(upstream, connect_timeout_s=0.2) as model:
                error = await failure(model)
    assert error.code == "timeout"
    assert "no connection" in error.message


async def test_a_connection_left_open_after_the_end_does_not_hold_the_answer_up() -> None:
    async with Upstream() as upstream, model_of(upstream, timeout_secs=60) as model:
        upstream.script(Answer.text("whole").but(hang=True))
        answer = await said(model)
        assert answer.text == "whole"
        assert answer.finished is not None and answer.finished.reason == "stop"
        await upstream.until(lambda up: up.open_connections == 0)


async def test_an_event_without_end_breaks_the_answer_instead_of_filling_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sse, "_MAX_LINE", 100_000)
    monkeypatch.setattr(transport, "_MAX_BODY", 200_000)
    endless = Answer.raw(*[b"x" * 10_000] * 11)
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(endless, endless.but(content_type="application/json", chunks=endless.chunks * 2))
        assert "too long" in (await failure(model)).message
        assert "too long" in (await failure(model)).message


async def test_leaving_early_closes_the_connection() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(Answer.deltas({"content": "a"}, finish=None, done=False, hang=True))
        async with closing(model.stream(request())) as events:
            async for _ in events:
                break
        await upstream.until(lambda up: up.open_connections == 0)


@pytest.mark.parametrize(
    "silent", [Answer.raw(hang=True), Answer.raw(head_ms=FOREVER * 1000), Answer.raw(keepalive_ms=10)]
)
async def test_cancelling_closes_the_connection(silent: Answer) -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        upstream.script(silent)
        asking = asyncio.ensure_future(said(model))
        await upstream.until(lambda up: len(up.requests) == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await upstream.until(lambda up: up.open_connections == 0)


async def test_a_parameter_that_is_refused_is_left_out_from_then_on() -> None:
    async with Upstream(rules=Rules(refuse_stream_options=True)) as upstream, model_of(upstream) as model:
        assert (await said(model)).text == "echo: hello"
        assert (await said(model)).text == "echo: hello"
        assert [("stream_options" in asked.body) for asked in upstream.requests] == [True, False, False]


async def test_the_limit_of_tokens_takes_its_newer_name_where_that_is_asked_for() -> None:
    rules = Rules(extra_parameters=frozenset({"max_completion_tokens"}))
    refusal = Answer.error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    async with Upstream(rules=rules) as upstream, model_of(upstream, max_tokens=9) as model:
        upstream.script(refusal)
        assert (await said(model)).text == "echo: hello"
        assert upstream.requests[-1].body["max_completion_tokens"] == 9


async def test_settings_and_options_are_sent_and_a_request_overrides_them() -> None:
    rules = Rules(extra_parameters=frozenset({"repeat_penalty"}))
    settings: dict[str, Any] = {
        "temperature": 0.2,
        "top_p": 0.9,
        "repeat_penalty": 1.1,
        "options": {"seed": 7},
    }
    async with Upstream(rules=rules) as upstream, model_of(upstream, **settings) as model:
        await said(model, request(temperature=1.0, max_tokens=3))
        body = upstream.requests[0].body
        sent = [body[name] for name in ("temperature", "top_p", "repeat_penalty", "seed", "max_tokens")]
        assert sent == [1.0, 0.9, 1.1, 7, 3]


@pytest.mark.pain("62")
async def test_the_key_is_in_no_error_and_no_log() -> None:
    async with Upstream(rules=Rules(api_key="another-key")) as upstream, model_of(upstream) as model:
        with capture_logs() as logs:
            error = await failure(model)
        assert error.code == "auth_failed"
        assert KEY in upstream.refusals[0], "the provider did echo it"
        assert KEY not in f"{error}{error.__cause__}{error.__context__}{logs}"
        assert error.__cause__ is None and error.__context__ is None


@pytest.mark.pain("P066")
@pytest.mark.pain("43")
async def test_a_window_that_is_counted_in_chinese_is_told_as_too_long() -> None:
    async with Upstream(rules=Rules(context_tokens=32_000)) as upstream, model_of(upstream) as model:
        assert (await failure(model, request("重" * 60_000))).code == "context_too_long"
        assert (await said(model, request("重" * 20_000))).text.startswith("echo: 重")


async def test_characters_that_cannot_be_sent_are_replaced() -> None:
    async with Upstream() as upstream, model_of(upstream) as model:
        assert (await said(model, request("a\ud800b\x00c"))).text == "echo: a\ufffdb\ufffdc"
        assert upstream.refusals == []


async def test_the_query_of_an_address_stays_at_its_end_and_its_login_is_used() -> None:
    async with Upstream() as upstream:
        base_url = upstream.base_url.replace("//", "//ann:pw@") + "/?api-version=1"
        models = built({"providers": {"acme": provider(upstream, base_url=base_url, max_retries=0)}})
        await failure(models.chat)  # the fake knows no such address
        await models.aclose()
    assert upstream.requests[0].path == "/v1/chat/completions?api-version=1"
    assert upstream.requests[0].headers["authorization"] == "Basic YW5uOnB3"
