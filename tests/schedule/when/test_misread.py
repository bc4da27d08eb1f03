"""Expressions whose words mean something else elsewhere, and how they are read here."""

from datetime import date, datetime

import pytest

from bot.schedule.when.read import read, task_of

NOW = datetime(2026, 12, 2, 13, 53)  # noqa: DTZ001 - on the wall


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("每天早晚八点提醒我", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("每天早晚各一次", "FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0"),
        ("每个双休日早上九点", "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=0"),
        ("每过两小时", "FREQ=HOURLY;INTERVAL=2"),
        ("双周五下午三点", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=15;BYMINUTE=0"),
        ("每月倒数第二天", "FREQ=MONTHLY;BYMONTHDAY=-2"),
        ("每月倒数第二个周五", "FREQ=MONTHLY;BYDAY=-2FR"),
        ("周二、周四晚上八点", "FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=20;BYMINUTE=0"),
        ("twice a day at 8 and 20", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("at 8am and 8pm every day", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("every morning and evening", "FREQ=DAILY;BYHOUR=9,19;BYMINUTE=0"),
        ("every school day at 7:52", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=52"),
    ],
)
def test_what_comes_again_is_read_whole(text: str, rule: str) -> None:
    assert read(text, NOW).rrule == rule


def test_the_hour_behind_an_exception_is_the_hour_of_what_is_left() -> None:
    reading = read("every weekday except Friday at 9", NOW)
    assert reading.rrule == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"
    assert reading.exrule == "FREQ=WEEKLY;BYDAY=FR"  # the whole day, also at another hour
    reading = read("every day except sundays at 8", NOW)
    assert (reading.rrule, reading.exrule) == ("FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "FREQ=WEEKLY;BYDAY=SU")
    reading = read("every day at 9 and 17 except fridays at 17", NOW)
    assert reading.exrule == "FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0"


def test_hours_beside_one_of_the_24_hour_dial_leave_nothing_open() -> None:
    assert read("every day at 8 and 20", NOW).assumed == ()


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("see you Monday week", date(2026, 12, 14)),
        ("30号之前提醒我交房租", date(2026, 12, 29)),
        ("下周三之前提醒我把合同寄出去", date(2026, 12, 8)),
        ("remind me at half six to call", datetime(2026, 12, 2, 18, 30)),  # noqa: DTZ001
        ("الساعة الأحد عشر", datetime(2026, 12, 3, 11, 0)),  # noqa: DTZ001
        ("ذكرني الأحد", date(2026, 12, 6)),
        ("सोम को सुबह 8 बजे", datetime(2026, 12, 7, 8, 0)),  # noqa: DTZ001
    ],
)
def test_a_point_is_read_as_its_words_mean_together(text: str, at: date) -> None:
    assert read(text, NOW).at == at


@pytest.mark.parametrize("text", ["सोम रस", "我早晚会去的", "at half six to seven", "3号楼"])
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert read(text, NOW).kind == "none"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("March 5, 2400", date(2400, 3, 5)),
        ("5 March 2400 at 9am", datetime(2400, 3, 5, 9)),  # noqa: DTZ001 - on the wall
        ("5th of March in the year 2030", date(2030, 3, 5)),
        ("two days before March 5 2030", date(2030, 3, 3)),
        ("5 de marzo del año 2400", date(2400, 3, 5)),
        ("dos días antes del 5 de marzo de 2030", date(2030, 3, 3)),
        ("5 مارس عام 2400", date(2400, 3, 5)),
        ("Christmas 2400", date(2400, 12, 25)),
        ("March 5 2400 dollars are due", date(2027, 3, 5)),
        ("on May 5 in 3 years", date(2029, 5, 5)),
        ("the Monday after March 5 2030 at 9", datetime(2030, 3, 11, 9)),  # noqa: DTZ001 - on the wall
        ("the Friday before Christmas", date(2026, 12, 18)),
        ("3月5日前两天", date(2027, 3, 3)),
        ("2030年3月5日之后两天", date(2030, 3, 7)),
        ("五月前四天", date(2027, 5, 1)),
        ("三年后的5月5日", date(2029, 5, 5)),
        ("el 5 de mayo dentro de 3 años", date(2029, 5, 5)),
        ("friday 1430", datetime(2026, 12, 4, 14, 30)),  # noqa: DTZ001 - on the wall
        ("monday 0900 stand-up", datetime(2026, 12, 7, 9)),  # noqa: DTZ001 - on the wall
        ("friday 2026", date(2026, 12, 4)),
        ("friday 1200 units", date(2026, 12, 4)),
        ("at 9am in the year 2050", datetime(2050, 1, 1, 9)),  # noqa: DTZ001 - on the wall
        ("-5 minutes from now", datetime(2026, 12, 2, 13, 48)),  # noqa: DTZ001 - on the wall
        ("call - 5 minutes from now", datetime(2026, 12, 2, 13, 58)),  # noqa: DTZ001 - on the wall
        ("in 0 minutes", NOW),
        ("in 1.5 million minutes", datetime(2029, 10, 9, 5, 53)),  # noqa: DTZ001 - on the wall
        ("30 hours before 9am on Friday", datetime(2026, 12, 3, 3)),  # noqa: DTZ001 - on the wall
        ("media hora antes de las 9", datetime(2026, 12, 3, 8, 30)),  # noqa: DTZ001 - on the wall
    ],
)
def test_a_year_or_a_length_beside_a_time_belongs_to_it(text: str, at: date) -> None:
    assert read(text, NOW).at == at


