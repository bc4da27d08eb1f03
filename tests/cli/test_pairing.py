"""`xiaomaolv pairing`: letting people in from the command line."""

import asyncio
from pathlib import Path

import pytest

from bot import cli
from bot.clock import SystemClock
from bot.store.engine import Store
from bot.store.open import open_store
from bot.turn import gate
from tests.turn.house import inbound

STRANGER = inbound("hi", channel="telegram", user="77", chat="77", name="Sam")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("XIAOMAOLV_CONFIG", raising=False)
    path = tmp_path / "config.toml"
    path.write_text(f'[storage]\nurl = "sqlite:///{tmp_path}/bot.db"\n', encoding="utf-8")
    return str(path)


def ask_for_access(config: str) -> str:
    """A stranger's code."""

    async def ask() -> str:
        clock = SystemClock()
        store: Store = await open_store(f"sqlite:///{Path(config).parent}/bot.db", clock)
        try:
            code = await store.write(gate.request_pairing, STRANGER, clock.now())
        finally:
            await store.close()
        assert code is not None
        return code

    return asyncio.run(ask())


def role_of(config: str) -> str:
    async def find() -> str:
        store: Store = await open_store(f"sqlite:///{Path(config).parent}/bot.db", SystemClock())
        try:
            return await store.read(gate.role_of, STRANGER.speaker.id, gate.Rules({}))
        finally:
            await store.close()

    return asyncio.run(find())


def test_who_waits_is_listed(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["pairing", "list", "--config", config]) == 0
    assert capsys.readouterr().out.endswith("Nobody is waiting.\n")
    code = ask_for_access(config)
    assert cli.main(["pairing", "list", "--config", config]) == 0
    assert f"{code}  Sam (telegram:77), until " in capsys.readouterr().out


@pytest.mark.pain("64")
@pytest.mark.parametrize(("options", "role"), [([], "member"), (["--admin"], "admin")])
def test_a_code_lets_a_person_in_once(
    config: str, capsys: pytest.CaptureFixture[str], options: list[str], role: str
) -> None:
    code = ask_for_access(config)
    assert role_of(config) == "stranger"
    assert cli.main(["pairing", "approve", code.lower(), *options, "--config", config]) == 0
    assert capsys.readouterr().out.endswith("Sam may talk to the bot now.\n")
    assert role_of(config) == role
    assert cli.main(["pairing", "approve", code, "--config", config]) != 0
    assert "no open request" in capsys.readouterr().err


def test_a_wrong_code_is_refused(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask_for_access(config)
    assert cli.main(["pairing", "approve", "AAAA-AAAA", "--config", config]) != 0
    assert "no open request" in capsys.readouterr().err
    assert role_of(config) == "stranger"
