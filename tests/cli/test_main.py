import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot import __main__, cli
from bot.errors import ConfigError, Conflict, InputError, XiaomaolvError


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XIAOMAOLV_CONFIG", "OPENAI_API_KEY", "TELEGRAM_BOT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, dict[str, object]]]]:
    """Handlers that only note what they were called with."""
    calls: list[tuple[str, dict[str, object]]] = []

    def noting(noun: str) -> Callable[[argparse.Namespace], int]:
        def run(args: argparse.Namespace) -> int:
            calls.append((noun, vars(args)))
            return 0

        return run

    for noun in ("serve", "chat"):
        monkeypatch.setattr(cli.lazy(f"bot.cli.{noun}"), "run", noting(noun))
    yield calls


def failing(error: BaseException) -> SimpleNamespace:
    def run(_args: object) -> int:
        raise error

    return SimpleNamespace(run=run)


@pytest.mark.parametrize(
    ("argv", "noun", "config"),
    [
        ([], "serve", None),
        (["--config", "x.toml"], "serve", "x.toml"),
        (["--debug"], "serve", None),
        (["--debug", "chat"], "chat", None),
        (["serve", "--config", "x.toml"], "serve", "x.toml"),
        (["chat"], "chat", None),
    ],
)
def test_serve_is_what_runs_when_no_command_is_named(
    ran: list[tuple[str, dict[str, object]]], argv: list[str], noun: str, config: str | None
) -> None:
    assert cli.main(argv) == 0
    ((called, args),) = ran
    assert (called, args["config"]) == (noun, config)


def test_chat_takes_a_session_and_a_name(ran: list[tuple[str, dict[str, object]]]) -> None:
    assert cli.main(["chat", "--session", "s1", "--user", "Ann"]) == 0
    assert ran[0][1]["session"] == "s1"
    assert ran[0][1]["user"] == "Ann"


def test_an_unknown_command_is_one_line_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["srve"]) == 2
    assert capsys.readouterr().err == 'xiaomaolv: there is no command "srve"\nhint: did you mean serve?\n'
    assert cli.main(["zzz"]) == 2
    assert "the commands are serve, chat" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("m", hint="h"), 2),
        (InputError("m", hint="h"), 2),
        (Conflict("m", hint="h"), 1),
        (XiaomaolvError("m", hint="h"), 1),
    ],
)
def test_an_error_is_a_line_and_a_hint_without_a_traceback(
    error: XiaomaolvError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.lazy("bot.cli.serve"), "run", failing(error).run)
    assert cli.main([]) == code
    assert capsys.readouterr().err == "xiaomaolv: m\nhint: h\n"


def test_an_unexpected_error_shows_its_traceback_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.lazy("bot.cli.serve"), "run", failing(KeyError("k")).run)
    assert cli.main([]) == 1
    assert capsys.readouterr().err == "xiaomaolv: unexpected KeyError: 'k'\nhint: --debug shows where\n"
    assert cli.main(["--debug"]) == 1
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert told.endswith("xiaomaolv: unexpected KeyError: 'k'\n")


def test_an_interrupt_is_no_error_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli.lazy("bot.cli.serve"), "run", failing(KeyboardInterrupt()).run)
    assert cli.main([]) == 130
    assert capsys.readouterr().err == ""


def test_a_reader_that_went_away_ends_the_command_quietly() -> None:
    command = [sys.executable, "-m", "bot", "config", "example"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(15) == 1


def test_the_version_is_that_of_the_installed_distribution(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["xiaomaolv", "--version"])
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"xiaomaolv {cli.version()}\n"


def test_asking_for_the_version_or_for_help_loads_nothing_heavy() -> None:
    program = (
        "import json, sys\n"
        "from bot import cli\n"
        "cli.parser().format_help()\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"pydantic", "structlog", "sqlalchemy", "telegram", "openai", "aiohttp", "dotenv", "channels"}
    assert heavy & set(json.loads(done.stdout)) == set()


def test_every_noun_of_the_list_has_a_handler_and_a_help_text() -> None:
    text = cli.parser().format_help()
    for noun in cli.NOUNS:
        assert callable(cli.lazy(f"bot.cli.{noun}").run)
        assert f"\n    {noun} " in text


def test_config_check_says_all_right_or_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["config", "check"]) == 0
    assert capsys.readouterr().out == "defaults, for there is no config.toml: all right\n"
    (tmp_path / "config.toml").write_text("[app]\nbnd = 1", encoding="utf-8")
    assert cli.main(["config", "check"]) == 2
    assert capsys.readouterr().err == (
        'xiaomaolv: config.toml:2: unknown key "bnd" in [app]; did you mean "bind"?\n'
    )


@pytest.mark.pain("62")
def test_config_show_prints_the_settings_in_effect_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    (tmp_path / "c.toml").write_text("[app]\nmax_history = 3", encoding="utf-8")
    assert cli.main(["config", "show", "--config", "c.toml"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# c.toml\n\n[app]\n")
    assert "max_history = 3\n" in shown
    assert 'api_key = "********"' in shown
    assert "hunter2" not in shown


def test_config_example_prints_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["config", "example"]) == 0
    assert capsys.readouterr().out == cli.lazy("bot.config.example").example()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_stop_no_command(closed: str) -> None:
    ran = subprocess.run(
        ["sh", "-c", f'"$0" -m bot config show {closed}', sys.executable], capture_output=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert bool(ran.stdout) == (">&-" not in closed.replace("2>&-", ""))


def test_a_file_never_takes_the_place_of_a_closed_standard_output(tmp_path: Path) -> None:
    script = (
        "from bot.__main__ import open_standard_streams; open_standard_streams();"
        "file = open('kept', 'w'); print('said'); file.close()"
    )
    subprocess.run(["sh", "-c", '"$0" -c "$1" >&-', sys.executable, script], check=True, timeout=60)
    assert (tmp_path / "kept").read_text() == ""
