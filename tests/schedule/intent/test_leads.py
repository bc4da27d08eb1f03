"""A reminder that is wished some time before what was named comes that much earlier."""

from datetime import datetime, timedelta

import pytest

from bot.schedule.intent import Asking, judge
from bot.schedule.rule_earlier import earlier

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


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "remind me 10 minutes before my 9am standup every weekday",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=50",
        ),
        (
            "every weekday remind me 10 minutes before my 9am standup",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=50",
        ),
        ("remind me the day before every friday 10am meeting", "FREQ=WEEKLY;BYDAY=TH;BYHOUR=10;BYMINUTE=0"),
        ("every month on the 1st rent is due, remind me 3 days before", "FREQ=MONTHLY;BYMONTHDAY=-3"),
        ("every year on 1 january remind me two days before", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-2"),
        ("每月15号还款，提前一天提醒我", "FREQ=MONTHLY;BYMONTHDAY=14"),
        ("每天零点五分提前十分钟提醒我", "FREQ=DAILY;BYHOUR=23;BYMINUTE=55"),
        ("every day at 8 and 12:30, remind me 40 minutes before", "FREQ=DAILY;BYHOUR=7,11;BYMINUTE=20,50"),
    ],
)
def test_a_lead_moves_every_time_of_what_comes_again(text: str, rule: str) -> None:
    intent = judge(text, BY)
    assert (intent.verdict, intent.reading.rrule) == ("wish", rule)


@pytest.mark.parametrize(
    ("rule", "lead"),
    [
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", timedelta(days=1)),  # one in the month before, one not
        ("FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9;BYMINUTE=0", timedelta(days=1)),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", timedelta(days=1)),
        ("FREQ=DAILY;BYHOUR=0,9;BYMINUTE=0", timedelta(minutes=10)),
        ("FREQ=WEEKLY;BYDAY=MO", timedelta(minutes=10)),  # before no hour
        ("FREQ=HOURLY;BYMINUTE=0", timedelta(minutes=10)),
    ],
)
def test_a_rule_that_one_rule_cannot_move_is_left(rule: str, lead: timedelta) -> None:
    assert earlier(rule, lead) is None
