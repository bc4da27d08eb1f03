"""`xiaomaolv memory import` and `memory search`, as people and programs call them."""

import io
import json
import sys
from pathlib import Path

import pytest

from bot.cli import FAILED, OK, WRONG_INPUT, main

LINES = (
    '{"id": "a1", "scope": "s1", "speaker": "Ann", "text": "I parked on level three", "at": "2026-01-01"}\n'
    '{"id": "a2", "scope": "s2", "speaker": "Ben", "text": "我们家的狗叫旺财", "at": "2026-01-01"}\n'
)


@pytest.fixture
def args(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options of a database and a configuration of their own, which searches by words alone."""
    # Loggers keep the stream they began with, which pytest closes with each test.
    monkeypatch.setattr("bot.cli.logs.configure", lambda *_args, **_more: None)
    config = tmp_path / "config.toml"
    config.write_text('[memory]\nembedder = "none"\n', encoding="utf-8")
    return ["--db", f"sqlite:///{tmp_path}/bot.db", "--config", str(config)]


@pytest.fixture
def filled(tmp_path: Path, args: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    file = tmp_path / "lines.jsonl"
    file.write_text(LINES, encoding="utf-8")
    assert main(["memory", "import", *args, str(file)]) == OK
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["imported"] == 2
    return args


def test_a_bad_line_is_told_with_its_number_and_the_others_are_kept(
    tmp_path: Path, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(LINES + "oops\n", encoding="utf-8")
    assert main(["memory", "import", *args, str(file)]) == FAILED
    told = capsys.readouterr()
    assert f"{file}:3: not a line of JSON" in told.err
    summary = json.loads(told.out.splitlines()[-1])
    assert (summary["imported"], summary["refused"], summary["errors"][0]["line"]) == (2, 1, 3)


def test_a_file_that_is_not_there_is_wrong_input(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "import", *args, "nowhere.jsonl"]) == WRONG_INPUT
    assert "nowhere.jsonl cannot be read" in capsys.readouterr().err


def test_lines_of_questions_are_answered_line_by_line_within_their_scope(
    filled: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (
        b'{"query": "level", "scope": "s1"}\n{"query": "level", "scope": "s2", "k": 3}\nno\n'
        b'{"query": "\xe6\x97\xba\xe8\xb4\xa2", "scope": "s2", "now": "2026-02-01", "k": 1}\n'
        b'{"query": "level", "scope": "s1", "k": 0}\n'
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked), encoding="utf-8"))
    assert main(["memory", "search", "--jsonl", *filled]) == OK
    first, foreign, bad, chinese, none = map(json.loads, capsys.readouterr().out.splitlines())
    (hit,) = first["hits"]
    assert (hit["id"], hit["text"], hit["at"]) == (
        "a1",
        "I parked on level three",
        "2026-01-01T00:00:00+00:00",
    )
    assert 0 < hit["score"] <= 1
    assert first["ms"] > 0
    assert foreign["hits"] == []
    assert "line 3" in bad["error"]
    assert [hit["id"] for hit in chinese["hits"]] == ["a2"]
    assert "k must be" in none["error"]


def test_one_question_is_answered_for_people_or_as_json(
    filled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["memory", "search", *filled, "which", "level"]) == OK
    assert "2026-01-01, Ann: I parked on level three" in capsys.readouterr().out
    assert main(["memory", "search", *filled, "--json", "-k", "1", "--scope", "s1", "level"]) == OK
    assert [hit["id"] for hit in json.loads(capsys.readouterr().out)["hits"]] == ["a1"]
    assert main(["memory", "search", *filled, "--scope", "s9", "level"]) == OK
    assert capsys.readouterr().out == "Nothing is remembered about that.\n"
