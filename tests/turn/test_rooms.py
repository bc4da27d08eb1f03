"""Groups in a running bot: what is answered, listened to and passed over, and what of it lasts."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.conversation import Conversation, Heard, Inbound, Speaker, SpeakerId
from bot.domain.message import Finished, Text, TextDelta
from bot.store.engine import Store
from bot.store.tables import group_states, messages
from bot.turn import chat_settings, history, rooms
from bot.turn.gate import Rules
from bot.turn.group import Bot, GroupSettings
from bot.turn.rooms import Presence, RoomRules
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House, inbound

ANN, BEN = "ann", "ben"
RULES = Rules({SpeakerId("push:olga"): "owner"})
WHERE = Conversation("push", "g", kind="group")
_count = iter(range(1, 10_000))


def house_of(store: Store, clock: ManualClock, **changes: Any) -> House:
    house = House(store, clock, rules=RULES, **changes)
    house.rooms.introduce("push", Presence(Bot("donkey_bot", "Donkey"), "push:999", hears_all=True))
    return house


def said(
    text: str, user: str = ANN, *, t: float = 0.0, thread: str = "", id: str = "", **changes: Any
) -> Inbound:
    """A message of the group, `t` seconds after the start."""
    reply_to = changes.pop("reply_to", "")
    return Inbound(
        external_id=id or f"g{next(_count)}",
        conversation=Conversation("push", "g", thread, "group", "Friends"),
        speaker=Speaker("push", user, user.title(), is_bot=changes.pop("is_bot", False)),
        at=START + timedelta(seconds=t),
        parts=(Text(text.replace("@donkey_bot", "").strip()),),
        addressed="@donkey_bot" in text or reply_to == "push:999",
        heard=Heard(text, user, reply_to),
        **changes,
    )


async def decide(house: House, message: Inbound) -> str:
    received = await house.service.receive(message)
    assert received.verdict.reasons
    if received.run_id is not None:
        await house.reply(received)
    return received.verdict.decision


def ticking(clock: ManualClock, t: float) -> None:
    clock.set_forward((START + timedelta(seconds=t) - clock.now()).total_seconds())


async def test_a_call_is_answered_and_other_talk_is_not(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        assert await decide(house, said("anybody for pizza?", ANN)) == "ignore"
        assert await decide(house, said("me!", BEN, t=1)) == "ignore"
        assert await decide(house, said("@donkey_bot what is 2+2?", BEN, t=2)) == "respond"
        assert await decide(house, said("donkey, and 3+3?", ANN, t=4)) == "respond"
        assert await decide(house, said("thanks!", BEN, t=5, reply_to="push:ann")) == "ignore"


@pytest.mark.pain("23")
async def test_thanks_from_one_person_to_another_after_an_answer_stay_unanswered(
    store: Store, clock: ManualClock
) -> None:
    async with house_of(store, clock).running() as house:
        assert await decide(house, said("@donkey_bot how far is the moon?", BEN)) == "respond"
        ticking(clock, 3)
        assert await decide(house, said("thanks!", ANN, t=4)) != "respond"


@pytest.mark.pain("24")
async def test_a_name_inside_another_word_is_no_call(sqlite_store: Store, clock: ManualClock) -> None:
    house = House(sqlite_store, clock, rules=RULES)
    house.rooms.introduce("push", Presence(Bot("art_bot", "Art"), "push:999"))
    async with house.running():
        assert await decide(house, said("shall we start, or party?", ANN)) == "ignore"
        assert await decide(house, said("art, are you there?", ANN, t=1)) == "respond"


async def test_in_strict_mode_only_a_call_is_answered(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock, rooms=RoomRules(mode="strict")).running() as house:
        assert await decide(house, said("donkey, what is 2+2?")) == "ignore"
        assert await decide(house, said("@donkey_bot what is 2+2?", t=1)) == "respond"
        assert await decide(house, said("and 3+3?", t=3)) == "ignore"
        assert await decide(house, said("and 3+3?", t=4, reply_to="push:999")) == "respond"


async def test_what_is_set_for_a_chat_goes_before_the_configuration(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("donkey, what is 2+2?")) == "respond"
        sqlite_store.write_now(chat_settings.put, WHERE, "mode", "strict", START)
        assert await decide(house, said("donkey, what is 3+3?", t=1)) == "ignore"
        sqlite_store.write_now(chat_settings.put, WHERE, "mode", "", START)
        assert await decide(house, said("donkey, what is 4+4?", t=2)) == "respond"


async def test_in_quiet_hours_it_speaks_only_when_called(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock, rooms=RoomRules(zone=START.tzinfo)).running() as house:
        assert await decide(house, said("@donkey_bot what is 2+2?")) == "respond"
        ticking(clock, 2)
        hour = START.hour
        quiet = f"{hour:02}:00-{(hour + 1) % 24:02}:00"
        sqlite_store.write_now(chat_settings.put, WHERE, "quiet", quiet, START)
        assert await decide(house, said("and what is 3+3?", t=4)) == "observe"
        judged = sqlite_store.read_now(rooms.decisions_of, WHERE)[-1]
        assert judged.reasons[0] == "quiet hours"
        assert await decide(house, said("donkey, are you there?", t=6)) == "respond"


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("22:00-07:00", "23:30", "12:00"),
        ("22:00-07:00", "00:00", "07:00"),
        ("9:00 – 17:30", "09:00", "17:30"),
    ],
)
def test_quiet_hours_may_go_over_midnight(text: str, inside: str, outside: str) -> None:
    hours = chat_settings.QuietHours.parse(text)
    assert hours is not None and chat_settings.QuietHours.parse(str(hours)) == hours
    within, without = (chat_settings.QuietHours.parse(f"{at}-03:33") for at in (inside, outside))
    assert within is not None and without is not None
    assert hours.covers(within.start) and not hours.covers(without.start)


@pytest.mark.parametrize(
    "wrong", ["", "22", "22:00", "25:00-07:00", "07:00-07:00", "a-b", "22:00-07:00-08:00"]
)
def test_what_are_no_hours_is_not_taken_for_some(wrong: str) -> None:
    assert chat_settings.QuietHours.parse(wrong) is None


async def test_after_a_restart_it_goes_on_where_it_was(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        assert await decide(house, said("@donkey_bot I'll call you Greenie")) == "respond"
        await decide(house, said("please call me Annie", ANN, t=2))
    ticking(clock, 5)
    async with house_of(store, clock).running() as again:
        assert await decide(again, said("greenie, and 3+3?", BEN, t=6)) == "respond"
        assert "Ann (push:ann) is called Annie" in again.prompt()[0][1]
        assert await decide(again, said("and what is 4+4?", BEN, t=8)) == "respond"


async def test_topics_share_names_but_not_exchanges(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("@donkey_bot hello", thread="6")) == "respond"
        ticking(clock, 300)
        assert await decide(house, said("@donkey_bot I'll call you Greenie", thread="5", t=300)) == "respond"
        assert await decide(house, said("and what is 3+3?", thread="6", t=302)) == "ignore"
        assert await decide(house, said("greenie, what is 3+3?", thread="6", t=303)) == "respond"
        assert await decide(house, said("greenie, what is 4+4?", thread="7", t=304)) == "respond"


async def test_what_was_listened_to_is_context_for_the_next_answer_and_is_not_remembered(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("@donkey_bot which pizza is best?", ANN)) == "respond"
        ticking(clock, 2)
        assert await decide(house, said("@donkey_bot be quiet", BEN, t=3)) == "observe"
        assert await decide(house, said("@donkey_bot and now?", BEN, t=5)) == "respond"
        assert "Ben: be quiet" in [text for _, text in house.prompt()]
    listened = select(messages.c.text).where(messages.c.run_id.is_(None))
    assert list(sqlite_store.read_now(lambda conn: conn.scalars(listened).all())) == ["be quiet"]


async def test_only_so_much_talk_is_kept(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("@donkey_bot hello", ANN)) == "respond"
        for number in range(history.OBSERVED + 7):
            assert await decide(house, said(f"@donkey_bot shut up {number}", BEN, t=number)) == "observe"
        kept = [text for role, text in house.said("push:g") if role == "user"]
        assert len(kept) == history.OBSERVED + 1
        assert kept[0] == "hello" and kept[-1] == f"shut up {history.OBSERVED + 6}"


async def test_what_is_passed_over_leaves_no_words_behind(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("the password is swordfish, ben", ANN)) == "ignore"
        assert house.said("push:g") == []
        assert sqlite_store.read_now(lambda conn: conn.scalar(select(group_states.c.version))) == 1


async def test_a_message_that_comes_twice_is_judged_once(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as house:
        first = await house.service.receive(said("@donkey_bot hello", id="same"))
        again = await house.service.receive(said("@donkey_bot hello", id="same"))
        assert again.repeated and again.run_id == first.run_id
        await house.service.receive(said("pizza?", id="other", t=1))
        await house.service.receive(said("pizza?", id="other", t=1))
        assert len(store.read_now(rooms.decisions_of, WHERE)) == 2


@pytest.mark.pain("25", "P043")
@pytest.mark.parametrize("allowed", [False, True])
async def test_two_bots_do_not_talk_for_ever(sqlite_store: Store, clock: ManualClock, allowed: bool) -> None:
    settings = GroupSettings(allow_bots=allowed)
    async with house_of(sqlite_store, clock, rooms=RoomRules(settings=settings)).running() as house:
        answered = 0
        for number in range(50):
            ticking(clock, number + 1)
            text = f"@donkey_bot number {number}" if number % 2 else f"number {number}"
            message = said(text, "rival", t=number + 1, is_bot=True, reply_to="push:999")
            answered += await decide(house, message) == "respond"
    assert answered == (settings.bot_answers_per_hour if allowed else 0)


@pytest.mark.pain("P045")
@pytest.mark.parametrize("text", ["/grok who drew this?", "/help@other_bot", "/weather Berlin"])
async def test_commands_of_other_bots_are_met_with_silence(
    sqlite_store: Store, clock: ManualClock, text: str
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said(text)) == "ignore"
        assert await decide(house, said("/help", t=1)) == "respond"


@pytest.mark.pain("P046")
async def test_the_bot_quoted_to_somebody_else_stays_silent(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        await decide(house, said("hi", ANN))
        assert await decide(house, said("@donkey_bot a cat?", BEN, t=1)) == "respond"
        message = said("@ann send me the cat video", BEN, t=4, reply_to="push:999")
        assert await decide(house, message) == "ignore"


async def test_another_process_that_wrote_the_group_is_believed(store: Store, clock: ManualClock) -> None:
    async with house_of(store, clock).running() as one, house_of(store, clock).running() as other:
        assert await decide(one, said("@donkey_bot hello", ANN)) == "respond"
        assert await decide(other, said("@donkey_bot I'll call you Greenie", ANN, t=1)) == "respond"
        assert await decide(one, said("greenie, what is 2+2?", BEN, t=2)) == "respond"
        assert len(store.read_now(rooms.decisions_of, WHERE)) == 3


async def test_a_group_that_a_stranger_brought_the_bot_into_is_not_served_until_an_owner_speaks(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        await house.service.reception.entered(WHERE, Speaker("push", "sam", "Sam"))
        for number in range(3):
            assert await decide(house, said("@donkey_bot hello", "sam", t=number)) == "refuse"
        house.worker.wake()
        await house.until(lambda: not house.open_runs())
        assert len(house.chat.texts("g")) == 1
        assert await decide(house, said("@donkey_bot hello", "olga", t=5)) == "respond"
        assert await decide(house, said("@donkey_bot hello", "sam", t=6)) == "respond"


async def test_who_asks_too_much_is_told_once_a_minute_and_the_owner_never(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        decisions = [await decide(house, said("@donkey_bot hi", ANN, t=number)) for number in range(25)]
        assert decisions == ["respond"] * 20 + ["ignore"] * 5
        house.worker.wake()
        await house.until(lambda: not house.open_runs())
        assert sum("minute" in text for text in house.chat.texts("g")) == 1
        assert await decide(house, said("@donkey_bot hi", ANN, t=61)) == "respond"
        ours = [await decide(house, said("@donkey_bot hi", "olga", t=100 + number)) for number in range(25)]
        assert set(ours) == {"respond"}


@pytest.mark.pain("13")
async def test_old_talk_is_listened_to_and_not_answered(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        ticking(clock, 8 * 3600)
        late = [await house.service.receive(said("donkey, are you there?", t=number)) for number in range(9)]
        assert all(one.run_id is None for one in late)
        assert len(house.said("push:g")) == 9


async def test_private_talk_is_none_of_the_rooms_business(sqlite_store: Store, clock: ManualClock) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        await house.service.receive(inbound("hi", channel="push", chat="olga", user="olga"))
        assert sqlite_store.read_now(lambda conn: conn.scalar(select(group_states.c.version))) is None


@pytest.mark.pain("P053")
@pytest.mark.parametrize("word", ["donkey stop", "Donkey, cancel!", "@donkey_bot stop"])
async def test_the_name_and_a_stop_end_the_answer_that_is_being_written(
    sqlite_store: Store, clock: ManualClock, word: str
) -> None:
    never = asyncio.Event()
    model = ScriptedModel([TextDelta("The story begins"), never, Finished("stop")])
    async with house_of(sqlite_store, clock, model=model).running() as house:
        first = await house.service.receive(said("Donkey, tell us a story"))
        assert first.run_id is not None
        await model.until_asked()
        await house.service.receive(said(word, t=2))
        assert (await house.service.wait(first.run_id)).status == "stopped"
        assert len(model.requests) == 1


async def test_the_name_and_a_stop_are_obeyed_in_silence_while_nothing_is_written(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house_of(sqlite_store, clock).running() as house:
        assert await decide(house, said("donkey stop", ANN)) == "observe"
        assert await decide(house, said("Ann, stop it", BEN, t=2)) == "ignore"
