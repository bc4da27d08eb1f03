"""Single lines after a few short talks: how people call a bot, talk about it, and go on after its answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.turn.group.explain import explain

BOT = {"username": "donkey_bot", "name": "Donkey", "aliases": ["小驴", "毛驴"]}
TALKS = {
    "greetings": ["Ann: morning", "Ben: hi all", "小明: 早"],
    "pizza": [
        "Ann: Donkey, what's a good pizza place in Rome?",
        "BOT: Da Remo in Testaccio: thin, crisp and cheap. They open at seven.",
    ],
    "披萨": ["小李: 小驴，罗马哪家披萨好吃？", "BOT: 推荐 Testaccio 的 Da Remo，薄脆又便宜，晚上七点开门。"],
    "table": ["Ann: Donkey, book me a table", "BOT: For how many people, and at what time?"],
    "订位": ["小李: 小驴，帮我订个位", "BOT: 几个人？几点？"],
    "perú": ["Ana: Donkey, ¿cuál es la capital de Perú?", "BOT: Lima."],
    "पेरू": ["Ana: Donkey, पेरू की राजधानी क्या है?", "BOT: लीमा।"],
    "بيرو": ["Ana: Donkey، ما هي عاصمة بيرو؟", "BOT: ليما."],
}


def lines() -> Iterator[tuple[str, str, str, str]]:
    """Talk, person, what is right, text."""
    head: list[str] = []
    for line in (Path(__file__).parent / "lines.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            head = line.split()[1:]
        elif line and not line.startswith("# "):
            yield head[0], head[1], head[2], line


def said(*lines: str) -> list[dict[str, Any]]:
    messages = []
    for at, line in enumerate(lines):
        name, text = line.split(": ", 1)
        messages.append({"from": name, "text": text, "t": 10 * at, "is_bot": name == "BOT"})
    return messages


@pytest.mark.pain("24")
@pytest.mark.parametrize("talk, person, right, text", list(lines()))
def test_a_line_is_answered_where_people_would_expect_it(
    talk: str, person: str, right: str, text: str
) -> None:
    verdict = explain({"bot": BOT, "messages": said(*TALKS[talk], f"{person}: {text}")})
    assert (verdict.decision == "respond") == (right == "respond"), verdict
