"""Traces for an OpenTelemetry collector, after its conventions for generative AI (the `otel` extra).

A turn is a span `invoke_agent xiaomaolv`; below it stand the reading of memory and each call of a model.
No words of people are in a trace.
"""

import importlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from importlib import metadata
from typing import TYPE_CHECKING, Any

from bot.domain.ports import Clock
from bot.errors import ConfigError
from bot.events.types import (
    ContextBuilt,
    Event,
    MemoryRead,
    ModelCallCompleted,
    ModelCallFailed,
    RunCancelled,
    RunCompleted,
    RunFailed,
    RunRetried,
    RunStarted,
)

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

AGENT = "xiaomaolv"
# Spans of runs that ended in silence (their process lost them) are given up beyond so many.
MAX_OPEN = 4096


class Tracing:
    """Makes spans of events. Subscribe `observe` to the event log; `close` it at the end."""

    def __init__(self, provider: "TracerProvider", clock: Clock) -> None:
        self._provider = provider
        self._clock = clock
        self._trace = importlib.import_module("opentelemetry.trace")
        self._tracer = provider.get_tracer("xiaomaolv", metadata.version("xiaomaolv"))
        self._open: dict[str, Span] = {}
        self._observers: dict[type[Event], Callable[[Any], None]] = {
            RunStarted: self._started,
            RunCompleted: lambda event: self._ended(event, None),
            RunFailed: lambda event: self._ended(event, event.code),
            RunCancelled: lambda event: self._ended(event, "cancelled"),
            RunRetried: lambda event: self._ended(event, event.reason),
            ContextBuilt: self._context_built,
            MemoryRead: self._memory_read,
            ModelCallCompleted: self._model_completed,
            ModelCallFailed: self._model_failed,
        }

    def observe(self, event: Event) -> None:
        """Note one event. Spans are sent in the background."""
        observer = self._observers.get(type(event))
        if observer is not None:
            observer(event)

    def close(self) -> None:
        """Send what is left. Blocks for some seconds at most where the collector is gone."""
        self._provider.shutdown()

    def _started(self, event: RunStarted) -> None:
        if event.run_id is None:
            return
        is_turn = event.kind == "turn"
        attributes: dict[str, Any] = {
            "xiaomaolv.run.id": event.run_id,
            "xiaomaolv.run.attempt": event.attempt,
            "xiaomaolv.run.waited_ms": event.waited_ms,
        }
        if is_turn:
            attributes |= {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": AGENT}
            if event.conversation_id is not None:
                attributes["gen_ai.conversation.id"] = event.conversation_id
        while len(self._open) >= MAX_OPEN:
            self._open.pop(next(iter(self._open)))
        name = f"invoke_agent {AGENT}" if is_turn else event.kind
        self._open[event.run_id] = self._tracer.start_span(
            name, attributes=attributes, start_time=_ns(self._clock.now())
        )

    def _ended(self, event: Event, error: str | None) -> None:
        span = self._open.pop(event.run_id or "", None)
        if span is None:
            return
        if error is not None:
            self._mark(span, error)
        span.end(_ns(self._clock.now()))

    def _context_built(self, event: ContextBuilt) -> None:
        self._child(event, "context.build", event.ms, {"xiaomaolv.context.tokens": event.tokens})

    def _memory_read(self, event: MemoryRead) -> None:
        attributes = {"xiaomaolv.memory.hits": event.hits, "xiaomaolv.memory.mode": event.mode}
        self._child(event, "memory.read", event.ms, attributes)

    def _model_completed(self, event: ModelCallCompleted) -> None:
        attributes = {
            **_model(event.provider, event.model),
            "gen_ai.usage.input_tokens": event.input_tokens,
            "gen_ai.usage.output_tokens": event.output_tokens,
            "gen_ai.response.finish_reasons": [event.finish],
        }
        if event.first_token_ms is not None:
            attributes["xiaomaolv.first_token_ms"] = event.first_token_ms
        self._child(event, f"chat {event.model}", event.ms, attributes, remote=True)

    def _model_failed(self, event: ModelCallFailed) -> None:
        attributes = _model(event.provider, event.model)
        self._child(event, f"chat {event.model}", event.ms, attributes, remote=True, error=event.code)

    def _child(
        self,
        event: Event,
        name: str,
        ms: float,
        attributes: Mapping[str, Any],
        *,
        remote: bool = False,
        error: str | None = None,
    ) -> None:
        """A span that ends now and took `ms`, below the run's; one of no run stands alone."""
        parent = self._open.get(event.run_id or "")
        ended = self._clock.now()
        span = self._tracer.start_span(
            name,
            context=None if parent is None else self._trace.set_span_in_context(parent),
            kind=self._trace.SpanKind.CLIENT if remote else self._trace.SpanKind.INTERNAL,
            attributes=attributes,
            start_time=_ns(ended - timedelta(milliseconds=ms)),
        )
        if error is not None:
            self._mark(span, error)
        span.end(_ns(ended))

    def _mark(self, span: "Span", error: str) -> None:
        span.set_attribute("error.type", error)
        span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, error))


def open_tracing(endpoint: str, clock: Clock) -> Tracing:
    """Traces that go to the collector at `endpoint`, such as http://127.0.0.1:4318.

    `ConfigError` where the `otel` extra is not installed.
    """
    try:
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        otlp = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        raise ConfigError(
            "telemetry.otlp_endpoint: the libraries of OpenTelemetry are not installed",
            hint="pip install 'xiaomaolv[otel]', or leave telemetry.otlp_endpoint out",
        ) from error
    about = {"service.name": AGENT, "service.version": metadata.version("xiaomaolv")}
    provider = sdk.TracerProvider(resource=resources.Resource.create(about))
    exporter = otlp.OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
    provider.add_span_processor(export.BatchSpanProcessor(exporter))
    return Tracing(provider, clock)


def _model(provider: str, model: str) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
    }


def _ns(moment: datetime) -> int:
    # Whole microseconds, exactly: a float of seconds would round.
    return int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1000
