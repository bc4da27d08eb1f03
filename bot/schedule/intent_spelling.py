"""Asking words that were typed in haste, written out: "lemme know", "remindme", "cud u"; nothing else is."""

import re

from bot.text.lazy import Pattern

_REMIND = (
    "remin remid remnd remidn reming reminf remins remined remaind rember remeber reimnd "
    "rmeind rmind rmnd rmd"
)
_SPELT = {
    "lemme": "let me",
    "gimme": "give me",
    "lmk": "let me know",
    "hmu": "hit me up",
    "wanna": "want to",
    "remindme": "remind me",
    "remindus": "remind us",
    "pingme": "ping me",
    "wakeme": "wake me",
    "wakeup": "wake up",
    **dict.fromkeys(("cud", "culd", "coud", "cld"), "could"),
    **dict.fromkeys(("wud", "wuld", "woud", "wld"), "would"),
    **dict.fromkeys(("remider", "remindr", "reminer", "reminde", "rminder", "rmndr"), "reminder"),
}
# What is a word, or may be one, stands for "remind" only before whom to remind.
_BEFORE_WHOM = dict.fromkeys(_REMIND.split(), "remind")

_CHINESE = Pattern(r"(?:[题体]醒|提[型形行])(?=一下|下|我|大家|咱)")

WORDS = frozenset((*_SPELT, *_BEFORE_WHOM))
_TYPED = Pattern(
    rf"\b(?:(?P<word>{'|'.join(_SPELT)})|(?P<remind>{'|'.join(_BEFORE_WHOM)})(?=\s+(?:me|us)\b))\b",
    re.IGNORECASE,
)


def spelled(text: str) -> str:
    """The text with its asking words written out."""
    return _CHINESE.sub("提醒", _TYPED.sub(_written, text))


def _written(found: re.Match[str]) -> str:
    word = found.group().lower()
    return _SPELT.get(word) or _BEFORE_WHOM[word]
