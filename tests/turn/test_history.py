"""What a model is given of what was said before."""

from sqlalchemy import insert

from bot.domain.conversation import ConversationId
from bot.store.engine import Store
from bot.store.tables import messages
from bot.turn.history import Recent, recent
from bot.turn.inbox import accept
from tests.fakes.clock import START
from tests.turn.house import inbound

ANN = ConversationId("http:ann")


def say(store: Store, text: str, **changes: object) -> str:
    return store.write_now(accept, inbound(text, **changes), START, "me").run_id  # type: ignore[arg-type]


def answer(store: Store, run_id: str, text: str, status: str = "complete") -> None:
    row = {"conversation_id": ANN, "session": 1, "role": "assistant", "text": text, "status": status}
    store.write_now(
        lambda conn: conn.execute(insert(messages), {**row, "run_id": run_id, "at": START}).rowcount
    )


def texts(found: Recent) -> list[str]:
    return [message.text for message in found.messages]


def before(store: Store, run_id: str, turns: int = 10) -> Recent:
    return store.read_now(recent, ANN, 1, run_id, turns=turns)


def test_each_answer_stands_behind_its_question_whenever_it_was_written(store: Store) -> None:
    first = say(store, "one")
    second = say(store, "two")
    third = say(store, "three")
    answer(store, first, "answer one")
    assert texts(before(store, second)) == ["one", "answer one"]
    answer(store, second, "answer two")
    assert texts(before(store, third)) == ["one", "answer one", "two", "answer two"]
    answer(store, third, "answer three")
    fourth = say(store, "four")
    assert texts(before(store, fourth)) == ["one", "answer one", "two", "answer two", "three", "answer three"]


def test_only_so_many_turns_are_given_and_the_oldest_is_named(store: Store) -> None:
    for number in range(6):
        answer(store, say(store, f"{number}"), f"answer {number}")
    found = before(store, say(store, "now"), turns=2)
    assert texts(found) == ["4", "answer 4", "5", "answer 5"]
    assert found.oldest_id == 9


def test_failed_and_empty_answers_are_left_out(store: Store) -> None:
    for status in ("failed", "empty", "stopped", "cut"):
        answer(store, say(store, f"ask {status}"), f"answer {status}", status)
    assert texts(before(store, say(store, "now"))) == [
        "ask failed",
        "ask empty",
        "ask stopped",
        "answer stopped",
        "ask cut",
        "answer cut",
    ]


def test_the_names_of_speakers_are_told(store: Store) -> None:
    say(store, "hi", user="ben", chat="ann")
    found = before(store, say(store, "now"))
    assert [(message.role, message.name) for message in found.messages] == [("user", "Ben")]


def test_another_conversation_and_a_turn_without_a_message_see_nothing(store: Store) -> None:
    say(store, "secret", chat="other")
    assert before(store, say(store, "now")) == Recent((), None)
    assert before(store, "turn-unknown") == Recent((), None)
