"""Who says "stop" while an answer is being written means it."""

import asyncio
from dataclasses import replace

import pytest

from bot.domain.message import Finished, TextDelta
from bot.i18n.catalogue import translate
from bot.store.engine import Store
from bot.turn.stop_words import as_command, asks_to_stop
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House, inbound


@pytest.mark.parametrize(
    "text", ["stop", "Stop!", "STOP.", "please stop", "停", "停！", "别说了。", "para", "¡Para!",
             "¡basta ya!", "रुको", "बस करो।", "توقف", "كفى!", "توقف؟", "🛑 stop 🛑"]
)  # fmt: skip
def test_the_word_alone_asks_to_stop(text: str) -> None:
    assert asks_to_stop(text)


@pytest.mark.parametrize(
    "text", ["where is the bus stop", "stop by the shop", "para mañana", "停车场在哪", "बस कब आएगी",
             "", "...", "also add milk", "don't stop", "stopwatch"]
)  # fmt: skip
def test_the_word_among_others_does_not(text: str) -> None:
    assert not asks_to_stop(text)


def test_in_a_group_it_has_to_be_said_to_the_bot() -> None:
    said = inbound("stop", kind="group", addressed=False)
    assert as_command(said) is None
    called = as_command(replace(said, addressed=True))
    assert called is not None
    assert called.text == "/stop"


@pytest.mark.pain("P053")
@pytest.mark.parametrize("word", ["stop", "停", "para", "रुको", "توقف"])
async def test_said_in_the_middle_of_an_answer_it_ends_it(
    sqlite_store: Store, clock: ManualClock, word: str
) -> None:
    never = asyncio.Event()
    model = ScriptedModel([TextDelta("The story begins"), never, Finished("stop")])
    async with House(sqlite_store, clock, model).running() as house:
        first = await house.service.receive(inbound("tell me a story"))
        await model.until_asked()
        await house.service.receive(inbound(word))
        assert first.run_id is not None
        reply = await house.service.wait(first.run_id)
        assert reply.status == "stopped"
        assert reply.text.startswith("The story begins") or reply.text == translate("turn.stopped", "en")
        assert len(model.requests) == 1


async def test_said_while_nothing_is_written_it_is_a_message_like_any(
    sqlite_store: Store, clock: ManualClock
) -> None:
    model = ScriptedModel("Stop what?")
    async with House(sqlite_store, clock, model).running() as house:
        received = await house.service.receive(inbound("stop"))
        assert received.run_id is not None
        assert (await house.service.wait(received.run_id)).text == "Stop what?"
