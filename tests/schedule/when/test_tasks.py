import pytest

from bot.schedule.when.read import read, task_of
from tests.schedule.when.reading_at import TUESDAY_EVENING


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("in 10 minutes remind me to stretch", "stretch"),
        ("remind me tomorrow at 5 to call mum", "call mum"),
        ("can you remind me in 2 hours about the oven?", "the oven"),
        ("don't let me forget the keys tomorrow morning", "the keys"),
        ("please set a reminder for 6pm: take out the trash", "take out the trash"),
        ("Every day at 9 send me the weather", "send me the weather"),
        ("Meeting with Bob next Tuesday at 3pm in room 5", "Meeting with Bob in room 5"),
        ("could you remind me to feed the cat at 8pm every day until sunday?", "feed the cat"),
        ("wake me up at 7", "wake me up"),
        ("remind me at 8:00", ""),
        ("no time here", "no time here"),
        ("on friday remind me to call bob at 3pm", "call bob"),
        ("at 9am I want the weather every weekday", "I want the weather"),
        ("recuérdame mañana a las 5 llamar a mamá", "llamar a mamá"),
        ("avísame en 10 minutos que saque la pizza", "saque la pizza"),
    ],
)
def test_what_is_to_be_done_is_the_rest_of_the_sentence(text: str, task: str) -> None:
    assert task_of(text, read(text, TUESDAY_EVENING)) == task
