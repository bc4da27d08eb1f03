"""The buttons under a reminder, and what a press of one means."""

from typing import Literal

from bot.delivery.buttons import Button, Rows
from bot.i18n.catalogue import translate

Press = Literal["done", "10m", "1h", "tomorrow", "resume"]
_PRESSES: tuple[Press, ...] = ("done", "10m", "1h", "tomorrow")
_PREFIX = "job"


def under_reminder(job_id: str, locale: str) -> Rows:
    """Done, and three times to be reminded again."""
    return (tuple(_button(press, job_id, locale) for press in _PRESSES),)


def under_pause(job_id: str, locale: str) -> Rows:
    """The way on, under the line that says that a job was paused."""
    return ((_button("resume", job_id, locale),),)


def read(data: str) -> tuple[Press, str] | None:
    """The press and the job that the data of a button means; None where it means something else."""
    prefix, _, rest = data.partition(":")
    press, _, job_id = rest.partition(":")
    if prefix != _PREFIX or not job_id:
        return None
    match press:
        case "done" | "10m" | "1h" | "tomorrow" | "resume":
            return press, job_id
    return None


def _button(press: Press, job_id: str, locale: str) -> Button:
    return Button(translate(f"firing.button_{press}", locale), f"{_PREFIX}:{press}:{job_id}")
