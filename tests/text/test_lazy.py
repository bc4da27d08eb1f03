import re

import pytest

from bot.text.lazy import Pattern


def test_it_does_what_the_compiled_expression_does() -> None:
    text = "One fish, two fish; 三条鱼"
    lazy, compiled = Pattern(r"(fish|鱼)", re.IGNORECASE), re.compile(r"(fish|鱼)", re.IGNORECASE)
    assert [found.span() for found in lazy.finditer(text)] == [
        found.span() for found in compiled.finditer(text)
    ]
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.split(text) == compiled.split(text)
    assert lazy.sub("bird", text, 1) == compiled.sub("bird", text, 1)
    found = lazy.search(text, 6)
    assert found is not None
    assert found.start() == 14
    assert lazy.match("FISH") is not None
    assert lazy.match("a fish") is None
    assert lazy.fullmatch("fish!") is None


def test_nothing_is_compiled_before_it_is_asked() -> None:
    broken = Pattern("(")
    with pytest.raises(re.error):
        broken.search("a")
