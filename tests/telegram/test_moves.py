"""A group becomes a supergroup in the middle of an answer, and the bot may learn it by a refusal only."""

from pathlib import Path

import pytest

from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, GROUP, Kit, started
from tests.telegram.test_albums import SENTENCE, charts, painting

SUPERGROUP = -2002
TEXT = " ".join(f"word{number}" for number in range(80))


def move(kit: Kit, *, told: bool) -> None:
    """Let the group move. Not `told`: the bot learns of it by what the API refuses."""
    if told:
        kit.api.world.migrate(GROUP, SUPERGROUP)
    else:
        kit.api.world.group(SUPERGROUP, "Friends")
        kit.api.world.chats[GROUP].migrated_to = SUPERGROUP


@pytest.mark.pain("17")
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("rich", ["on", "off"])
async def test_an_answer_that_grew_in_the_old_group_is_whole_in_the_new_one(
    tmp_path: Path, told: bool, rich: str
) -> None:
    async with started(tmp_path, rich_messages=rich) as kit:
        kit.upstream.script(Answer.text(TEXT, gap_ms=8))
        kit.api.world.say(ANN, "@donkey_bot hello", chat_id=GROUP)
        await kit.api.until(lambda: bool(kit.api.world.answers(GROUP)))
        move(kit, told=told)
        await kit.settled()
        assert kit.api.world.answers(SUPERGROUP) == [TEXT]
        kit.api.world.say(ANN, "@donkey_bot and this?", chat_id=SUPERGROUP)
        await kit.answers(SUPERGROUP, 2)
        last = [message for message in kit.api.world.visible(SUPERGROUP) if message.by_bot][-1]
        assert ("rich_message" in last.body) == (rich == "on"), "the move says nothing of the form"


@pytest.mark.pain("17", "P021")
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("when", ["looking it up", "before the album"])
async def test_the_pictures_of_an_answer_move_along(tmp_path: Path, told: bool, when: str) -> None:
    async with painting(tmp_path, charts(2)) as kit:
        kit.api.world.say(ANN, "@donkey_bot paint", chat_id=GROUP)
        if when == "looking it up":
            await kit.api.until(lambda: bool(kit.api.world.answers(GROUP)))
        else:
            hanging = kit.api.fault("sendMediaGroup", kind="error", retry_after=5)
            await kit.api.until(lambda: hanging.hits == 1)
        move(kit, told=told)
        await kit.settled()
        pictures = kit.api.world.answers(SUPERGROUP)
        assert pictures[-2:] == ["chart 0", "chart 1"]
        assert len(pictures) == (3 if when == "looking it up" else 2)
        assert (kit.api.world.answers(GROUP) + pictures).count(SENTENCE) == 1
