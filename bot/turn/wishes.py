"""What may be asked of an answer by a button under it."""

from typing import Literal

from bot.delivery.buttons import Button, Rows
from bot.domain.message import Reply
from bot.i18n.catalogue import translate

Wish = Literal["regenerate", "continue", "stop"]


def button(wish: Wish, run_id: str, locale: str) -> Button:
    """The button for a wish about a turn."""
    return Button(translate(f"button.{wish}", locale), f"{wish}:{run_id}")


def buttons(run_id: str, reply: Reply, locale: str) -> Rows:
    """What may be asked of a reply."""
    row = [button("regenerate", run_id, locale)]
    if reply.status == "cut":
        row.append(button("continue", run_id, locale))
    return (tuple(row),)


def read(data: str) -> tuple[Wish, str] | None:
    """The wish and the turn that the data of a button means; None where it means something else."""
    wish, _, run_id = data.partition(":")
    match wish:
        case "regenerate" | "continue" | "stop" if run_id:
            return wish, run_id
    return None
