"""What is counted of the events, and how it is told."""

from bot.events.metrics import Metrics
from bot.events.types import (
    ContextBuilt,
    MemoryRead,
    MemoryWritten,
    MessageFailed,
    MessageReceived,
    MessageSent,
    ModelCallCompleted,
    ModelCallFailed,
    RunCancelled,
    RunCompleted,
    RunFailed,
    RunRetried,
    RunStarted,
    SessionDeleted,
)

EVENTS = (
    MessageReceived(channel="http", chars=5, attachments=0),
    RunStarted(kind="turn", attempt=1, waited_ms=2.0),
    RunStarted(kind="turn", attempt=2, waited_ms=9000.0),
    RunStarted(kind="delivery", attempt=1, waited_ms=1.0),
    ContextBuilt(messages=3, memories=0, tokens=20, dropped=0, ms=1.0),
    MemoryRead(hits=2, mode="hybrid", ms=4.0),
    ModelCallCompleted(
        provider="main",
        model="m",
        first_token_ms=50.0,
        ms=90.0,
        input_tokens=20,
        output_tokens=7,
        finish="stop",
    ),
    ModelCallCompleted(
        provider="main",
        model="m",
        first_token_ms=None,
        ms=10.0,
        input_tokens=1,
        output_tokens=0,
        finish="stop",
    ),
    ModelCallFailed(provider="main", model="m", code="timeout", ms=30.0, shown=False),
    MemoryWritten(count=2),
    RunCompleted(kind="turn", status="completed", ms=100.0),
    RunCompleted(kind="delivery", status="completed", ms=5.0),
    RunFailed(kind="turn", code="timeout", ms=30.0),
    RunCancelled(kind="turn", reason="deleted"),
    RunRetried(kind="delivery", reason="wait", after_s=3.0),
    MessageSent(channel="telegram", part=0, edited=False),
    MessageFailed(channel="telegram", reason="blocked"),
    SessionDeleted(),
)


def told(depth: dict[str, int] | None = None) -> dict[str, float]:
    """Every sample by its name and labels, after all of `EVENTS`."""
    metrics = Metrics()
    for event in EVENTS:
        metrics.observe(event)
    lines = metrics.render(depth or {}).decode().splitlines()
    return {
        name: float(value) for name, _, value in (x.rpartition(" ") for x in lines if not x.startswith("#"))
    }


def test_turns_are_counted_by_outcome_and_no_other_runs() -> None:
    samples = told()
    turns = {name: value for name, value in samples.items() if name.startswith("xiaomaolv_turns_total")}
    assert turns == {
        'xiaomaolv_turns_total{outcome="completed"}': 1,
        'xiaomaolv_turns_total{outcome="failed"}': 1,
        'xiaomaolv_turns_total{outcome="cancelled"}': 1,
    }


def test_tokens_calls_errors_and_deliveries_are_counted() -> None:
    samples = told()
    assert samples['xiaomaolv_tokens_total{direction="input",provider="main"}'] == 21
    assert samples['xiaomaolv_tokens_total{direction="output",provider="main"}'] == 7
    assert samples['xiaomaolv_model_calls_total{outcome="failed",provider="main"}'] == 1
    assert samples['xiaomaolv_errors_total{at="model",kind="timeout"}'] == 1
    assert samples['xiaomaolv_errors_total{at="turn",kind="timeout"}'] == 1
    assert samples['xiaomaolv_deliveries_total{channel="telegram",outcome="sent"}'] == 1
    assert samples['xiaomaolv_deliveries_total{channel="telegram",outcome="failed"}'] == 1
    assert samples['xiaomaolv_messages_received_total{channel="http"}'] == 1
    assert samples['xiaomaolv_retries_total{kind="delivery"}'] == 1
    assert samples["xiaomaolv_memories_written_total"] == 2


def test_every_stage_of_a_turn_is_timed_in_seconds() -> None:
    samples = told()
    expected = {
        "waited": 0.002,
        "context": 0.001,
        "memory": 0.004,
        "first_token": 0.05,
        "model": 0.1,
        "total": 0.1,
    }
    for stage, seconds in expected.items():
        assert round(samples[f'xiaomaolv_stage_seconds_sum{{stage="{stage}"}}'], 6) == seconds


def test_the_depth_of_the_queue_is_what_it_is_now() -> None:
    assert told({"turn": 3})['xiaomaolv_queue_depth{kind="turn"}'] == 3
    samples = told({"learn": 1})
    assert samples['xiaomaolv_queue_depth{kind="turn"}'] == 0
    assert samples['xiaomaolv_queue_depth{kind="learn"}'] == 1


def test_the_process_tells_its_memory() -> None:
    assert told()["process_resident_memory_bytes"] > 1_000_000
