"""Many chats at once, with Telegram in a bad mood."""

import random
from pathlib import Path

import pytest

from bench.storm import Plan, storm
from tests.fakes.upstream import Answer
from tests.telegram.kit import started

CHATS = 20


@pytest.mark.slow
@pytest.mark.pain("5")
async def test_every_chat_gets_its_whole_answer_once_whatever_fails(tmp_path: Path) -> None:
    async with started(
        tmp_path, streaming_prefer_draft=False, allowed_user_ids=list(range(1, CHATS + 1))
    ) as kit:
        texts = {chat: " ".join(f"w{chat}x{number}" for number in range(60)) for chat in range(1, CHATS + 1)}
        kit.upstream.default = lambda request: Answer.text(
            texts[int(request.body["messages"][-1]["content"])], gap_ms=6
        )
        dice = random.Random(7)
        for chat in texts:
            kit.api.world.user(chat)
            if dice.random() < 0.5:
                kit.api.fault("editMessageText", chat_id=chat, skip=dice.randrange(2), retry_after=3)
            if dice.random() < 0.3:
                kit.api.fault("editMessageText", chat_id=chat, skip=1, code=502, description="Bad Gateway")
            if dice.random() < 0.3:
                kit.api.fault("sendMessage", chat_id=chat, kind="drop_before")
            if dice.random() < 0.3:
                kit.api.fault("editMessageText", chat_id=chat, kind="drop_after", skip=1)
            kit.api.world.say(chat, str(chat))
        await kit.settled(18)
        assert {chat: kit.api.world.answers(chat) for chat in texts} == {
            chat: [text] for chat, text in texts.items()
        }
        assert kit.api.methods.altered == []


@pytest.mark.slow
@pytest.mark.pain("5", "P008")
@pytest.mark.parametrize("drafts", [True, False])
async def test_a_storm_of_troubles_leaves_every_chat_its_whole_answer(tmp_path: Path, drafts: bool) -> None:
    seen = await storm(tmp_path, Plan(chats=12, turns=1, drafts=drafts, hangs=False, speed=20.0))
    assert (seen.missing, seen.unexplained) == (0, 0)
    assert seen.troubles.total() > 10
    assert 2 * seen.early <= seen.troubles["429"]  # one other call may be under way when a wait is asked for
