"""What is kept of a message as it comes in, and who is in the room."""

import pytest
from sqlalchemy import select

from bot.domain.conversation import Conversation, ConversationId, Inbound, Speaker
from bot.domain.message import File, Image, Text
from bot.store.engine import Store
from bot.store.tables import conversations, inbox, messages, people
from bot.turn import codec
from bot.turn.inbox import Accepted, Arrival, accept, kind_of
from bot.turn.sessions import begin_anew
from tests.fakes.clock import START
from tests.turn.house import inbound

WHERE = ConversationId("http:ann")


def take(store: Store, message: Inbound, arrival: Arrival = "turn") -> Accepted:
    return store.write_now(accept, message, START, "me", arrival)


def kept(store: Store) -> list[tuple[int, str]]:
    rows = store.read_now(lambda conn: conn.execute(select(messages).order_by(messages.c.id)).all())
    return [(row.session, row.text) for row in rows]


@pytest.mark.pain("12")
def test_a_repeat_changes_nothing_and_names_the_first_turn(store: Store) -> None:
    message = inbound("hi", id="7")
    first, second = take(store, message), take(store, message)
    assert (first.repeated, second.repeated) == (False, True)
    assert first.run_id == second.run_id
    assert second.run is None
    assert kept(store) == [(1, "hi")]


def test_the_same_id_in_another_channel_is_another_message(store: Store) -> None:
    assert not take(store, inbound("hi", id="7")).repeated
    assert not take(store, inbound("hi", id="7", channel="push")).repeated


def test_an_observed_message_is_context_without_a_turn(store: Store) -> None:
    observed = take(store, inbound("just saying", kind="group"), "observe")
    assert observed.run is None
    assert kept(store) == [(1, "just saying")]
    assert store.read_now(lambda conn: conn.scalar(select(messages.c.run_id))) is None
    assert take(store, inbound("just saying", id="o"), "observe").repeated is False


@pytest.mark.parametrize("arrival", ["command", "control"])
def test_a_command_is_no_part_of_the_talk_and_no_title(store: Store, arrival: Arrival) -> None:
    accepted = take(store, inbound("/new"), arrival)
    assert accepted.run is not None
    assert accepted.run.payload["control"] == (arrival == "control")
    assert kept(store) == []
    take(store, inbound("Tell me of Rome"))
    assert store.read_now(lambda conn: conn.scalar(select(conversations.c.title))) == "Tell me of Rome"


def test_a_stateless_request_leaves_no_conversation(store: Store) -> None:
    accepted = take(store, inbound("hi", kind="stateless"))
    assert accepted.run is not None and accepted.run.conversation_id is None
    assert kept(store) == []
    assert store.read_now(lambda conn: conn.execute(select(conversations)).all()) == []
    assert take(store, inbound("hi", kind="stateless", id="s")).began is False


def test_a_second_speaker_makes_a_private_conversation_a_group(store: Store) -> None:
    take(store, inbound("hi"))
    assert store.read_now(kind_of, WHERE) == "private"
    take(store, inbound("me again"))
    assert store.read_now(kind_of, WHERE) == "private"
    take(store, inbound("and me", user="ben"))
    assert store.read_now(kind_of, WHERE) == "group"
    take(store, inbound("me again"))
    assert store.read_now(kind_of, WHERE) == "group", "for good"
    assert store.read_now(kind_of, ConversationId("http:unknown")) == "group", "the strictest"


def test_messages_carry_the_session_they_came_in(store: Store) -> None:
    take(store, inbound("one"))
    assert store.write_now(begin_anew, WHERE, START) == 2
    accepted = take(store, inbound("two"))
    assert accepted.run is not None and accepted.run.payload["session"] == 2
    assert kept(store) == [(1, "one"), (2, "two")]


def test_the_first_words_name_a_conversation_and_a_channels_title_goes_before(store: Store) -> None:
    take(store, inbound("x" * 200))
    take(store, inbound("later"))
    title = store.read_now(lambda conn: conn.scalar(select(conversations.c.title)))
    assert title == "x" * 60


def test_a_message_from_a_chat_that_was_lost_says_that_it_can_be_reached_again(store: Store) -> None:
    take(store, inbound("hi"))
    blocked = conversations.update().values(unreachable="blocked")
    store.write_now(lambda conn: conn.execute(blocked).rowcount)
    take(store, inbound("unblocked you"))
    assert store.read_now(lambda conn: conn.scalar(select(conversations.c.unreachable))) == ""


def test_a_person_is_known_by_the_newest_name_and_never_loses_one(store: Store) -> None:
    def known() -> tuple[str, str]:
        row = store.read_now(lambda conn: conn.execute(select(people)).one())
        return row.name, row.locale

    def speak(name: str, locale: str) -> None:
        speaker = Speaker("http", "ann", name=name, locale=locale)
        take(store, Inbound(f"{name}{locale}", Conversation("http", "ann"), speaker, START, (Text("hi"),)))

    speak("Ann", "en")
    assert known() == ("Ann", "en")
    speak("Anna", "en")
    assert known() == ("Anna", "en")
    speak("", "zh")
    assert known() == ("Anna", "zh")


def test_a_message_comes_back_from_the_store_as_it_went_in(store: Store) -> None:
    message = inbound(
        "",
        parts=(
            Text("look: \U0001f600 \u0301"),
            Image("https://x/y.png", "a cat"),
            File("a b.pdf", "ref", size=7),
        ),
        addressed=False,
        reply_ref="99",
        locale="zh-hans",
    )
    accepted = take(store, message)
    assert accepted.run is not None
    assert codec.load(accepted.run.payload["inbound"]) == message
    row = store.read_now(lambda conn: conn.execute(select(messages)).one())
    assert row.text == message.text
    assert codec.load_parts(row.parts) == message.attachments
    assert store.read_now(lambda conn: conn.scalar(select(inbox.c.run_id))) == accepted.run_id
