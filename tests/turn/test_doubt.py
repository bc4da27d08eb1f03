"""A model may be asked where the rules cannot tell; never for long, and it is never trusted blindly."""

import asyncio
from typing import Any

import pytest

from bot.domain.message import Message, ModelRequest
from bot.errors import ModelError
from bot.store.engine import Store
from bot.turn import doubt, rooms
from bot.turn.group import GroupState, Verdict
from bot.turn.rooms import RoomRules
from tests.fakes.clock import ManualClock
from tests.fakes.models import Answer, ScriptedModel
from tests.turn.house import House
from tests.turn.test_rooms import ANN, WHERE, decide, house_of, said

REQUEST = ModelRequest("chat", (Message.of("user", "?"),))
ASKING = RoomRules(ask_model=True)


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ('{"answer": true}', True),
        ('{"answer":false}', False),
        ('```json\n{ "answer" : true }\n```', True),
        ("yes", None),
        ("", None),
        ("true", None),
        ('{"answer": "true"}', None),
        (ModelError("unavailable", "gone"), None),
    ],
)
async def test_only_a_plain_yes_or_no_counts(answer: Answer, meant: bool | None) -> None:
    assert await doubt.is_meant(ScriptedModel(answer), REQUEST) is meant


async def test_a_model_that_is_too_slow_is_not_waited_for() -> None:
    model = ScriptedModel([asyncio.Event()])
    assert await doubt.is_meant(model, REQUEST, limit_s=0.01) is None
    assert model.active == 0


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that begin with "hm" are in the grey zone."""
    judge = GroupState.judge

    def judged(state: GroupState, message: Any) -> Verdict:
        if message.text.startswith("hm"):
            return Verdict("observe", 50, ("in between",), unsure=True)
        return judge(state, message)

    monkeypatch.setattr(GroupState, "judge", judged)


async def heard(house: House, text: str) -> str:
    received = await house.service.receive(said(text, ANN))
    await house.until(lambda: not house.open_runs())
    return received.verdict.decision


@pytest.mark.usefixtures("unsure")
async def test_what_a_model_says_is_for_the_bot_is_answered(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel('{"answer": true}', "forty-two")
    async with house_of(store, clock, rooms=ASKING, model=model).running() as house:
        assert await heard(house, "hm, and what is six by seven?") == "observe"
        await house.until(lambda: house.chat.texts("g") == ["forty-two"])
        ask = model.requests[0].messages
        assert "Donkey" in ask[0].text and ask[1].text.endswith("Ann: hm, and what is six by seven?")
        (judged,) = store.read_now(rooms.decisions_of, WHERE)
        assert judged.decision == "respond" and "a model" in judged.reasons[0]


@pytest.mark.usefixtures("unsure")
@pytest.mark.pain("P055")
@pytest.mark.parametrize("answer", ['{"answer": false}', "NO_REPLY", ModelError("unavailable", "gone")])
async def test_what_it_does_not_claim_is_only_listened_to(
    store: Store, clock: ManualClock, answer: Answer
) -> None:
    model = ScriptedModel(answer)
    async with house_of(store, clock, rooms=ASKING, model=model).running() as house:
        await heard(house, "hm, a word")
        assert len(model.requests) == 1
        assert house.chat.shown == []
        assert await decide(house, said("@donkey_bot hello", ANN, t=2)) == "respond"
        assert "Ann: hm, a word" in [text for _, text in house.prompt()]


@pytest.mark.usefixtures("unsure")
async def test_without_leave_no_model_is_asked(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await heard(house, "hm") == "observe"
        assert house.model.requests == []
