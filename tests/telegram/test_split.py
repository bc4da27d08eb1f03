"""Long answers become several messages, cut where a reader would cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.telegram.render import messages
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
