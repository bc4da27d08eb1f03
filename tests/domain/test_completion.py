"""An answer that nobody watches, put together from its stream."""

import pytest

from bot.domain.completion import complete
from bot.domain.message import Finished, Message, ModelRequest, TextDelta
from bot.errors import ModelError
from tests.fakes.models import ScriptedModel

ASKED = ModelRequest(alias="chat", messages=(Message.of("user", "?"),))


async def test_what_turns_out_to_be_reasoning_is_no_part_of_the_answer() -> None:
    model = ScriptedModel([TextDelta("hm, "), TextDelta("yes"), Finished("stop", "m", "test", retracted=4)])
    assert await complete(model, ASKED) == "yes"


async def test_an_error_reaches_who_asked() -> None:
    with pytest.raises(ModelError):
        await complete(ScriptedModel(ModelError("timeout", "slow")), ASKED)
