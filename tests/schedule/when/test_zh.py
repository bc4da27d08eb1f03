"""Reading Chinese times: what people write, in both scripts."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.schedule.when.read import read, task_of

NOW = datetime.fromisoformat("2026-12-02T15:30")  # a Wednesday


def _at(text: str, now: datetime = NOW) -> str:
    at = read(text, now, "zh").at
    if isinstance(at, datetime):
        return at.strftime("%m-%d %H:%M")
    return at.strftime("%Y-%m-%d") if isinstance(at, date) else "none"


@pytest.mark.pain("31")
@pytest.mark.pain("P117")
@pytest.mark.pain("P110")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("半小时后", "12-02 16:00"),
        ("本月最后一个工作日", "2026-12-31"),
        ("请在下个月第一个工作日提醒我交表", "2027-01-01"),
        ("明天这个时候", "12-03 15:30"),
        ("下周这个时候", "12-09 15:30"),
        ("下周的今天", "2026-12-09"),
        ("12.25下午三点", "12-25 15:00"),
        ("明儿一早七点", "12-03 07:00"),
        ("半夜十二点", "12-03 00:00"),
        ("周末上午十点", "12-05 10:00"),
        ("3小时后", "12-02 18:30"),
        ("1个半小时后", "12-02 17:00"),
        ("4个半小时后提醒我收菜", "12-02 20:00"),
        ("1小时50分钟后", "12-02 17:20"),
        ("一刻钟后", "12-02 15:45"),
        ("50秒后", "12-02 15:30"),
        ("再过20分钟", "12-02 15:50"),
        ("过三天", "2026-12-05"),
        ("三天以后", "2026-12-05"),
        ("一周后", "2026-12-09"),
        ("半个月后", "2026-12-17"),
        ("3个月零2天后", "2027-03-04"),
        ("两三天后", "2026-12-04"),
        ("两天后早上", "12-04 09:00"),
    ],
)
def test_a_length_of_time_is_counted_from_now(text: str, expected: str) -> None:
    assert _at(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8点", "12-03 08:00"),
        ("午饭后", "12-03 13:00"),
        ("明天下班后", "12-03 18:00"),
        ("午饭后四点", "12-02 16:00"),
        ("午饭后半小时", "none"),
        ("饭后半小时吃药，下午一点吧", "12-03 13:00"),
        ("后晚八点", "12-04 20:00"),
        ("老师说明天八点交作业", "12-03 08:00"),
        ("三点", "12-03 03:00"),
        ("下午三点半", "12-02 15:30"),
        ("下午5点", "12-02 17:00"),
        ("九点一刻", "12-03 09:15"),
        ("九點三刻", "12-03 09:45"),
        ("差五分八点", "12-03 07:55"),
        ("八点差五分", "12-03 07:55"),
        ("差五分钟八点", "12-03 07:55"),
        ("八点差10分钟", "12-03 07:50"),
        ("八点过五分", "12-03 08:05"),
        ("9点05", "12-03 09:05"),
        ("九点零九", "12-03 09:09"),
        ("９点３０分", "12-03 09:30"),
        ("二十三点五十九分", "12-02 23:59"),
        ("晚上十二点", "12-03 00:00"),
        ("中午12点半", "12-03 12:30"),
        ("凌晨两点", "12-03 02:00"),
        ("晚上一点", "12-03 01:00"),
        ("零点", "12-03 00:00"),
        ("晏晝三點三", "12-03 15:15"),
        ("下午1:05", "12-03 13:05"),
        ("明天下午七八点", "12-03 19:00"),
    ],
)
def test_a_time_of_day_is_the_next_one(text: str, expected: str) -> None:
    assert _at(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天", "2026-12-03"),
        ("本月上旬", "2026-12-01"),
        ("本月下旬", "2026-12-21"),
        ("大後天", "2026-12-05"),
        ("周五", "2026-12-04"),
        ("这周六", "2026-12-05"),
        ("这周一", "2026-12-07"),
        ("下周五", "2026-12-11"),
        ("下個禮拜五", "2026-12-11"),
        ("下下周一", "2026-12-14"),
        ("月底", "2026-12-31"),
        ("下月初", "2027-01-01"),
        ("今年年底", "2026-12-31"),
        ("12月25日", "2026-12-25"),
        ("二零二七年三月五号", "2027-03-05"),
        ("下个月5号", "2027-01-05"),
        ("29日你来吗", "2026-12-29"),
        ("十月第一个星期一", "2027-10-04"),
        ("2027年2月29日", "none"),
        ("元旦", "2027-01-01"),
        ("五一", "2027-05-01"),
        ("春节", "2027-02-06"),
        ("每年春节", "2027-02-06"),
        ("立春", "2027-02-04"),
        ("明天午后", "12-03 13:00"),
        ("除夕", "2027-02-05"),
        ("农历八月十五", "2027-09-15"),
        ("正月初三", "2027-02-08"),
        ("2027-01-16 09:00", "01-16 09:00"),
        ("12月5日（周六）上午10点", "12-05 10:00"),
        ("周三三点", "12-09 03:00"),
        ("周二十二点", "12-08 12:00"),
        ("今晚8点07分提醒我关火", "12-02 20:07"),
        ("周五下午三点到五点开会", "12-04 15:00"),
    ],
)
def test_a_day_is_the_next_such_day(text: str, expected: str) -> None:
    assert _at(text) == expected


@pytest.mark.pain("P114")
def test_friday_of_next_week_offers_the_nearer_friday_too() -> None:
    reading = read("下周五中午", datetime.fromisoformat("2012-12-31T10:00"), "zh")

    assert reading.at == datetime.fromisoformat("2013-01-11T12:00")
    assert [each.at for each in reading.alternatives] == [datetime.fromisoformat("2013-01-04T12:00")]


@pytest.mark.pain("31")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("每天早上八点", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("工作日下午三点半", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=15;BYMINUTE=30"),
        ("每周一三五早上七点", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=7;BYMINUTE=0"),
        ("未来三天每天早上八点", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20261205"),
        ("每周一、三、五", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("周一至周五9:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("每周一次", "FREQ=WEEKLY"),
        ("每隔一天", "FREQ=DAILY;INTERVAL=2"),
        ("每隔两小时", "FREQ=HOURLY;INTERVAL=2"),
        ("每两周周五下午三点", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=15;BYMINUTE=0"),
        ("每个月的1号和15号", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
        ("每月最后一天", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("每月第一个周一", "FREQ=MONTHLY;BYDAY=1MO"),
        ("每年7月第二个周六", "FREQ=YEARLY;BYMONTH=7;BYDAY=2SA"),
        ("周一、周三、周五早上8点", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8;BYMINUTE=0"),
        ("每月1日到5日", "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5"),
        ("每天早、晚8点", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("每两个星期五", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("每90分钟", "FREQ=MINUTELY;INTERVAL=90"),
        ("每半个钟头", "FREQ=MINUTELY;INTERVAL=30"),
        ("每年3月8日", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8"),
        ("每年母亲节", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU"),
        ("每天8点和20点", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("每天8点，共十次", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;COUNT=10"),
        ("每小时提醒我站起来直到晚上十一点", "FREQ=HOURLY;UNTIL=20261202T230000"),
        ("每小时站一下，到晚上十一点为止", "FREQ=HOURLY;UNTIL=20261202T230000"),
        ("每天早上7点直到月底", "FREQ=DAILY;BYHOUR=7;BYMINUTE=0;UNTIL=20261231"),
        ("每天9点，周末除外", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("每小时早上9点到下午1点", "FREQ=HOURLY;BYHOUR=9,10,11,12,13;BYMINUTE=0"),
        ("每週日晚上九點", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=21;BYMINUTE=0"),
    ],
)
def test_what_comes_again_is_a_rule(text: str, rule: str) -> None:
    assert read(text, NOW, "zh").rrule == rule


def test_a_recurrence_begins_where_it_was_told_to() -> None:
    reading = read("从明天开始每天早上7点", NOW, "zh")

    assert (reading.kind, reading.at) == ("recurring", date(2026, 12, 3))


@pytest.mark.pain("32")
@pytest.mark.parametrize(
    "text",
    ["版本 3.5", "三点水", "一点儿", "有点累", "两点建议", "第三点", "考了60分叫我怎么开心", "早上好",
     "10号线怎么走", "零点五",
     "他是90后", "现实生活", "五角大楼宣布了作战计划",
     "我的电话号码是888-000-9999。", "3点5厘米", "一日三餐", "一起玩", "几点了",
     "25点"],
)  # fmt: skip
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert read(text, NOW, "zh").kind == "none"


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("明天早上八点提醒我开会", "开会"),
        ("我五点半下班提醒我买菜", "买菜"),
        ("明天下午三点开会提醒我", "开会"),
        ("请大约8点左右提醒我喝水", "喝水"),
        ("晚上去超市记得提醒我", "去超市"),
    ],
)
def test_the_task_is_what_is_left_beside_the_asking(text: str, task: str) -> None:
    assert task_of(text, read(text, NOW, "zh")) == task


@given(
    st.text(
        alphabet="一二三十点半明后天周月日号年每隔个第上下午晚到前后分小时刻差过零两 ，、:-0123456789",
        max_size=24,
    )
)
def test_any_run_of_time_words_is_read_without_an_error(text: str) -> None:
    reading = read(text, NOW, "zh")

    start, end = reading.span
    assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    ("text", "at"), [("圣诞节前五天", date(2026, 12, 20)), ("圣诞节后三天", date(2026, 12, 28))]
)
def test_days_before_and_after_a_holiday(text: str, at: date) -> None:
    assert read(text, datetime(2026, 12, 1, 19, 53), "zh").at == at  # noqa: DTZ001 - on the wall


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("每天早中晚提醒我吃药", "FREQ=DAILY;BYHOUR=9,12,21;BYMINUTE=0"),
        ("每月最后一个工作日", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("接下来五天每天早上八点", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20261207"),
    ],
)
def test_times_that_come_again_are_read_whole(text: str, rule: str) -> None:
    assert read(text, NOW, "zh").rrule == rule


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("每月初一十五", "2026-12-09"),
        ("农历每月初五", "2026-12-13"),
        ("每月初一、十五早上八点", "2026-12-09 08:00"),
        ("每年农历八月十五晚上八点", "2027-09-15 20:00"),
    ],
)
def test_what_comes_again_by_the_moon_is_read_for_its_next_time_and_says_so(text: str, at: str) -> None:
    found = read(text, NOW, "zh")
    assert (found.kind, found.assumed) == ("once", ("lunar",))
    assert str(found.at).startswith(at)


def test_a_day_of_the_moon_that_is_today_counts_while_its_hour_is_to_come() -> None:
    for hour, at in ((7, "2026-12-09 08:00"), (9, "2026-12-23 08:00")):
        now = datetime(2026, 12, 9, hour, 0)  # noqa: DTZ001 - on the wall
        assert str(read("每月初一、十五早上八点", now, "zh").at)[:16] == at


def test_days_are_left_out_of_days_of_the_week() -> None:
    found = read("工作日除周五外下午三点", NOW, "zh")
    assert (found.rrule, found.exrule) == (
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=15;BYMINUTE=0",
        "FREQ=WEEKLY;BYDAY=FR",
    )


@pytest.mark.parametrize(
    "text", ["能不能说得简单一点", "便宜一点的", "小心一点", "写得再详细一点吧", "看电影《七月与安生》"]
)
def test_a_bit_more_and_a_title_are_no_times(text: str) -> None:
    assert read(text, NOW, "zh").kind == "none"


@pytest.mark.parametrize(
    "text",
    ["俩小时后叫我", "我俩五点见", "中午戳我一下", "明天一点开会", "小心一点半的车", "明天看《七月与安生》"],
)
def test_a_time_beside_them_is_read(text: str) -> None:
    assert read(text, NOW, "zh").kind == "once"
