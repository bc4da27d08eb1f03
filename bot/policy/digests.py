"""What a call is, exactly: the same tool with the same arguments has one digest, and nothing else has it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from bot.domain.tool import Tool


def canonical(arguments: Mapping[str, Any]) -> str:
    """Arguments as one text: keys in order, no spaces. `ValueError` for what is no JSON, or no text."""
    text = json.dumps(arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text.encode()  # half of a character, as "\\ud800" makes it, can be sent to nobody
    return text


def digest(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """What an approval is bound to: origin, tool, effect and arguments."""
    named = "\0".join((tool.source, tool.toolset, tool.remote_name or tool.name, tool.effect))
    text = f"{named}\0{canonical(arguments)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def question(call_id: str, digest: str, attempts: int) -> str:
    """The id of what a person is asked about a call. The same call is another question once it was begun,
    or counts as something else: a button under the earlier one decides nothing about it."""
    mark = hashlib.sha256(f"{digest} {attempts}".encode()).hexdigest()[:8]
    return f"{call_id}-{mark}"
