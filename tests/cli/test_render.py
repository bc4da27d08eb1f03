"""`xiaomaolv render` shows the messages as they would be sent."""

import io
import json
from typing import Any

import pytest

from bot.cli import main


def rendered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], to: str, text: bytes
) -> Any:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    assert main(["render", "--to", to]) == 0
    return json.loads(capsys.readouterr().out)


def test_markdown_becomes_text_and_entities(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = rendered(
        monkeypatch, capsys, "telegram-entities", "😀 **b** [l](http://a.b)\n```py\nx\n```".encode()
    )
    assert shown == [
        {
            "text": "😀 b l\n\nx",
            "entities": [
                {"type": "bold", "offset": 3, "length": 1},
                {"type": "text_link", "offset": 5, "length": 1, "url": "http://a.b"},
                {"type": "pre", "offset": 8, "length": 1, "language": "py"},
            ],
        }
    ]


def test_markdown_becomes_rich_markdown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rendered(monkeypatch, capsys, "telegram-rich", b"# It costs $5") == [
        {"markdown": "# It costs \\$5"}
    ]


@pytest.mark.parametrize("to", ["telegram-entities", "telegram-rich"])
def test_nothing_to_say_is_no_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], to: str
) -> None:
    assert rendered(monkeypatch, capsys, to, b" \n") == []


def test_input_that_is_no_text_is_refused_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\xff"), encoding="utf-8"))
    assert main(["render", "--to", "telegram-rich"]) == 2
    assert "not UTF-8" in capsys.readouterr().err
