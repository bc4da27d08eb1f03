"""Hostile texts, from people and from the model, through the whole channel.

With HOSTILE_TEXTS set to a file of JSON lines with a `text` each, those are tried as well.
"""

import itertools
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.errors import InputError
from channels.telegram.parts import Me, read_message
from channels.telegram.render import messages
from tests.fakes.bot_api_world import BOT_ID
from tests.fakes.upstream import Answer
from tests.telegram.checker import assert_accepted_unchanged
from tests.telegram.hostile import TEXTS, everywhere, texts, updates
from tests.telegram.kit import ANN, BEN, Kit, started


async def test_every_hostile_text_is_answered(tmp_path: Path) -> None:
    sent = [text for text in TEXTS[::2] if text != "\ufeff"]  # Telegram takes no message that shows nothing
    people = range(1, len(sent) + 1)
    async with started(tmp_path, allowed_user_ids=list(people)) as kit:
        kit.upstream.default = Answer.text("fine")
        for person, text in zip(people, sent, strict=True):
            kit.api.world.user(person, first_name=text[:60])
            kit.api.world.say(person, text)
        await kit.settled(18)
        answered = [len(kit.api.world.answers(person)) for person in people]
        assert answered == [1] * len(sent)
        assert kit.api.methods.altered == []


@pytest.mark.pain("1")
def test_whatever_the_model_says_can_be_sent() -> None:
    for text in texts():
        assert_accepted_unchanged(messages(text))


async def bring(kit: Kit, made: list[dict[str, Any]], first: int) -> None:
    """Hand updates over as Telegram would, until all of them are confirmed and done with."""
    kit.api.world.updates += [{**update, "update_id": first + at} for at, update in enumerate(made)]
    kit.api.world.arrived.set()
    await kit.api.until(lambda: not kit.api.world.updates, 60)
    await kit.settled(60)


async def test_updates_with_wrong_and_missing_fields_stop_nothing(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        with capture_logs() as logs:
            await bring(kit, list(itertools.islice(updates(1, ANN), 200)), 800_000_001)
            kit.api.world.say(BEN, "still there?")
            assert (await kit.answers(BEN))[-1] == "echo: still there?"
        failed = [entry for entry in logs if entry["log_level"] in {"error", "critical"}]
        assert {entry["event"] for entry in failed} <= {"telegram.update.skipped"}


async def test_a_hostile_text_is_taken_wherever_it_stands(tmp_path: Path) -> None:
    async with started(tmp_path, rate_limit_per_minute=1000, chat_rate_limit_per_minute=1000) as kit:
        file_id = kit.api.world.file(b"abc")
        made = [update for text in TEXTS[1::4] for _, update in everywhere(text, ANN, file_id)]
        for number, update in enumerate(made, 900):
            for body in update.values():
                body["message_id"] = number
        with capture_logs() as logs:
            await bring(kit, made, 800_000_001)
            kit.api.world.say(BEN, "still there?")
            assert (await kit.answers(BEN))[-1] == "echo: still there?"
        assert [entry for entry in logs if entry["log_level"] in {"error", "critical"}] == []
        assert kit.api.methods.altered == []


@pytest.mark.parametrize(
    "spoilt",
    [
        {"document": {"file_id": "f", "mime_type": {"x": 1}}},
        {"document": {"file_id": ["f"]}},
        {"photo": [{"file_id": None}]},
        {"from": {"id": "11", "first_name": "Ann"}},
        {"from": {"id": True, "first_name": "Ann"}},
        {"from": {"id": 11, "first_name": "Ann", "language_code": {}}},
        {"chat": {"id": None, "type": "private"}},
        {"message_id": "7"},
    ],
)
def test_a_field_of_another_type_is_found_before_a_turn_begins(spoilt: dict[str, Any]) -> None:
    whole = {
        "message_id": 7,
        "date": 1_772_450_000,
        "chat": {"id": ANN, "type": "private"},
        "from": {"id": ANN, "first_name": "Ann"},
        "text": "hi",
    }
    assert read_message(whole, Me(BOT_ID, "donkey_bot")) is not None
    with pytest.raises(InputError):
        read_message({**whole, **spoilt}, Me(BOT_ID, "donkey_bot"))
