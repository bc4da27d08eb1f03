"""Private chats see an answer grow as a draft, and then one message."""

from pathlib import Path

import pytest

from bot.domain.message import TextDelta
from tests.fakes.upstream import Answer, chunk
from tests.telegram.kit import ANN, GROUP, Kit, started

TEXT = " ".join(f"word{number}" for number in range(80))
TABLE = "Here:\n\n| name | value |\n|---|---|\n" + "\n".join(f"| row {n} | {n} |" for n in range(12))
DRAFTS = ("sendMessageDraft", "sendRichMessageDraft")


def slow(text: str = TEXT) -> Answer:
    return Answer.text(text, gap_ms=8)


def calls(kit: Kit, *methods: str) -> list[str]:
    """The calls of these methods to Ann that came through, in order."""
    return [call.method for call in kit.api.calls if call.method in methods and call.chat_id == ANN]


@pytest.mark.pain("P011")
async def test_an_answer_grows_as_a_draft_and_then_is_one_message(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        assert await kit.answers(ANN) == [TEXT]
        sent = calls(kit, *DRAFTS, "sendMessage", "editMessageText")
        assert sent.count("sendMessageDraft") >= 2
        assert sent[-1] == "sendMessage"
        assert sent.count("sendMessage") == 1
        assert "editMessageText" not in sent
        drafts = kit.api.called("sendMessageDraft", ANN)
        assert len({call.params["draft_id"] for call in drafts}) == 1
        assert all(TEXT.startswith(call.params["text"]) for call in drafts)


@pytest.mark.pain("P011")
async def test_drafts_are_one_switch_away_from_edits(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        assert await kit.answers(ANN) == [TEXT]
        assert calls(kit, *DRAFTS) == []
        assert len(calls(kit, "editMessageText")) >= 2


@pytest.mark.pain("P012")
async def test_a_slow_draft_is_awaited_before_the_answer(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        held = kit.api.fault("sendMessageDraft", kind="hang_before", skip=1)
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        await kit.api.until(lambda: held.hits == 1)
        await kit.answer_ready()
        assert calls(kit, "sendMessage") == []
        held.release.set()
        assert await kit.answers(ANN) == [TEXT]
        assert calls(kit, *DRAFTS, "sendMessage")[-1] == "sendMessage"


async def test_a_table_is_drafted_and_sent_as_a_rich_message(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(slow(TABLE))
        kit.api.world.say(ANN, "a table, please")
        (shown,) = await kit.answers(ANN)
        assert "| row 11 | 11 |" in shown
        assert calls(kit, "sendRichMessageDraft")
        assert calls(kit, "sendRichMessage", "sendMessage") == ["sendRichMessage"]


async def test_a_chat_without_drafts_gets_edits_and_is_not_asked_again(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault(
            "sendMessageDraft", code=400, description="Bad Request: TEXTDRAFT_PEER_INVALID", times=None
        )
        for count in (1, 2):
            kit.upstream.script(slow())
            kit.api.world.say(ANN, "long, please")
            assert await kit.answers(ANN, count) == [TEXT] * count
        assert len(calls(kit, "sendMessageDraft")) == 1
        assert len(calls(kit, "sendMessage")) == 2
        assert calls(kit, "editMessageText")


async def test_refused_rich_drafts_become_plain_ones(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendRichMessageDraft", code=404, description="Not Found: method not found", times=None)
        kit.upstream.script(slow(TABLE))
        kit.api.world.say(ANN, "a table, please")
        (shown,) = await kit.answers(ANN)
        assert "row 11 | 11" in shown
        assert len(calls(kit, "sendRichMessageDraft")) == 1
        assert calls(kit, "sendRichMessage") == []


@pytest.mark.pain("5", "P008")
async def test_a_ban_while_drafting_is_kept(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessageDraft", retry_after=12, chat_id=ANN, skip=1)
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "long, please")
        assert await kit.answers(ANN) == [TEXT]
        assert kit.api.flood.early == 0


async def test_groups_get_no_drafts(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.upstream.script(slow())
        kit.api.world.say(ANN, "@donkey_bot long, please", chat_id=GROUP)
        assert await kit.answers(GROUP) == [TEXT]
        assert not [call for call in kit.api.calls if call.method in DRAFTS]


@pytest.mark.pain("P013")
async def test_a_draft_that_stalls_becomes_a_message_with_a_button_that_stops(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        pieces = [chunk({"content": f"{word} "}) for word in TEXT.split()[:40]]
        kit.upstream.script(Answer.events(*pieces, done=False, hang=True, gap_ms=10))
        kit.api.world.say(ANN, "look it up, please")
        await kit.api.until(lambda: bool(kit.api.world.answers(ANN)))
        (message,) = [one for one in kit.api.world.visible(ANN) if one.by_bot]
        (stop,) = message.buttons
        assert stop.startswith("stop:")
        assert len(stop.encode()) <= 64
        kit.api.world.press(ANN, ANN, message.id, stop)
        (shown,) = await kit.answers(ANN)
        assert shown.startswith("word0 word1")
        assert shown.endswith("(stopped)")
        assert calls(kit, "sendMessage") == ["sendMessage"]
        assert calls(kit, "answerCallbackQuery", "sendMessage")
        assert not any(data.startswith("stop:") for data in message.buttons)


@pytest.mark.pain("P013")
async def test_a_status_ends_the_draft_and_goes_with_the_next_words(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        pieces = [chunk({"content": f"{word} "}) for word in TEXT.split()[:20]]
        kit.upstream.script(Answer.events(*pieces, done=False, hang=True, gap_ms=10))
        kit.api.world.say(ANN, "look it up, please")
        await kit.api.until(
            lambda: any("word19" in call.params["text"] for call in kit.api.called("sendMessageDraft", ANN))
        )
        (preview,) = kit.channel._live.values()
        await preview.status("Looking it up…")
        await kit.api.until(lambda: any("Looking it up…" in text for text in kit.api.world.answers(ANN)))
        await preview.write(TextDelta("found it."))
        await kit.api.until(lambda: any(text.endswith("found it.") for text in kit.api.world.answers(ANN)))
        assert not any("Looking" in text for text in kit.api.world.answers(ANN))
        kit.app.service.stop_turn(next(iter(kit.channel._live)))  # type: ignore[arg-type]
        await kit.settled()


async def test_a_long_draft_becomes_messages_where_rich_ones_are_off(tmp_path: Path) -> None:
    async with started(tmp_path, rich_messages="off") as kit:
        text = "\n\n".join(f"Paragraph {number} " + "x" * 700 for number in range(9))
        pieces = [chunk({"content": text[at : at + 300]}) for at in range(0, len(text), 300)]
        kit.upstream.script(Answer.events(*pieces, gap_ms=15))
        kit.api.world.say(ANN, "long, please")
        parts = await kit.answers(ANN, 2)
        assert "\n\n".join(parts) == text
        assert calls(kit, "sendMessageDraft")
