"""Spans of turns, as a collector sees them."""

import asyncio
import builtins
import importlib
from typing import Any

import pytest
from aiohttp import web
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from bot.errors import ConfigError
from bot.events.tracing import MAX_OPEN, Tracing, open_tracing
from bot.events.types import (
    ContextBuilt,
    Event,
    MemoryRead,
    ModelCallCompleted,
    ModelCallFailed,
    RunCompleted,
    RunFailed,
    RunStarted,
    SessionDeleted,
)
from tests.fakes.clock import ManualClock

TURN: dict[str, Any] = {"run_id": "turn-1", "conversation_id": "http:s1"}
STARTED = RunStarted(**TURN, kind="turn", attempt=1, waited_ms=2.0)
CALL = ModelCallCompleted(
    **TURN,
    provider="main",
    model="gpt",
    first_token_ms=50.0,
    ms=90.0,
    input_tokens=20,
    output_tokens=7,
    finish="stop",
)


def spans_of(*events: Event) -> dict[str, ReadableSpan]:
    """The finished spans after these events, 100 ms apart, by name."""
    exporter, clock = InMemorySpanExporter(), ManualClock()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing = Tracing(provider, clock)
    for event in events:
        tracing.observe(event)
        clock.set_forward(0.1)
    tracing.close()
    return {span.name: span for span in exporter.get_finished_spans()}


def ms_of(span: ReadableSpan) -> float:
    assert span.start_time is not None
    assert span.end_time is not None
    return (span.end_time - span.start_time) / 1e6


def test_a_turn_is_a_span_with_its_model_call_and_memory_below() -> None:
    spans = spans_of(
        STARTED,
        ContextBuilt(**TURN, messages=3, memories=0, tokens=20, dropped=0, ms=1.0),
        MemoryRead(**TURN, hits=2, mode="hybrid", ms=4.0),
        CALL,
        RunCompleted(**TURN, kind="turn", status="completed", ms=400.0),
        SessionDeleted(),
    )
    turn, call = spans["invoke_agent xiaomaolv"], spans["chat gpt"]
    assert ms_of(turn) == 400
    assert turn.attributes is not None
    assert turn.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert turn.attributes["gen_ai.conversation.id"] == "http:s1"
    assert ms_of(call) == 90
    assert call.kind is SpanKind.CLIENT
    assert call.attributes is not None
    assert dict(call.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "main",
        "gen_ai.request.model": "gpt",
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.response.finish_reasons": ("stop",),
        "xiaomaolv.first_token_ms": 50.0,
    }
    for name in ("chat gpt", "memory.read", "context.build"):
        parent = spans[name].parent
        assert parent is not None
        assert parent.span_id == turn.context.span_id


def test_a_failure_is_an_error_of_its_kind() -> None:
    failed = ModelCallFailed(**TURN, provider="main", model="gpt", code="timeout", ms=30.0, shown=False)
    spans = spans_of(STARTED, failed, RunFailed(**TURN, kind="turn", code="timeout", ms=100.0))
    for span in spans.values():
        assert span.status.status_code is StatusCode.ERROR
        assert span.attributes is not None
        assert span.attributes["error.type"] == "timeout"
    assert len(spans) == 2


def test_a_call_of_no_run_stands_alone() -> None:
    call = ModelCallCompleted(
        provider="main",
        model="gpt",
        first_token_ms=None,
        ms=5.0,
        input_tokens=1,
        output_tokens=1,
        finish="stop",
    )
    spans = spans_of(call, RunCompleted(run_id="turn-9", kind="turn", status="completed", ms=1.0))
    assert list(spans) == ["chat gpt"]
    assert spans["chat gpt"].parent is None


def test_spans_that_never_end_are_given_up() -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    tracing = Tracing(provider, ManualClock())
    for number in range(MAX_OPEN + 10):
        tracing.observe(RunStarted(run_id=f"turn-{number}", kind="turn", attempt=1, waited_ms=0.0))
    assert len(tracing._open) == MAX_OPEN
    tracing.close()


async def test_spans_arrive_at_the_collector() -> None:
    bodies: list[bytes] = []

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.read())
        return web.Response()

    app = web.Application()
    app.add_routes([web.post("/v1/traces", take)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        tracing = open_tracing(f"http://127.0.0.1:{runner.addresses[0][1]}/", ManualClock())
        tracing.observe(CALL)
        await asyncio.to_thread(tracing.close)
    finally:
        await runner.cleanup()
    assert b"chat gpt" in bodies[0]
    assert b"xiaomaolv" in bodies[0]


def test_without_the_extra_the_operator_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def missing(name: str, package: str | None = None) -> Any:
        if name.startswith("opentelemetry"):
            raise builtins.ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ConfigError, match="xiaomaolv\\[otel\\]"):
        open_tracing("http://127.0.0.1:4318", ManualClock())
