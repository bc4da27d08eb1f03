"""Rich messages: what the model wrote, and nothing that Telegram alone would read into it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.render_check import check, generated
from channels.telegram.rich import MAX_RICH, gains, rich_messages
from channels.telegram.utf16 import utf16_len
from tests.fakes.bot_api_rich import read_rich


def only(markdown: str) -> str:
    (message,) = rich_messages(markdown)
    read_rich(message.markdown)
    return message.markdown


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("# A *b* #", "# A *b*"),
        ("it costs $5 and $6", "it costs \\$5 and \\$6"),
        ("the sum $a+b$ and $$c^2$$", "the sum $a+b$ and $$c^2$$"),
        ("a == b || c", "a \\=\\= b \\|\\| c"),
        ("2*3*4 and snake_case and _it_", "2\\*3\\*4 and snake_case and _it_"),
        ("<unk> and <b>x</b>", "\\<unk> and \\<b>x\\</b>"),
        ("![a cat](https://evil.example/c.png)", "[a cat](https://evil.example/c.png)"),
        ("[a](javascript:alert)", "a (javascript:alert)"),
        (
            "see https://h.example/a_b/_c_.md now",
            "see [https://h.example/a_b/\\_c\\_.md](https://h.example/a_b/_c_.md) now",
        ),
        ("see https://h.example/a_b.md now", "see https://h.example/a_b.md now"),
        ("1. x\n   - [ ] y\n2. z", "1. x\n   - [ ] y\n2. z"),
        ("- a\n\n* b", "- a\n\n* b"),
        ("> a\n> > b", "> a\n>\n> > b"),
        ("a\n\\# b\n1\\. c", "a  \n\\# b  \n1\\. c"),
        ("```py x\na`b\n```", "x\n\n```py\na`b\n```"),
        ("[^1] note\n\n[^1]: here", "\\[1\\] note\n\n\\[1\\]: here"),
        ("[note]: https://unused.example", "\\[note\\]: https://unused.example"),
    ],
)
def test_what_is_no_formatting_is_escaped(written: str, sent: str) -> None:
    assert only(written) == sent


@pytest.mark.pain("P014")
def test_a_table_keeps_every_cell_also_those_beyond_its_columns() -> None:
    sent = only("| 名字 | `a\\|b` | |\n|--|:-:|--|\n| 值 | x | y | more |\n| **b** |")
    assert sent.split("\n") == [
        "| 名字 | `a\\|b` |  |  |",
        "| --- | :-: | --- | --- |",
        "| 值 | x | y | more |",
        "| **b** |  |  |  |",
    ]


def test_a_table_too_wide_for_telegram_is_shown_as_code() -> None:
    row = "|" + "a|" * 25
    assert only(f"{row}\n|{'-|' * 25}\n{row}").startswith("```\n|a|")


@pytest.mark.parametrize(
    "block",
    [
        "A paragraph of words. " * 40 + "\n\n",
        "- item of a list\n",
        "| a | b |\n",
        "> quoted words\n",
        "x" * 900,
    ],
    ids=["paragraphs", "list", "table", "quote", "one word"],
)
def test_a_text_beyond_the_limits_becomes_several_messages(block: str) -> None:
    head = "| a | b |\n|---|---|\n" if block.startswith("|") else ""
    parts = rich_messages(head + block * (60 if block[0] == "A" else 4000))
    assert len(parts) > 1
    for part in parts:
        read_rich(part.markdown)
        assert utf16_len(part.markdown) <= MAX_RICH
        assert not head or part.markdown.startswith("| a | b |\n| --- | --- |\n")


def test_code_too_long_for_one_message_is_reopened_with_its_language() -> None:
    code = "\n".join(f"line {number}" for number in range(6_000))
    parts = rich_messages(f"```python\n{code}\n```")
    assert len(parts) > 1
    assert all(part.markdown.startswith("```python\n") and part.markdown.endswith("\n```") for part in parts)


@pytest.mark.parametrize("markdown", ["> " * 30 + "deep", "- " * 30 + "deep", "**a *b " * 20])
def test_nesting_beyond_what_telegram_takes_is_flattened(markdown: str) -> None:
    assert "deep" in only(markdown) or "b" in only(markdown)


@pytest.mark.parametrize("markdown", ["", " \n\t", "\u200b"])
def test_an_invisible_answer_is_no_message(markdown: str) -> None:
    assert rich_messages(markdown) == []


@pytest.mark.parametrize(
    ("markdown", "rich"),
    [
        ("plain words, *styled* and `code`", False),
        ("a list:\n- x\n- y", False),
        ("## Head\n\ntext", True),
        ("|a|b|\n|-|-|\n|1|2|", True),
        ("a | b\n--|--\n1 | 2", True),
        ("- [ ] open", True),
        ("so $$x^2$$", True),
        ("long " * 1000, True),
        ("text\n---\nmore", False),
    ],
)
def test_rich_is_what_classic_formatting_cannot_show(markdown: str, rich: bool) -> None:
    assert gains(markdown) is rich


@pytest.mark.pain("1")
@pytest.mark.parametrize("markdown", ["1.\n", "***\n\n***\n1.\n    ", "- \n- "])
def test_rules_and_numbers_of_empty_lists_are_sent_as_they_stand(markdown: str) -> None:
    for message in rich_messages(markdown):
        read_rich(message.markdown)


@pytest.mark.parametrize("seed", range(4))
def test_of_made_up_texts_none_is_refused_and_no_character_lost(seed: int) -> None:
    for text in generated(100, seed):
        assert check(text) == [], text


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_at_all_is_accepted_as_a_rich_message(text: str) -> None:
    for message in rich_messages(text):
        read_rich(message.markdown)


def test_a_long_plain_text_of_many_short_paragraphs_has_few_enough_blocks() -> None:
    text = "\n \n".join(f"w{number}w" for number in range(3000)) + "x" * 400_000
    messages = rich_messages(text)
    for message in messages:
        read_rich(message.markdown)
    shown = " ".join(message.markdown for message in messages)
    assert all(f"w{number}w" in shown for number in range(3000))
