"""Which names of files are taken: own samples of each kind of trick, and of ordinary names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tools.guards.paths import judge_path, parts_of

TRICKS = {
    "up": ["..", "../y", "b/../../y", "b/..", "././../y", "....//y", "...", "..;/y", ". ./y", "b/.. /y"],
    "elsewhere": ["/", "/etc/hosts", "//etc/hosts", "~/y", "~root/y", "C:/y", "C:y", "\\\\srv\\y", "..\\y"],
    "encoded": [
        "%2e%2e/y",
        "%2E%2E%2Fy",
        "%252e%252e%252fy",
        "..%2fy",
        "..%c0%afy",
        "a%00b",
        "..%5cy",
        "%2fetc/y",
    ],
    "look-alikes": ["．．/y", "..／y", "‥/y", "b/․․/y", "。。/y", "..⧸y", "b∕..∕..∕y", "..⧵y"],
    "invisible": [
        "y\x00.png",
        "a\nb",
        "a\x1bb",
        "\u202egpj.exe",
        "\u200by",
        "\u2066y",
        "\ufeffy",
        "y\u200d",
        "\u3164",
    ],
    "devices": ["nul", "CON.txt", "aux", "lpt9.md", "com1", "COM²", "conin$"],
    "shells": [
        "%APPDATA%/y",
        "b/%USERPROFILE%",
        "$HOME/y",
        "${X}",
        "$(id)",
        "`id`",
        "|id",
        "a>b",
        "y*",
        "y?",
        'a"b',
        "a:b",
    ],
    "options": ["-rf", "--help", "b/-y"],
    "obeyed": [
        ".git/config",
        "b/.git",
        ".ssh/id_ed25519",
        ".env",
        ".env.local",
        ".netrc",
        ".bashrc",
        ".Git/hooks/y",
        "GIT~1/config",
    ],
    "shape": ["", ".", "./", " y", "y ", "y.", "b /y", "y" * 250, "é" * 130, "b/" * 20 + "y", "\ud800"],
}
ORDINARY = [
    "todo.md",
    "b/c/d.txt",
    "./todo.md",
    "b//c.txt",
    "年度报告 2026.docx",
    "عقد.pdf",
    "naïve café.txt",
    "می‌خواهم.txt",
    "👨‍👩‍👧.png",
    "a..b..c",
    "..hidden",
    ".gitignore",
    "100%.txt",
    "50%20off.txt",
    "%E4%B8%AD%E6%96%87.txt",
    "½ cup.md",
    "目录。新.md",
    "R&D; notes.txt",
    "price $5.txt",
    "x (1).tar.gz",
    "console.log",
    "it's.txt",
    "a~b",
]


@pytest.mark.parametrize("path", [path for paths in TRICKS.values() for path in paths])
def test_a_trick_is_refused_with_a_reason(path: str) -> None:
    verdict = judge_path(path)
    assert (verdict.verdict, bool(verdict.reason)) == ("deny", True)


@pytest.mark.parametrize("path", ORDINARY)
def test_an_ordinary_name_is_taken(path: str) -> None:
    assert judge_path(path).allowed, judge_path(path).reason


def test_two_ways_to_write_one_letter_are_one_name() -> None:
    assert parts_of("cafe\u0301") == parts_of("caf\u00e9")


@given(
    st.lists(
        st.sampled_from(["..", ".", "a", "%2e", "/", "\\", "．", "／", "%2f", "%5c", "%", "25", ";", " "])
    )
)
def test_no_way_to_write_up_passes(pieces: list[str]) -> None:
    path = "".join(pieces)
    if judge_path(path).allowed:
        assert all(set(part) - set(". ") for part in parts_of(path))


@given(st.text(max_size=60))
def test_no_text_breaks_the_guard(path: str) -> None:
    if judge_path(path).allowed:
        assert all(part not in {"", ".", ".."} and "/" not in part for part in parts_of(path))
