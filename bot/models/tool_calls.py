"""Puts tool calls together from pieces, however a provider numbers them."""

import json
import secrets
from dataclasses import dataclass
from typing import Any

from bot.domain.message import ToolCall

MAX_RAW_CHARS = 800


@dataclass(slots=True)
class _Building:
    index: int | None
    id: str
    name: str
    arguments: str


class ToolCallAssembler:
    """Takes the `tool_calls` of each delta; `calls` are the whole calls, in order of appearance.

    A piece belongs to a call by its id, else by its index, else to the last one. A piece that
    brings another id, or a name after the arguments are whole, begins a new call even under an
    index that is taken.
    """

    def __init__(self) -> None:
        self._building: list[_Building] = []

    def add(self, pieces: Any) -> bool:
        """Take the pieces of one delta; whether there was anything in them."""
        if not isinstance(pieces, list):
            return False
        added = [self._add(piece) for piece in pieces if isinstance(piece, dict)]
        return any(added)

    def calls(self) -> list[ToolCall]:
        """The calls; ids and names are made up where missing or taken."""
        taken: set[str] = set()
        whole = []
        for building in self._building:
            if not building.name and not building.arguments.strip():
                continue
            call_id = building.id
            if not call_id or call_id in taken:
                call_id = f"call_{secrets.token_hex(8)}"
            taken.add(call_id)
            arguments = read_arguments(building.arguments)
            raw = "" if arguments is not None else building.arguments[:MAX_RAW_CHARS]
            whole.append(ToolCall(call_id, building.name or "unnamed", arguments, raw))
        return whole

    def _add(self, piece: dict[str, Any]) -> bool:
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        index = piece.get("index")
        new = _Building(
            index if isinstance(index, int) else None,
            _text(piece.get("id")),
            _text(function.get("name")),
            _arguments_text(function.get("arguments")),
        )
        if not (new.id or new.name or new.arguments):
            return False
        old = self._find(new)
        if old is None:
            if new.id or new.name or not self._building:
                self._building.append(new)
                return True
            old = self._building[-1]
        old.id = old.id or new.id
        old.name = old.name or new.name
        old.arguments += new.arguments
        return True

    def _find(self, new: _Building) -> _Building | None:
        """The call that a piece goes on with; None if it begins another."""
        same_id = [old for old in self._building if new.id and old.id == new.id]
        same_id = [old for old in same_id if old.index == new.index] or same_id
        same_index = [old for old in self._building if new.index is not None and old.index == new.index]
        if same_id:
            numbered_apart = new.index is not None and same_id[-1].index not in {None, new.index}
            old = None if numbered_apart else same_id[-1]
        elif same_index:
            old = same_index[-1]
            if new.id and old.id:  # another id under one index
                return None
        elif new.index is None and not new.id and self._building:
            old = self._building[-1]
        else:
            return None
        return None if old is None or _begins_another(old, new) else old


def _begins_another(old: _Building, new: _Building) -> bool:
    """Whether a named piece is a call of its own, although id or index say it goes on."""
    if not new.name or not old.name:
        return False
    if old.arguments.strip():
        return bool(new.arguments.strip()) and _is_whole(old.arguments)
    return new.name != old.name


def _is_whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments_text(value: Any) -> str:
    """Some providers send the arguments as an object instead of its text."""
    return json.dumps(value) if isinstance(value, dict) else _text(value)


def read_arguments(raw: str) -> dict[str, Any] | None:
    """The arguments as an object; {} for nothing at all, None where they are no JSON object.

    An object that was put into a JSON string once more is unpacked.
    """
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = json.loads(value, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
