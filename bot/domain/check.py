"""One finding of a self-examination, as `xiaomaolv doctor` shows it."""

from dataclasses import dataclass
from typing import Literal

CheckStatus = Literal["ok", "warn", "fail", "skipped"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at and how it stands. `cure` says what to do, where there is something to do."""

    name: str
    status: CheckStatus
    detail: str  # what was found; for "skipped", why it was not looked at
    cure: str = ""
