"""Rich messages where a chat takes them, else classic ones; what a chat refuses is not tried again."""

from pathlib import Path
from typing import Any

import pytest

from bot.delivery.abilities import AGAIN_AFTER, Abilities
from bot.domain.conversation import Conversation
from bot.store.open import open_store
from channels.telegram.client import Refused
from channels.telegram.forms import RICH, Forms
from tests.fakes.bot_api_faults import bad
from tests.fakes.clock import ManualClock
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, BEN, GROUP, Kit, started

TABLE = "| 名字 | `a\\|b` | | d |\n|--|--|--|--|\n| 值 | x | y | z |\n| 1 | 2 | 3 | 4 |\n| 5 | 6 | 7 | 8 |"


async def ask(kit: Kit, chat_id: int = ANN, answer: str = TABLE, count: int = 1) -> list[str]:
    kit.upstream.script(Answer.deltas({"content": answer}))
    if chat_id == GROUP:
        kit.api.world.say(ANN, "@donkey_bot please", chat_id=GROUP)
    else:
        kit.api.world.say(chat_id, "please")
    return await kit.answers(chat_id, count)


def sent(kit: Kit, chat_id: int = ANN) -> list[str]:
    """The sending calls to a chat, in order."""
    wanted = {"sendMessage", "sendRichMessage"}
    return [call.method for call in kit.api.calls if call.method in wanted and call.chat_id == chat_id]


