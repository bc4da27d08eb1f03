"""One message may wish for several things: one draft, one answer, and as many jobs."""

from datetime import datetime

import pytest

from bot.schedule.intent import Asking, judge
from bot.schedule.room import JobSettings
from bot.schedule.talk.apart import apart
from bot.schedule.talk.hand import TalkSettings
from bot.schedule.talk.replies import meant_of
from bot.schedule.talk.wish import content
from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.schedule.talk.talking import house, kept, press, say

BY = Asking(datetime(2026, 12, 2, 13, 53))  # noqa: DTZ001 - on the wall
TWO = "remind me at 3pm to call Ann and at 5pm to buy milk"


def parts(text: str) -> list[str]:
    return [
        f"{content(one)[1]} {one.reading.rrule or one.reading.at}".strip()
        for one in apart(judge(text, BY), BY)
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (TWO, ["call Ann 2026-12-02 15:00:00", "buy milk 2026-12-02 17:00:00"]),
        ("早上八点叫我起床，九点提醒我开会", ["2026-12-03 08:00:00", "开会 2026-12-03 09:00:00"]),
        (
            "remind me to call Ann at 3 and buy milk at 5",
            ["call Ann 2026-12-02 15:00:00", "buy milk 2026-12-02 17:00:00"],
        ),
        (
            "明天提醒我三点开会，五点买菜，晚上八点给妈妈打电话",
            ["开会 2026-12-03 03:00:00", "买菜 2026-12-03 05:00:00", "给妈妈打电话 2026-12-03 20:00:00"],
        ),
        ("wake me at 6, 6:30 and 7", [f"2026-12-02 {hour}:00" for hour in ("18:00", "18:30", "19:00")]),
        (
            "remind me every day at 8 to take pills and at 9 to walk the dog",
            [
                "take pills FREQ=DAILY;BYHOUR=8;BYMINUTE=0",
                "walk the dog FREQ=DAILY;BYHOUR=9;BYMINUTE=0",
            ],
        ),
        (
            "recuérdame a las 5 llamar a mamá y a las 7 cenar",
            ["llamar a mamá 2026-12-02 17:00:00", "cenar 2026-12-02 19:00:00"],
        ),
        ("remind me at 3. then at 4 to email bob", ["then at 4 to email bob 2026-12-02 15:00:00"]),
    ],
)
def test_each_wish_has_its_own_time(text: str, wanted: list[str]) -> None:
    assert parts(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "remind me to buy milk and eggs at 5",
        "remind me at 3, actually at 4",
        "wake me at 8, at 9 I have a meeting",
        "八点叫我起床，九点开会",
        "remind me at 3 to meet Ann and be back at 5",
        "I have a meeting at 3, remind me at 2:50",
        "remind me tomorrow at 9 to call the bank and the dentist",
        "remind me to book a table between 3 and 5 tomorrow",
        "remind me at 9 to say hi, it's her birthday at 5",
    ],
)
def test_what_goes_on_with_a_wish_is_none_of_its_own(text: str) -> None:
    assert len(apart(judge(text, BY), BY)) == 1


async def test_all_are_shown_and_one_answer_keeps_them(store: Store, clock: ManualClock) -> None:
    async with house(store, clock).running() as home:
        shown = await home.ask(TWO)
        assert "1. 📝 call Ann" in shown
        assert "2. 📝 buy milk" in shown
        assert kept(home) == []
        noted = await home.ask("yes")
        assert "“call Ann”" in noted
        assert "“buy milk”" in noted
        assert {job.text for job in kept(home)} == {"call Ann", "buy milk"}


async def test_a_no_keeps_none(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask(TWO)
        await home.ask("no")
        assert kept(home) == []


async def test_a_correction_says_which_one_it_is_about(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask(TWO)
        assert "Which of the 2?" in await home.ask("make it 6pm")
        shown = await home.ask("the second one at 6pm")
        assert "15:00" in shown
        assert "18:00" in shown
        assert "17:00" not in shown
        await home.ask("yes")
        assert sorted(f"{job.next_due:%H}" for job in kept(home)) == ["14", "17"]  # UTC


async def test_where_there_is_no_room_for_all_none_is_kept(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        home.jobs.settings = JobSettings(most=1)
        await home.ask(TWO)
        assert "open tasks already" in await home.ask("yes")
        assert kept(home) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("make the second one 6pm", (1, "6pm")),
        ("第二个改成六点", (1, "改成六点")),
        ("#2 at 6", (1, "at 6")),
        ("the last one tomorrow", (2, "tomorrow")),
        ("la primera a las 6", (0, "a las 6")),
        ("الثانية الساعة 6", (1, "الساعة 6")),
        ("दूसरी 6 बजे", (1, "6 बजे")),
        ("the fourth at 6", None),
        ("2 pm", None),
        ("一点", None),
    ],
)
def test_an_ordinal_says_which_of_three_is_meant(text: str, meant: tuple[int, str] | None) -> None:
    assert meant_of(text, 3) == meant


def test_a_long_text_is_no_correction_of_one_of_several() -> None:
    assert meant_of("the second one at 6", 3) == (1, "at 6")
    assert meant_of("the second one at 6" + " " * 2000 + "x", 3) is None


async def test_each_can_be_deleted_by_its_button(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, TWO)
        await press(home, "task yes")
        await press(home, "task del")
        assert [job.text for job in kept(home) if job.state == "active"] == ["buy milk"]


async def test_without_confirmation_all_are_kept_at_once(sqlite_store: Store, clock: ManualClock) -> None:
    settings = TalkSettings(zone="Europe/Berlin", asks_zone=False, confirm=False)
    async with house(sqlite_store, clock, settings).running() as home:
        await home.ask(TWO)
        assert len(kept(home)) == 2


def test_many_empty_lines_between_wishes_are_one_border() -> None:
    assert parts(f"remind me at 5pm to buy milk{chr(10) * 60}x")[0].startswith("buy milk")
    assert len(parts(f"remind me at 3pm to call Ann{chr(10) * 60}and at 5pm to buy milk")) == 2
