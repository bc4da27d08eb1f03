"""`xiaomaolv mcp`."""

import json
from pathlib import Path

import pytest

from bot.cli import WRONG_INPUT, main
from tests.tools.mcp.conftest import Fake

HIDDEN = {"name": "late", "description": "Later.", "inputSchema": {"type": "object"}}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XIAOMAOLV_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text('[storage]\nurl = "sqlite:///bot.db"\n', encoding="utf-8")


def fake(tmp_path: Path, **state: object) -> list[str]:
    """A fake server's command line."""
    entry = Fake(tmp_path / "fake.json").says(**{"tools": [HIDDEN], **state}).entry
    return [entry["command"], *entry["args"]]


def test_a_server_is_added_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "add", "one", "--scope", "project", "--", "npx", "-y", "pkg", "--", "x"]) == 0
    assert (
        main(["mcp", "add", "two", "--command", "uvx", "--arg", "-q", "--arg", "pkg", "--env", "A=b=c"]) == 0
    )
    assert (
        main(["mcp", "add", "web", "--transport", "http", "--url", "https://x.org/mcp", "--header", "K: v"])
        == 0
    )
    capsys.readouterr()
    assert main(["mcp", "ls", "--json"]) == 0
    told = {server["name"]: server for server in json.loads(capsys.readouterr().out)["servers"]}
    assert told["one"]["target"] == "npx -y pkg -- x"
    assert (told["one"]["source"], told["two"]["source"]) == ("project", "user")
    assert told["two"]["target"] == "uvx -q pkg"
    assert told["web"]["transport"] == "http"
    assert main(["mcp", "ls", "--scope", "project"]) == 0
    assert "one" in (shown := capsys.readouterr().out) and "two" not in shown
    assert main(["mcp", "rm", "one", "--scope", "user"]) == WRONG_INPUT
    assert "in no registry" in capsys.readouterr().err
    assert main(["mcp", "rm", "one"]) == 0
    capsys.readouterr()
    assert main(["mcp", "ls"]) == 0
    assert "pkg -- x" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["--command", "x", "--", "y"],
        ["--transport", "stdio", "--url", "https://x.org"],
        ["--transport", "http", "--command", "x"],
        ["--transport", "http"],
        [],
        ["--url", "https://x.org", "--header", "novalue"],
        ["--command", "x", "--env", "novalue"],
        ["--command", "x", "--timeout-secs", "0"],
        ["--command", "x", "--timeout-secs", "nan"],
    ],
)
def test_what_does_not_go_together_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "add", "one", *words]) == 2
    assert capsys.readouterr().err.startswith("xiaomaolv: ")


@pytest.mark.pain("46", "P081")
def test_a_test_tells_tools_stderr_and_skipped_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["mcp", "add", "one", "--", *fake(tmp_path, says=["loading"], noise=["Starting..."])])
    assert main(["mcp", "test", "one"]) == 0
    shown = capsys.readouterr().out
    assert "- late  Later." in shown
    assert "loading" in shown
    assert "lines on stdout were no messages" in shown


def test_a_test_that_fails_says_why_and_exits_so(capsys: pytest.CaptureFixture[str]) -> None:
    main(["mcp", "add", "one", "--", "no-such-program-here"])
    assert main(["mcp", "test", "one"]) == 1
    assert "no-such-program-here" in capsys.readouterr().out
    main(["mcp", "add", "two", "--", "sh", "-c", "echo it broke >&2; exit 1"])
    assert main(["mcp", "test", "two", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.partition("two\n")[2])["stderr"] == ["it broke"]
    assert main(["mcp", "test", "three"]) == 2


def test_nothing_waits_before_a_bot_has_seen_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    main(["mcp", "add", "one", "--", "x"])
    capsys.readouterr()
    assert main(["mcp", "review"]) == 0
    assert "No tool waits" in capsys.readouterr().out
    assert main(["mcp", "approve", "one", "echo"]) == 1
    assert main(["mcp", "approve", "one"]) == 0


@pytest.mark.parametrize("verb", [["approve", "oen"], ["block", "oen", "echo"], ["review", "oen"]])
def test_a_slip_in_the_name_of_a_server_is_no_server_of_which_nothing_waits(
    verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["mcp", "add", "one", "--", "x"])
    capsys.readouterr()
    assert main(["mcp", *verb]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "there is no MCP server oen" in shown.err
