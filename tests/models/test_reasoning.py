import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.message import ReasoningDelta, TextDelta
from bot.models.reasoning import ThinkSplitter


def split(*pieces: str, opener_missing: bool = False, show_unclosed: bool = True) -> tuple[str, str]:
    """What a person sees in the end, and the reasoning."""
    splitter = ThinkSplitter(opener_missing=opener_missing)
    out = [event for piece in pieces for event in splitter.feed(piece)]
    out += splitter.end(show_unclosed=show_unclosed)
    text = "".join(event.text for event in out if isinstance(event, TextDelta))
    thought = "".join(event.text for event in out if isinstance(event, ReasoningDelta))
    return text[splitter.retracted :], thought


FENCED = "Write it so:\n```xml\n<think>\nplan\n</think>\n```\nThen answer."


@pytest.mark.pain("41")
@pytest.mark.parametrize(
    ("answer", "text", "thought"),
    [
        ("<think>a</think>b", "b", "a"),
        ("\n <think>\na\n</think>\n\nb", "b", "\na\n"),
        ("<THINK>a</Think>b", "b", "a"),
        ("<thinking>a</thinking>b", "b", "a"),
        ("<think></think>b", "b", ""),
        ("<think>a</think><think>b</think>c", "c", "ab"),
        ("<think>a < b, <thin></think>c", "c", "a < b, <thin>"),
        ("<think>I close with `</think>` later.</think>b", "b", "I close with `</think>` later."),
        ("no reasoning", "no reasoning", ""),
        ("  indented", "  indented", ""),
        ("First.\n<think>\nhm\n</think>\nSecond.", "First.\nSecond.", "\nhm\n"),
        (FENCED, FENCED, ""),
        ("~~~\n</think>\n~~~\n", "~~~\n</think>\n~~~\n", ""),
        ("In `</think>` and `<think>`.", "In `</think>` and `<think>`.", ""),
        ('It says "</think>" here.', 'It says "</think>" here.', ""),
        ("The </think> tag ends it.", "The </think> tag ends it.", ""),
        ("It ends with </think>.", "It ends with </think>.", ""),
        ("1 < 2 <b>bold</b> <thi", "1 < 2 <b>bold</b> <thi", ""),
        ("plan </think> The answer", "The answer", "plan "),
        ("</think>b", "b", ""),
    ],
)
def test_reasoning_is_hidden_and_talk_about_it_is_not(answer: str, text: str, thought: str) -> None:
    assert split(answer) == (text, thought)


@pytest.mark.pain("P060")
@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["<think>Hello! How are you?"], "Hello! How are you?"),
        (["plan...</think>The answer"], "The answer"),
        (["Use the <think> tag in prompts."], "Use the <think> tag in prompts."),
        (["<thi", "nk>a</th", "ink>b"], "b"),
    ],
)
def test_broken_tags_neither_leak_reasoning_nor_lose_the_answer(pieces: list[str], text: str) -> None:
    assert split(*pieces)[0] == text
    assert split(*"".join(pieces))[0] == text


def test_reasoning_that_was_cut_off_is_not_shown_as_the_answer() -> None:
    assert split("<think>Let me see", show_unclosed=False) == ("", "Let me see")


def test_reasoning_is_given_while_it_streams() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("<think>") == []
    assert splitter.feed("one ") == [ReasoningDelta("one ")]
    assert splitter.feed("two</think>") == [ReasoningDelta("two")]


def test_words_are_not_held_back() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("Hel") == [TextDelta("Hel")]
    assert splitter.feed("lo 1 <") == [TextDelta("lo 1 ")]
    assert splitter.feed(" 2") == [TextDelta("< 2")]


@pytest.mark.pain("P060")
def test_a_late_closing_tag_takes_back_what_was_given() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("plan") == [TextDelta("plan")]
    assert splitter.feed(" more</think>") == [TextDelta(" more")]
    assert splitter.feed("b") == [ReasoningDelta("plan more"), TextDelta("b")]
    assert splitter.retracted == len("plan more")
    assert splitter.opener_missing


def test_a_model_known_to_leave_out_the_opener_shows_no_reasoning_at_all() -> None:
    splitter = ThinkSplitter(opener_missing=True)
    assert splitter.feed("plan ") == []
    assert splitter.feed("more</think>") == [ReasoningDelta("plan more")]
    assert splitter.feed("\nb") == [TextDelta("b")]
    assert splitter.retracted == 0
    assert split("just an answer", opener_missing=True) == ("just an answer", "")
    assert split("<think>a</think>b", opener_missing=True) == ("b", "a")


def test_text_is_not_held_back_for_ever() -> None:
    splitter = ThinkSplitter(opener_missing=True)
    out = [event for _ in range(300) for event in splitter.feed("a hundred characters " * 5)]
    assert sum(len(event.text) for event in out) > 20_000


def test_a_provider_that_keeps_reasoning_apart_has_no_orphan_tags() -> None:
    splitter = ThinkSplitter(opener_missing=True)
    splitter.told_apart()
    assert splitter.feed("a</think>b") + splitter.end(show_unclosed=True) == [
        TextDelta("a"),
        TextDelta("</think>"),
        TextDelta("b"),
    ]


PARTS = st.sampled_from([
    "<think>",
    "</think>",
    "<thinking>",
    "<",
    "</",
    "think",
    ">",
    "`",
    "```",
    "~~~",
    "\n",
    " ",
    "a",
    "B",
    ".",
    '"',
    "好",
])


@pytest.mark.pain("41")
@given(st.lists(PARTS, max_size=14).map("".join), st.data(), st.booleans(), st.booleans())
def test_any_chunking_gives_the_same_answer(
    answer: str, data: st.DataObject, opener_missing: bool, show_unclosed: bool
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(answer)), max_size=8)))
    pieces = [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
    whole = split(answer, opener_missing=opener_missing, show_unclosed=show_unclosed)
    assert split(*pieces, opener_missing=opener_missing, show_unclosed=show_unclosed) == whole
    assert split(*answer, opener_missing=opener_missing, show_unclosed=show_unclosed) == whole


@given(st.lists(PARTS.filter(lambda part: "<" not in part), max_size=20).map("".join))
def test_an_answer_without_tags_stays_as_it_is(answer: str) -> None:
    assert split(answer) == (answer, "")
