"""A wish becomes a draft, the draft is put right, and the job is made once; no model is asked."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from bot.schedule.talk.hand import TalkSettings
from bot.store.engine import Store
from bot.store.tables import job_drafts
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.schedule.talk.talking import house, kept, press, say


async def test_a_wish_is_shown_in_words_and_kept_after_yes(store: Store, clock: ManualClock) -> None:
    async with house(store, clock).running() as home:
        shown = await home.ask("remind me to call mum tomorrow at 5pm")
        assert "call mum" in shown
        assert "Tuesday, 3 March 2026, 17:00 (Europe/Berlin, UTC+1)" in shown
        assert kept(home) == []
        assert "Noted: “call mum”" in await home.ask("yes")
        (job,) = kept(home)
        assert (job.text, job.next_due) == ("call mum", datetime(2026, 3, 3, 16, 0, tzinfo=UTC))
        assert home.model.requests == []


@pytest.mark.pain("28")
async def test_an_hour_that_has_passed_is_tomorrows_in_the_zone_of_the_person(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        clock.set_forward(6 * 3600 + 53 * 60)  # 19:53 in Berlin
        assert "Tuesday, 3 March 2026, 08:00 (Europe/Berlin" in await home.ask("remind me at 8:00 to eat")


async def test_the_next_three_times_of_a_recurrence_are_shown(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        shown = await home.ask("remind me every friday at 10am to back up")
        assert "Friday, 6 March 2026, 10:00" in shown
        assert "Friday, 13 March 2026, 10:00" in shown
        assert "Friday, 20 March 2026, 10:00" in shown


@pytest.mark.parametrize(
    ("wish", "correction", "locale", "due"),
    [
        ("remind me to eat tomorrow at 5pm", "make it 10 instead", "en", "2026-03-03T09:00"),
        ("明天下午五点提醒我吃饭", "不对，是后天", "zh", "2026-03-04T16:00"),
        ("remind me to eat on Monday at 10", "not Monday, Tuesday at 9", "en", "2026-03-03T08:00"),
        ("recuérdame comer mañana a las 5", "mejor a las 8 de la tarde", "es", "2026-03-03T19:00"),
        ("ذكرني غدا الساعة 5 مساء بالأكل", "لا، بعد غد", "ar", "2026-03-04T16:00"),
        ("कल शाम 5 बजे खाने की याद दिलाना", "नहीं, परसों", "hi", "2026-03-04T16:00"),
    ],
)
async def test_a_correction_in_words_changes_the_draft(
    sqlite_store: Store, clock: ManualClock, wish: str, correction: str, locale: str, due: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask(wish, locale=locale)
        await home.ask(correction, locale=locale)
        await home.ask({"zh": "好的", "es": "sí", "ar": "نعم", "hi": "हाँ"}.get(locale, "yes"), locale=locale)
        (job,) = kept(home)
        assert job.next_due is not None
        assert job.next_due.isoformat()[:16] == due


@pytest.mark.parametrize(
    ("wish", "correction", "locale", "shown"),
    [
        (
            "every 30 minutes from 9 to 5 remind me to move",
            "only on weekdays",
            "en",
            "09:00 to 17:00 Monday to Friday (",
        ),
        (
            "every 30 minutes from 9 to 5 remind me to move",
            "make it 10 instead",
            "en",
            "every day at 10:00 (",
        ),
        (
            "remind me every weekday at 9am to join",
            "make it tue and thu",
            "en",
            "on Tuesday, Thursday at 09:00 (",
        ),
        ("每周一早上八点提醒我跑步", "改成周二和周四", "zh", "每周，星期二、星期四，08:00 ("),
        (
            "remind me every monday at 8am to run",
            "actually thursday",
            "en",
            "every week on Thursday at 08:00 (",
        ),
        (
            "remind me every other friday at 9am to pay",
            "next week friday",
            "en",
            "• Friday, 13 March 2026, 09:00",
        ),
    ],
)
async def test_a_correction_of_what_comes_again_leaves_what_it_does_not_name(
    sqlite_store: Store, clock: ManualClock, wish: str, correction: str, locale: str, shown: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask(wish, locale=locale)
        said = await home.ask(correction, locale=locale)
        assert shown in said
        assert "17:30" not in said


@pytest.mark.parametrize(("word", "locale"), [("change", "en"), ("改", "zh")])
async def test_the_word_change_asks_what_is_to_change(
    sqlite_store: Store, clock: ManualClock, word: str, locale: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("remind me tomorrow at 9am to eat", locale=locale)
        await home.ask(word, locale=locale)
        assert "10:00" in await home.ask("10:00", locale=locale)
        assert home.model.requests == []


async def test_a_time_that_is_over_is_refused_and_one_of_what_to_do_is_none(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert await home.ask("remind me today at 9am to call Bob") == "That is over; tell me a time to come."
        asked = await home.ask("remind me to answer yesterday's email")
        assert "When shall I remind you of “answer yesterday's email”?" in asked


async def test_the_zone_that_was_taken_is_named_until_a_task_is_kept(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        for _ in range(2):
            assert "I take Europe/Berlin" in await home.ask("remind me tomorrow at 9am to eat")
        await home.ask("yes")
        assert "I take Europe/Berlin" not in await home.ask("remind me tomorrow at 10am to drink")


async def test_the_other_readings_are_buttons(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert "08:00" in await say(home, "remind me tomorrow at 8 to eat")
        assert "20:00" in await press(home, "/task alt")
        assert "20:00" in await press(home, "/task yes")
        (job,) = kept(home)
        assert job.next_due == datetime(2026, 3, 3, 19, 0, tzinfo=UTC)


async def test_without_buttons_the_other_readings_have_numbers(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert "2: or 20:00" in await home.ask("remind me tomorrow at 8 to eat")
        assert "20:00" in await home.ask("2")


async def test_a_double_press_makes_one_job(store: Store, clock: ManualClock) -> None:
    async with house(store, clock).running() as home:
        await say(home, "remind me to call mum tomorrow at 5pm")
        yes = next(data for data in home.chat.buttons["ann"] if data.startswith("/task yes"))
        received = [await home.receive(yes, channel="push", chat="ann", user="ann") for _ in range(4)]
        said = [(await home.reply(one)).text for one in received]
        assert len(kept(home)) == 1
        assert sum("Noted" in text for text in said) == 1
        assert sum("answered already" in text for text in said) == 3


async def test_two_processes_that_confirm_one_draft_make_one_job(store: Store, clock: ManualClock) -> None:
    one, other = house(store, clock), house(store, clock)
    async with one.running(), other.running():
        await say(one, "remind me to call mum tomorrow at 5pm")
        yes = next(data for data in one.chat.buttons["ann"] if data.startswith("/task yes"))
        first = await one.receive(yes, channel="push", chat="ann", user="ann")
        second = await other.receive(yes, channel="push", chat="ann", user="ann")
        await asyncio.gather(one.reply(first), other.reply(second))
        assert len(kept(one)) == 1


@pytest.mark.pain("38")
async def test_an_answer_after_the_end_of_a_draft_keeps_nothing(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "remind me to call mum tomorrow at 5pm")
        clock.set_forward(3601)
        assert "expired" in await press(home, "/task yes")
        assert kept(home) == []


@pytest.mark.pain("38")
async def test_a_second_wish_takes_the_place_of_the_first_and_says_so(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "remind me to call mum tomorrow at 5pm")
        first = next(data for data in home.chat.buttons["ann"] if data.startswith("/task yes"))
        assert "takes the place" in await say(home, "remind me to eat tomorrow at 6pm")
        assert "expired" in await say(home, first)
        assert kept(home) == []


@pytest.mark.pain("38")
async def test_a_yes_to_something_else_keeps_nothing(sqlite_store: Store, clock: ManualClock) -> None:
    model = ScriptedModel()
    async with house(sqlite_store, clock, model=model).running() as home:
        await home.ask("remind me to call mum tomorrow at 5pm")
        await home.ask("do you like the sea?")
        await home.ask("yes")
        assert kept(home) == []
        assert len(model.requests) == 2


async def test_a_draft_outlasts_a_restart(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("remind me to call mum tomorrow at 5pm")
    async with house(sqlite_store, clock).running() as home:
        await home.ask("yes")
        assert len(kept(home)) == 1


@pytest.mark.parametrize("answer", ["no", "cancel", "取消", "算了", "no gracias", "لا", "नहीं"])
async def test_a_no_keeps_nothing(sqlite_store: Store, clock: ManualClock, answer: str) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("remind me to call mum tomorrow at 5pm")
        await home.ask(answer)
        await home.ask("yes")
        assert kept(home) == []
        states = select(job_drafts.c.state)
        assert home.store.read_now(lambda conn: list(conn.scalars(states))) == ["cancelled"]


async def test_a_wish_without_a_time_is_asked_for_it(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert "When shall I remind you of “buy milk”?" in await home.ask("remind me to buy milk")
        assert "Tuesday, 3 March 2026, 12:00" in await home.ask("tomorrow at noon")
        await home.ask("yes")
        assert [job.text for job in kept(home)] == ["buy milk"]


@pytest.mark.pain("31")
async def test_a_time_that_cannot_be_is_refused_with_the_reason(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert "There is no such time" in await home.ask("remind me on 30 Feb to pay")


async def test_work_that_is_asked_for_is_done_by_the_model_later(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("every Friday at 17:00 send me a summary of the week")
        await home.ask("yes")
        (job,) = kept(home)
        assert (job.kind, job.text) == ("agent", "send me a summary of the week")


async def test_without_confirmation_a_wish_is_kept_at_once(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock, TalkSettings(confirm=False)).running() as home:
        assert "Noted" in await home.ask("remind me to call mum tomorrow at 5pm")
        assert len(kept(home)) == 1


async def test_in_doubt_the_answer_brings_a_button(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "call mum tomorrow at 5pm")
        assert len(home.model.requests) == 1
        assert "Shall I remind you?" in await press(home, "/task offer")
        assert "Noted" in await press(home, "/task yes")
        assert len(kept(home)) == 1


@pytest.mark.pain("P101")
async def test_a_model_that_promises_a_reminder_is_corrected(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock, model=ScriptedModel("搞定！到时候我会提醒你。")).running() as home:
        assert "并没有设置提醒" in await home.ask("记得我的事", locale="zh")
