import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bot import cli
from bot.cli.serve import stop_on_signals
from bot.config.settings import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HTTPS_PROXY", raising=False)
    (tmp_path / ".env").write_text("HTTPS_PROXY=http://from-dotenv:1", encoding="utf-8")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The application, replaced by one that notes what is done with it and stops itself."""
    notes: list[Any] = []

    async def serve_until(stop: asyncio.Event, ready: Callable[[str], None]) -> None:
        notes.append("serving")
        ready("http://127.0.0.1:1/")
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(stop.wait(), 5)
        notes.append("stopped")

    @asynccontextmanager
    async def open_app(
        settings: Settings, *, environ: Mapping[str, str], serving: bool = True
    ) -> AsyncIterator[SimpleNamespace]:
        notes.append(settings.app.default_provider)
        assert environ["HTTPS_PROXY"] == "http://from-dotenv:1"
        models = SimpleNamespace(describe=lambda: SimpleNamespace(notice="missing"))
        yield SimpleNamespace(serve_until=serve_until, service=None, clock=None, models=models)
        notes.append("closed")

    async def chat(service: object, clock: object, session: str, user: str) -> None:
        notes.append((session, user))

    replaced: dict[str, dict[str, Any]] = {
        "bot.app": {"open_app": open_app},
        "channels.terminal": {"chat": chat},
    }
    for noun in ("serve", "chat"):
        monkeypatch.setattr(cli.lazy(f"bot.cli.{noun}"), "lazy", lambda name: stand_in(name, replaced))
    yield notes


def stand_in(name: str, replaced: dict[str, dict[str, Any]]) -> ModuleType | SimpleNamespace:
    if name == "bot.cli.logs":
        return SimpleNamespace(configure=lambda *_args, **_more: None)
    return SimpleNamespace(**replaced[name]) if name in replaced else cli.lazy(name)


def test_serve_runs_until_sigterm_and_closes_the_application(
    seen: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve"]) == 0
    assert seen == ["local", "serving", "stopped", "closed"]
    ready, missing = capsys.readouterr().out.splitlines()
    assert "http://127.0.0.1:1/" in ready
    assert "OPENAI_API_KEY" in missing


def test_chat_hands_session_and_name_to_the_terminal(seen: list[Any]) -> None:
    assert cli.main(["chat", "--session", "s", "--user", "Ann"]) == 0
    assert seen == ["local", ("s", "Ann"), "closed"]


def test_chat_knows_the_login_name(seen: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    cli.main(["chat"])
    assert seen[1] == ("terminal", "ann")


def test_chat_does_without_a_login_name(seen: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid 1234")

    monkeypatch.setattr("getpass.getuser", nobody)
    cli.main(["chat"])
    assert seen[1] == ("terminal", "user")


def test_a_bot_that_serves_looks_for_garbage_beside_what_its_start_made(
    seen: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = gc.get_threshold()
    looks = []

    def told(*_words: object, **_how: object) -> None:
        looks.append((gc.isenabled(), gc.get_freeze_count() > 0))

    monkeypatch.setattr("bot.cli.serve.print", told, raising=False)
    cli.main(["serve"])
    assert looks == [(True, True)] * 2, "told when it is ready"
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == (True, before, 0)


async def test_a_second_interrupt_is_not_waited_for() -> None:
    before = signal.getsignal(signal.SIGINT)
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    try:
        stop_on_signals(loop, stop)
        signal.raise_signal(signal.SIGINT)
        await asyncio.wait_for(stop.wait(), 5)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        signal.signal(signal.SIGINT, before)


async def test_a_loop_without_signal_handlers_is_served_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def none_here(*_args: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(loop, "add_signal_handler", none_here)
    try:
        stop_on_signals(loop, stop)
        signal.raise_signal(signal.SIGTERM)
        await asyncio.wait_for(stop.wait(), 5)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
