"""What people set for a chat, by buttons and in words; and why the bot spoke or not."""

import pytest

from bot.domain.conversation import Conversation, Inbound, SpeakerId
from bot.i18n.catalogue import translate
from bot.store.engine import Store
from bot.turn import chat_settings
from bot.turn.gate import Rules
from bot.turn.group import Bot
from bot.turn.rooms import Presence
from tests.fakes.clock import START, ManualClock
from tests.turn.house import House
from tests.turn.test_rooms import WHERE, decide, house_of, said, ticking


async def in_group(house: House, text: str, user: str = "olga") -> str:
    return await house.ask(text, channel="push", chat="g", user=user, kind="group")


def set_of(store: Store, where: Conversation = WHERE) -> chat_settings.ChatSettings:
    return store.read_now(chat_settings.settings_of, where)


async def test_settings_are_shown_and_changed_by_buttons(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        shown = await in_group(house, "/settings")
        assert "smart" in shown
        await house.until(lambda: "g" in house.chat.buttons)
        for data in house.chat.buttons["g"]:
            assert data.startswith("/settings ") and len(data.encode()) <= 64
            answer = await in_group(house, data)
            assert answer != translate("settings.usage", "en"), data
        await in_group(house, "/settings mode strict")
        await in_group(house, "/settings language zh")
        await in_group(house, "/settings quiet 23:00-6:30")
        now = set_of(store)
        assert (now.mode, now.language, str(now.quiet)) == ("strict", "zh", "23:00-06:30")
        await in_group(house, "/settings quiet off")
        await in_group(house, "/settings language auto")
        assert set_of(store) == chat_settings.ChatSettings(mode="strict")


@pytest.mark.parametrize(
    "wrong",
    [
        "mode",
        "mode loud",
        "language",
        "language klingon",
        "quiet",
        "quiet at night",
        "colour red",
        "mode ''--",
    ],
)
async def test_what_is_no_setting_changes_nothing_and_is_explained(
    sqlite_store: Store, clock: ManualClock, wrong: str
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await in_group(house, f"/settings {wrong}") == translate("settings.usage", "en")
        assert set_of(sqlite_store) == chat_settings.ChatSettings()


async def test_admins_of_the_group_may_change_them_and_others_may_only_look(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async def is_chat_admin(inbound: Inbound) -> bool:
        return inbound.speaker.user_id == "gina"

    async with house_of(sqlite_store, clock).running() as house:
        house.rooms.introduce("push", Presence(Bot("donkey_bot"), is_chat_admin=is_chat_admin))
        assert "smart" in await in_group(house, "/settings", "ann")
        denied = await in_group(house, "/settings mode strict", "ann")
        assert denied == translate("settings.denied", "en")
        assert set_of(sqlite_store).mode is None
        assert "strict" in await in_group(house, "/settings mode strict", "gina")
        assert set_of(sqlite_store).mode == "strict"


async def test_the_language_of_a_chat_goes_before_that_of_the_person_and_of_the_configuration(
    sqlite_store: Store, clock: ManualClock
) -> None:
    rules = Rules({SpeakerId("push:olga"): "owner"}, locale="es-ES")
    async with House(sqlite_store, clock, rules=rules).running() as house:

        async def whoami(**who: str) -> str:
            return await house.ask("/stop", channel="push", chat="olga", user="olga", **who)

        assert await whoami() == translate("command.nothing_to_stop", "es")
        assert await whoami(locale="hi") == translate("command.nothing_to_stop", "hi")
        answer = await house.ask(
            "/settings language ar", channel="push", chat="olga", user="olga", locale="hi"
        )
        assert answer.startswith(translate("settings.title", "ar"))
        assert await whoami(locale="hi") == translate("command.nothing_to_stop", "ar")


async def test_a_private_chat_has_a_language_and_no_mode(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        private = {"channel": "push", "chat": "olga", "user": "olga"}
        assert "Quiet" not in await house.ask("/settings", **private)
        told = await house.ask("/settings mode strict", **private)
        assert told == translate("settings.usage", "en")
        assert await house.ask("/settings language de") == translate("settings.none", "en"), "over HTTP"


async def test_the_language_of_a_group_is_told_to_the_model(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        sqlite_store.write_now(chat_settings.put, WHERE, "language", "es", START)
        assert await decide(house, said("@donkey_bot hello")) == "respond"
        assert "The language of this group is Español." in house.prompt()[0][1]


async def test_why_tells_the_last_decisions_and_their_reasons(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        assert await decide(house, said("@donkey_bot what is 2+2?", "ann")) == "respond"
        ticking(clock, 3)
        assert await decide(house, said("@ann shall we eat?", "ben", t=4)) == "ignore"
        here = await in_group(house, "/why")
        lines = here.splitlines()
        assert "Ben: ignored (0)" in lines[1] and "Ann" in lines[1]
        assert "Ann: answered (100)" in lines[2] and "@donkey_bot" in lines[2]
        assert "eat" not in here, "no words of people"
        private = await house.ask("/why", channel="push", chat="olga", user="olga")
        assert private.startswith("Friends: ") and "Ben: ignored" in private


async def test_why_says_so_where_nothing_was_judged(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        told = await house.ask("/why", channel="push", chat="olga", user="olga")
        assert told == translate("command.why_nothing", "en")
        assert await in_group(house, "/why") == translate("command.why_nothing", "en")


@pytest.mark.pain("18")
async def test_start_in_a_group_says_what_privacy_mode_hides(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert "BotFather" not in await in_group(house, "/start")
        house.rooms.introduce("push", Presence(Bot("donkey_bot"), hears_all=False))
        assert "@donkey_bot" in await in_group(house, "/start")
        assert "BotFather" not in await house.ask("/start", channel="push", chat="olga", user="olga")
