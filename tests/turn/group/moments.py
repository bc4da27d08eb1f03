"""Reads the labelled moments that stand beside this file as plain text."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LINE = re.compile(r"(?:\+(\d+) )?([^:>*]+?)(\*)?(?:>(\d+))?: (.*)")
STEP_S = 8


def moments() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each labelled moment: a name for reports, what is right, and the moment as `explain` reads it."""
    for file in sorted(HERE.glob("moments_*.txt")):
        for number, block in enumerate(_blocks(file.read_text("utf-8")), 1):
            head, *lines = block
            expect, *options = head.split()
            yield f"{file.stem}:{number}: {lines[-1]}", expect, _moment(lines, options)


def _blocks(text: str) -> Iterator[list[str]]:
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            yield lines


def _moment(lines: list[str], options: list[str]) -> dict[str, Any]:
    given = dict(option.split("=", 1) for option in options if "=" in option)
    username, bot_name = given.get("bot", "donkey_bot:Donkey").split(":")
    aliases = given.get("aliases", "小驴" if bot_name == "Donkey" else "none").split(",")
    messages: list[dict[str, Any]] = []
    t = 0
    for line in lines:
        match = LINE.fullmatch(line)
        assert match, line
        after, name, star, replied, text = match.groups()
        t += int(after or STEP_S)
        message: dict[str, Any] = {"from": name, "text": text, "t": t}
        if star or name == "BOT":
            message["is_bot"] = True
        if replied:
            message["reply_to"] = int(replied)
        messages.append(message)
    bot = {"username": username, "name": bot_name, "aliases": [] if aliases == ["none"] else aliases}
    return {"bot": bot, "mode": "strict" if "strict" in options else "smart", "messages": messages}
