"""The set `text`."""

from typing import Any

import pytest

from bot.tools.sets.texts import text_tools
from tests.tools.sets.calling import answer, fault

LINES = "b 10\na 9\nb 10\nc"


async def told(name: str, **arguments: Any) -> str:
    return await answer(text_tools(), name, arguments)


async def test_two_texts_are_compared_line_by_line() -> None:
    assert (
        await told("text_diff", text1="a\nb", text2="a\nc")
        == "--- text1\n+++ text2\n@@ -1,2 +1,2 @@\n a\n-b\n+c"
    )
    assert await told("text_diff", text1="a", text2="a") == "The texts are the same."


async def test_lines_are_sorted_by_letters_or_by_their_numbers() -> None:
    assert await told("text_sort", text=LINES, unique=True) == "a 9\nb 10\nc"
    assert await told("text_sort", text="10\n9\nx\n-1.5", numeric=True) == "-1.5\n9\n10\nx"
    assert await told("text_sort", text="1\n2", numeric=True, reverse=True) == "2\n1"


async def test_lines_that_come_again_are_dropped() -> None:
    assert await told("text_deduplicate", text="A\na\nA") == "A\na"
    assert await told("text_deduplicate", text="A\na\nA", case_sensitive=False) == "A"


async def test_lines_are_sifted_by_words_or_by_a_pattern() -> None:
    assert await told("text_filter", text="a.c\nabc", pattern="a.c") == "a.c"
    assert await told("text_filter", text="a.c\nabc", pattern="a.c", regex=True) == "a.c\nabc"
    assert await told("text_filter", text="Abc\nx", pattern="abc", case_sensitive=False, invert=True) == "x"
    assert await told("text_filter", text="x", pattern="y") == "No lines matched."


async def test_patterns_find_extract_and_replace() -> None:
    assert await told("regex_match", text="no 42", pattern=r"\d+") == "Pattern matches: true"
    assert await told("regex_find", text="1 22", pattern=r"\d+") == "Found 2 match(es):\n1\n22"
    assert await told("regex_extract", text="k=v", pattern=r"(\w)=(\w)") == (
        "Match 1: Group 0: k=v\nMatch 1: Group 1: k\nMatch 1: Group 2: v"
    )
    assert (
        await told("regex_replace", text="k=v", pattern=r"(\w)=(\w)", replacement="$2 $1 $$")
        == "Result: v k $"
    )
    assert await told("regex_replace", text="你好", pattern="好", replacement="们") == "Result: 你们"


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)*b", "(.*)*x", "a?" * 20 + "a" * 20])
async def test_a_pattern_that_would_keep_other_engines_busy_for_years_is_answered(pattern: str) -> None:
    assert await told("regex_match", text="a" * 50_000 + "!", pattern=pattern)


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "(", "a{1000000}", "[z-a]"])
async def test_a_pattern_that_is_not_offered_is_an_error_that_says_so(pattern: str) -> None:
    assert "the pattern can't be used" in await fault(
        text_tools(), "regex_match", {"text": "a", "pattern": pattern}
    )


async def test_what_would_grow_without_end_is_an_error() -> None:
    await fault(text_tools(), "regex_find", {"text": "a" * 5000, "pattern": "a"})
    big = {"text": "a" * 900, "pattern": "a", "replacement": "b" * 10_000}
    await fault(text_tools(), "regex_replace", big)
    await fault(text_tools(), "text_diff", {"text1": "a\n" * 6000, "text2": "b"})
    await fault(text_tools(), "regex_replace", {"text": "a", "pattern": "a", "replacement": "$3"})
