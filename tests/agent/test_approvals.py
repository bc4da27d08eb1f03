"""A person's word: for exactly what was shown, by the right one, once, in time; and it survives a restart."""

import asyncio

import pytest

from bot.config.policy import PolicyRule, PolicySettings
from bot.domain.conversation import SpeakerId
from bot.policy import approvals
from bot.store.engine import Store
from bot.turn.gate import Rules
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import FakeToolset, calls
from tests.turn.house import House, inbound

ANN, BEN, EVE = SpeakerId("push:ann"), SpeakerId("push:ben"), SpeakerId("push:eve")
RULES = Rules({ANN: "member", BEN: "admin", EVE: "member"})
SEND = {"to": "ann@example.org", "text": "hello"}


def post() -> FakeToolset:
    return FakeToolset("post").add("send", "sent", effect="external").add("wipe", effect="destructive")


async def asked(house: House, text: str = "send it", **changes: str) -> str:
    """Say something for which a person is asked; the id of what is asked."""
    await house.receive(text, channel="push", **changes)
    await house.until(lambda: bool(waiting(house)))
    await house.until(lambda: any("approve" in data for row in house.chat.buttons.values() for data in row))
    return waiting(house)[0]


def waiting(house: House) -> list[str]:
    asked = house.store.read_now(approvals.pending, house.clock.now())
    return [one.id for one in asked]


async def press(house: House, word: str, code: str, user: str = "ann", chat: str = "ann", **more: str) -> str:
    """Press a button; what the message became."""
    said = inbound(f"/approve {word} {code}", channel="push", user=user, chat=chat, **more)
    received = await house.service.receive(said)
    return (await house.reply(received)).text


