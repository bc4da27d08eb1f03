"""An answer that nobody watches, put together from its stream, and what it says in JSON."""

import asyncio

import pytest
from pydantic import BaseModel, ConfigDict

from bot.domain.completion import answered, complete, in_form
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


class Pick(BaseModel):
    model_config = ConfigDict(strict=True)

    pick: int


@pytest.mark.parametrize(
    "said",
    [
        '{"pick": 3}',
        'Sure!\n```json\n{"pick": 3, "why": "it {fits}"}\n```\nAnything else?',
        '{"result": {"pick": 3}}',
        'of {1, 2, 3} I take {"pick": 3} and not {"pick": 4}',
    ],
)
def test_the_first_object_that_has_the_form_counts(said: str) -> None:
    assert in_form(said, Pick) == Pick(pick=3)


@pytest.mark.parametrize(
    "said",
    ["", "3", '{"pick": "3"}', '{"pick": 3', "[3]", '{"a":' * 9000, "{" * 9000, "{} " * 20 + '{"pick": 3}'],
)
async def test_anything_else_is_no_answer(said: str) -> None:
    assert await answered(ScriptedModel(said), ASKED, Pick, limit_s=5) is None


async def test_who_has_another_way_is_not_kept_waiting_and_not_troubled() -> None:
    late = ScriptedModel([asyncio.Event()])
    assert await answered(late, ASKED, Pick, limit_s=0.01) is None
    assert late.active == 0
    refused = ScriptedModel(ModelError("rate_limited", "later"))
    assert await answered(refused, ASKED, Pick, limit_s=5) is None
