"""The channel from a person's message to the answer in the chat."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.upstream import Answer, chunk
from tests.telegram.kit import ANN, BEN, FORUM, GROUP, OWNER, started

STRANGER = 777


async def test_a_private_message_is_answered(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["echo: hello"]
        assert len(kit.api.called("sendMessage")) == 1


async def test_an_answer_is_formatted(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("**bold** and `code`"))
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["bold and code"]
        (message,) = [one for one in kit.api.world.visible(ANN) if one.by_bot]
        assert [entity["type"] for entity in message.entities] == ["bold", "code"]
        assert kit.api.methods.altered == []


async def test_a_long_answer_grows_in_one_message(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        text = " ".join(f"word{number}" for number in range(60))
        kit.upstream.script(Answer.text(text, gap_ms=8))
        kit.api.world.say(ANN, "tell me")
        assert await kit.answers(ANN) == [text]
        (message,) = [one for one in kit.api.world.visible(ANN) if one.by_bot]
        assert len(message.texts) > 2
        assert all(text.startswith(shown) for shown in message.texts)


@pytest.mark.pain("64")
async def test_a_stranger_gets_a_code_once_and_the_owner_lets_them_in(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.user(STRANGER, "Sam")
        kit.api.world.say(STRANGER, "hello")
        (told,) = await kit.answers(STRANGER)
        assert str(STRANGER) in told
        kit.api.world.say(STRANGER, "hello?")
        await kit.settled()
        assert len(kit.api.world.answers(STRANGER)) == 1
        code = told.rpartition(" ")[2]
        kit.api.world.say(OWNER, f"/allow {code}")
        await kit.answers(OWNER)
        kit.api.world.say(STRANGER, "and now?")
        assert "echo: and now?" in await kit.answers(STRANGER, 3)


async def test_in_a_group_the_answer_quotes_who_called(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(BEN, "nice weather", chat_id=GROUP)
        kit.api.world.say(ANN, "@donkey_bot what is this?", chat_id=GROUP)
        (shown,) = await kit.answers(GROUP)
        assert shown.split() == ["echo:", "Ann:", "what", "is", "this?"]
        answer = kit.api.world.visible(GROUP)[-1]
        assert answer.body["reply_to_message"]["message_id"] == 2


@pytest.mark.pain("16", "P016")
async def test_every_call_for_a_topic_names_the_topic(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text(" ".join(["word"] * 40), gap_ms=8))
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=FORUM, thread_id=42)
        await kit.answers(FORUM)
        outgoing = [call for call in kit.api.calls if call.method in {"sendMessage", "sendChatAction"}]
        assert len(outgoing) >= 2
        assert {call.params.get("message_thread_id") for call in outgoing} == {42}


async def test_commands_work_also_with_the_bots_name(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "/whoami@donkey_bot", chat_id=GROUP)
        (shown,) = await kit.answers(GROUP)
        assert str(ANN) in shown
        kit.api.world.say(ANN, "/whoami@other_bot", chat_id=GROUP)
        kit.api.world.say(ANN, "/grok who drew this?", chat_id=GROUP)
        await kit.settled()
        assert len(kit.api.world.answers(GROUP)) == 1


@pytest.mark.pain("12")
async def test_an_update_that_comes_twice_is_answered_once(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        again = kit.api.world.visible(ANN)[0].body
        kit.api.world.push("message", again)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello"]


async def test_only_configured_groups_are_served(tmp_path: Path) -> None:
    async with started(tmp_path, allowed_chat_ids=[FORUM]) as kit:
        for _ in range(3):
            kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=FORUM)
        await kit.answers(FORUM)
        (line,) = await kit.answers(GROUP)
        assert str(GROUP) in line, "it is told once, and which group it would be"


async def test_a_pressed_button_is_answered_and_counts_as_its_command(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        kit.api.world.press(ANN, ANN, 2, "/whoami")
        (_, shown) = await kit.answers(ANN, 2)
        assert str(ANN) in shown
        assert len(kit.api.called("answerCallbackQuery")) == 1


@pytest.mark.pain("P018")
async def test_the_menu_is_published_in_each_language_and_cut_when_refused(tmp_path: Path) -> None:
    async with started(tmp_path, commands_auto_register=True, startup_online_enabled=True) as kit:
        kit.api.fault("setMyCommands", code=400, description="Bad Request: BOT_COMMANDS_TOO_MUCH")
        await kit.api.until(lambda: bool(kit.api.called("setMyShortDescription")))
        scopes = ("default", "all_private_chats", "all_group_chats", f"chat:{OWNER}")
        languages = ("", "zh", "es", "hi", "ar")
        menus = kit.api.methods.commands
        assert set(menus) == {(scope, language) for scope in scopes for language in languages}
        assert len(menus["default", ""]) < len(menus["default", "zh"]), "it was too much for the first time"
        assert menus["default", ""][0]["command"] == "new", "what matters most stays"
        named = {scope: [one["command"] for one in menus[scope, "ar"]] for scope in scopes}
        assert "why" in named[f"chat:{OWNER}"] and "why" not in named["default"]
        assert "whoami" not in named["all_group_chats"] and "settings" in named["all_group_chats"]
        assert kit.api.methods.profile["short_description", ""] == "online"


@pytest.mark.pain("21")
async def test_polling_that_breaks_in_our_own_code_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(tmp_path) as kit:
        await kit.api.until(lambda: bool(kit.api.called("getUpdates")))
        broken = kit.api.world.me.pop("id")
        monkeypatch.setattr(kit.channel._poller, "_fetch", _raise_once(kit.channel._poller._fetch))
        kit.api.world.say(ANN, "one")
        await kit.api.until(lambda: len(kit.api.called("getMe")) >= 2)
        kit.api.world.me["id"] = broken
        kit.api.world.say(ANN, "two")
        assert (await kit.answers(ANN, 2))[-1] == "echo: two"


def _raise_once(original: Callable[[int], Awaitable[Any]]) -> Callable[[int], Awaitable[Any]]:
    left = [RuntimeError("a mistake of ours")]

    async def fetch(offset: int) -> Any:
        if left:
            raise left.pop()
        return await original(offset)

    return fetch


@pytest.mark.pain("P047")
async def test_who_asks_during_a_long_answer_sees_at_once_that_it_came_in(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text(" ".join(["long"] * 80), gap_ms=10))
        kit.api.world.say(ANN, "@donkey_bot tell me", chat_id=GROUP)
        await kit.api.until(lambda: bool(kit.api.world.answers(GROUP)))
        kit.api.world.say(BEN, "@donkey_bot what is 2+2?", chat_id=GROUP)
        await kit.api.until(lambda: bool(kit.api.called("setMessageReaction")))
        (asked,) = [one for one in kit.api.world.visible(GROUP) if one.text.startswith("@donkey_bot what")]
        assert [one["emoji"] for one in asked.reactions] == ["👀"]
        assert len(await kit.answers(GROUP, 2)) == 2
        answer = kit.api.world.visible(GROUP)[-1]
        assert answer.body["reply_to_message"]["message_id"] == asked.id


@pytest.mark.pain("P054")
async def test_two_messages_at_once_are_both_answered_and_neither_twice(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "one")
        kit.api.world.say(ANN, "two")
        await kit.settled()
        said = "\n".join(await kit.answers(ANN)).replace("echo: ", "")
        assert said == "one\ntwo", "together, or one after the other"


@pytest.mark.pain("25")
async def test_another_bot_is_not_answered(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.user(500, "Robo", is_bot=True)
        for number in range(5):
            kit.api.world.say(500, f"@donkey_bot {number}", chat_id=GROUP)
        await kit.settled()
        assert kit.api.world.answers(GROUP) == []


async def test_stop_ends_the_answer_that_is_being_written(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        endless = Answer.events(chunk({"content": "this goes on and on and on"}), done=False, hang=True)
        kit.upstream.script(endless)
        kit.api.world.say(ANN, "tell me")
        await kit.api.until(lambda: bool(kit.api.world.answers(ANN)))
        kit.api.world.say(ANN, "/stop")
        first, second = await kit.answers(ANN, 2)
        assert first == "this goes on and on and on\n\n(stopped)"
        assert second == "Stopped."
