"""The answer arrives, whole and once, whatever Telegram does meanwhile."""

from pathlib import Path
from typing import Any

import pytest

from bot.delivery.outbox import SentPart
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.bot_api_world import Message
from tests.fakes.upstream import Answer, Upstream, chunk
from tests.telegram.kit import ANN, BEN, FORUM, GROUP, FastClock, Kit, running, started, world

TEXT = " ".join(f"word{number}" for number in range(80))


def slow(text: str = TEXT) -> Answer:
    """An answer that takes long enough to be shown while it is written."""
    return Answer.text(text, gap_ms=8)


def shown(kit: Kit, chat_id: int) -> list[Message]:
    return [message for message in kit.api.world.visible(chat_id) if message.by_bot]


@pytest.mark.pain("5", "P008")
async def test_a_ban_while_editing_is_kept_and_others_are_not_held_up(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        kit.api.fault("editMessageText", retry_after=20, chat_id=ANN)
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.api.until(lambda: any(fault.hits for fault in kit.api.faults))
        kit.api.world.say(BEN, "hello")
        assert await kit.answers_now(BEN) == ["echo: hello"]
        assert await kit.answers(ANN) == [TEXT]
        assert kit.api.flood.early == 0
        assert len(shown(kit, ANN)) == 1


@pytest.mark.pain("P009")
async def test_a_refused_last_edit_comes_later_and_makes_no_second_message(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.api.until(lambda: bool(kit.api.called("editMessageText")))
        kit.api.fault("editMessageText", retry_after=5, times=1)
        assert await kit.answers(ANN) == [TEXT]
        assert len(kit.api.called("sendMessage")) == 1


@pytest.mark.pain("6")
async def test_a_preview_that_the_person_deleted_is_sent_anew(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.api.until(lambda: bool(kit.api.world.answers(ANN)))
        shown(kit, ANN)[0].deleted = True
        await kit.settled()
        assert kit.api.world.answers(ANN) == [TEXT]


@pytest.mark.pain("6")
async def test_an_answer_to_a_deleted_message_is_sent_without_the_quote(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("here", first_ms=100))
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        kit.api.world.visible(GROUP)[0].deleted = True
        assert await kit.answers(GROUP) == ["here"]
        assert "reply_to_message" not in shown(kit, GROUP)[0].body


@pytest.mark.pain("6", "P017")
@pytest.mark.parametrize("state", ["gone", "closed"])
async def test_an_answer_for_a_topic_that_is_gone_comes_to_the_main_view(tmp_path: Path, state: str) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("here", first_ms=200))
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=FORUM, thread_id=42)
        await kit.upstream.until(lambda upstream: bool(upstream.requests))
        topics = kit.api.world.chats[FORUM].topics
        if state == "gone":
            del topics[42]
        else:
            topics[42] = "closed"
        assert await kit.answers(FORUM) == ["here"]


@pytest.mark.pain("7")
async def test_a_blocked_bot_gives_up_quietly_and_the_chat_is_marked(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("here", first_ms=200))
        kit.api.world.say(ANN, "hello")
        await kit.upstream.until(lambda upstream: bool(upstream.requests))
        kit.api.world.member_status(ANN, ANN, "member", "kicked")
        await kit.settled()
        assert kit.api.world.answers(ANN) == []

        def reason(conn: Any) -> str:
            return str(conn.exec_driver_sql("SELECT unreachable FROM conversations").scalar())

        assert "blocked" in await kit.app.store.read(reason)


@pytest.mark.pain("1")
async def test_a_refused_format_is_sent_as_plain_text(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessage", code=400, description="Bad Request: ENTITY_TEXT_INVALID")
        kit.upstream.script(Answer.text("**bold**"))
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["bold"]
        assert shown(kit, ANN)[0].entities == []


async def test_a_group_that_became_a_supergroup_gets_its_answer_there(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("here", first_ms=200))
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        await kit.upstream.until(lambda upstream: bool(upstream.requests))
        kit.api.world.migrate(GROUP, -2002)
        assert await kit.answers(-2002) == ["here"]


@pytest.mark.parametrize("kind", ["drop_before", "error"])
async def test_a_server_in_trouble_is_tried_again(tmp_path: Path, kind: str) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessage", kind=kind, times=2)
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["echo: hello"]


@pytest.mark.pain("3")
async def test_parts_of_a_long_answer_come_in_order(tmp_path: Path) -> None:
    async with started(tmp_path, rich_messages="off") as kit:
        text = "\n\n".join(f"Paragraph {number} " + "x" * 900 for number in range(10))
        kit.upstream.script(Answer.deltas({"content": text}))
        kit.api.world.say(ANN, "long, please")
        parts = await kit.answers(ANN, 3)
        assert "\n\n".join(parts) == text


@pytest.mark.pain("P010")
async def test_a_preview_of_a_former_process_becomes_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.GRACE_S", 0.1)
    clock = FastClock()
    async with FakeBotApi(now=clock.seconds) as api, Upstream() as upstream:
        world(api)
        half = Answer.events(chunk({"content": "a half of what is to be an ans"}), done=False, hang=True)
        upstream.script(half, slow())
        async with running(api, upstream, tmp_path, clock, streaming_prefer_draft=False) as kit:
            api.world.say(ANN, "long, please")
            await api.until(lambda: bool(api.world.answers(ANN)))
            await kit.channel.stop()
        async with running(api, upstream, tmp_path, clock, streaming_prefer_draft=False) as kit:
            assert await kit.answers(ANN) == [TEXT]
        assert len(api.called("sendMessage")) == 1


@pytest.mark.pain("P010")
@pytest.mark.parametrize("final", [False, True])
async def test_a_text_that_is_recorded_as_shown_is_not_sent_again(tmp_path: Path, final: bool) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        turn_id = await kit.last_turn()
        (recorded,) = (await kit.app.outbox.sent(turn_id)).values()
        again = SentPart(0, recorded.message_ref, recorded.text_hash, final)
        await kit.app.outbox.note(turn_id, again, channel="telegram")
        await kit.deliver_again(turn_id, "echo: hello", ANN)
        assert kit.api.world.answers(ANN) == ["echo: hello"]
        assert (await kit.app.outbox.sent(turn_id))[0].final


async def test_messages_of_a_preview_that_the_answer_does_not_need_are_taken_back(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        turn_id = await kit.last_turn()
        extra = kit.api.world.add_bot_message(kit.api.world.chats[ANN], {"text": "more"}, None)
        await kit.app.outbox.note(turn_id, SentPart(1, str(extra.id), "x", False), channel="telegram")
        await kit.deliver_again(turn_id, "echo: hello", ANN)
        assert kit.api.world.answers(ANN) == ["echo: hello"]


@pytest.mark.pain("P020")
async def test_typing_is_shown_until_the_answer_and_its_failure_harms_nothing(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.api.fault("sendChatAction", retry_after=1)
        kit.api.fault("sendChatAction", code=500, skip=1)
        kit.upstream.script(Answer.text("here", first_ms=800))
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["here"]
        typed = len(kit.api.called("sendChatAction"))
        assert 3 <= typed <= 5  # at once, then every 4.5 of 16 seconds
        numbers = [call.number for call in kit.api.calls if call.method == "sendChatAction"]
        assert max(numbers) < kit.api.called("sendMessage")[0].number


@pytest.mark.pain("P012")
async def test_no_call_of_the_preview_overtakes_the_answer(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        held = kit.api.fault("editMessageText", kind="hang_before")
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.api.until(lambda: held.hits == 1)
        await kit.upstream.until(lambda upstream: upstream.requests != [])
        await kit.answer_ready()
        assert len(kit.api.called("editMessageText")) == 1
        held.release.set()
        assert await kit.answers(ANN) == [TEXT]
        assert shown(kit, ANN)[0].text == TEXT


@pytest.mark.pain("P008")
async def test_an_answer_under_a_ban_of_hours_waits_as_a_queued_run(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessage", retry_after=13938, chat_id=ANN)
        kit.api.world.say(ANN, "hello")
        await kit.api.until(lambda: bool(kit.api.called("sendMessage", ANN)))
        kit.api.world.say(BEN, "hello")
        assert await kit.answers_now(BEN) == ["echo: hello"]

        def waiting(conn: Any) -> int:
            query = "SELECT count(*) FROM runs WHERE kind = 'delivery' AND status = 'queued'"
            return int(conn.exec_driver_sql(query).scalar())

        await kit.until_read(waiting, 1)
        assert len(kit.api.called("sendMessage", ANN)) == 1


@pytest.mark.pain("P141")
async def test_no_link_of_an_answer_is_previewed(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(Answer.text("see https://e.example/c?d=secret"))
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        (sent,) = kit.api.called("sendMessage")
        assert sent.params["link_preview_options"] == {"is_disabled": True}


async def test_messages_whose_confirmations_were_lost_are_found_again(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.api.fault("sendMessage", kind="drop_after", skip=1)
        kit.api.fault("editMessageText", kind="drop_after", times=2)
        kit.api.fault("sendChatAction", kind="drop_after")
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["echo: hello"]
        kit.api.world.say(ANN, "again")
        await kit.answers(ANN, 2)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello", "echo: again"]


@pytest.mark.pain("P010")
async def test_a_lost_confirmation_does_not_show_the_text_twice(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.api.fault("sendMessage", kind="drop_after")
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello"]


@pytest.mark.pain("P010")
async def test_a_preview_whose_confirmation_was_lost_becomes_the_answer(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        kit.api.fault("sendMessage", kind="drop_after")
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.answers(ANN)
        await kit.settled()
        assert kit.api.world.answers(ANN) == [TEXT]


async def test_looking_for_a_lost_message_leaves_other_answers_alone(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.api.world.say(ANN, "hello")
        await kit.answers(ANN)
        kit.api.world.say(ANN, "again")
        await kit.answers(ANN, 2)
        await kit.settled()
        turn_id = await kit.last_turn()
        await kit.app.outbox.forget(turn_id, 0)
        kit.app.outbox.leave_in_doubt(turn_id, 0, "1")  # the first answer comes right after it
        await kit.deliver_again(turn_id, "echo: again", ANN)
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello", "echo: again"]


async def test_a_lost_message_that_is_not_there_is_sent_again(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_enabled=False) as kit:
        kit.api.fault("sendMessage", kind="drop_before")
        kit.api.world.say(ANN, "hello")
        assert await kit.answers(ANN) == ["echo: hello"]
        await kit.settled()
        assert kit.api.world.answers(ANN) == ["echo: hello"]


async def test_a_chat_that_is_to_be_left_alone_is_not_typed_to(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendChatAction", retry_after=15)
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        assert await kit.answers(ANN) == [TEXT]
        assert kit.api.flood.early <= 1  # one may be under way
