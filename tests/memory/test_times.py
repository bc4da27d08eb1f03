"""The time a question asks about."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.times import span_of

NOW = datetime(2026, 3, 18, 15, 30, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("what did I say yesterday?", "2026-03-17", "2026-03-18"),
        ("what happened last spring", "2026-03-01", "2026-06-01"),
        ("where was I last winter", "2025-12-01", "2026-03-01"),
        ("what did Ann buy in May 2023?", "2023-05-01", "2023-06-01"),
        ("on 7 May 2023", "2023-05-07", "2023-05-08"),
        ("on May 7th, 2023", "2023-05-07", "2023-05-08"),
        ("three weeks ago", "2026-02-23", "2026-03-02"),
        ("two months ago", "2026-01-01", "2026-02-01"),
        ("what was it last Friday?", "2026-03-13", "2026-03-14"),
        ("last week", "2026-03-09", "2026-03-16"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("2023-05-07 的会议", "2023-05-07", "2023-05-08"),
        ("前天我说了什么", "2026-03-16", "2026-03-17"),
        ("昨天吃了什么", "2026-03-17", "2026-03-18"),
        ("去年夏天去了哪里", "2025-06-01", "2025-09-01"),
        ("去年十二月", "2025-12-01", "2026-01-01"),
        ("上周五谁来了", "2026-03-13", "2026-03-14"),
        ("三天前", "2026-03-15", "2026-03-16"),
        ("两个月前", "2026-01-01", "2026-02-01"),
        ("2023年5月7日", "2023-05-07", "2023-05-08"),
        ("上个月", "2026-02-01", "2026-03-01"),
    ],
)
def test_a_time_in_words_is_a_span_seen_from_now(text: str, begin: str, end: str) -> None:
    span = span_of(text, NOW)
    assert span is not None
    assert (f"{span.begin:%Y-%m-%d}", f"{span.end:%Y-%m-%d}") == (begin, end)


@pytest.mark.parametrize(
    "text",
    ["", "the march of time", "I may go", "99999999 years ago", "第二天", "2023-13-45"],
)
def test_what_names_no_time_has_no_span(text: str) -> None:
    assert span_of(text, NOW) is None


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    span = span_of(text, NOW)
    assert span is None or span.begin < span.end
