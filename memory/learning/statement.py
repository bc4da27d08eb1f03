"""What a person says of themselves in a clear form, as a rule or a model found it."""

import re
from dataclasses import dataclass

from bot.text.tokens import fold

MAX_VALUE_CHARS = 120


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact in a person's own words.

    `slot` is what it is about, `value` what it says of it, `text` the words. `third` tells that it is
    about somebody else than the speaker; `confidence` how sure it is that it was meant so.
    """

    slot: str
    value: str
    text: str
    third: bool = False
    confidence: float = 0.9


# What is asked for with words that its statement need not hold: "what is my name?" – "call me Anna".
_LABELS = {
    "name": ("name", "名字"),
    "birthday": ("birthday", "生日"),
    "home": ("live", "住在哪里"),
    "from": ("come from", "来自哪里"),
    "job": ("job work", "工作"),
    "taste": ("like", "喜欢"),
    "diet": ("eat", "饮食"),
    "languages": ("languages", "语言"),
}
_HAN = re.compile(r"[\u4e00-\u9fff]")


def labelled(statement: Statement) -> str:
    """The words of a statement, with what it is about where they do not say it."""
    known = _LABELS.get(statement.slot.partition(":")[0])
    if known is None:
        return statement.text
    label = known[1] if _HAN.search(statement.text) else known[0]
    said = fold(statement.text)
    return statement.text if all(word in said for word in label.split()) else f"{statement.text} ({label})"


def fits(value: str) -> bool:
    """Whether a value is one: short, and with something in it."""
    return bool(value) and len(value) <= MAX_VALUE_CHARS
