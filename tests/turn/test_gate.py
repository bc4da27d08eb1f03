"""Who may talk to the bot, and how a stranger gets in."""

from datetime import timedelta

import pytest
from sqlalchemy import Connection, select

from bot.delivery import outbox
from bot.domain.conversation import SpeakerId
from bot.errors import NotFound
from bot.store.engine import Store
from bot.store.tables import runs
from bot.turn import gate, reception
from bot.turn.gate import Rules
from tests.fakes.clock import START, ManualClock
from tests.turn.house import House, inbound

RULES = Rules({SpeakerId("push:olga"): "owner", SpeakerId("push:mia"): "member"})


async def decide(house: House, **message: object) -> str:
    received = await house.receive("hi", channel="push", **message)
    assert received.verdict.reasons, "every judgement has reasons"
    return received.verdict.decision


def notices(conn: Connection) -> list[str]:
    wanted = select(runs.c.payload).where(runs.c.kind == "delivery").order_by(runs.c.created_at, runs.c.id)
    return [row.payload["text"] for row in conn.execute(wanted)]


@pytest.mark.parametrize(
    ("message", "decision"),
    [
        ({"user": "olga"}, "respond"),
        ({"user": "mia"}, "respond"),
        ({"user": "stranger"}, "pair"),
        ({"user": "bot", "is_bot": True}, "ignore"),
        ({"user": "stranger", "kind": "group"}, "respond"),
        ({"user": "olga", "kind": "group", "addressed": False}, "ignore"),
    ],
)
async def test_who_is_answered_in_a_channel_that_anybody_can_write_to(
    store: Store, clock: ManualClock, message: dict[str, object], decision: str
) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        assert await decide(house, **message) == decision


async def test_a_channel_that_checks_at_its_door_is_open_here(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        verdict = (await house.receive("hi", user="anybody")).verdict
    assert (verdict.decision, verdict.role) == ("respond", "owner")


@pytest.mark.pain("64")
async def test_a_stranger_is_told_once_how_to_ask_and_gets_in_when_allowed(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        for _ in range(3):
            received = await house.receive("let me in", channel="push", chat="sam", user="sam")
            assert received.run_id is None
        house.worker.wake()
        await house.until(lambda: len(house.chat.texts("sam")) == 1 and not house.open_runs())
        (told,) = house.chat.texts("sam")
        code = told.split("/allow ")[1].strip()
        assert "sam" in told
        assert house.model.requests == []

        clock.set_forward(1)
        answer = await house.ask(f"/allow {code.lower()}", channel="push", chat="olga", user="olga")
        assert answer == "Sam may talk to me now."
        house.worker.wake()
        await house.until(lambda: len(house.chat.texts("sam")) == 2)
        assert house.chat.texts("sam")[1].startswith("You are welcome now")
        assert await house.ask("hello", channel="push", chat="sam", user="sam") == "echo: hello"
        again = await house.ask(f"/allow {code}", channel="push", chat="olga", user="olga")
        assert again.startswith("There is no open request")


async def test_only_an_admin_lets_people_in(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        await house.receive("let me in", channel="push", chat="sam", user="sam")
        ((code, _, _),) = store.read_now(gate.open_requests, clock.now())
        denied = await house.ask(f"/allow {code}", channel="push", chat="mia", user="mia")
        assert denied == "Only an admin may do that."
        usage = await house.ask("/allow", channel="push", chat="olga", user="olga")
        assert usage.startswith("Send /allow and the code")
        assert len(store.read_now(gate.open_requests, clock.now())) == 1


def test_a_request_and_the_message_that_tells_of_it_are_made_together_or_not_at_all(
    sqlite_store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:

    def broken(*_: object) -> None:
        raise OSError("cut off")

    monkeypatch.setattr(outbox, "enqueue_notice", broken)
    stranger = inbound("hi", channel="push", user="sam")
    with pytest.raises(OSError, match="cut off"):
        sqlite_store.write_now(reception._offer_pairing, stranger, RULES, START)
    assert sqlite_store.read_now(gate.open_requests, START) == []


def test_a_code_lasts_a_day_and_then_a_new_one_is_given(store: Store) -> None:
    stranger = inbound("hi", channel="push", user="sam")
    code = store.write_now(gate.request_pairing, stranger, START)
    assert code is not None
    late = START + gate.CODE_LASTS + timedelta(seconds=1)
    assert store.read_now(gate.open_requests, late) == []
    with pytest.raises(NotFound):
        store.write_now(gate.admit, code, late)
    newer = store.write_now(gate.request_pairing, stranger, late)
    assert newer is not None and newer != code


@pytest.mark.parametrize("wrong", ["", "AAAA-AAAA", "' OR 1=1 --", "%", "🦄"])
def test_a_code_that_was_never_given_opens_nothing(store: Store, wrong: str) -> None:
    store.write_now(gate.request_pairing, inbound("hi", channel="push", user="sam"), START)
    with pytest.raises(NotFound):
        store.write_now(gate.admit, wrong, START)


def test_a_role_by_configuration_goes_before_one_that_was_given(store: Store) -> None:
    code = store.write_now(gate.request_pairing, inbound("hi", channel="push", user="mia"), START)
    store.write_now(gate.admit, code or "", START, "admin")
    assert store.read_now(gate.role_of, SpeakerId("push:mia"), RULES) == "member"
    assert store.read_now(gate.role_of, SpeakerId("push:mia"), Rules({})) == "admin"
    assert store.read_now(gate.role_of, SpeakerId("push:nobody"), RULES) == "stranger"
