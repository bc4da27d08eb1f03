"""Long answers become several messages, cut where a reader would cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.telegram.entities import plain
from channels.telegram.render import messages
from channels.telegram.split import split
from channels.telegram.utf16 import utf16_len, utf16_slice
from tests.telegram.checker import assert_accepted_unchanged


@pytest.mark.pain("3")
def test_a_long_answer_reopens_its_code_block_and_keeps_the_order() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(300))
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| {number} | x |" for number in range(40))
    answer = "Intro. " * 400 + f"\n\n```python\n{code}\n```\n\n{table}\n\n" + "Outro. " * 200
    parts = messages(answer)
    assert_accepted_unchanged(parts)
    pieces = [
        (one.language, utf16_slice(part.text, one.offset, one.length))
        for part in parts
        for one in part.entities
        if one.type == "pre" and one.language
    ]
    assert len(pieces) >= 2
    assert {language for language, _ in pieces} == {"python"}
    assert "\n".join(text for _, text in pieces) == code
    assert parts[0].text.startswith("Intro.")
    assert parts[-1].text.endswith("Outro.")


@pytest.mark.pain("4")
def test_three_thousand_emoji_are_two_messages() -> None:
    parts = messages("😀" * 3000)
    assert_accepted_unchanged(parts)
    assert [utf16_len(part.text) for part in parts] == [4096, 1904]


@pytest.mark.pain("P006")
def test_a_text_that_fits_is_one_message() -> None:
    assert [part.text for part in messages("!" * 4096)] == ["!" * 4096]
    parts = messages("." * 4000 + "**" + "b" * 200 + "**")
    assert len(parts) == 2
    assert "".join(part.text for part in parts) == "." * 4000 + "b" * 200


@pytest.mark.pain("P007")
def test_no_emoji_family_is_cut() -> None:
    answer = "word " * 815 + "🎩👩‍👩‍👧‍👦" * 30
    parts = messages(answer)
    assert_accepted_unchanged(parts)
    assert sum(part.text.count("👩‍👩‍👧‍👦") for part in parts) == 30
    assert "".join(part.text for part in parts).replace(" ", "") == answer.replace(" ", "")


def test_flags_and_accents_are_not_cut() -> None:
    assert all(part.text.startswith("🇩🇪") for part in messages("🇩🇪" * 2000))
    assert all(not part.text.startswith("\u0301") for part in messages("e\u0301" * 5000))


@pytest.mark.parametrize("separator", ["\n\n", "\n", ". ", "。", " "])
def test_the_cut_falls_after_a_separator(separator: str) -> None:
    answer = (("word" * 10) + separator) * 150
    parts = messages(answer)
    assert len(parts) > 1
    assert all(part.text.endswith(("word", ".", "。")) for part in parts)
    assert all(part.text.startswith("word") for part in parts)


def test_more_than_a_hundred_entities_take_more_messages() -> None:
    parts = messages(" ".join(f"**b{number}** x" for number in range(250)))
    assert_accepted_unchanged(parts)
    assert sum(len(part.entities) for part in parts) == 250


@given(
    st.lists(
        st.sampled_from(["a", " ", "\n", "😀", "**", "`", "```\n", "é", "👩‍👩‍👧", ". ", "x" * 50]),
        max_size=600,
    )
)
@settings(max_examples=60, deadline=None)
def test_any_long_text_is_accepted_in_parts(pieces: list[str]) -> None:
    parts = messages("".join(pieces) * 8)
    assert_accepted_unchanged(parts)


_HOSTILE = {
    "a run without spaces": "x" * 30_000,
    "only line breaks": "\n" * 30_000,
    "spaces and one word": " " * 30_000 + "x",
    "one huge cluster": "a" + "\u0301" * 20_000,
    "families without end": "👩\u200d" * 10_000,
    "half a flag": "🇩" * 9_001,
    "a long info string": "```" + "x" * 20_000 + "\ncode\n```",
    "an info string of words": "```py " + "x y " * 6_000 + "\n" + "l\n" * 5_000 + "```",
    "open brackets": "[" * 9_000 + "]" * 9_000,
    "backticks": "`" * 20_000 + "a",
    "dashes": "- " * 20_000 + "x",
    "one wide cell": "|a|b|\n|-|-|\n|" + "w" * 30_000 + "|y|\n" + "|a|b|\n" * 3_000,
    "many short rows of a wide table": "|" + "a|" * 9_000 + "\n|" + "-|" * 9_000 + "\n" + "|a\n" * 9_000,
    "many uses of a long reference": "[a]: http:" + "x" * 40_000 + "\n\n" + "[a] " * 9_000,
    "a hundred styles at one place": "*a **b ~~c `d` ~~ ** *" * 1_000,
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE.keys())
def test_a_hostile_text_ends_and_does_not_grow(text: str) -> None:
    parts = messages(text)
    assert sum(len(part.text) for part in parts) <= 4 * len(text)
    assert_accepted_unchanged(parts[:20])


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
@given(text=st.text(st.sampled_from("ab \n😀\u0301\u200d.🇩"), max_size=60))
@settings(max_examples=60, deadline=None)
def test_each_part_makes_progress_however_small_the_limit(limit: int, text: str) -> None:
    parts = split(plain(text), limit)
    assert len(parts) <= len(text)
    shown = [char for part in parts for char in part.text if char in "ab.😀🇩"]
    assert shown == [char for char in text if char in "ab.😀🇩"]
