"""What people send in pieces, change, react to and move, from the chat to the answer."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.i18n.catalogue import translate
from channels.telegram import gather
from channels.telegram.gather import FIRST_S, gather_of
from channels.telegram.parts import Me, read_message
from tests.fakes.bot_api_world import BOT_ID, World
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, BEN, GROUP, Kit, started

ME = Me(BOT_ID, "donkey_bot")


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of a length that a busy machine keeps in the tests' fast time."""
    for name in ("FIRST_S", "LONG_PASTE_S"):
        monkeypatch.setattr(gather, name, 15.0)


def await_more(kit: Kit) -> None:
    """A window of a length that can't be set."""
    intake = kit.channel._intake
    intake._settings = intake._settings.model_copy(update={"gather_window_ms": 15_000})


@pytest.mark.pain("20")
@pytest.mark.usefixtures("patience")
async def test_five_short_messages_get_one_answer(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        await_more(kit)
        for text in ("hey", "so", "what is", "2+2", "?"):
            kit.api.world.say(ANN, text)
        assert await kit.answers(ANN) == ["echo: hey\nso\nwhat is\n2+2\n?"]
        assert len(kit.upstream.requests) == 1


@pytest.mark.pain("P030")
@pytest.mark.usefixtures("patience")
async def test_a_long_paste_is_put_together_without_a_gap(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("read"))
        for text in ("a" * 4096, "b" * 4096, "c" * 310):
            kit.api.world.say(ANN, text)
        assert await kit.answers(ANN) == ["read"]
        assert kit.upstream.requests[0].body["messages"][-1]["content"] == "a" * 4096 + "b" * 4096 + "c" * 310


@pytest.mark.pain("P031")
@pytest.mark.usefixtures("patience")
async def test_a_comment_and_the_message_it_is_about_are_one_turn(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        await_more(kit)
        origin = {"type": "channel", "chat": {"id": -5, "type": "channel", "title": "News"}, "date": 1}
        kit.api.world.say(ANN, "what do they want from me?")
        kit.api.world.say(ANN, "pay by Friday", forward_origin=origin)
        (shown,) = await kit.answers(ANN)
        assert "what do they want from me?" in shown
        assert "[forwarded from News: pay by Friday]" in shown


def gathered(world: World, age: timedelta = timedelta(0)) -> Any:
    """With what the newest message is gathered, when it is `age` old."""
    message = world.updates[-1]["message"]
    inbound = read_message(message, ME)
    assert inbound is not None
    return gather_of(message, inbound, ME, 0.8, inbound.at + age)


@pytest.mark.pain("P030")
async def test_a_single_message_waits_unnoticed_and_a_command_not_at_all() -> None:
    world = World()
    world.say(ANN, "what is the time in Rome?")
    found = gathered(world)
    assert (found.first_s, found.more_s) == (FIRST_S, 0.8)
    assert found.first_s < 0.3
    world.say(ANN, "/help")
    assert gathered(world).alone
    world.say(ANN, "x" * 4096)
    assert (gathered(world).first_s, gathered(world).cut) == (2.0, True)


@pytest.mark.pain("13")
async def test_calls_from_long_ago_are_answered_together_and_those_for_others_not() -> None:
    world = World()
    world.user(BEN, "Ben", username="ben_ok")
    world.group(GROUP)
    world.say(ANN, "@donkey_bot are you there?", chat_id=GROUP)
    assert gathered(world, timedelta(hours=8)).anyone
    assert not gathered(world, timedelta(minutes=1)).anyone
    world.say(ANN, "and you @ben_ok", chat_id=GROUP)
    assert not gathered(world).joins
    world.say(BEN, "right", chat_id=GROUP, reply_to=1)
    assert not gathered(world).joins, "an answer to Ann"
    world.say(ANN, "right", chat_id=GROUP)
    assert gathered(world).joins
    message = world.updates[-1]["message"]
    inbound = read_message(message, ME)
    assert inbound is not None
    assert gather_of(message, inbound, ME, 0.0, inbound.at) is None, "switched off"


@pytest.mark.pain("19")
async def test_an_edit_right_after_the_answer_leaves_one_answer_to_the_last_text(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "tell me of Paris")
        assert await kit.answers(ANN) == ["echo: tell me of Paris"]
        kit.api.world.edit(ANN, 1, "tell me of Rome")
        await kit.api.until(lambda: kit.api.world.answers(ANN)[-1:] == ["echo: tell me of Rome"])
        await kit.api.until(lambda: kit.api.world.answers(ANN) == ["echo: tell me of Rome"])
        kit.api.world.edit(ANN, 1, "tell me of Rome")  # it gained a preview
        await kit.settled()
        assert len(kit.upstream.requests) == 2


async def test_the_bots_name_put_in_later_is_a_call(tmp_path: Path) -> None:
    async with started(tmp_path, group_trigger_mode="strict") as kit:
        kit.api.world.say(ANN, "what is the time?", chat_id=GROUP)
        await kit.settled()
        kit.api.world.edit(GROUP, 1, "@donkey_bot what is the time?")
        (shown,) = await kit.answers(GROUP)
        assert "what is the time?" in shown


@pytest.mark.pain("17")
async def test_a_group_that_became_a_supergroup_remembers_what_was_said(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "@donkey_bot I like peaches", chat_id=GROUP)
        await kit.answers(GROUP)
        kit.api.world.migrate(GROUP, -2002)
        kit.api.world.say(ANN, "@donkey_bot what do I like?", chat_id=-2002)
        await kit.answers(-2002)
        assert "I like peaches" in str(kit.upstream.requests[-1].body["messages"])


@pytest.mark.pain("18")
async def test_a_group_that_lets_the_bot_in_is_told_of_privacy_mode_once(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.member_status(GROUP, ANN, "left", "member")
        line = translate("telegram.privacy", "en", username="donkey_bot")
        assert await kit.answers(GROUP) == [line]
        kit.api.world.member_status(GROUP, ANN, "member", "administrator")
        await kit.settled()
        assert len(kit.api.world.answers(GROUP)) == 1


@pytest.mark.pain("7")
@pytest.mark.parametrize(
    ("rights", "reason"),
    [
        ({"is_member": True, "can_send_messages": False}, "the bot may not write in the group"),
        ({"is_member": False, "can_send_messages": True}, "the bot is not in the group"),
        ({"is_member": True, "can_send_messages": True}, ""),
    ],
)
async def test_a_group_that_restricts_the_bot_is_not_written_to_by_itself(
    tmp_path: Path, rights: dict[str, bool], reason: str
) -> None:
    def why(conn: Any) -> Any:
        query = f"SELECT unreachable FROM conversations WHERE chat_id = '{GROUP}'"
        return conn.exec_driver_sql(query).scalar()

    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        await kit.answers(GROUP)
        kit.api.world.member_status(GROUP, ANN, "member", "restricted", **rights)
        await kit.settled()
        await kit.until_read(why, reason)
        kit.api.world.member_status(GROUP, ANN, "restricted", "member")
        await kit.until_read(why, "")


@pytest.mark.pain("7")
async def test_who_blocks_the_bot_is_not_written_to_until_they_come_back(tmp_path: Path) -> None:
    def reason(conn: Any) -> Any:
        query = f"SELECT unreachable FROM conversations WHERE id = 'telegram:{ANN}'"
        return conn.exec_driver_sql(query).scalar()

    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        kit.api.world.member_status(ANN, ANN, "member", "kicked")
        await kit.until_read(reason, "blocked by the person")
        kit.api.world.member_status(ANN, ANN, "kicked", "member")
        await kit.until_read(reason, "")


async def test_a_reaction_to_an_answer_is_noted_as_feedback(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        (answer,) = [one for one in kit.api.world.visible(ANN) if one.by_bot]
        seen: list[Any] = []
        kit.app.events.subscribe(seen.append)
        kit.api.world.push(
            "message_reaction",
            {
                "chat": {"id": ANN, "type": "private"},
                "message_id": answer.id,
                "user": kit.api.world.user(ANN),
                "date": 1,
                "old_reaction": [],
                "new_reaction": [{"type": "emoji", "emoji": "👍"}],
            },
        )
        await kit.settled()
        (feedback,) = [event for event in seen if event.type == "user.feedback"]
        assert (feedback.sentiment, feedback.person_id) == ("positive", f"telegram:{ANN}")
