"""Who may talk to the bot, as its owner and admins manage it."""

import pytest

from bot.domain.conversation import SpeakerId
from bot.store.engine import Store
from bot.turn import gate
from bot.turn.gate import Rules
from tests.fakes.clock import ManualClock
from tests.turn.house import House

ROLES: dict[SpeakerId, gate.Role] = {
    SpeakerId("push:olga"): "owner",
    SpeakerId("push:adam"): "admin",
    SpeakerId("push:mia"): "member",
}
RULES = Rules(ROLES)


async def ask(house: House, text: str, user: str = "olga") -> str:
    return await house.ask(text, channel="push", chat=user, user=user)


async def code_of(house: House, user: str = "sam") -> str:
    await house.receive("let me in", channel="push", chat=user, user=user)
    house.worker.wake()
    await house.until(lambda: not house.open_runs())
    return house.chat.texts(user)[0].split("/allow ")[1].strip()


@pytest.mark.pain("64")
async def test_the_owner_and_admins_are_asked_with_buttons_and_let_in_with_one_press(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        code = await code_of(house)
        for manager in ("olga", "adam"):
            (asked,) = house.chat.texts(manager)
            assert "Sam" in asked and code in asked
            assert house.chat.buttons[manager] == [f"/allow {code}", f"/deny {code}"]
        assert house.chat.texts("mia") == []
        for _ in range(3):
            await house.receive("hello?", channel="push", chat="sam", user="sam")
        assert len(house.chat.texts("olga")) == len(house.chat.texts("sam")) == 1
        pressed = house.chat.buttons["adam"][0]
        assert await ask(house, pressed, "adam") == "Sam may talk to me now."
        assert await ask(house, "hello", "sam") == "echo: hello"


async def test_who_is_turned_down_hears_nothing_and_may_be_let_in_later(
    store: Store, clock: ManualClock
) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        code = await code_of(house)
        assert "Sam" in await ask(house, f"/deny {code}")
        clock.set_forward(3 * 86400)
        await house.receive("please?", channel="push", chat="sam", user="sam")
        house.worker.wake()
        await house.until(lambda: not house.open_runs())
        assert len(house.chat.texts("sam")) == 1
        assert "Sam" not in await ask(house, "/people")
        assert await ask(house, f"/allow {code}") == "Sam may talk to me now."
        assert (
            await ask(house, f"/deny {code}")
            == "There is no open request with that code. Codes last one day."
        )


async def test_people_are_listed_and_removed(store: Store, clock: ManualClock) -> None:
    async with House(store, clock, rules=RULES).running() as house:
        await ask(house, f"/allow {await code_of(house)}")
        await code_of(house, "tim")
        listed = await ask(house, "/people", "adam")
        assert listed.index("push:olga (owner)") < listed.index("push:adam (admin)")
        assert "Sam, push:sam (member)" in listed
        assert "Tim (push:tim)" in listed.split("ask for access")[1]
        assert await ask(house, "/remove sam") == "Sam may no longer talk to me."
        assert "push:sam" not in await ask(house, "/people")
        assert await ask(house, "/remove sam") == "Nobody with the id push:sam was let in."
        assert "only be removed there" in await ask(house, "/remove mia")
        received = await house.receive("hello", channel="push", chat="sam", user="sam")
        assert received.verdict.decision == "pair"


async def test_only_the_owner_removes_an_admin(sqlite_store: Store, clock: ManualClock) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        code = await code_of(house)
        sqlite_store.write_now(gate.admit, code, clock.now(), "admin")
        assert await ask(house, "/remove sam", "adam") == "Only the owner can remove an admin."
        assert await ask(house, "/remove sam") == "Sam may no longer talk to me."


@pytest.mark.parametrize("command", ["/people", "/allow X", "/deny X", "/remove 1", "/why"])
async def test_managing_is_for_managers_where_it_is_switched_on(
    sqlite_store: Store, clock: ManualClock, command: str
) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        assert await ask(house, command, "mia") == "Only an admin may do that."
    async with House(sqlite_store, clock, rules=Rules(ROLES, managing=False)).running() as house:
        assert "switched off" in await ask(house, command)


async def test_what_tells_of_people_belongs_in_a_private_chat(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        told = await house.ask("/people", channel="push", chat="g", user="olga", kind="group")
        assert told == "Please send me that in our private chat."
    rules = Rules(ROLES, managing_in_groups=True)
    async with House(sqlite_store, clock, rules=rules).running() as house:
        told = await house.ask("/people", channel="push", chat="g", user="olga", kind="group")
        assert "push:adam" in told


async def test_without_pairing_a_stranger_gets_one_line_and_no_code(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock, rules=Rules(ROLES, pairing=False)).running() as house:
        for _ in range(3):
            await house.receive("hi", channel="push", chat="sam", user="sam")
        house.worker.wake()
        await house.until(lambda: not house.open_runs())
        (line,) = house.chat.texts("sam")
        assert "sam" in line and "/allow" not in line
        assert house.chat.texts("olga") == []


async def test_what_is_missing_is_asked_for(sqlite_store: Store, clock: ManualClock) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        for command in ("allow", "deny", "remove"):
            assert f"/{command} " in await ask(house, f"/{command}")
