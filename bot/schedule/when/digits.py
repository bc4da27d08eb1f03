"""Writing variants brought to one form, without moving a single character."""

import re
import unicodedata

_PUNCTUATION = {
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2032": "'", "\u2033": '"', "\u201c": '"', "\u201d": '"',
    "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2010": "-", "\u2011": "-", "\uff0d": "-",
    "\u2215": "/", "\uff0f": "/", "\uff1a": ":", "\u2236": ":", "\uff0e": ".", "\u00a0": " ", "\u202f": " ",
    "\u2009": " ", "\u3000": " ", "\uff0b": "+", "\uff08": "(", "\uff09": ")",
    "\u060c": ",", "\uff0c": ",",
}  # fmt: skip


def _table() -> dict[int, str]:
    table = {ord(mark): plain for mark, plain in _PUNCTUATION.items()}
    everything = "".join(map(chr, range(0x80, 0x1FFFF)))
    for char in re.findall(r"\d", everything):  # a fifth of the time of asking for each one's category
        table[ord(char)] = str(unicodedata.digit(char))
    for code in (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)):  # full-width Latin letters
        table[code] = unicodedata.normalize("NFKC", chr(code)).lower()
    return table


_TABLE = _table()


def normalise(text: str) -> str:
    """Lower case, ASCII digits of all scripts, plain dashes, quotes, colons and spaces.

    The result has the length of `text`, so that a position in one is a position in the other.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_TABLE)
