"""Whatever is written, reading answers, and what it answers holds together."""

from datetime import datetime

from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.schedule.when.digits import normalise
from bot.schedule.when.en.words import WORDS as ENGLISH
from bot.schedule.when.es.words import WORDS as SPANISH
from bot.schedule.when.read import read, task_of
from bot.schedule.when.registry import READERS
from tests.schedule.when.reading_at import moment

NOWS = st.datetimes(moment("1990-01-01 00:00"), moment("2090-12-31 00:00")).map(
    lambda at: at.replace(microsecond=0)
)
_FIGURES = [
    "5",
    "12",
    "31",
    "0",
    "99",
    "2026",
    "3.5",
    "1/2",
    "30/2",
    "8:30",
    "25:99",
    "20261231",
    "1st",
    ",",
    "-",
    ".",
]
SALAD = st.lists(st.sampled_from([*ENGLISH, *SPANISH, *_FIGURES]), max_size=12).map(" ".join)


@given(st.one_of(SALAD, st.text(max_size=80)), NOWS, st.sampled_from([None, *READERS]))
@settings(max_examples=300, deadline=None)
def test_any_words_are_read_without_failing(text: str, now: datetime, lang: str | None) -> None:
    found = read(text, now, lang)
    start, end = found.span
    assert 0 <= start <= end <= len(text)
    assert 0 <= found.confidence <= 1
    assert (found.kind == "once") == (found.at is not None and found.rrule is None)
    assert (found.kind == "recurring") == (found.rrule is not None)
    if found.rrule is not None:
        rrulestr(found.rrule, dtstart=now)
    task_of(text, found)


@given(st.text(max_size=200))
def test_normalising_moves_no_character(text: str) -> None:
    assert len(normalise(text)) == len(text)


@given(NOWS, st.integers(0, 23), st.integers(0, 59))
def test_a_time_of_day_is_the_next_one(now: datetime, hour: int, minute: int) -> None:
    found = read(f"at {hour:02}:{minute:02}", now, "en").at
    assert isinstance(found, datetime)
    assert (found.hour, found.minute) == (hour, minute)
    assert 0 <= (found - now.replace(second=0)).total_seconds() < 86400


@given(NOWS, st.integers(1, 500), st.sampled_from(["minutes", "hours"]))
def test_an_amount_of_time_is_exact(now: datetime, number: int, unit: str) -> None:
    found = read(f"in {number} {unit}", now, "en").at
    assert isinstance(found, datetime)
    assert (found - now).total_seconds() == number * (60 if unit == "minutes" else 3600)
