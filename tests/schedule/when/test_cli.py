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
        '{"text": null}',
        '{"text": NaN}',
        '{"text": "tomorrow", "lang": 5}',
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
    assert (list(bad), bad["kind"]) == (["kind", "error"], "none")
    assert good["at"] == "2026-12-02"


def test_half_a_character_in_a_text_ends_no_stream(answers: Answers) -> None:
    half, good = answers(_line("\ud800 tomorrow") + _line("tomorrow"))
    assert half["task"] == "\ud800"
    assert half["at"] == good["at"] == "2026-12-02"


def test_a_file_may_begin_with_a_byte_order_mark(answers: Answers) -> None:
    (answer,) = answers("\ufeff" + _line("tomorrow"))
    assert answer["at"] == "2026-12-02"


@pytest.mark.parametrize(
    ("now", "text", "at"),
    [
        ("2027-03-28T01:30:00", "in 2 hours", "2027-03-28T04:30:00"),
        ("2026-10-25T01:30:00", "in 2 hours", "2026-10-25T02:30:00"),
        ("2026-10-25T02:30:00+01:00", "in 1 hour", "2026-10-25T03:30:00"),
        ("2026-10-24T09:00:00", "tomorrow at 9", "2026-10-25T09:00:00"),
    ],
)
def test_in_a_zone_hours_from_now_are_real_hours(answers: Answers, now: str, text: str, at: str) -> None:
    (answer,) = answers(json.dumps({"text": text, "now": now, "tz": "Europe/Berlin"}) + "\n")
    assert answer["at"] == at


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("chinese new year 9999", NOW),
        ("9999年春节", NOW),
        ("easter", "9999-12-31T10:00:00"),
        ("正月三十", "0001-01-01T00:00:00"),
        ("in jan", "9999-06-30T10:00:00"),
        ("every 8 hours except tomorrow at 4pm", "9999-12-31T23:59:59"),
    ],
)
def test_at_the_ends_of_the_calendar_there_is_an_answer(answers: Answers, text: str, now: str) -> None:
    (answer,) = answers(json.dumps({"text": text, "now": now}) + "\n")
    assert "confidence" in answer


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


def test_a_person_in_a_zone_sees_the_hour_that_clocks_skip(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when", "every day at 2:30 am", "--now", "2027-03-27T12:00", "--tz", "Europe/Berlin"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:-1] == [
        "  Sunday, 28 March 2027, 03:00",
        "  Monday, 29 March 2027, 02:30",
    ]


def test_a_person_sees_why_a_time_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when", "30", "feb", "--now", NOW]) == 0
    assert "There is no such time." in capsys.readouterr().out


def test_nothing_to_read_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["when"]) == 2
    assert "nothing to read" in capsys.readouterr().err
