"""`xiaomaolv tools check`, as scripts use it."""

import io
import json

import pytest

from bot.cli import main


def test_one_value_is_answered_in_words_and_by_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "check", "url", "https://example.org/"]) == 0
    assert main(["tools", "check", "path", "../x"]) == 1
    assert main(["tools", "check", "command", "rm -rf x"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["allow", "deny", "ask"]


def test_lines_are_answered_one_by_one_with_their_ids(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"id": "a", "url": "http://10.0.0.1/"}',
        "",
        '{"url": "https://example.org/"}',
        "nonsense",
        "{}",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["tools", "check", "url", "--jsonl"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("verdict") for answer in told] == ["deny", "allow", None, None]
    assert told[0]["id"] == "a"
    assert told[0]["reason"]
    assert "error" in told[2]
    assert "error" in told[3]


def test_without_a_value_the_command_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "check", "url"]) == 2
    assert "xiaomaolv tools check url VALUE" in capsys.readouterr().err
