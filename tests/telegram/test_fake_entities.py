"""The fake's entity rules against Telegram's own.

The samples below always run. With TELEGRAM_ENTITY_CASES set to a file of TDLib's cases (JSON lines with
`kind`, `input`, and `found` or `in_entities`, `text`, `entities`, `flags`) those are run as well.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.bot_api_text import Entity, find_entities, fix_text, utf16_slice

_NAMES = {"TextUrl": "text_link", "PreCode": "pre", "BlockQuote": "blockquote"}
_SAMPLES: list[dict[str, Any]] = [
    {"kind": "mention", "input": " @mention ", "found": ["@mention"]},
    {"kind": "mention", "input": "no@mention нет@mention @n @abc @like", "found": ["@like"]},
    {"kind": "mention", "input": "@abcdefghijklmnopqrstuvwxyz1234567", "found": []},
    {"kind": "bot_command", "input": "/abc /a@abc", "found": ["/abc", "/a@abc"]},
    {"kind": "bot_command", "input": "/a@b /@bfdsa /test/", "found": []},
    {"kind": "hashtag", "input": "#я я#a ## #123 #123a #a#", "found": ["#я", "#123a"]},
    {"kind": "hashtag", "input": "#test@abc #te·st", "found": ["#test@abc", "#te·st"]},
]
_FIXED = [
    ("  aba\n ", [], "aba", []),
    ("  \n ", [("bold", 0, 2)], "", []),
    ("  aba", [("pre", 1, 4)], " aba", [("pre", 0, 4)]),
    ("a\rb", [("bold", 0, 1), ("bold", 2, 1)], "ab", [("bold", 0, 2)]),
    ("a\nb", [("bold", 0, 1), ("bold", 2, 1)], "a\nb", [("bold", 0, 1), ("bold", 2, 1)]),
    ("abc", [("italic", 0, 2), ("italic", 1, 2)], "abc", [("italic", 0, 3)]),
    ("abc", [("pre", 0, 3), ("bold", 1, 1)], "abc", [("pre", 0, 3)]),
    ("abc", [("pre", 1, 1), ("bold", 0, 3)], "abc", [("bold", 0, 1), ("pre", 1, 1), ("bold", 2, 1)]),
    ("abc", [("pre", 0, 3), ("blockquote", 1, 1)], "abc", [("blockquote", 1, 1)]),
    ("abc", [("blockquote", 0, 3), ("pre", 1, 1)], "abc", [("blockquote", 0, 3), ("pre", 1, 1)]),
    ("\u200f\u200f \u200ea", [], "\u200c\u200f \u200ea", []),
]


def cases() -> list[dict[str, Any]]:
    path = os.environ.get("TELEGRAM_ENTITY_CASES")
    if path is None:
        return _SAMPLES
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [*_SAMPLES, *(json.loads(line) for line in lines)]


def test_mentions_commands_and_tags_are_found_as_telegram_finds_them() -> None:
    wrong = []
    looked_at = [case for case in cases() if case["kind"] in {"mention", "bot_command", "hashtag"}]
    for case in looked_at:
        text = case["input"]
        found = [
            utf16_slice(text, item.offset, item.length)
            for item in find_entities(text)
            if item.type == case["kind"]
        ]
        if found != case["found"]:
            wrong.append(text)
    assert len(wrong) <= len(looked_at) // 15, wrong  # a few rare alphabets and lengths are left out


@pytest.mark.parametrize(("text", "given", "fixed_text", "fixed"), _FIXED)
def test_texts_are_cleaned_trimmed_and_nested(
    text: str, given: list[tuple[str, int, int]], fixed_text: str, fixed: list[tuple[str, int, int]]
) -> None:
    result = fix_text(text, [Entity(*item) for item in given])
    assert result.text == fixed_text
    assert [(item.type, item.offset, item.length) for item in result.entities] == fixed


def test_telegrams_own_cases_of_formatting_hold() -> None:
    wrong = []
    looked_at = [case for case in cases() if case["kind"] == "fix_formatted_text"]
    for case in looked_at:
        keep_space = (case["flags"] or ["false"])[-1] == "true"
        result = fix_text(case["input"], [_entity(item) for item in case["in_entities"]], trim=not keep_space)
        wanted = [_entity(item) for item in case["entities"] if item["type"] not in {"Url", "Mention"}]
        if result.text != case["text"] or {*result.entities} != {*wanted}:
            wrong.append(case["input"])
    assert len(wrong) <= len(looked_at) // 6, wrong  # styles are not cut at found links, as they are there


def _entity(item: dict[str, Any]) -> Entity:
    kind = _NAMES.get(item["type"], item["type"].lower())
    return Entity(kind, item["offset"], item["length"])
