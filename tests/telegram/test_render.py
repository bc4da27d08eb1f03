"""From what a model writes to what Telegram takes: nothing refused, nothing lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.telegram.entities import Entity, Rendered
from channels.telegram.render import messages, render
from channels.telegram.utf16 import utf16_slice
from tests.telegram.checker import assert_accepted_unchanged


def covered(rendered: Rendered, kind: str) -> list[str]:
    """The texts that entities of one kind cover."""
    return [
        utf16_slice(rendered.text, one.offset, one.length) for one in rendered.entities if one.type == kind
    ]


def only(markdown: str) -> Rendered:
    parts = messages(markdown)
    assert len(parts) == 1
    assert_accepted_unchanged(parts)
    return parts[0]


@pytest.mark.pain("1")
def test_markers_that_format_nothing_are_shown_as_they_stand() -> None:
    shown = only("*bold *unclosed_ [link](http://a_b_c/d__e) 5 < 6 & 7 > 2")
    assert shown.text == "*bold *unclosed_ link (http://a_b_c/d__e) 5 < 6 & 7 > 2"


@pytest.mark.pain("P001")
def test_text_about_markdown_keeps_every_word_and_the_lone_fence() -> None:
    shown = only(
        "To use this mode, pass MarkdownV2 in parse_mode. Use *bold \\*text*, _italic \\*text_, "
        "__under__, ~strike~, ``` and [x]("
    )
    assert shown.text == (
        "To use this mode, pass MarkdownV2 in parse_mode. Use bold *text, italic *text, "
        "under, ~strike~, ``` and [x]("
    )


@pytest.mark.pain("P002")
def test_underscores_in_and_between_addresses_stay() -> None:
    answer = "see https://h.example/f/7/NRR-JaUmg_hm7jYl/a-v2.md (**HTML**) and https://h.example/x_y/b.md."
    shown = only(answer)
    assert shown.text == answer.replace("**", "")
    assert [(one.type, utf16_slice(shown.text, one.offset, one.length)) for one in shown.entities] == [
        ("bold", "HTML")
    ]


@pytest.mark.pain("P003")
@pytest.mark.parametrize("path", ["foo__bar__baz", "a**b**c", "a~~b~~c", "p_q_"])
def test_markers_inside_a_link_target_belong_to_the_target(path: str) -> None:
    shown = only(f"[**b**](https://e.example/{path})")
    assert shown.text == "b"
    assert set(shown.entities) == {
        Entity("text_link", 0, 1, url=f"https://e.example/{path}"),
        Entity("bold", 0, 1),
    }


@pytest.mark.pain("P005")
def test_spaces_in_code_stay_and_underscores_in_names_format_nothing() -> None:
    shown = only("Press ` ` or run `  test  `; this is _italic_ and snake_case_name stays.")
    assert shown.text == "Press   or run   test  ; this is italic and snake_case_name stays."
    assert covered(shown, "code") == [" ", "  test  "]
    assert covered(shown, "italic") == ["italic"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("2*3*4", "2*3*4"),
        ("about ~5 or ~6", "about ~5 or ~6"),
        ("a <unk> b <br> c", "a <unk> b \n c"),
        ("<div>\nfoo\n</div>", "<div>\nfoo\n</div>"),
        ("[a](javascript:alert)", "a (javascript:alert)"),
        ("[a](./local)", "a (./local)"),
        ("$5 and $6, or $7", "$5 and $6, or $7"),
        ("[note]: https://unused.example", "[note]: https://unused.example"),
        ("text[^1]\n\n[^1]: the note", "text[1]\n\n[1]: the note"),
        ("- [x] done\n- [ ] open", "• ☑ done\n• ☐ open"),
        ("```", "```"),
        ("1. a\n   - b\n     more\n2. c\n\nend", "1. a\n  • b\n    more\n2. c\n\nend"),
        ("![a cat](cat.png)", "a cat (cat.png)"),
        ("![](https://x.example/c.png)", "https://x.example/c.png"),
        ("a\tb\x00c\r\nd", "a    b c\nd"),
    ],
)
def test_what_markdown_would_swallow_is_shown(markdown: str, text: str) -> None:
    assert only(markdown).text == text


def test_blocks_keep_their_form() -> None:
    shown = only(
        "# Head\n\n> quote\n> more\n\n```python\nprint(1)\n  x\n```\n\n- a\n\n  ```\n  y\n  ```\n- b"
    )
    assert shown.text == "Head\n\nquote\nmore\n\nprint(1)\n  x\n\n• a\ny\n• b"
    assert covered(shown, "bold") == ["Head"]
    assert covered(shown, "blockquote") == ["quote\nmore"]
    assert covered(shown, "pre") == ["print(1)\n  x", "y"]
    assert [one.language for one in shown.entities if one.type == "pre"] == ["python", ""]


def test_styles_leave_code_out_as_telegram_wants() -> None:
    shown = only("**bold `code` more** and [`linked`](https://a.example)")
    assert covered(shown, "bold") == ["bold ", " more"]
    assert covered(shown, "code") == ["code"]
    assert covered(shown, "text_link") == ["linked"]


@pytest.mark.pain("P014")
@pytest.mark.parametrize(
    "markdown, text",
    [
        ("a\n\n> [note]: nothing links here", "[note]: nothing"),
        (">\t[ one ]:\ntwo\n# x", "[ one ]:\ntwo"),
        ("> q\n>\n> [note]: here", "[note]: here"),
        ("[^1]: a foot\n\n    [note]: here", "[note]: here"),
        ("[^1]:[note]:here", "[note]:here"),
        ("> [^1]: [note]: here", "[note]: here"),
    ],
)
def test_a_definition_in_a_quote_or_a_footnote_that_no_link_uses_is_shown(markdown: str, text: str) -> None:
    assert text in "".join(part.text for part in messages(markdown))


def test_a_definition_in_a_quote_that_a_link_uses_is_not_shown() -> None:
    (part,) = messages("> see [a]\n>\n> [a]: http://a.example/c\n")
    assert part.text == "see a"


def test_a_table_is_aligned_also_with_wide_characters() -> None:
    shown = only("| 名字 | `a\\|b` | |\n|--|--|--|\n| 值 | [l](https://q.example) | x |")
    assert shown.text.splitlines() == [
        "名字 | a|b                   |",
        "-----+-----------------------+--",
        "值   | l (https://q.example) | x",
    ]
    assert covered(shown, "pre") == [shown.text]


@pytest.mark.pain("2")
def test_every_beginning_of_an_answer_is_accepted() -> None:
    answer = (
        "Intro **bold `code`** [link](https://a.example/x_y) 👩‍👩‍👧‍👦 done.\n\n"
        "```python\nprint('`')\n```\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n> quote *it*\n\n1. x\n   - y\n"
    )
    for end in range(len(answer) + 1):
        assert_accepted_unchanged(messages(answer[:end]))
    assert messages(answer)[-1].text.endswith("1. x\n  • y")


_WORDS = st.integers(1, 99_999).map(lambda number: f"w{number}w")
_MARKERS = (
    "* ** _ __ ~~ ~ ` `` ``` ```py # ## - 1. > >> | |-|-| [ ]( ) ]: ![ < > <b> </b> &amp; $ $$ \\ [x] [^1] "
    "😀 👩\u200d👩\u200d👧 🇩🇪 é 中文 \u200f \u200d (http://a.b/c) --- === :"
)
_MARKS = st.sampled_from(_MARKERS.split(" "))
_SPACES = st.sampled_from(["", " ", "  ", "\n", "\n\n", "\n    ", "\t"])
_MARKDOWN = st.lists(st.tuples(st.one_of(_WORDS, _MARKS), _SPACES), max_size=40).map(
    lambda pairs: "".join(piece + space for piece, space in pairs)
)


@given(_MARKDOWN)
@settings(max_examples=300, deadline=None)
def test_no_word_is_lost_whatever_the_markers(markdown: str) -> None:
    parts = messages(markdown)
    assert_accepted_unchanged(parts)
    shown = "".join(part.text for part in parts) + "".join(
        one.url + one.language for part in parts for one in part.entities
    )
    assert all(word in shown for word in markdown.split() if word.startswith("w") and word.endswith("w"))


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_at_all_is_accepted(text: str) -> None:
    assert_accepted_unchanged(messages(text))


@pytest.mark.parametrize("markdown", ["[" * 300_000, "- " * 500 + "a", "1. " * 500 + "a", "$" * 5_000])
def test_a_monstrous_text_is_shown_as_it_stands(markdown: str) -> None:
    assert render(markdown) == Rendered(markdown)
