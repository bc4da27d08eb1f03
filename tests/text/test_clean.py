"""Outside text is made safe to keep."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.clean import clean

any_text = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("dirty", "kept"),
    [
        ("a\x00b", "ab"),
        ("a\x1b[31mb\x7f", "a[31mb"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\u202eright to left stays", "\u202eright to left stays"),
    ],
)
def test_what_cannot_be_kept_goes_and_the_rest_stays(dirty: str, kept: str) -> None:
    assert clean(dirty) == kept


@given(any_text)
def test_clean_text_can_be_stored_and_is_clean_already(text: str) -> None:
    once = clean(text)
    assert once.encode("utf-8").decode("utf-8") == once
    assert json.loads(json.dumps(once)) == once
    assert clean(once) == once
    assert "\x00" not in once
