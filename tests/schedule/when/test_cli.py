import io
import json
from collections.abc import Callable

import pytest

from bot.cli import main

NOW = "2026-12-01T19:53:00"
Answers = Callable[[str], list[dict[str, object]]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Answers:
    def ask(lines: str) -> list[dict[str, object]]:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert main(["when", "--jsonl"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


def _line(text: str, **more: str) -> str:
    return json.dumps({"text": text, "now": NOW, **more}) + "\n"


def test_each_line_is_answered_with_what_was_understood(answers: Answers) -> None:
    day, time, rule, none = answers(
        _line("pay the rent on friday", lang="en")
        + _line("remind me to call mum tomorrow at 5pm")
        + _line("stretch every weekday at 9")
        + _line("hello")
    )
    assert (day["kind"], day["at"], day["grain"], day["task"]) == (
        "once",
        "2026-12-04",
        "day",
        "pay the rent",
    )
    assert (time["at"], time["grain"], time["task"]) == ("2026-12-02T17:00:00", "minute", "call mum")
    assert (rule["kind"], rule["timex"]) == ("recurring", "P1WDT09")
    assert rule["rrule"] == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"
    assert rule["assumed"] == ["half-day"]
    assert none == {"kind": "none", "task": "hello", "confidence": 0.0, "assumed": []}


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1]",
        "{}",
        '{"text": 3, "now": "2026-12-01T19:53:00"}',
        '{"text": "tomorrow", "now": "soon"}',
        '{"text": "tomorrow", "tz": "Mars/Base"}',
        '{"text": "tomorrow", "tz": "+99:99"}',
        "[" * 5000,
        "",
        "   ",
        '{"text": "tomorrow", "now": "0001-01-01T00:00:00+14:00", "tz": "America/New_York"}',
    ],
)
def test_a_bad_line_is_told_and_the_next_is_read(answers: Answers, line: str) -> None:
    bad, good = answers(f"{line}\n{_line('tomorrow')}")
    assert list(bad) == ["error"]
    assert good["at"] == "2026-12-02"


def test_half_a_character_in_a_text_ends_no_stream(answers: Answers) -> None:
    half, good = answers(_line("\ud800 tomorrow") + _line("tomorrow"))
    assert half["task"] == "\ud800"
    assert half["at"] == good["at"] == "2026-12-02"


def test_a_zone_turns_named_ones_and_the_clock(answers: Answers) -> None:
    (answer,) = answers(_line("thursday 8h00 gmt", tz="-02:00"))
    assert answer["at"] == "2026-12-03T06:00:00"


def test_a_person_sees_words_and_the_next_firings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when", "every other friday at 9", "--now", NOW]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "every 2 weeks on Friday at 09:00"
    assert shown[-3:] == [
        "  Friday, 4 December 2026, 09:00",
        "  Friday, 18 December 2026, 09:00",
        "  Friday, 1 January 2027, 09:00",
    ]


def test_a_person_sees_why_a_time_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when", "30", "feb", "--now", NOW]) == 0
    assert "There is no such time." in capsys.readouterr().out


def test_nothing_to_read_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when"]) == 2
    assert "nothing to read" in capsys.readouterr().err
