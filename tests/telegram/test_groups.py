"""Groups and people through the real channel: what the bot says where, and who may change it."""

from pathlib import Path

import pytest

from bot.turn.gate import open_requests
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.upstream import Upstream
from tests.telegram.kit import ANN, BEN, FORUM, GROUP, OWNER, FastClock, Kit, running, started, world

STRANGER = 555


def newest(kit: Kit, chat_id: int) -> int:
    """The number of the bot's newest message in a chat."""
    messages = kit.api.world.chats[chat_id].messages
    return max(number for number, message in messages.items() if message.by_bot)


async def test_in_a_group_it_answers_who_speaks_to_it_and_listens_to_the_others(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        say = kit.api.world.say
        say(ANN, "pizza tonight, @ben_ok?", chat_id=GROUP)
        say(BEN, "Donkey, what is 2+2?", chat_id=GROUP)
        assert len(await kit.answers(GROUP)) == 1
        say(ANN, "@ben_ok see you at eight then", chat_id=GROUP)
        await kit.settled()
        assert len(kit.api.world.answers(GROUP)) == 1
        diag = kit.channel.diag()
        assert diag["group_messages_total"] == 3
        assert diag["group_decision_respond_total"] == 1


async def test_a_restart_forgets_neither_names_nor_whose_turn_it_is(tmp_path: Path) -> None:
    clock = FastClock()
    async with FakeBotApi(now=clock.seconds) as api, Upstream() as upstream:
        world(api)
        async with running(api, upstream, tmp_path, clock) as kit:
            api.world.say(ANN, "@donkey_bot I'll call you Greenie", chat_id=GROUP)
            await kit.answers(GROUP, 1)
        async with running(api, upstream, tmp_path, clock) as kit:
            api.world.say(BEN, "greenie, what is 2+2?", chat_id=GROUP)
            assert len(await kit.answers(GROUP, 2)) == 2


async def test_group_admins_change_the_settings_of_their_group(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.admins.add((FORUM, BEN))
        kit.api.world.say(ANN, "/settings mode strict", chat_id=FORUM)
        (denied,) = await kit.answers(FORUM, 1)
        assert "Only the admins of this group" in denied
        kit.api.world.say(BEN, "/settings@donkey_bot language es", chat_id=FORUM)
        (_, shown) = await kit.answers(FORUM, 2)
        assert shown.startswith("Ajustes de este chat")
        keyboard = kit.api.world.chats[FORUM].messages[newest(kit, FORUM)].body["reply_markup"]
        assert "/settings mode strict" in str(keyboard)
        kit.api.world.press(BEN, FORUM, newest(kit, FORUM), "/settings mode strict")
        await kit.api.until(lambda: "estricto" in kit.api.world.answers(FORUM)[-1])
        kit.api.world.press(ANN, FORUM, newest(kit, FORUM), "/settings mode smart")
        assert (await kit.answers(FORUM, 3))[-1].startswith("Solo"), "the message of the settings stays"
        kit.api.world.say(ANN, "Donkey, 2+2?", chat_id=FORUM)
        await kit.settled()
        assert len(kit.api.world.answers(FORUM)) == 3


@pytest.mark.pain("64")
async def test_the_owner_lets_a_stranger_in_with_one_press(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.user(STRANGER, "Sam")
        for _ in range(3):
            kit.api.world.say(STRANGER, "hello?")
        (asked,) = await kit.answers(OWNER, 1)
        (told,) = await kit.answers(STRANGER, 1)
        ((code, _, _),) = await kit.app.store.read(open_requests, kit.clock.now())
        assert code in asked and code in told
        kit.api.world.press(OWNER, OWNER, newest(kit, OWNER), f"/allow {code}")
        assert "Sam" in (await kit.answers(OWNER, 2))[-1]
        await kit.answers(STRANGER, 2)
        kit.api.world.say(STRANGER, "hello!")
        assert (await kit.answers(STRANGER, 3))[-1] == "echo: hello!"


@pytest.mark.pain("25", "P043")
async def test_another_bot_that_answers_every_message_is_not_talked_with(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.user(777, "Rival", username="rival_bot", is_bot=True)
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        await kit.answers(GROUP, 1)
        for number in range(10):
            kit.api.world.say(777, f"@donkey_bot number {number}", chat_id=GROUP)
        await kit.settled()
        assert len(kit.api.world.answers(GROUP)) == 1


async def test_a_flood_gets_one_friendly_line(tmp_path: Path) -> None:
    async with started(tmp_path, rate_limit_per_minute=3, gather_window_ms=0) as kit:
        for number in range(8):
            kit.api.world.say(ANN, f"question {number}")
        answers = await kit.answers(ANN, 4)
        assert sum(answer.startswith("echo: ") for answer in answers) == 3
        assert sum("Please give me a minute" in answer for answer in answers) == 1
