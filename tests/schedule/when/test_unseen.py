"""Texts that were written, and kept, before the reader was measured on them; then it was mended by them."""

from datetime import datetime
from pathlib import Path

import pytest

from bot.schedule.when.read import read
from bot.schedule.when.reading import Reading, split_rule

NOW = datetime(2026, 12, 2, 10, 30)  # noqa: DTZ001 - on the wall, a Wednesday
LINES = Path(__file__).with_name("unseen.txt").read_text(encoding="utf-8").splitlines()


def is_read(reading: Reading, wanted: str) -> bool:
    """Whether a reading is the point, rule or nothing that is wanted; a day is any hour of it."""
    if wanted == "none":
        return reading.kind == "none"
    if wanted.startswith("FREQ="):
        parts = {"INTERVAL": "1"} | split_rule(wanted)
        return reading.rrule is not None and {"INTERVAL": "1"} | split_rule(reading.rrule) == parts
    return reading.kind == "once" and str(reading.at).startswith(wanted)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.pain("28")
def test_texts_are_read_as_they_are_meant(line: str) -> None:
    lang, text, wanted = line.split(" | ")
    reading = read(text, NOW, lang)
    assert any(is_read(reading, one) for one in wanted.split(" / ")), reading