@pytest.mark.parametrize(
    ("text", "start", "rule"),
    [
        ("every Monday from 5 March 2030", date(2030, 3, 5), "FREQ=WEEKLY;BYDAY=MO"),
        ("every day until March 5 2030", None, "FREQ=DAILY;UNTIL=20300305"),
    ],
)
def test_the_year_of_a_beginning_or_an_end_is_read(text: str, start: date | None, rule: str) -> None:
    found = read(text, NOW)
    assert (found.at, found.rrule) == (start, rule)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the day before Friday", "2026-12-03"),
        ("the day before next Friday", "2026-12-10"),
        ("the day after Friday", "2026-12-05"),
        ("el día antes del viernes", "2026-12-03"),
        ("el día después de Navidad", "2026-12-26"),
        ("周五前一天", "2026-12-03"),
        ("下周五的前一天", "2026-12-10"),
        ("周一后两天", "2026-12-09"),
        ("12月20日的前两天", "2026-12-18"),
    ],
)
def test_a_day_beside_another_is_not_that_one(text: str, day: str) -> None:
    assert read(text, NOW).at == date.fromisoformat(day)


def test_the_other_week_of_a_weekday_is_offered_beside_it_too() -> None:
    reading = read("the day before next Friday", NOW)
    assert [other.at for other in reading.alternatives] == [date(2026, 12, 3)]


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("every day until 2030", "20300101"),
        ("every day at 9 until 2400 to wave", "24000101"),
        ("every day until year 2030", "20300101"),
        ("cada día hasta 2030", "20300101"),
        ("todos los días a las 9 hasta el año 2030", "20300101"),
        ("每天早上八点提醒我吃药直到2400年", "24000101"),
        ("每天早上八点提醒我吃药直到12月20日", "20261220"),
    ],
)
def test_a_year_or_a_day_behind_until_is_the_end(text: str, until: str) -> None:
    assert (read(text, NOW).rrule or "").endswith(f"UNTIL={until}")


def test_half_past_eight_is_no_year_for_what_comes_every_hour() -> None:
    assert "UNTIL" not in (read("every hour until 2030", NOW).rrule or "")


@pytest.mark.parametrize(
    "text",
    [
        "every day until 30 feb",
        "every day starting 30 feb",
        "every day until the year 12000",
        "cada día hasta el 30 de febrero",
        "每天早上八点提醒我吃药直到12000年",
        "每天直到2月30日",
        "每0天",
        "每隔0天",
        "每零小时",
        "every 0 days",
    ],
)
def test_an_end_or_a_step_that_there_is_not_is_refused(text: str) -> None:
    reading = read(text, NOW)
    assert (reading.kind, reading.refused) == ("none", "impossible")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("every 1.5 days", "FREQ=HOURLY;INTERVAL=36"),
        ("every 2.5 hours", "FREQ=MINUTELY;INTERVAL=150"),
        ("cada 1.5 horas", "FREQ=MINUTELY;INTERVAL=90"),
        ("每1.5天", "FREQ=HOURLY;INTERVAL=36"),
        ("每两天半", "FREQ=HOURLY;INTERVAL=60"),
    ],
)
def test_a_step_with_a_fraction_is_one_of_smaller_units(text: str, rule: str) -> None:
    assert read(text, NOW).rrule == rule


def test_a_far_year_may_stand_behind_the_hour() -> None:
    assert read("at 9 in 2400", NOW).at == datetime(2400, 1, 1, 9)  # noqa: DTZ001 - on the wall


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("remind me every weekday except friday at 9 to water the plants", "water the plants"),
        ("remind me every day at 8 except sundays to call Tom", "call Tom"),
        ("remind me every day except on weekends to stretch", "stretch"),
        ("recuérdame todos los días excepto los domingos a las 8 llamar a Tom", "llamar a Tom"),
        ("remind me to call Tom every day except sundays at 8", "call Tom"),
    ],
)
def test_what_is_to_be_done_stands_behind_an_exception_too(text: str, task: str) -> None:
    reading = read(text, NOW)
    assert reading.exrule is not None
    said = task_of(text, reading)
    assert said.removeprefix("to ").removeprefix("recuérdame ") == task


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("every morning at 7 and every evening at 9", "7,21"),
        ("every morning at 7 and 8 and every evening at 9", "7,8,21"),
        ("每天早上七点和每天晚上九点", "7,21"),
    ],
)
def test_each_hour_is_of_its_own_part_of_the_day(text: str, hours: str) -> None:
    assert read(text, NOW).rrule == f"FREQ=DAILY;BYHOUR={hours};BYMINUTE=0"


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("every day at 8 for 3 days starting next monday", "20261209"),
        ("starting next monday every day at 8 for 3 days", "20261209"),
        ("从明天起连续七天每天早上六点", "20261209"),
        ("every day at 8 for two weeks", "20261216"),
        ("every 10 minutes for 2 hours", "20261202T155300"),
    ],
)
def test_a_length_ends_with_its_last_day_or_minute(text: str, until: str) -> None:
    assert (read(text, NOW).rrule or "").endswith(f";UNTIL={until}")
