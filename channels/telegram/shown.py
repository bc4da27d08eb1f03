"""What one message shows: its content, classic or rich, and the buttons under it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.delivery.buttons import Rows
from channels.telegram.entities import Rendered
from channels.telegram.rich import Rich

Content = Rendered | Rich


@dataclass(frozen=True, slots=True)
class Shown:
    """One message as it is sent or edited."""

    content: Content
    buttons: Rows = ()

    @property
    def is_rich(self) -> bool:
        return isinstance(self.content, Rich)

    @property
    def hash(self) -> str:
        """A fingerprint: two of the same look the same in the chat."""
        if not self.buttons:
            return self.content.hash
        return hashlib.sha256(repr((self.content.hash, self.buttons)).encode()).hexdigest()[:32]

    @property
    def markup(self) -> dict[str, Any] | None:
        """The buttons as the Bot API takes them."""
        if not self.buttons:
            return None
        rows = [[{"text": one.label, "callback_data": one.data} for one in row] for row in self.buttons]
        return {"inline_keyboard": rows}


def anchor_for(part: Shown) -> Shown:
    """The least a message can show until it is edited; of the form of what it is to become."""
    return Shown(Rich("…") if part.is_rich else Rendered("…"))


def with_buttons(contents: Sequence[Content], buttons: Rows) -> list[Shown]:
    """The messages of one answer; the last one carries the buttons."""
    last = len(contents) - 1
    return [Shown(content, buttons if place == last else ()) for place, content in enumerate(contents)]
