"""The buttons under a reminder. Their data are commands, which every channel takes."""

from typing import Literal

from bot.delivery.buttons import Button, Rows
from bot.i18n.catalogue import translate

Press = Literal["done", "10m", "1h", "tomorrow", "resume"]
_PRESSES: tuple[Press, ...] = ("done", "10m", "1h", "tomorrow")


def under_reminder(job_id: str, locale: str) -> Rows:
    """Done, and three times to be reminded again."""
    return (tuple(_button(press, job_id, locale) for press in _PRESSES),)


def under_pause(job_id: str, locale: str) -> Rows:
    """The way on, under the line that says that a job was paused."""
    return ((_button("resume", job_id, locale),),)


def _button(press: Press, job_id: str, locale: str) -> Button:
    return Button(translate(f"firing.button_{press}", locale), f"/task {press} {job_id}")
