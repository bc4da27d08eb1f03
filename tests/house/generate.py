"""The parts of the documentation that are made from the code.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`. `make docs` writes all of
them anew; tests/house/test_docs.py fails where one is out of date.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path

from bot import cli
from bot.events import types as event_types
from bot.events.types import Event
from bot.store.backends import SqliteBackend
from bot.store.migrate import SNAPSHOT, snapshot, upgrade
from tests.house.repo import ROOT, pyproject

PART = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def floors() -> str:
    """The floors as the import contract has them, the topmost first."""
    (contract,) = [c for c in pyproject()["tool"]["importlinter"]["contracts"] if c["name"] == "floors"]
    return "\n".join(["```text", *contract["layers"], "```"])


def events() -> str:
    """One line an event type: its name, its own fields, its meaning."""
    lines = ["| event | fields | meaning |", "|---|---|---|"]
    for kind in event_kinds():
        own = ", ".join(f"`{f.name}`" for f in fields(kind) if f.name not in COMMON_FIELDS)
        lines.append(f"| `{kind.type}` | {own} | {meaning(kind)} |")
    return "\n".join(lines)


COMMON_FIELDS = frozenset(f.name for f in fields(Event))


def event_kinds() -> list[type[Event]]:
    found = [v for v in vars(event_types).values() if isinstance(v, type) and issubclass(v, Event)]
    return sorted((kind for kind in found if "type" in vars(kind)), key=lambda kind: kind.type)


def meaning(kind: type[Event]) -> str:
    """The docstring on one line; the one that a dataclass makes up itself says nothing."""
    written = kind.__doc__ or ""
    return "" if written.startswith(f"{kind.__name__}(") else " ".join(cleandoc(written).split())


def commands() -> str:
    """The help of every command, as it says it on a terminal of 96 columns."""
    os.environ["COLUMNS"] = "96"
    blocks = (
        f"## {command.prog}\n\n```text\n{command.format_help().rstrip()}\n```"
        for command in grammar(cli.parser())
    )
    return "\n\n".join(blocks)


def grammar(command: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A command and the commands below it."""
    yield command
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from grammar(below)


def schema() -> str:
    """What all migrations make of an empty SQLite database, as one script."""
    with tempfile.TemporaryDirectory() as folder:
        engine = SqliteBackend(Path(folder) / "bot.db").write_engine()
        with engine.begin() as connection:
            upgrade(connection)
            script = snapshot(connection)
        engine.dispose()
    return script


PARTS: dict[str, Callable[[], str]] = {"floors": floors, "events": events, "commands": commands}


def fresh(text: str) -> str:
    """The text of a page with every generated part made anew."""
    return PART.sub(lambda part: f"{part[1]}{PARTS[part['name']]()}\n{part[3]}", text)


def main() -> int:
    for page in sorted((ROOT / "docs").glob("*.md")):
        before = page.read_text(encoding="utf-8")
        if (after := fresh(before)) != before:
            page.write_text(after, encoding="utf-8")
            sys.stdout.write(f"{page.relative_to(ROOT)} written anew\n")
    if (script := schema()) != SNAPSHOT.read_text(encoding="utf-8"):
        SNAPSHOT.write_text(script, encoding="utf-8")
        sys.stdout.write(f"{SNAPSHOT.relative_to(ROOT)} written anew\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