@pytest.mark.pain("P014")
async def test_a_table_is_a_rich_message(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        (shown,) = await ask(kit)
        assert shown.startswith("| 名字 | `a\\|b` |  | d |\n| --- |")
        assert sent(kit) == ["sendRichMessage"]
        (again,) = await ask(kit, GROUP)
        assert again == shown


@pytest.mark.pain("P014")
@pytest.mark.parametrize(
    ("code", "description"),
    [
        (400, "Bad Request: RICH_MESSAGE_UNSUPPORTED"),
        (404, "Not Found: method not found"),
        (400, "Bad Request: can't send rich messages to this chat"),
    ],
)
async def test_a_chat_that_refuses_gets_an_aligned_table_and_is_not_asked_again(
    tmp_path: Path, code: int, description: str
) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendRichMessage", code=code, description=description, times=None, chat_id=ANN)
        (shown,) = await ask(kit)
        assert shown.splitlines()[:2] == ["名字 | a|b |   | d", "-----+-----+---+--"]
        assert len(await ask(kit, count=2)) == 2
        assert sent(kit) == ["sendRichMessage", "sendMessage", "sendMessage"]
        await ask(kit, BEN)
        assert sent(kit, BEN) == ["sendRichMessage"]


@pytest.mark.pain("P014")
async def test_one_text_that_is_refused_does_not_speak_for_the_chat(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendRichMessage", code=400, description="Bad Request: RICH_MESSAGE_EMAIL_INVALID")
        await ask(kit)
        await ask(kit, count=2)
        assert sent(kit) == ["sendRichMessage", "sendMessage", "sendRichMessage"]


@pytest.mark.pain("P014")
async def test_a_switch_turns_rich_messages_off_or_always_on(tmp_path: Path) -> None:
    async with started(tmp_path / "off", rich_messages=False) as kit:
        await ask(kit)
        assert sent(kit) == ["sendMessage"]
    async with started(tmp_path / "on", rich_messages="on") as kit:
        assert await ask(kit, answer="plain words") == ["plain words"]
        assert sent(kit) == ["sendRichMessage"]


async def test_a_long_answer_is_one_rich_message(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        text = "\n\n".join(f"Paragraph {number} " + "x" * 900 for number in range(20))
        assert await ask(kit, answer=text) == [text]


@pytest.mark.parametrize("mode", ["auto", "off"])
async def test_a_ban_of_a_rich_message_is_kept(tmp_path: Path, mode: str) -> None:
    async with started(tmp_path, rich_messages=mode) as kit:
        kit.api.fault("sendRichMessage", retry_after=5, chat_id=ANN)
        await ask(kit)
        assert kit.api.flood.early == 0
        assert kit.api.world.answers(ANN) == [kit.api.world.answers(ANN)[0]]


async def test_an_edited_preview_becomes_a_rich_message(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        words = " ".join(f"word{number}" for number in range(60))
        kit.upstream.script(Answer.text(f"{words}\n\n{TABLE}", gap_ms=8))
        kit.api.world.say(ANN, "please")
        (shown,) = await kit.answers(ANN)
        assert shown.endswith("| 5 | 6 | 7 | 8 |")
        assert len(sent(kit)) == 1


async def test_a_preview_that_cannot_become_rich_becomes_classic(tmp_path: Path) -> None:
    async with started(tmp_path, streaming_prefer_draft=False) as kit:
        edit = kit.api.methods._edit_text

        def refuse_rich(params: dict[str, Any]) -> Any:
            if "rich_message" in params:
                raise bad("message can't be edited")
            return edit(params)

        kit.api.methods._table["editMessageText"] = refuse_rich
        words = " ".join(f"word{number}" for number in range(60))
        kit.upstream.script(Answer.text(f"{words}\n\n{TABLE}", gap_ms=8))
        kit.api.world.say(ANN, "please")
        (shown,) = await kit.answers(ANN)
        assert shown.endswith("5    | 6   | 7 | 8")
        assert sent(kit) == ["sendMessage"]


@pytest.mark.pain("7")
async def test_a_message_nobody_can_take_does_not_close_its_chat(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.fault("sendMessage", code=400, description="Bad Request: MESSAGE_STRANGE", times=3)
        kit.upstream.script(Answer.text("**bold**"))
        kit.api.world.say(ANN, "hello")
        await kit.api.until(
            lambda: len(kit.api.called("sendMessage")) == 3
        )  # without buttons, without styles
        await kit.settled()
        assert kit.api.world.answers(ANN) == []

        def reason(conn: Any) -> str:
            return str(conn.exec_driver_sql("SELECT unreachable FROM conversations").scalar())

        assert await kit.app.store.read(reason) == ""
        kit.api.world.say(ANN, "again")
        assert await kit.answers(ANN) == ["echo: again"]


async def test_what_a_chat_refused_is_known_after_a_restart_and_tried_again_after_a_week(
    tmp_path: Path,
) -> None:
    clock = ManualClock()
    where, other = Conversation("telegram", "1"), Conversation("telegram", "2")
    store = await open_store(f"sqlite:///{tmp_path}/bot.db", clock)
    try:
        await Abilities(store, clock).refuse(where, "rich", "RICH_MESSAGE_UNSUPPORTED")
        known = Abilities(store, clock)
        assert await known.lacks(where, "rich")
        assert not await known.lacks(where, "drafts")
        assert not await known.lacks(other, "rich")
        await clock.advance(AGAIN_AFTER.total_seconds() + 1)
        assert not await known.lacks(where, "rich")
        await known.refuse(where, "rich", "still")
        assert await Abilities(store, clock).lacks(where, "rich")
    finally:
        await store.close()


@pytest.mark.parametrize(
    "refusal",
    [
        Refused(500, "Internal Server Error"),
        Refused(502, "Bad Gateway"),
        Refused(400, "Bad Request: group chat was upgraded to a supergroup chat", migrated_to=-2002),
        Refused(400, "Bad Request: not enough rights to send text messages to the chat"),
        Refused(400, "Bad Request: message thread not found"),
    ],
)
async def test_trouble_that_passes_says_nothing_of_the_form(tmp_path: Path, refusal: Refused) -> None:
    clock, where = ManualClock(), Conversation("telegram", "1")
    store = await open_store(f"sqlite:///{tmp_path}/bot.db", clock)
    try:
        forms = Forms(Abilities(store, clock), "on")
        await forms.refused(where, RICH, refusal)
        assert await forms.takes_rich(where, "words")
        await forms.refused(where, RICH, Refused(404, "Not Found: method not found"))
        assert not await forms.takes_rich(where, "words")
    finally:
        await store.close()
