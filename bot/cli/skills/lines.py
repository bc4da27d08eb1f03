"""What `skills match` reads: messages and catalogues as lines of JSON, from outside."""

import json
import sys
from pathlib import Path

from bot.errors import InputError
from bot.text.clean import clean


def text_of(line: bytes) -> str:
    """The text of a line. Raises `InputError`, also for a blank line: each has its answer."""
    try:
        # A number of a thousand digits beside the text is none of our business.
        asked = json.loads(line.strip() or b"{}", parse_int=float)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a line of JSON: {error}") from error
    text = asked.get("text") if isinstance(asked, dict) else None
    if not isinstance(text, str):
        raise InputError('this is not a line {"text": "..."}')
    return clean(text)


def entries_of(path: Path) -> list[tuple[str, str]]:
    """Names and descriptions of a catalogue, each name once. Raises `InputError`."""
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{path} cannot be read: {why}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            name, description = _entry(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f'{path}:{number}: this is not a line {{"name", "description"}}') from error
        if name in found:
            told = "is taken for one with all that is said of it"
            print(f'{path}:{number}: the name "{name}" stands here again; it {told}', file=sys.stderr)
            description = f"{found[name]} {description}"
        found[name] = description
    return list(found.items())


def _entry(line: str) -> tuple[str, str]:
    """One entry; a tool without a description is found by its name. Raises `ValueError`."""
    item = json.loads(line, parse_int=float)
    name, description = (
        (item.get("name"), item.get("description")) if isinstance(item, dict) else (None, None)
    )
    if not isinstance(name, str) or not isinstance(description or "", str) or not name.strip():
        raise ValueError("it has no name, or its description is no text")
    return clean(name.strip()), clean(description or "").strip()
