"""Jobs as a calendar file that other programs read."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
from dateutil.rrule import rrulestr

from bot.schedule import ical, jobs, plan
from bot.schedule.jobs import Job
from bot.schedule.plan import Plan
from tests.fakes.clock import START
from tests.schedule.jobs.making import ANN, BERLIN, CHAT, in_minutes


def job(when: Plan, text: str = "drink water") -> Job:
    return Job(
        "task-00000001", CHAT.id, ANN, "reminder", text, when, "active",
        plan.next_after(when, START), START, START,
    )  # fmt: skip


def event(*shown: Job) -> list[str]:
    """The unfolded lines of the events."""
    text = ical.calendar(shown, START)
    assert text.endswith("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")
    return lines[lines.index("BEGIN:VEVENT") : lines.index("END:VEVENT") + 1] if shown else lines


def test_a_single_time_is_an_event_in_utc() -> None:
    assert "DTSTART:20260302T120500Z" in event(job(in_minutes(5)))


def test_a_rule_keeps_its_hour_on_the_wall_with_its_zone_written_out() -> None:
    when = plan.by_rule("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;COUNT=9", BERLIN, datetime(2026, 3, 1))  # noqa: DTZ001
    lines = event(job(when))
    start = next(line for line in lines if line.startswith("DTSTART")).partition(":")
    rule = next(line for line in lines if line.startswith("RRULE:")).removeprefix("RRULE:")
    assert start[0] == f"DTSTART;TZID={BERLIN}"
    walls = list(rrulestr(rule, dtstart=datetime.strptime(start[2], "%Y%m%dT%H%M%S")))  # noqa: DTZ007
    zone = ZoneInfo(BERLIN)
    assert [wall.replace(tzinfo=zone).astimezone(UTC) for wall in walls] == list(
        plan.moments(when, plan.beginning(when))
    )
    text = ical.calendar([job(when)], START)
    change = (
        "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT"
    )
    assert change in text
    assert "BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100" in text


def test_what_no_rule_of_a_calendar_says_is_written_out() -> None:
    lines = event(job(plan.by_cron("0 9 * * 5L", BERLIN)))
    assert "DTSTART:20260327T080000Z" in lines
    assert "RDATE:20260424T070000Z" in lines


def test_a_text_is_escaped_and_long_lines_are_folded() -> None:
    lines = event(job(in_minutes(5), "a; b, c\\d\nEND:VEVENT " + "鱼" * 60))
    assert "SUMMARY:a\\; b\\, c\\\\d\\nEND:VEVENT " + "鱼" * 60 in lines


def test_what_no_calendar_may_hold_is_left_out() -> None:
    lines = event(job(in_minutes(5), "a\x00b\x07\x1b[31m\x85c\ud83d\td\r\nBEGIN:VALARM\re"))
    assert "SUMMARY:ab[31mc\td\\nBEGIN:VALARM\\ne" in lines


def test_only_what_will_fire_is_shown() -> None:
    paused = replace(job(in_minutes(5)), state="paused")
    assert "BEGIN:VEVENT" not in ical.calendar([paused], START)
    assert jobs.next_firings(paused, START) == []


def test_a_parser_of_others_reads_what_was_written() -> None:
    weekly = plan.by_rule("FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9;BYMINUTE=0", BERLIN, datetime(2026, 3, 1))  # noqa: DTZ001
    told = "tea, milk; and \\ a very long line of text that has to be folded somewhere 每天喝八杯水"
    text = ical.calendar([job(weekly, told), job(in_minutes(5))], START)
    read: Any = icalendar.Calendar.from_ical(text)
    first, second = read.walk("VEVENT")
    assert first["SUMMARY"] == told
    assert first["DTSTART"].dt == datetime(2026, 3, 2, 9, tzinfo=ZoneInfo(BERLIN))
    assert first["RRULE"]["BYDAY"] == ["MO", "FR"]
    assert second["DTSTART"].dt == datetime(2026, 3, 2, 12, 5, tzinfo=UTC)
    assert not any(event.errors for event in (first, second))
    assert read.to_ical() == icalendar.Calendar.from_ical(read.to_ical()).to_ical()