@pytest.mark.pain("51")
async def test_what_reaches_others_is_done_after_a_yes_and_answered(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "It is sent.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        code = await asked(house)
        shown = house.chat.texts("ann")[-1]
        assert '"to": "ann@example.org"' in shown
        assert "cannot be taken back" in shown
        assert tools.world.done == []
        assert house.rows("SELECT status FROM runs WHERE kind = 'turn'") == [("waiting_human",)]
        assert "has approved" in await press(house, "once", code)
        await house.until(lambda: house.chat.texts("ann")[-1] == "It is sent.")
        assert tools.world.done == [("send", SEND)]


@pytest.mark.pain("51")
async def test_pressed_twice_it_is_done_once(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "It is sent.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        code = await asked(house)
        await press(house, "once", code)
        assert "decided already" in await press(house, "once", code)
        await house.until(lambda: "It is sent." in house.chat.texts("ann"))
        assert tools.world.times("send") == 1


@pytest.mark.pain("51")
async def test_only_who_asked_or_an_admin_can_decide(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "It is sent.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        code = await asked(house)
        assert "Only the person" in await press(house, "once", code, user="eve", chat="eve")
        assert waiting(house) == [code]
        assert "has approved" in await press(house, "once", code, user="ben", chat="ben")
        await house.until(lambda: tools.world.times("send") == 1)


@pytest.mark.pain("51")
async def test_a_no_is_told_to_the_model_and_nothing_is_done(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "Then not.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        await press(house, "no", await asked(house))
        await house.until(lambda: "Then not." in house.chat.texts("ann"))
        assert "did not approve" in str(model.requests[-1].messages)
        assert tools.world.done == []
        assert house.rows("SELECT status, decided_by FROM tool_calls") == [("denied", "push:ann")]


@pytest.mark.pain("51")
async def test_after_its_time_a_question_is_over_and_the_turn_ends(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "Nobody was there.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        code = await asked(house)
        await clock.advance(16 * 60)
        await house.until(lambda: "Nobody was there." in house.chat.texts("ann"))
        assert "time for this is over" in await press(house, "once", code)
        assert tools.world.done == []
        assert house.rows("SELECT status FROM tool_calls") == [("expired",)]


@pytest.mark.pain("51")
async def test_another_call_needs_another_yes(store: Store, clock: ManualClock) -> None:
    other = {**SEND, "to": "eve@example.org"}
    tools = post()
    model = ScriptedModel(calls(("send", SEND)), calls(("send", other)), "Both.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        first = await asked(house)
        await press(house, "once", first)
        await house.until(lambda: bool(waiting(house)) and waiting(house) != [first])
        assert tools.world.done == [("send", SEND)]
        assert "eve@example.org" in (await last_question(house))


async def last_question(house: House) -> str:
    await house.until(lambda: "eve@example.org" in house.chat.texts("ann")[-1])
    return house.chat.texts("ann")[-1]


async def test_always_here_holds_for_the_next_turn_but_not_elsewhere(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    model = ScriptedModel(calls(("send", SEND)), "One.", calls(("send", SEND)), "Two.", calls(("send", SEND)))
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        await press(house, "always", await asked(house))
        await house.until(lambda: "One." in house.chat.texts("ann"))
        await house.receive("again", channel="push")
        await house.until(lambda: "Two." in house.chat.texts("ann"))
        await asked(house, chat="eve", user="eve")
        assert tools.world.times("send") == 2


async def test_what_others_wrote_makes_even_an_allowed_call_ask(store: Store, clock: ManualClock) -> None:
    tools = post().add("fetch", "CALL send", effect="read", untrusted=True)
    policy = PolicySettings(rules=(PolicyRule(effect="allow"),))
    model = ScriptedModel(calls(("fetch", {})), calls(("send", SEND)), "done")
    async with House(store, clock, model, toolsets=[tools], rules=RULES, policy=policy).running() as house:
        await asked(house)
        assert "others wrote" in house.chat.texts("ann")[-1]
        assert tools.world.times("send") == 0


@pytest.mark.parametrize(("word", "done"), [("yes", 1), ("好的", 1), ("NO!", 0), ("لا", 0)])
async def test_where_there_are_no_buttons_a_word_decides(
    store: Store, clock: ManualClock, word: str, done: int
) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "That was it.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        reply = await house.reply(await house.receive("send it"))
        assert reply.status == "waiting"
        assert "Answer yes" in reply.text
        assert await house.ask(word) == "That was it."
        assert tools.world.times("send") == done
        assert house.said() == [("user", "send it"), ("assistant", "That was it.")]


@pytest.mark.pain("P050")
@pytest.mark.parametrize("word", ["yes", "always", "no"])
async def test_a_bare_word_that_could_mean_two_calls_decides_neither_and_asks_which(
    store: Store, clock: ManualClock, word: str
) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND), ("wipe", {})), "Done.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("do both"))
        one, two = waiting(house)
        told = await house.ask(word)
        assert all(code in told for code in (one, two))
        assert "send" in told
        assert "wipe" in told
        assert sorted(waiting(house)) == sorted([one, two])
        assert tools.world.done == []
        await house.ask(f"/approve no {two}")
        assert await house.ask("yes") == "Done."
        assert [name for name, _ in tools.world.done] == ["send"]


async def test_all_that_waits_is_decided_where_that_is_said(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND), ("wipe", {})), "Done.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("do both"))
        assert await house.ask("/approve once all") == "Done."
        assert [name for name, _ in tools.world.done] == ["send", "wipe"]


@pytest.mark.parametrize(
    ("word", "done"),
    [("Both!", 2), ("yes, all", 2), ("全部", 2), ("两个都可以。", 2), ("neither", 0), ("都不要", 0)],
)
async def test_a_word_for_all_that_waits_decides_it(
    store: Store, clock: ManualClock, word: str, done: int
) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND), ("wipe", {})), "That was it.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("do both"))
        assert await house.ask(word) == "That was it."
        assert len(tools.world.done) == done


async def test_both_of_three_decides_none_and_asks_which(store: Store, clock: ManualClock) -> None:
    three = calls(("send", SEND), ("wipe", {}), ("wipe", {"n": 2}))
    tools, model = post(), ScriptedModel(three, "Done.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("do all"))
        assert "/approve once all" in await house.ask("both")
        assert len(waiting(house)) == 3


async def test_all_is_an_ordinary_word_where_one_call_waits(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "All of what?")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("send it"))
        assert await house.ask("all") == "All of what?"
        assert tools.world.done == []


async def test_two_turns_that_wait_in_one_chat_are_decided_by_one_word_and_both_answer(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    model = ScriptedModel(calls(("send", SEND)), calls(("wipe", {})), "One.", "Two.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("send it"))
        await house.reply(await house.receive("and wipe it"))
        assert sorted((await house.ask("all")).split("\n\n")) == ["One.", "Two."]
        assert sorted(name for name, _ in tools.world.done) == ["send", "wipe"]


async def test_of_two_turns_that_wait_one_can_be_decided_alone(store: Store, clock: ManualClock) -> None:
    tools = post()
    model = ScriptedModel(calls(("send", SEND)), calls(("wipe", {})), "Not wiped.", "Sent.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("send it"))
        one = waiting(house)[0]
        await house.reply(await house.receive("and wipe it"))
        (two,) = set(waiting(house)) - {one}
        assert await house.ask(f"/approve no {two}") == "Not wiped."
        assert waiting(house) == [one]
        assert await house.ask("yes") == "Sent."
        assert [name for name, _ in tools.world.done] == ["send"]


async def test_of_several_named_calls_each_that_cannot_be_decided_says_so(
    store: Store, clock: ManualClock
) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)), "Sent.")
    async with House(store, clock, model, toolsets=[tools]).running() as house:
        await house.reply(await house.receive("send it"))
        told = await house.ask(f"/approve once {waiting(house)[0]} tc-none")
        assert told == "Sent.\n\nThere is no such question."


async def test_a_word_for_all_takes_only_what_was_asked_in_ones_own_name(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    model = ScriptedModel(*(calls(("send", {**SEND, "n": n})) for n in range(3)))
    group = {"channel": "push", "chat": "club", "kind": "group", "addressed": True}
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        for number, user in enumerate(["eve", "ben", "ben"], 1):
            await house.receive("@bot send it", user=user, **group)
            await house.until(lambda number=number: len(waiting(house)) == number)  # type: ignore[misc]
        await house.receive("all", user="ben", **group)
        await house.until(lambda: tools.world.times("send") == 2)
        assert [
            row[0] for row in house.rows("SELECT person_id FROM tool_calls WHERE status = 'pending_approval'")
        ] == ["push:eve"]


async def test_a_yes_to_nothing_is_an_ordinary_message(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, ScriptedModel("ok"), toolsets=[post()]).running() as house:
        assert await house.ask("yes") == "ok"


@pytest.mark.pain("P049")
async def test_others_are_answered_while_a_turn_waits(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(("send", SEND)), "Meanwhile.", "For Ben.", "It is sent.")
    async with House(store, clock, model, toolsets=[post()], rules=RULES).running() as house:
        code = await asked(house)
        await house.receive("and this?", channel="push")
        await house.until(lambda: "Meanwhile." in house.chat.texts("ann"))
        await house.receive("hello", channel="push", user="ben", chat="ben")
        await house.until(lambda: "For Ben." in house.chat.texts("ben"))
        await press(house, "once", code)
        await house.until(lambda: "It is sent." in house.chat.texts("ann"))


async def test_stop_ends_a_turn_that_waits(store: Store, clock: ManualClock) -> None:
    tools, model = post(), ScriptedModel(calls(("send", SEND)))
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        code = await asked(house)
        await house.reply(await house.receive("/stop", channel="push"))
        assert waiting(house) == []
        assert "over" in await press(house, "once", code)
        assert tools.world.done == []


async def test_a_question_survives_a_restart(store: Store, clock: ManualClock) -> None:
    tools = post()
    async with House(
        store, clock, ScriptedModel(calls(("send", SEND))), toolsets=[tools], rules=RULES
    ).running() as house:
        code = await asked(house)
    model = ScriptedModel("It is sent.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        await press(house, "once", code)
        await house.until(lambda: "It is sent." in house.chat.texts("ann"))
        assert tools.world.done == [("send", SEND)]
        assert len(model.requests) == 1, "what the model had wished for was on record"


async def test_two_calls_of_a_round_are_both_asked_for_before_the_turn_goes_on(
    store: Store, clock: ManualClock
) -> None:
    tools = post()
    model = ScriptedModel(calls(("send", SEND), ("wipe", {})), "Done.")
    async with House(store, clock, model, toolsets=[tools], rules=RULES).running() as house:
        await asked(house)
        await house.until(lambda: len(waiting(house)) == 2)
        one, two = waiting(house)
        await press(house, "once", one)
        await asyncio.sleep(0)
        assert tools.world.done == []
        await press(house, "no", two)
        await house.until(lambda: "Done." in house.chat.texts("ann"))
        assert [name for name, _ in tools.world.done] == ["send"]


async def test_the_audit_tells_who_decided_what(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(("send", SEND)), "It is sent.")
    async with House(store, clock, model, toolsets=[post()], rules=RULES).running() as house:
        await press(house, "once", await asked(house))
        await house.until(lambda: "It is sent." in house.chat.texts("ann"))
    kept = house.rows(
        "SELECT type, person_id FROM events WHERE type LIKE 'human.%' OR type LIKE 'tool.%' ORDER BY seq"
    )
    types = [row[0] for row in kept]
    assert types.index("human.review.requested") < types.index("human.review.completed")
    assert types[-1] == "tool.call.completed"
    assert ("human.review.completed", "push:ann") in kept
