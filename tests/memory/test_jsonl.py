"""Bringing in JSON Lines, and finding them again by the ids they came with."""

import json
from datetime import UTC, datetime

import pytest

from bot.store.engine import Store
from memory.importers import jsonl
from memory.record import MemoryDraft, RecallQuery
from tests.memory.build import by_words
from tests.memory.fakes import NOW

GOOD = {"id": "a", "scope": "work", "speaker": "Ann", "text": "the car is red", "at": "2026-01-02T03:04:05Z"}


def line(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def drafts(*lines: bytes) -> list[MemoryDraft]:
    read = list(jsonl.read(lines, NOW))
    assert all(isinstance(item, MemoryDraft) for item in read)
    return [item for item in read if isinstance(item, MemoryDraft)]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"oops", "not a line of JSON"),
        (b"[" * 100_000, "not a line of JSON"),
        (b"\xff\xfe", "not a line of JSON"),
        (b"[]", "must be a JSON object"),
        (line(id=None), '"id" is missing'),
        (line(text=" \x00"), '"text" is empty'),
        (line(scope=["a"]), '"scope" must be a string'),
        (line(at="soon"), '"at" is not an ISO 8601 time'),
        (line(at="2999-01-01"), "lies in the future"),
        (line(id="x" * 501), "at most"),
        (line(text="x" * 1_000_001), "longer than"),
    ],
)
def test_a_line_that_cannot_be_kept_is_refused_with_its_number_and_why(bad: bytes, reason: str) -> None:
    good, refused, other = jsonl.read([line(), bad, line(id="b")], NOW)
    assert isinstance(good, MemoryDraft)
    assert isinstance(other, MemoryDraft)
    assert isinstance(refused, jsonl.Refused)
    assert refused.line == 2
    assert reason in refused.reason


async def test_the_same_id_is_one_memory_and_its_last_text_holds(store: Store) -> None:
    first = await store.write(jsonl.keep, drafts(line(), line(id="b"), line(scope="home")), NOW)
    again = await store.write(jsonl.keep, drafts(line(), line(id="b", text="the car is blue")), NOW)
    assert (first, again) == (jsonl.Kept(new=3), jsonl.Kept(replaced=1, unchanged=1))
    query = RecallQuery("car", (jsonl.scope_named("work"),), NOW)
    hits = await by_words(store).recall(query)
    found = {jsonl.given_id(hit.source, hit.id): hit.text for hit in hits}
    assert found == {"a": "the car is red", "b": "the car is blue"}


def test_a_scope_of_free_text_is_nobodys_chat_and_a_named_one_is_itself() -> None:
    assert jsonl.scope_named("work") == "import:work"
    assert jsonl.scope_named("person:telegram:1") == "person:telegram:1"
    assert jsonl.scope_named("person:") == "import:person:"


def test_a_time_without_a_zone_is_utc() -> None:
    assert jsonl.moment("2026-01-02", "at") == datetime(2026, 1, 2, tzinfo=UTC)
    assert jsonl.moment("2026-01-02T08:00:00+08:00", "at") == datetime(2026, 1, 2, tzinfo=UTC)
