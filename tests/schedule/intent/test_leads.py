"""A reminder that is wished some time before what was named comes that much earlier."""

from datetime import datetime

import pytest

from bot.schedule.intent import Asking, judge

BY = Asking(datetime(2026, 12, 2, 13, 53))  # noqa: DTZ001 - on the wall


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("remind me half an hour before my 4pm meeting", "2026-12-02 15:30:00"),
        ("I have a call at 3:30pm please remind me ten minutes before", "2026-12-02 15:20:00"),
        ("mum's flight lands at 19:10 on Saturday, remind me an hour earlier", "2026-12-05 18:10:00"),
        ("remind me two days before my flight on 20 December", "2026-12-18"),
        ("my exam is on 18 December at 10am, remind me the day before", "2026-12-17 10:00:00"),
        ("class is at 8pm, wake me half an hour earlier", "2026-12-02 19:30:00"),
        ("remind me ten minutes before five pm", "2026-12-02 16:50:00"),  # the reader's own
        ("五点开会提前十分钟提醒我", "2026-12-02 16:50:00"),
        ("老婆生日是十二号，提前两天提醒我买礼物", "2026-12-10"),
        ("明天下午三点的会记得提前半小时提醒我", "2026-12-03 14:30:00"),
        ("圣诞节前三天提醒我", "2026-12-22"),  # the reader's own
    ],
)
def test_the_reminder_comes_that_much_before_the_time_that_was_named(text: str, at: str) -> None:
    intent = judge(text, BY)
    assert intent.verdict == "wish"
    assert str(intent.reading.at) == at


def test_of_an_open_hour_the_half_that_is_still_to_come_is_taken() -> None:
    reading = judge("周六我妈七点十分落地，提前一小时提醒我", BY).reading
    assert [str(one.at) for one in (reading, *reading.alternatives)] == [
        "2026-12-05 06:10:00",
        "2026-12-05 18:10:00",
    ]


def test_a_lead_that_is_over_is_no_wish() -> None:
    assert judge("remind me 10 minutes before the 2pm call", BY).verdict == "none"
