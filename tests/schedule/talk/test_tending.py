"""What is done with tasks, by words, commands and buttons; each sees only their own."""

import pytest

from bot.schedule.talk.orders import Order, read
from bot.store.engine import Store
from bot.turn.group import Bot
from bot.turn.rooms import Presence
from tests.fakes.clock import ManualClock
from tests.schedule.talk.talking import house, kept, press, say
from tests.turn.house import House


async def made(home: House, *wishes: str) -> None:
    for wish in wishes:
        await say(home, wish)
        await press(home, "/task yes")


async def reminded(home: House) -> None:
    """Wait for a reminder, and for all that is under way."""
    await home.until(lambda: any("⏰" in text for _, text in home.chat.shown) and not home.open_runs())


async def test_tasks_are_shown_paused_resumed_and_deleted_in_words(store: Store, clock: ManualClock) -> None:
    async with house(store, clock).running() as home:
        await made(
            home,
            "remind me every day at 10am to drink water",
            "remind me on Friday at 2pm to see the dentist",
        )
        shown = await say(home, "what reminders do I have?")
        assert "drink water" in shown
        assert "see the dentist" in shown
        assert "Paused: “drink water”" in await say(home, "pause the water reminder")
        assert {job.text: job.state for job in kept(home)} == {
            "drink water": "paused",
            "see the dentist": "active",
        }
        assert "It goes on" in await say(home, "resume the water reminder")
        assert "Shall I delete “see the dentist”" in await say(home, "cancel the dentist reminder")
        assert "Deleted" in await say(home, "yes")
        assert [job.text for job in kept(home)] == ["drink water"]


