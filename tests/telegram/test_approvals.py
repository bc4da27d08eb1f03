"""A tool that waits for a person's word in Telegram: the exact call, short buttons, one press."""

from pathlib import Path
from unittest.mock import patch

import pytest

from tests.fakes.tools import FakeToolset
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, BEN, Kit, started

NAME = "send_" + "x" * 59  # as long as a name may be
CALL = Answer.deltas(
    {
        "tool_calls": [
            {"index": 0, "id": "c1", "function": {"name": NAME, "arguments": '{"to": "ben@example.org"}'}}
        ]
    },
    finish="tool_calls",
)


def asked(kit: Kit) -> list[str]:
    """The data of the buttons under the question."""
    rows = [m.buttons for m in kit.api.world.visible(ANN) if m.by_bot and m.buttons]
    return next((list(data) for data in rows if data[0].startswith("/approve")), [])


@pytest.mark.pain("51", "P019")
async def test_a_question_has_buttons_and_one_press_does_the_call(tmp_path: Path) -> None:
    tools = FakeToolset("post").add(NAME, "sent", effect="external")
    with patch("bot.app.assembly._toolsets", lambda *_parts: [tools]):
        async with started(tmp_path) as kit:
            kit.upstream.script(CALL, Answer.text("It is sent."))
            kit.api.world.say(ANN, "send it")
            await kit.api.until(lambda: bool(asked(kit)))
            data = asked(kit)
            assert len(data) == 3
            assert all(len(one.encode()) <= 64 for one in data)
            question = next(m for m in kit.api.world.visible(ANN) if list(m.buttons) == data)
            assert "ben@example.org" in question.text
            assert NAME in question.text
            kit.api.world.press(BEN, ANN, question.id, data[0])
            kit.api.world.press(ANN, ANN, question.id, data[0])
            kit.api.world.press(ANN, ANN, question.id, data[0])
            await kit.api.until(lambda: "It is sent." in [m.text for m in kit.api.world.visible(ANN)])
            await kit.settled()
            assert tools.world.times(NAME) == 1
            assert "ben@example.org" in question.text, "what was decided stays to be read"
