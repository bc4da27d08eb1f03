"""Words by which models say that they have nothing to say. They are for programs, never for people."""

import re
from typing import Literal

TOKENS = (
    "NO_REPLY",
    "NO_RESPONSE",
    "NO_ANSWER",
    "NO_OUTPUT",
    "SILENT_REPLY",
    "NOREPLY",
    "[SILENT]",
    "[SILENCE]",
    "[NO REPLY]",
    "[NO RESPONSE]",
    "<silent>",
    "<silence>",
    "<no_reply>",
    "HEARTBEAT_OK",
)
_MARKS = " \t\r\n*_`~\"'“”‘’"  # what models put around such a word
_REST = re.compile(r"[\W_]*")  # ... and behind it
_WORD_GOES_ON = re.compile(r"\w")

Kind = Literal["none", "alone", "explained"]


def silence_in(text: str) -> Kind:
    """Whether a text is such a word, alone or with an explanation behind it."""
    said = text.lstrip(_MARKS)
    token = next((token for token in TOKENS if said.startswith(token)), None)
    if token is None:
        return "none"
    rest = said[len(token) :]
    if _REST.fullmatch(rest):
        return "alone"
    return "none" if _WORD_GOES_ON.match(rest) else "explained"


def may_become_silence(text: str) -> bool:
    """Whether the beginning of an answer may still turn out to be such a word."""
    said = text.lstrip(_MARKS)
    return any(token.startswith(said) for token in TOKENS) or silence_in(text) != "none"