async def test_a_task_is_moved_in_words_after_yes(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me on Friday at 2pm to see the dentist")
        assert "10:00" in await say(home, "move the dentist reminder to 10am")
        assert "Changed" in await press(home, "/task yes")
        (job,) = kept(home)
        assert job.next_due is not None
        assert job.next_due.isoformat()[:16] == "2026-03-06T09:00"


async def test_a_task_is_meant_by_what_it_is_about_alone(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(
            home, "remind me on Friday at 2pm to see the dentist", "remind me every day at 9am to stretch"
        )
        assert "Shall I change “see the dentist”" in await say(home, "move the dentist to 10am")
        assert "Shall I change “stretch”" in await say(home, "can you move the stretch one to 8:45")
        assert "Shall I delete “stretch”" in await say(home, "cancel the stretch one")
        await say(home, "no")
        home.model.script(*["It is talk."] * 3)
        for talk in (
            "move the meeting to friday",
            "delete the second one",
            "change the dentist to a cheaper one",
        ):
            assert await say(home, talk) == "It is talk."


async def test_which_task_is_meant_is_asked_where_it_is_not_clear(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(
            home, "remind me every day at 10am to drink water", "remind me every day at 8pm to drink tea"
        )
        assert "Which one" in await say(home, "pause the drink reminder")
        await press(home, "/task pick .* 2")
        assert sorted(job.state for job in kept(home)) == ["active", "paused"]


@pytest.mark.pain("P104")
async def test_that_reminder_is_the_one_that_came_last(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me every day at 10am to drink water", "remind me every day at 8pm to sleep")
        water = kept(home)[0]
        await home.ask(f"/task run {water.id}", channel="push", chat="ann", user="ann")
        await reminded(home)
        assert "Shall I delete “drink water”" in await say(home, "stop that reminder")
        await press(home, "/task yes")
        assert [job.text for job in kept(home)] == ["sleep"]


async def test_a_reminder_is_put_off_by_its_buttons(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me every day at 10am to drink water")
        (job,) = kept(home)
        for button, minute in (("10m", "13:10"), ("1h", "14:00")):
            assert minute in await say(home, f"/task {button} {job.id}")
        assert "3 March 2026, 13:00" in await say(home, f"/task tomorrow {job.id}")
        assert "Well done" in await say(home, f"/task done {job.id}")


@pytest.mark.parametrize(
    ("words", "locale", "hour"),
    [
        ("snooze 20 minutes", "en", "13:20"),
        ("snooze for half an hour", "en", "13:30"),
        ("remind me again in 5 minutes", "en", "13:05"),
        ("snooze until 4pm", "en", "16:00"),
        ("snooze", "en", "13:10"),
        ("推迟一小时", "zh", "14:00"),
    ],
)
async def test_a_reminder_is_put_off_in_words(
    sqlite_store: Store, clock: ManualClock, words: str, locale: str, hour: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me every day at 10am to drink water")
        await home.ask(f"/task run {kept(home)[0].id}", channel="push", chat="ann", user="ann")
        await reminded(home)
        assert hour in await say(home, words, locale=locale)


async def test_in_a_group_the_bot_may_be_called_by_its_name_alone(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        home.rooms.introduce("push", Presence(Bot("nova_bot", "Nova"), "push:999", hears_all=True))
        assert "📝 pay Joe" in await say(home, "nova remind me on Friday at 9am to pay Joe", kind="group")
        assert "Noted" in await say(home, "Nova yes", kind="group")
        assert "pay Joe" in await say(home, "@nova_bot what reminders do I have?", kind="group")
        assert "Shall I delete “pay Joe”" in await say(home, "nova delete the joe reminder", kind="group")


@pytest.mark.pain("P106")
@pytest.mark.parametrize("act", ["pause", "del", "run", "resume", "10m", "done"])
async def test_for_others_a_task_does_not_exist(sqlite_store: Store, clock: ManualClock, act: str) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me every day at 10am to drink water")
        (job,) = kept(home)
        assert "no such task" in await say(home, f"/task {act} {job.id}", user="ben")
        assert kept(home) == [job]


@pytest.mark.pain("38")
async def test_the_draft_of_another_is_not_answered(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "remind me to call mum tomorrow at 5pm")
        assert "no such question to you" in await press(home, "/task yes", user="ben")
        assert kept(home) == []


async def test_tasks_are_made_by_command_in_words_and_by_cron(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "/task add tomorrow at 9am call Tom")
        await press(home, "/task yes")
        await say(home, "/task every 0 9 * * 1 stand up")
        await press(home, "/task yes")
        first, second = kept(home)
        assert (first.text, second.text, second.plan.cron) == ("call Tom", "stand up", "0 9 * * 1")
        assert "/task lists your tasks" in await say(home, "/task nonsense")


@pytest.mark.parametrize(
    ("said", "text", "rule"),
    [
        ("every day at 8 drink water", "drink water", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("add every day at 8 drink water", "drink water", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("8 pm every day call Tom", "call Tom", "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"),
        ("每天八点喝水", "喝水", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("0 9 * * 1-5 stand up", "stand up", "0 9 * * 1-5"),
    ],
)
async def test_the_words_behind_the_command_are_taken_whole(
    sqlite_store: Store, clock: ManualClock, said: str, text: str, rule: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, f"/task {said}")
        (job,) = kept(home)
    assert (job.text, job.plan.rrule or job.plan.cron) == (text, rule)


@pytest.mark.parametrize(
    "said", ["stop reminding me about the dentist", "别再提醒我dentist了", "deja de recordarme el dentist"]
)
async def test_no_more_of_a_reminder_is_wished_in_words(
    sqlite_store: Store, clock: ManualClock, said: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await made(home, "remind me on Friday at 2pm to see the dentist")
        assert "see the dentist" in await say(home, said)
        await say(home, "yes")
        assert kept(home) == []
        assert await say(home, said) == f"echo: {said}"


async def test_what_is_asked_about_is_moved_by_its_name(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await say(home, "set a reminder for 5 June at 3pm: dentist")
        assert "Saturday, 6 June 2026, 15:00" in await say(home, "change dentist to June 6")
        assert "6 June 2026, 16:00" in await say(home, "move the dentist to 4pm")
        assert "echo" in await say(home, "move the piano to 5pm")


async def test_a_reminder_can_be_for_another_by_name(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        shown = await say(home, "remind Ben on Monday at 9am to bring the keys", kind="group")
        assert "Shall I remind Ben?" in shown
        await press(home, "/task yes", kind="group")
        (job,) = kept(home)
        assert (job.for_name, job.text, job.person_id) == ("Ben", "bring the keys", "push:ann")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("list my tasks", Order("list")),
        ("我有哪些提醒", Order("list")),
        ("stop this one", Order("delete", pointing=True, noun=False)),
        ("stop that reminder", Order("delete", pointing=True)),
        ("pause task-0a1b2c3d", Order("pause", job_id="task-0a1b2c3d")),
        ("取消喝水的提醒", Order("delete", about="喝水的")),
        ("把喝水的提醒删掉", Order("delete", about="喝水的")),
        ("把开会的提醒改到十点", Order("change", about="开会的", time="十点")),
        ("snooze 10 minutes", Order("snooze", pointing=True, time="snooze 10 minutes", noun=False)),
        ("what tasks should a manager do?", None),
        ("show me the tasks of a CEO", None),
        ("stop talking", None),
        ("cancel my flight", None),
        ("move my chair to the window", None),
        ("remind me to list my tasks tomorrow", None),
        ("how do I cancel a task in asyncio?", None),
    ],
)
def test_orders_are_told_from_talk(text: str, order: Order | None) -> None:
    found = read(text)
    if found is not None and order is not None:
        assert (found.act, found.job_id, found.pointing, found.time) == (
            order.act, order.job_id, order.pointing, order.time,
        )  # fmt: skip
        assert found.about.strip() == order.about
    else:
        assert found == order
