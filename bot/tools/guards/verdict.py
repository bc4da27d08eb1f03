"""What a guard says: may this be done, and why not."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ask`: only when a person who saw it whole says yes. `reason` is for people and the model."""

    verdict: Literal["allow", "deny", "ask"]
    reason: str = ""

    @property
    def allowed(self) -> bool:
        return self.verdict == "allow"


ALLOW = Verdict("allow")


def deny(reason: str) -> Verdict:
    return Verdict("deny", reason)


def ask(reason: str) -> Verdict:
    return Verdict("ask", reason)
