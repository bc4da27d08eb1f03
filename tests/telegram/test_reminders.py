"""Reminders in Telegram: the draft's buttons, whose they are, and the reminder itself."""

from pathlib import Path

from bot.schedule.jobs import EVERYTHING, STATES, Job
from tests.fakes.bot_api_world import Message
from tests.telegram.kit import ANN, BEN, GROUP, Kit, started


def last(kit: Kit, chat_id: int = ANN) -> Message:
    return [message for message in kit.api.world.visible(chat_id) if message.by_bot][-1]


async def press(kit: Kit, wanted: str, chat_id: int = ANN, who: int = ANN) -> Message:
    """Press a button under the last message; the message that comes of it."""
    before = last(kit, chat_id)
    data = next(data for data in before.buttons if data.startswith(wanted))
    kit.api.world.press(who, chat_id, before.id, data)
    await kit.api.until(lambda: last(kit, chat_id).id != before.id)
    await kit.settled()
    return last(kit, chat_id)


async def jobs(kit: Kit) -> list[Job]:
    return await kit.app.jobs.page(EVERYTHING, states=STATES)


async def test_a_reminder_is_wished_confirmed_said_and_put_off_without_the_model(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.app.scheduler.begin()
        kit.api.world.say(ANN, "remind me in 2 minutes to drink tea")
        assert "drink tea" in (await kit.answers(ANN))[-1]
        draft = last(kit)
        assert [data.split()[1] for data in draft.buttons] == ["yes", "change", "no"]
        assert "Noted" in (await press(kit, "/task yes")).text
        await kit.api.until(lambda: draft.buttons == [])
        await kit.api.until(lambda: last(kit).text.startswith("⏰"), 60)
        assert [data.split()[1] for data in last(kit).buttons] == ["done", "10m", "1h", "tomorrow"]
        assert "remind you again" in (await press(kit, "/task 1h")).text
        (job,) = await jobs(kit)
        assert job.state == "active"
        assert kit.upstream.requests == []


async def test_the_zone_is_asked_with_places_to_press(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "remind me tomorrow at 9am to call")
        assert "Where are you" in (await kit.answers(ANN))[-1]
        shown = await press(kit, "/task zone")
        assert "Shall I remind you?" in shown.text


async def test_in_a_group_only_who_asked_can_answer_the_draft(tmp_path: Path) -> None:
    async with started(tmp_path, scheduler_default_timezone="UTC") as kit:
        kit.api.world.say(ANN, "@donkey_bot remind Ben on Friday at 9am to bring the ball", chat_id=GROUP)
        assert "Ben" in (await kit.answers(GROUP))[-1]
        draft = last(kit, GROUP)
        yes = next(data for data in draft.buttons if data.startswith("/task yes"))
        kit.api.world.press(BEN, GROUP, draft.id, yes)
        await kit.api.until(lambda: "no such question to you" in last(kit, GROUP).text)
        kit.api.world.press(ANN, GROUP, draft.id, yes)
        await kit.api.until(lambda: "Noted" in last(kit, GROUP).text)
        (job,) = await jobs(kit)
        assert (job.for_name, job.text) == ("Ben", "bring the ball")
