"""Buttons under answers: another answer, the rest of one, and an end to one."""

from pathlib import Path
from typing import Any

import pytest

from bot.delivery.buttons import Button
from bot.delivery.outbox import Delivery
from bot.domain.conversation import Conversation
from bot.errors import InputError
from tests.fakes.bot_api_world import Message
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, BEN, GROUP, Kit, started

LONG = "\n\n".join(f"Paragraph {number} " + "x" * 900 for number in range(10))


def shown(kit: Kit, chat_id: int = ANN) -> list[Message]:
    return [message for message in kit.api.world.visible(chat_id) if message.by_bot]


async def said(kit: Kit) -> list[tuple[str, str]]:
    """The conversation as it is kept."""

    def read(conn: Any) -> list[tuple[str, str]]:
        rows = conn.exec_driver_sql("SELECT role, text FROM messages ORDER BY id")
        return [(row[0], row[1]) for row in rows]

    return await kit.app.store.read(read)


def wishes_of(message: Message) -> list[str]:
    return [data.partition(":")[0] for data in message.buttons]


@pytest.mark.pain("P019")
async def test_an_answer_can_be_written_anew_in_its_place(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("first answer"), Answer.text("second answer"))
        kit.api.world.say(ANN, "tell me")
        assert await kit.answers(ANN) == ["first answer"]
        (message,) = shown(kit)
        assert wishes_of(message) == ["regenerate"]
        assert all(len(data.encode()) <= 64 for data in message.buttons)
        old = message.buttons[0]
        kit.api.world.press(ANN, ANN, message.id, old)
        await kit.api.until(lambda: message.text == "second answer")
        await kit.settled()
        assert [one.text for one in shown(kit)] == ["second answer"]
        assert message.buttons != [old]
        assert await said(kit) == [("user", "tell me"), ("assistant", "second answer")]


async def test_pressed_twice_it_is_one_wish(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("first answer"), Answer.text("second answer", first_ms=150))
        kit.api.world.say(ANN, "tell me")
        await kit.answers(ANN)
        (message,) = shown(kit)
        for _ in range(2):
            kit.api.world.press(ANN, ANN, message.id, message.buttons[0])
        await kit.api.until(lambda: message.text == "second answer")
        await kit.settled()
        assert len(kit.upstream.requests) == 2
        await kit.api.until(lambda: len(kit.api.called("answerCallbackQuery")) == 2)


async def test_an_old_answer_is_not_written_anew_and_loses_its_button(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "one")
        await kit.answers(ANN)
        kit.api.world.say(ANN, "two")
        await kit.answers(ANN, 2)
        old = shown(kit)[0]
        kit.api.world.press(ANN, ANN, old.id, old.buttons[0])
        await kit.api.until(lambda: not old.buttons)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: one", "echo: two"]


async def test_a_cut_answer_can_be_continued(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(
            Answer.deltas({"content": "the first half"}, finish="length"), Answer.text("the rest")
        )
        kit.api.world.say(ANN, "tell me")
        (cut,) = await kit.answers(ANN)
        assert cut.startswith("the first half\n\n(The answer was cut off")
        message = shown(kit)[0]
        assert wishes_of(message) == ["regenerate", "continue"]
        for _ in range(2):
            kit.api.world.press(ANN, ANN, message.id, message.buttons[1])
        assert (await kit.answers(ANN, 2))[1:] == ["the rest"]
        assert ("user", "go on") in await said(kit)
        assert len(kit.upstream.requests) == 2
        await kit.api.until(lambda: not message.buttons)


@pytest.mark.pain("3")
async def test_only_the_last_part_carries_buttons(tmp_path: Path) -> None:
    async with started(tmp_path, rich_messages="off") as kit:
        kit.upstream.script(Answer.deltas({"content": LONG}))
        kit.api.world.say(ANN, "long, please")
        await kit.answers(ANN, 3)
        assert [len(message.buttons) for message in shown(kit)] == [0, 0, 1]


async def test_buttons_that_are_not_wanted_are_not_shown(tmp_path: Path) -> None:
    async with started(tmp_path, buttons=[]) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        assert shown(kit)[0].buttons == []


async def test_a_command_gets_no_buttons(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "/whoami")
        await kit.answers(ANN)
        assert shown(kit)[0].buttons == []


async def test_a_stranger_can_press_nothing(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        message = shown(kit)[0]
        kit.api.world.user(666, "Mallory")
        kit.api.world.press(666, ANN, message.id, message.buttons[0])
        kit.api.world.press(666, ANN, message.id, "regenerate:turn-unknown")
        await kit.api.until(lambda: len(kit.api.called("answerCallbackQuery")) == 2)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello"]
        assert len(kit.upstream.requests) == 1


async def test_in_a_group_the_new_answer_stays_a_reply(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("first"), Answer.text("second"))
        kit.api.world.say(ANN, "@donkey_bot tell me", chat_id=GROUP)
        await kit.answers(GROUP)
        (message,) = shown(kit, GROUP)
        kit.api.world.press(BEN, GROUP, message.id, message.buttons[0])
        await kit.api.until(lambda: message.text == "second")
        await kit.settled()
        assert len(shown(kit, GROUP)) == 1
        assert "reply_to_message" in message.body


@pytest.mark.pain("P019")
async def test_refused_buttons_do_not_keep_the_answer_back(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessage", code=400, description="Bad Request: BUTTON_DATA_INVALID")
        kit.upstream.script(Answer.text("**bold**"))
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["bold"]
        assert shown(kit)[0].buttons == []
        assert shown(kit)[0].entities != []


@pytest.mark.pain("P019")
def test_a_button_with_too_much_data_cannot_be_made() -> None:
    assert Button("x", "y" * 64).data
    with pytest.raises(InputError):
        Button("报表", "ß" * 33)
    with pytest.raises(InputError):
        Button("x", "")


async def test_buttons_of_another_kind_are_always_shown(tmp_path: Path) -> None:
    async with started(tmp_path, buttons=[]) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        turn_id = await kit.last_turn()
        rows = ((Button("Yes", "/yes"), Button("No", "/no")),)
        delivery = Delivery(turn_id, Conversation("telegram", str(ANN)), "Sure?", buttons=rows)
        await kit.app.outbox.channels["telegram"].deliver(delivery)
        assert shown(kit)[0].buttons == ["/yes", "/no"]
