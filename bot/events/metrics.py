"""Prometheus metrics: a subscriber of the event log. No counter lives in a service."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from bot.events.types import (
    ContextBuilt,
    Event,
    HumanReviewRequested,
    JobFailed,
    JobFired,
    JobMissed,
    JobSucceeded,
    MemoryRead,
    MemoryWritten,
    MessageFailed,
    MessageJudged,
    MessageReceived,
    MessageSent,
    ModelCallCompleted,
    ModelCallFailed,
    RunCancelled,
    RunCompleted,
    RunFailed,
    RunRetried,
    RunStarted,
    ToolCallCompleted,
    ToolCallFailed,
    ToolCallRejected,
)

# Seconds. The smallest stages take about a millisecond, the longest answers minutes.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
_KINDS = ("turn", "delivery")


class Metrics:
    """What `/metrics` shows. Subscribe `observe` to the event log of this process.

    Labels hold names of providers, channels and error codes only, never ids: their number is bounded.
    """

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._turns = self._counter("turns", "Turns that ended, by outcome.", "outcome")
        self._tokens = self._counter("tokens", "Tokens, as providers counted them.", "provider", "direction")
        self._calls = self._counter("model_calls", "Calls of models, by outcome.", "provider", "outcome")
        self._errors = self._counter(
            "errors", "Failures, by where they were and what they were.", "at", "kind"
        )
        self._received = self._counter("messages_received", "Messages that came in.", "channel")
        self._group_messages = self._counter("group_messages", "Messages of groups that were judged.")
        self._group_decisions = self._counter(
            "group_decisions", "What was decided of messages of groups.", "decision"
        )
        self._deliveries = self._counter("deliveries", "Parts of answers sent, or not.", "channel", "outcome")
        self._retries = self._counter("retries", "Runs that went back to the queue.", "kind")
        self._memories = self._counter("memories_written", "Statements that were remembered.")
        self._stage = Histogram(
            "xiaomaolv_stage_seconds",
            "How long the stages of a turn take: waited, context, memory, first_token, model, total.",
            ["stage"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._queue = Gauge(
            "xiaomaolv_queue_depth", "Runs that wait or work, by kind.", ["kind"], registry=self._registry
        )
        self._jobs = Gauge("xiaomaolv_jobs", "Jobs: all, active, due.", ["state"], registry=self._registry)
        self._firings = self._counter("job_firings", "Firings of jobs, by outcome.", "kind", "outcome")
        self._tools = self._counter(
            "tool_calls", "Calls of tools, by toolset and outcome.", "toolset", "outcome"
        )
        for outcome in ("completed", "failed", "cancelled"):  # told from the start, as zero
            self._turns.labels(outcome)
        self._stages: dict[str, Callable[[float], None]] = {}
        self._children: dict[tuple[Any, ...], Callable[[float], None]] = {}
        self._observers: dict[type[Event], Callable[[Any], None]] = {
            RunStarted: self._run_started,
            RunCompleted: self._run_completed,
            RunFailed: self._run_failed,
            RunCancelled: lambda event: self._run_ended(event.kind, "cancelled"),
            RunRetried: lambda event: self._add(self._retries, event.kind),
            ContextBuilt: lambda event: self._time("context", event.ms),
            MemoryRead: lambda event: self._time("memory", event.ms),
            MemoryWritten: lambda event: self._add(self._memories, amount=event.count),
            ModelCallCompleted: self._model_completed,
            ModelCallFailed: self._model_failed,
            MessageReceived: lambda event: self._add(self._received, event.channel),
            MessageSent: lambda event: self._add(self._deliveries, event.channel, "sent"),
            MessageJudged: self._judged,
            JobFired: lambda event: self._add(self._firings, event.kind, "begun"),
            JobSucceeded: lambda event: self._add(self._firings, event.kind, "ok"),
            JobFailed: lambda event: self._add(self._firings, event.kind, "failed"),
            JobMissed: lambda event: self._add(self._firings, event.kind, "missed"),
            ToolCallCompleted: lambda event: self._add(self._tools, event.toolset, "completed"),
            ToolCallFailed: lambda event: self._add(self._tools, event.toolset, "failed"),
            ToolCallRejected: lambda event: self._add(self._tools, event.toolset, "rejected"),
            HumanReviewRequested: lambda event: self._add(self._tools, event.toolset, "asked"),
            MessageFailed: lambda event: self._add(self._deliveries, event.channel, "failed"),
        }

    def observe(self, event: Event) -> None:
        """Count one event. Events that nothing is counted of are passed over."""
        observer = self._observers.get(type(event))
        if observer is not None:
            observer(event)

    def render(self, depth: Mapping[str, int], jobs: Mapping[str, int] = MappingProxyType({})) -> bytes:
        """Everything, as Prometheus reads it.

        `depth` is how many runs wait or work now, by kind; `jobs` how many of these there are, by state.
        """
        for state, count in jobs.items():
            self._jobs.labels(state).set(count)
        for kind in {*_KINDS, *depth}:
            self._queue.labels(kind).set(depth.get(kind, 0))
        return generate_latest(self._registry)

    def _run_started(self, event: RunStarted) -> None:
        if event.kind == "turn" and event.attempt == 1:
            self._time("waited", event.waited_ms)

    def _run_completed(self, event: RunCompleted) -> None:
        self._run_ended(event.kind, event.status)
        if event.kind == "turn":
            self._time("total", event.ms)

    def _run_failed(self, event: RunFailed) -> None:
        self._run_ended(event.kind, "failed")
        self._add(self._errors, event.kind, event.code)

    def _run_ended(self, kind: str, outcome: str) -> None:
        if kind == "turn":
            self._add(self._turns, outcome)

    def _judged(self, event: MessageJudged) -> None:
        if event.group:
            self._add(self._group_messages)
            self._add(self._group_decisions, event.decision)

    def _model_completed(self, event: ModelCallCompleted) -> None:
        self._add(self._calls, event.provider, "completed")
        self._add(self._tokens, event.provider, "input", amount=event.input_tokens)
        self._add(self._tokens, event.provider, "output", amount=event.output_tokens)
        self._time("model", event.ms)
        if event.first_token_ms is not None:
            self._time("first_token", event.first_token_ms)

    def _model_failed(self, event: ModelCallFailed) -> None:
        self._add(self._calls, event.provider, "failed")
        self._add(self._errors, "model", event.code)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"xiaomaolv_{name}", about, labels, registry=self._registry)

    def _add(self, counter: Counter, *labels: str, amount: float = 1) -> None:
        key = (counter, *labels)
        add = self._children.get(key)
        if add is None:
            add = self._children[key] = counter.labels(*labels).inc if labels else counter.inc
        add(amount)

    def _time(self, stage: str, ms: float) -> None:
        observe = self._stages.get(stage)
        if observe is None:
            observe = self._stages[stage] = self._stage.labels(stage).observe
        observe(ms / 1000)
