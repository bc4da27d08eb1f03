"""Buttons under a message, whatever the channel makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import InputError

MAX_DATA = 64  # bytes; what the strictest channel takes


@dataclass(frozen=True, slots=True)
class Button:
    """`data` comes back when it is pressed: a key, not the thing itself. `label` is shown.

    Raises `InputError` where `data` is empty or longer than `MAX_DATA`.
    """

    label: str
    data: str

    def __post_init__(self) -> None:
        if not 1 <= len(self.data.encode()) <= MAX_DATA:
            raise InputError(f"the data of a button has {MAX_DATA} bytes at most: {self.data!r}")


Rows = tuple[tuple[Button, ...], ...]


def dump_rows(rows: Rows) -> list[list[dict[str, str]]]:
    """Rows of buttons as JSON."""
    return [[{"label": button.label, "data": button.data} for button in row] for row in rows]


def load_rows(data: Sequence[Sequence[dict[str, str]]]) -> Rows:
    """The rows that `dump_rows` wrote."""
    return tuple(tuple(Button(item["label"], item["data"]) for item in row) for row in data)
